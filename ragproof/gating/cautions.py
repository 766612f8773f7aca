"""What a reader of a gate should know besides its verdicts: what it could not see, and what it left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.gating.held_runs import HeldRuns
from ragproof.gating.judging import Judged
from ragproof.gating.reasons import counted
from ragproof.gating.ruling import Ruling
from ragproof.reports import rounding

_NAMED = 5
_FEW_GROUPS = 6
"""Under so many groups a cluster-robust bound is a rough one."""


def cautions(project: str, runs: HeldRuns, judged: Sequence[Judged]) -> tuple[str, ...]:
    """Collect what should be known.

    Args:
        project: of the configuration.
        runs: the run and its baseline.
        judged: the rulings on each demand.

    Returns:
        One sentence each, without doubles, in the order of a reader's interest.
    """
    found = [
        *_of_runs(project, runs),
        *(told for each in judged for ruling in each.rulings for told in _of_ruling(ruling)),
        *(told for each in judged for told in _of_tags(each)),
    ]
    return tuple(dict.fromkeys(found))


def _of_runs(project: str, runs: HeldRuns) -> Iterator[str]:
    if runs.run.record.project != project:
        yield (
            f"run '{runs.run.source}' is of project '{runs.run.record.project}', and the configuration of"
            f" '{project}'"
        )
    both = runs.pair
    if both is None:
        return
    for kind, ids in (
        ("the baseline alone has", both.only_first),
        ("the run alone has", both.only_second),
        ("another content in each run have", both.changed),
    ):
        if ids:
            more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
            named = f"{', '.join(ids[:_NAMED])}{more}"
            yield f"left out of comparisons, {kind}: {counted(len(ids), 'case')}, {named}"
    for difference in both.lifted:
        yield f"the judges differ, which was allowed: {difference}"


def _of_ruling(ruling: Ruling) -> Iterator[str]:
    numbers, counts, demand = ruling.numbers, ruling.counts, ruling.demand
    if counts is None or numbers is None:
        return
    if numbers.detectable is not None and numbers.detectable > demand.limit:
        seen = rounding.value(demand.metric, numbers.detectable)
        yield (
            f"{ruling.subject}: this gate cannot see a drop of {demand.limit:g} with"
            f" {counted(counts.scored, 'case')}; it could see about {seen}"
        )
    if counts.groups is not None and counts.groups < _FEW_GROUPS:
        groups = counted(counts.groups, "group")
        yield f"{ruling.subject}: the cases come in {groups}, and under {_FEW_GROUPS} bounds are rough"


def _of_tags(judged: Judged) -> Iterator[str]:
    if judged.too_small:
        demand = judged.rulings[0].demand
        named = ", ".join(f"{value or repr(value)} ({n})" for value, n in judged.too_small)
        yield f"{demand.metric} by {demand.tag}: under {demand.min_cases} cases and not judged: {named}"
