"""One leaderboard: comparable runs ranked by one metric on the cases that all have scored.

Beside each mean stand its interval, its coverage, what it could be had nothing gone missing, the letters of
the runs it cannot be told from, and what the run cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragproof.comparability import Difference
from ragproof.comparing.scored_run import CaseFacts, ScoredRun, Traits
from ragproof.leaderboards.by_tag import TagMeans, by_tag
from ragproof.leaderboards.complete_cases import CompleteCases, Dropped, complete_cases
from ragproof.leaderboards.divisions import Division
from ragproof.leaderboards.effects import Effects, effects
from ragproof.leaderboards.expenses import Expense, expenses
from ragproof.leaderboards.factorial import NoDesign
from ragproof.leaderboards.front import front
from ragproof.leaderboards.intervals import mean_intervals
from ragproof.leaderboards.separation import PairTest, in_rank_order, separate
from ragproof.leaderboards.shared_cases import documents_of, on_shared_cases
from ragproof.leaderboards.sweep_cells import factors_of
from ragproof.runs import RunRecord
from ragproof.statistics.interval import Interval


@dataclass(frozen=True)
class Ranked:
    """One run on the leaderboard.

    Attributes:
        place: of the run on the board.
        run: whose numbers these are.
        rank: from 1; equal means share it.
        mean: over the complete cases, in the metric's unit.
        interval: of the mean.
        letters: two runs share one exactly when they are not told apart; empty for a run alone.
        scored: how many of the shared cases it has scored.
        missing: how many it should have scored besides.
        bounds: the lowest and highest mean that its missing scores allow; None without any, or when the range
            is open.
        expense: what it cost.
        on_front: whether no other run is as good in quality, cost and latency and better in one.
    """

    place: int
    run: RunRecord
    rank: int
    mean: float
    interval: Interval
    letters: str
    scored: int
    missing: int
    bounds: tuple[float, float] | None
    expense: Expense
    on_front: bool


@dataclass(frozen=True)
class Board:
    """A leaderboard.

    Attributes:
        runs: those that have the metric, in order of start; the places of all else.
        metric: the key; None when there is none to rank by.
        traits: of the metric; None together with it.
        cases: that all runs share.
        complete: that all have scored.
        documents: how many documents the complete cases come from; None when they are independent.
        dropped: why the other shared cases are not complete, by run.
        ranked: best first; empty when no case is complete.
        pairs: in order of rank.
        exact: whether every sign assignment was listed; None without a pair.
        groups: the places of runs that are not told apart, the best one's group first.
        unranked: runs without a single number of the metric.
        apart: how these runs differ from those of the dataset's first leaderboard.
        lifted: fields of the judge that differ and were allowed to.
        tags: by the tag asked for; empty without one, and when no complete case has it.
        effects: of the factors; None when they were not asked for.
    """

    runs: tuple[RunRecord, ...]
    metric: str | None
    traits: Traits | None
    cases: int
    complete: int = 0
    documents: int | None = None
    dropped: tuple[Dropped, ...] = ()
    ranked: tuple[Ranked, ...] = ()
    pairs: tuple[PairTest, ...] = ()
    exact: bool | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    unranked: tuple[RunRecord, ...] = ()
    apart: tuple[Difference, ...] = ()
    lifted: tuple[Difference, ...] = ()
    tags: tuple[TagMeans, ...] = ()
    effects: Effects | NoDesign | None = None


def board(
    division: Division,
    metric: str | None,
    *,
    tag: str | None = None,
    with_effects: bool = False,
    seed: int = 0,
) -> Board:
    """Rank the runs of a division.

    Args:
        division: runs that can be held against each other, their numbers read.
        metric: the key to rank by; None when they have none in common.
        tag: the name of a tag to average by, too; None for none.
        with_effects: whether to compute the effects of the factors that the runs' sweep varied.
        seed: of random signs and resamples.
    """
    having = tuple(run for run in division.runs if metric is not None and _has(run, metric))
    bare = Board(
        runs=(),
        metric=metric,
        traits=None,
        cases=len(division.runs[0].cases),
        unranked=tuple(run.record for run in division.runs if run.record not in [r.record for r in having]),
        apart=division.apart,
        lifted=division.lifted,
    )
    if metric is None or not having:
        return bare
    runs = on_shared_cases(having)
    cases = complete_cases(runs, metric)
    kept = [case for case, whole in zip(runs[0].cases, cases.complete, strict=True) if whole]
    found = replace(
        bare,
        runs=tuple(run.record for run in runs),
        traits=cases.traits,
        cases=len(runs[0].cases),
        complete=len(kept),
        dropped=cases.dropped,
    )
    if with_effects:
        factors = [factors_of(run.record) for run in runs]
        found = replace(found, effects=effects(runs, metric, factors, seed=seed))
    return _ranked(found, runs, cases, kept, tag, seed) if kept else found


def _has(run: ScoredRun, metric: str) -> bool:
    return metric in run.scores and bool(run.scores[metric].scored.any())


def _ranked(
    bare: Board,
    runs: Sequence[ScoredRun],
    cases: CompleteCases,
    kept: Sequence[CaseFacts],
    tag: str | None,
    seed: int,
) -> Board:
    clusters = documents_of(kept)
    order, ranks = in_rank_order(cases)
    separation = separate(cases, order, clusters, seed=seed)
    costs = expenses(runs)
    means = cases.oriented.mean(axis=0)
    points = [
        (float(mean), *(None if value is None else -value for value in (cost.usd_a_case, cost.p50_ms)))
        for mean, cost in zip(means, costs, strict=True)
    ]
    on_front = front(points)
    intervals = mean_intervals(cases.table, cases.traits, clusters, seed=seed)
    letters = separation.groups.letters if len(order) > 1 else ("",)
    tags = by_tag(tag, kept, cases.table, cases.traits, seed=seed) if tag is not None else ()
    return replace(
        bare,
        documents=None if clusters is None else len(set(clusters)),
        ranked=tuple(
            Ranked(
                place=place,
                run=runs[place].record,
                rank=rank,
                mean=float(cases.table[:, place].mean()),
                interval=intervals[place],
                letters=letter,
                scored=int(cases.scores[place].scored.sum()),
                missing=int(cases.scores[place].missing.sum()),
                bounds=cases.bounds(place),
                expense=costs[place],
                on_front=on_front[place],
            )
            for place, rank, letter in zip(order, ranks, letters, strict=True)
        ),
        pairs=separation.pairs,
        exact=separation.exact,
        groups=tuple(tuple(map(int, group)) for group in separation.groups.groups),
        tags=tags,
    )
