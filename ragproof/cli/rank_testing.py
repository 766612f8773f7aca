"""How `ragproof rank --test` was asked for: against which run, and with which random draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof.cli import rank_runs
from ragproof.errors import ConfigurationError, Fault
from ragproof.ranking.measures import Measure, is_tested
from ragproof.statistics.streams import DRAWS

SEED = 0
LEAST_DRAWS = 20
"""With fewer no p can be under 0.05."""


@dataclass(frozen=True)
class Testing:
    """What `--test` is to do.

    Attributes:
        baseline: the title of the run that the others are held against; None is every pair.
        seed: of random signs and resamples.
        draws: how many there are.
    """

    baseline: str | None
    seed: int
    draws: int


@dataclass(frozen=True)
class Given:
    """The options of `--test` as they were written.

    Attributes:
        test: whether there is to be one.
        baselines: of `--baseline`, each time.
        seed: of `--seed`; None without it.
        draws: of `--draws`; None without it.
    """

    test: bool
    baselines: Sequence[str]
    seed: int | None
    draws: int | None


def read_testing(given: Given, runs: Sequence[Path], measures: Sequence[Measure]) -> Testing | None:
    """Read the options of `--test`.

    Args:
        given: as they were written.
        runs: the paths of the runs as they were written.
        measures: those that are asked for.

    Returns:
        What to do; None without `--test`.

    Raises:
        ConfigurationError: they cannot be followed; every fault.
    """
    faults = list(_faults(given, runs, measures) if given.test else _lost(given))
    baseline: str | None = None
    if given.test and len(given.baselines) == 1:
        try:
            baseline = rank_runs.find(given.baselines[0], runs)
        except ConfigurationError as error:
            faults += error.faults
    if faults:
        raise ConfigurationError(faults)
    if not given.test:
        return None
    return Testing(
        baseline,
        SEED if given.seed is None else given.seed,
        DRAWS if given.draws is None else given.draws,
    )


def _faults(given: Given, runs: Sequence[Path], measures: Sequence[Measure]) -> Iterator[Fault]:
    if len(runs) < 2:
        yield Fault("--test holds runs against each other, expected at least 2 and got 1")
    if not any(map(is_tested, measures)):
        yield Fault("--test has only the share of judged documents, expected a measure such as 'ndcg@10'")
    if given.seed is not None and given.seed < 0:
        yield Fault(f"--seed is '{given.seed}', expected a whole number of at least 0")
    if given.draws is not None and given.draws < LEAST_DRAWS:
        told = f"--draws is '{given.draws}', expected at least {LEAST_DRAWS}"
        yield Fault(f"{told}; with fewer no p can be under 0.05")
    if len(given.baselines) > 1:
        told = ", ".join(f"'{name}'" for name in given.baselines)
        yield Fault(f"--baseline is given {len(given.baselines)} times, expected once: {told}")


def _lost(given: Given) -> Iterator[Fault]:
    for name, value in (("baseline", given.baselines or None), ("seed", given.seed), ("draws", given.draws)):
        if value is not None:
            yield Fault(f"--{name} says nothing without --test; add --test, or leave --{name} out")
