"""What a plan is asked: the effect worth seeing, and how sure one wants to be of seeing it."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.errors import ConfigurationError, Fault

MOST_REPEATS = 100
LEAST_CHANCE = 1e-6
LEAST_EFFECT, MOST_EFFECT = 1e-9, 1e12
"""Outside of which floating point, not statistics, would give the answer."""


@dataclass(frozen=True)
class Question:
    """An effect and the errors allowed.

    Attributes:
        effect: the smallest change worth seeing, in the metric's unit, over 0.
        power: the chance of seeing it when it is there, in (alpha, 1).
        alpha: the chance of seeing one that is not there, two-sided, in (0, 1).
        repeats: how often each case is asked, at least 1.
        metric: the one that is planned; None is all of the configuration.
    """

    effect: float = 0.03
    power: float = 0.8
    alpha: float = 0.05
    repeats: int = 1
    metric: str | None = None

    def check(self) -> None:
        """Refuse numbers that ask nothing.

        Raises:
            ConfigurationError: with every fault.
        """
        faults = []
        if not LEAST_EFFECT <= self.effect <= MOST_EFFECT:
            cure = f"expected a number over 0, from {LEAST_EFFECT:g} to {MOST_EFFECT:g}"
            faults.append(Fault(f"'{self.effect}' is no effect to see; {cure}", "--effect"))
        for name, value in (("--power", self.power), ("--alpha", self.alpha)):
            if not LEAST_CHANCE <= value <= 1 - LEAST_CHANCE:
                faults.append(Fault(f"'{value}' is no chance; expected a number between 0 and 1", name))
        if not faults and self.power <= self.alpha:
            faults.append(Fault(f"'{self.power}' is not over alpha, {self.alpha}; expected more", "--power"))
        if not 1 <= self.repeats <= MOST_REPEATS:
            cure = f"expected 1 to {MOST_REPEATS} trials of each case"
            faults.append(Fault(f"'{self.repeats}' is not possible; {cure}", "--repeats"))
        if faults:
            raise ConfigurationError(faults)
