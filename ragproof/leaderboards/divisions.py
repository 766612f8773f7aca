"""Runs sorted into divisions: within one, every run can be held against every other.

Runs of one project on one dataset are in one division unless a field that gives numbers their meaning
differs, or one asked far fewer of the cases. Greedy in order of start. Whether two runs are comparable is
decided by `ragproof.comparing.pairing`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ragproof.comparability import Difference
from ragproof.comparing.pairing import MIN_COVERAGE, Incomparable, pair
from ragproof.comparing.scored_run import ScoredRun

CASES = "cases asked"


@dataclass(frozen=True)
class Division:
    """Runs that can be held against each other.

    Attributes:
        runs: in the order given, at least one.
        apart: how its first run differs from that of the first division on the same dataset, whose values
            stand first; empty for that one itself.
        lifted: the fields of the judge that differ between its runs and were allowed to, each once.
    """

    runs: tuple[ScoredRun, ...]
    apart: tuple[Difference, ...] = ()
    lifted: tuple[Difference, ...] = ()


def divide(runs: Sequence[ScoredRun], *, allow_mixed_judges: bool = False) -> tuple[Division, ...]:
    """Sort runs into divisions.

    Args:
        runs: in order of start; empty gives none.
        allow_mixed_judges: let the judge differ within a division, and only the judge.

    Returns:
        Divisions: the dataset with the latest run first; of one dataset, the most runs first.
    """
    by_dataset: dict[tuple[str, str | None], list[list[ScoredRun]]] = {}
    for run in runs:
        divisions = by_dataset.setdefault((run.record.project, run.record.dataset_hash), [])
        home = next((each for each in divisions if _fits(run, each, allow_mixed_judges)), None)
        if home is None:
            divisions.append([run])
        else:
            home.append(run)
    found = [_told(divisions, allow_mixed_judges) for divisions in by_dataset.values()]
    found.sort(key=lambda divisions: max(_last(each.runs) for each in divisions), reverse=True)
    return tuple(each for divisions in found for each in divisions)


def _fits(run: ScoredRun, members: Sequence[ScoredRun], allow_mixed_judges: bool) -> bool:
    return all(not _differences(member, run, allow_mixed_judges) for member in members)


def _differences(first: ScoredRun, second: ScoredRun, allow_mixed_judges: bool) -> tuple[Difference, ...]:
    try:
        paired = pair(first, second, allow_mixed_judges=allow_mixed_judges, min_coverage=0.0)
    except Incomparable as refused:
        return refused.differences or (_cases(first, second),)
    # A run of a few cases would cut the cases of all others down to its own.
    larger = max(len(first.cases), len(second.cases))
    return () if len(paired.cases) >= MIN_COVERAGE * larger else (_cases(first, second),)


def _cases(first: ScoredRun, second: ScoredRun) -> Difference:
    return Difference(CASES, str(len(first.cases)), str(len(second.cases)))


def _told(divisions: Sequence[Sequence[ScoredRun]], allow_mixed_judges: bool) -> list[Division]:
    ordered = sorted(divisions, key=lambda members: (len(members), _last(members)), reverse=True)
    first = ordered[0][0]
    return [
        Division(
            runs=tuple(members),
            apart=() if members[0] is first else _differences(first, members[0], allow_mixed_judges),
            lifted=_lifted(members) if allow_mixed_judges else (),
        )
        for members in ordered
    ]


def _lifted(members: Sequence[ScoredRun]) -> tuple[Difference, ...]:
    found: dict[str, Difference] = {}
    for member in members[1:]:
        paired = pair(members[0], member, allow_mixed_judges=True, min_coverage=0.0)
        found |= {each.field: each for each in paired.lifted if each.field not in found}
    return tuple(found.values())


def _last(runs: Sequence[ScoredRun]) -> tuple[datetime, str]:
    return max((run.record.started_at, run.record.id) for run in runs)
