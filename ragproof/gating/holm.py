"""Holm over the values of a tag: the chance that any of them is called a FAIL by luck stays what one has.

Step-down: all are held against alpha / k first, and those left against alpha / (k - r) once r have failed
(Holm 1979). A PASS needs no correction, for the rule passes only when every value does (an intersection-union
test, Berger 1982).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ragproof.gating.outcome import Outcome
from ragproof.gating.verdict import Verdict

Test = Callable[[float], Outcome]
"""Judges one value of the tag at a confidence."""


def corrected(tests: Sequence[Test], confidence: float, family: int) -> tuple[Outcome, ...]:
    """Judge several values of a tag.

    Args:
        tests: one a value.
        confidence: one-sided, of each PASS and of all FAILs together.
        family: how many values there are, at least as many as tests: one that cannot be judged counts.

    Returns:
        An outcome each; a FAIL that Holm does not uphold is INCONCLUSIVE, and one that it does has the bounds
        of the confidence that it took.
    """
    outcomes = [test(confidence) for test in tests]
    if family == 1:
        return tuple(outcomes)
    failing = {place for place, outcome in enumerate(outcomes) if outcome.verdict is Verdict.FAIL}
    upheld: dict[int, Outcome] = {}
    while failing - upheld.keys():
        stricter = 1.0 - (1.0 - confidence) / (family - len(upheld))
        again = {place: tests[place](stricter) for place in sorted(failing - upheld.keys())}
        new = {place: outcome for place, outcome in again.items() if outcome.verdict is Verdict.FAIL}
        if not new:
            break
        upheld |= new
    for place in failing:
        outcomes[place] = upheld.get(place) or replace(
            outcomes[place],
            verdict=Verdict.INCONCLUSIVE,
            because=f"beyond the threshold on its own, but one of {family} values of the tag may be by luck",
        )
    return tuple(outcomes)
