"""Two runs on the cases they share. Here alone is decided whether two runs may be held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import JsonValue

from ragproof.comparability import Difference, conflicts
from ragproof.comparing.scored_run import CaseFacts, MetricScores, ScoredRun
from ragproof.errors import RagproofError

MIN_COVERAGE = 0.8
"""The least share of the smaller run's cases that must be in the other, by default."""
ALLOW_MIXED = "--allow-mixed-judges"


class Incomparable(RagproofError):
    """Two runs whose numbers do not mean the same; carries every field that differs."""

    def __init__(self, message: str, differences: Sequence[Difference] = ()) -> None:
        self.differences = tuple(differences)
        super().__init__("\n".join([message, *(f"  {difference}" for difference in self.differences)]))


@dataclass(frozen=True)
class Pair:
    """Two runs over the same cases, in the same order.

    Attributes:
        first: the baseline, over the shared cases alone.
        second: the candidate, likewise.
        only_first: ids of the baseline's cases that the candidate does not have.
        only_second: the reverse.
        changed: ids that both have, whose case is another.
        lifted: differences of the judge that were allowed.
    """

    first: ScoredRun
    second: ScoredRun
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    changed: tuple[str, ...]
    lifted: tuple[Difference, ...] = ()

    @property
    def cases(self) -> tuple[CaseFacts, ...]:
        """The shared cases."""
        return self.first.cases

    @property
    def metrics(self) -> tuple[str, ...]:
        """Keys that both runs measured, in the baseline's order."""
        return tuple(key for key in self.first.scores if key in self.second.scores)

    @property
    def unshared_metrics(self) -> tuple[str, ...]:
        """Keys that one of them measured alone."""
        return tuple(sorted(self.first.scores.keys() ^ self.second.scores.keys()))


def pair(
    first: ScoredRun,
    second: ScoredRun,
    *,
    allow_mixed_judges: bool = False,
    min_coverage: float = MIN_COVERAGE,
) -> Pair:
    """Hold two runs against each other.

    Args:
        first: the baseline.
        second: the candidate.
        allow_mixed_judges: let the judge differ, and only the judge.
        min_coverage: the least share of the smaller run's cases that both have, from 0 to 1.

    Returns:
        Both runs over the cases whose content they share.

    Raises:
        Incomparable: a field that gives numbers their meaning differs, with every such field; no case is
            shared; or too few are.
    """
    found = conflicts(_fields(first), _fields(second))
    lifted = tuple(each for each in found if each.of_judge) if allow_mixed_judges else ()
    standing = [each for each in found if each not in lifted]
    if standing:
        hint = f"; {ALLOW_MIXED} lifts the judge's" if any(each.of_judge for each in standing) else ""
        raise Incomparable(
            f"run '{first.source}' and run '{second.source}' cannot be compared: they differ in"
            f" {len(standing)} field{'s' * (len(standing) > 1)} that give{'s' * (len(standing) == 1)} numbers"
            f" their meaning{hint}",
            standing,
        )
    return _on_shared_cases(first, second, min_coverage, lifted)


def _on_shared_cases(
    first: ScoredRun, second: ScoredRun, min_coverage: float, lifted: tuple[Difference, ...]
) -> Pair:
    places = {case.content_hash: place for place, case in enumerate(second.cases)}
    shared = [
        (place, places[case.content_hash])
        for place, case in enumerate(first.cases)
        if case.content_hash in places
    ]
    smaller = min(len(first.cases), len(second.cases))
    if not shared or len(shared) < min_coverage * smaller:
        raise Incomparable(
            f"run '{first.source}' and run '{second.source}' share {len(shared)} of {smaller} cases; expected"
            f" {'at least one' if not shared else f'at least {min_coverage:.0%}'}, by the content of the case"
        )
    ours, theirs = (np.array(column, dtype=np.intp) for column in zip(*shared, strict=True))
    kept_first = {first.cases[place].content_hash for place in ours}
    left_first = [case.id for case in first.cases if case.content_hash not in kept_first]
    left_second = [case.id for case in second.cases if case.content_hash not in kept_first]
    changed = frozenset(left_first) & frozenset(left_second)
    return Pair(
        first=_narrowed(first, ours),
        second=_narrowed(second, theirs),
        only_first=tuple(each for each in left_first if each not in changed),
        only_second=tuple(each for each in left_second if each not in changed),
        changed=tuple(sorted(changed)),
        lifted=lifted,
    )


def _fields(run: ScoredRun) -> dict[str, JsonValue]:
    """The fields of comparability, with the model that judged as its server named it."""
    fields = dict(run.record.comparability)
    judge = fields.get("judge")
    if isinstance(judge, dict) and run.served:
        fields["judge"] = {**judge, "served": list(run.served)}
    return fields


def _narrowed(run: ScoredRun, places: np.ndarray[tuple[int], np.dtype[np.intp]]) -> ScoredRun:
    scores: dict[str, MetricScores] = {key: each.taken(places) for key, each in run.scores.items()}
    return ScoredRun(
        record=run.record,
        cases=tuple(run.cases[place] for place in places),
        scores=scores,
        summaries=run.summaries,
        served=run.served,
        source=run.source,
    )
