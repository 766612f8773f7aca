"""A leaderboard as JSON values: nothing is rounded, and what is not known is null."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ragproof.comparability import Difference
from ragproof.leaderboards.board import Board, Ranked
from ragproof.leaderboards.by_tag import TagMeans
from ragproof.leaderboards.complete_cases import Dropped
from ragproof.leaderboards.effects_json import effects_json, interval_json
from ragproof.leaderboards.leaderboard import Leaderboard
from ragproof.leaderboards.separation import PairTest
from ragproof.leaderboards.sweep_cells import factors_of
from ragproof.runs import RunRecord


def as_json(found: Leaderboard) -> dict[str, JsonValue]:
    """Return a leaderboard as JSON values."""
    return {
        "boards": [_board(each) for each in found.boards],
        "unfinished": {**found.unfinished},
        "superseded": found.superseded,
        "seed": found.asked.seed,
    }


def _board(board: Board) -> dict[str, JsonValue]:
    run = (board.runs or board.unranked)[-1]
    metric: JsonValue = None
    if board.metric is not None:
        traits = board.traits
        metric = {
            "key": board.metric,
            "direction": None if traits is None else traits.direction.value,
            "low": None if traits is None else traits.low,
            "high": None if traits is None else traits.high,
        }
    return {
        "project": run.project,
        "dataset": run.dataset,
        "dataset_hash": run.dataset_hash,
        "metric": metric,
        "cases": {
            "shared": board.cases,
            "complete": board.complete,
            "documents": board.documents,
            "dropped": [_dropped(board, each) for each in board.dropped],
        },
        "runs": [_ranked(each) for each in board.ranked],
        "unranked": [_named(each) for each in board.unranked],
        "groups": [[board.runs[place].id for place in group] for group in board.groups],
        "pairs": [_pair(board, each) for each in board.pairs],
        "tags": [_tag(board, each) for each in board.tags],
        "apart": [_difference(each) for each in board.apart],
        "allowed": [_difference(each) for each in board.lifted],
        "effects": effects_json(board),
    }


def _named(run: RunRecord) -> dict[str, JsonValue]:
    factors: Mapping[str, str] | None = factors_of(run)
    return {
        "run_id": run.id,
        "pipeline": run.pipeline,
        "label": run.label,
        "factors": None if factors is None else {**factors},
        "started_at": run.started_at.isoformat(),
    }


def _ranked(each: Ranked) -> dict[str, JsonValue]:
    cost = each.expense
    judge: JsonValue = {"calls": cost.judge_calls, "cost_usd": cost.judge_usd} if cost.judged else None
    low, high = each.bounds or (None, None)
    return {
        "rank": each.rank,
        **_named(each.run),
        "mean": each.mean,
        "interval": interval_json(each.interval),
        "letters": each.letters,
        "scored": each.scored,
        "missing": each.missing,
        "lowest_mean": low,
        "highest_mean": high,
        "front": each.on_front,
        "cost_usd_estimate": cost.usd_a_case,
        "latency_ms": {"p50": cost.p50_ms, "p95": cost.p95_ms},
        "judge": judge,
    }


def _dropped(board: Board, each: Dropped) -> dict[str, JsonValue]:
    return {
        "run_id": board.runs[each.place].id,
        "standing": each.standing.name.lower(),
        "reason": each.reason,
        "cases": each.cases,
    }


def _pair(board: Board, each: PairTest) -> dict[str, JsonValue]:
    return {
        "better": board.runs[each.better].id,
        "worse": board.runs[each.worse].id,
        "difference": each.difference,
        "interval": None if each.interval is None else interval_json(each.interval),
        "p": None if each.unresolvable else each.p,
        "p_raw": None if each.unresolvable else each.p_raw,
        "unresolvable": each.unresolvable,
        "n_nonzero": each.n_nonzero,
        "separated": each.separated,
        "could_turn": each.could_turn,
    }


def _tag(board: Board, each: TagMeans) -> dict[str, JsonValue]:
    return {
        "value": each.value,
        "cases": each.cases,
        "runs": [
            {
                "run_id": ranked.run.id,
                "mean": each.means[ranked.place],
                "interval": interval_json(each.intervals[ranked.place]),
            }
            for ranked in board.ranked
        ],
    }


def _difference(each: Difference) -> dict[str, JsonValue]:
    return {"field": each.field, "first": each.first, "second": each.second}
