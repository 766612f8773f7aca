"""The table of a leaderboard: quality with its interval, and cost and latency beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragproof.leaderboards.board import Board, Ranked
from ragproof.leaderboards.expenses import COST, LATENCY
from ragproof.leaderboards.numbers import interval
from ragproof.leaderboards.pieces import Foreign, Grid, Words
from ragproof.reports import rounding

ON_FRONT = "*"
_Column = tuple[Words, Sequence[Words]]


def ranking(board: Board) -> Grid:
    """Lay out the ranked runs, best first; a column that says nothing of any run is left out."""
    metric, ranked = board.metric or "", board.ranked
    alone = len(ranked) == 1
    who: list[_Column] = [
        ("rank", [str(each.rank) for each in ranked]),
        ("variant", _foreign(each.run.pipeline for each in ranked)),
    ]
    labels = [each.run.label or "" for each in ranked]
    if len(set(labels)) > 1 and labels != [each.run.pipeline for each in ranked]:
        who.append(("label", _foreign(labels)))
    run = ("run", _foreign(each.run.id for each in ranked))
    quality: list[_Column] = [
        ("mean", [rounding.value(metric, each.mean) for each in ranked]),
        ("95 % interval", [interval(each.interval, metric) for each in ranked]),
    ]
    if not alone:
        quality.append(("letters", [each.letters for each in ranked]))
    if len({(each.scored, each.missing) for each in ranked}) > 1:
        quality.append(("scored", [f"{each.scored} of {board.cases}" for each in ranked]))
    if any(each.missing for each in ranked):
        quality.append(("mean could be", [_bounds(each, metric) for each in ranked]))
    beside = _beside(ranked)
    if not alone:
        beside.append(("front", [ON_FRONT if each.on_front else "" for each in ranked]))
    whole = _grid([*who, *quality, *beside, run])
    return Grid(whole.headings, whole.rows, (_grid([*who, *quality]), _grid([*who[:2], *beside, run])))


def _beside(ranked: Sequence[Ranked]) -> list[_Column]:
    columns: list[_Column] = []
    costs = [each.expense for each in ranked]
    if any(each.usd_a_case is not None for each in costs):
        columns.append(("$ a case", [rounding.value(COST, each.usd_a_case) for each in costs]))
    if any(each.p50_ms is not None for each in costs):
        columns.append(("p50", [rounding.value(LATENCY, each.p50_ms) for each in costs]))
        columns.append(("p95", [rounding.value(LATENCY, each.p95_ms) for each in costs]))
    if any(each.judged for each in costs):
        columns.append(("judge $", [_judge(each) for each in ranked]))
    return columns


def _judge(ranked: Ranked) -> str:
    cost = ranked.expense
    return rounding.value("eval_cost_usd", cost.judge_usd) if cost.judged else rounding.ABSENT


def _foreign(texts: Iterable[str]) -> list[Words]:
    return [Foreign(text) for text in texts]


def _grid(columns: Sequence[_Column]) -> Grid:
    return Grid([heading for heading, _ in columns], list(zip(*(cells for _, cells in columns), strict=True)))


def _bounds(ranked: Ranked, metric: str) -> str:
    if not ranked.missing:
        return rounding.ABSENT
    if ranked.bounds is None:
        return "not bounded"
    return " to ".join(rounding.value(metric, end) for end in ranked.bounds)
