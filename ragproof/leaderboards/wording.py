"""A leaderboard in words: the same page on a screen and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ragproof.comparing.scored_run import Standing
from ragproof.errors import nearest
from ragproof.leaderboards import effects_wording
from ragproof.leaderboards.board import Board
from ragproof.leaderboards.complete_cases import Dropped
from ragproof.leaderboards.leaderboard import Leaderboard
from ragproof.leaderboards.numbers import difference, interval, p_value
from ragproof.leaderboards.pieces import Foreign, Grid, Heading, Line, Piece, Words, listed
from ragproof.leaderboards.ranking_table import ranking
from ragproof.leaderboards.separation import ALPHA, PairTest
from ragproof.reports import rounding
from ragproof.reports.wording import HASH_DIGITS
from ragproof.runs import RunRecord
from ragproof.statistics.clusters import FEW_DOCUMENTS
from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO

BOARDS_SHOWN = 5
NAMES_SHOWN = 4
REASONS_SHOWN = 4
HELD_SHOWN = 10


def pages(found: Leaderboard) -> Iterator[Piece]:
    """Word a leaderboard, the part with the latest run first."""
    if not found.boards:
        yield from _nothing(found)
        return
    for board in found.boards[:BOARDS_SHOWN]:
        yield from _board(board, found)
    more = len(found.boards) - BOARDS_SHOWN
    if more > 0 or found.superseded or found.unfinished:
        yield ("",)
    if more > 0:
        yield (f"and {more} more; --project, --dataset and --group narrow them down, --json has all",)
    if found.superseded:
        yield (f"of each variant the latest run: {found.superseded} earlier left out; --runs all has them",)
    yield from _unfinished(found)


def _nothing(found: Leaderboard) -> Iterator[Piece]:
    asked = found.asked
    line: list[Words] = ["no completed run"]
    if asked.project is not None:
        line += [" of project '", Foreign(asked.project), "'"]
    if asked.group is not None:
        line += [" of group '", Foreign(asked.group), "'"]
    hint = "" if asked.project in (None, *found.projects) else nearest(asked.project or "", found.projects)
    yield (*line, "; `ragproof run CONFIG` makes one", Foreign(hint) if hint else "")
    yield from _unfinished(found)


def _unfinished(found: Leaderboard) -> Iterator[Piece]:
    if found.unfinished:
        told = ", ".join(f"{count} {status}" for status, count in found.unfinished.items())
        yield (f"left out, for they did not complete: {told}",)


def _board(board: Board, found: Leaderboard) -> Iterator[Piece]:
    yield _title(board)
    if board.apart:
        fields = [_field(each.field, each.first, each.second) for each in board.apart]
        yield ("apart from those above, for these are not comparable: ", *_joined(fields))
    if board.traits is None:
        yield from _unrankable(board)
        return
    yield from _cases(board)
    if board.ranked:
        yield ranking(board)
        yield from _reading(board)
        yield from _against_best(board)
        if found.asked.tag is not None:
            yield from _tags(board, found.asked.tag)
    for run in board.unranked:
        yield (Foreign(_name(run)), " has no score by ", Foreign(board.metric or ""), " and no rank")
    if board.lifted:
        fields = [_field(each.field, each.first, each.second) for each in board.lifted]
        yield ("judged otherwise, as was allowed: ", *_joined(fields))
    if board.effects is not None:
        yield from effects_wording.effects(board)


def _title(board: Board) -> Heading:
    run = (board.runs or board.unranked)[-1]
    by: Line = ()
    if board.metric is not None:
        better = "" if board.traits is None else f": {board.traits.direction.value} is better"
        by = (", by ", Foreign(board.metric), better)
    hash = (run.dataset_hash or "")[:HASH_DIGITS]
    return Heading((Foreign(run.project), " on ", Foreign(run.dataset), f" ({hash})", *by))


def _unrankable(board: Board) -> Iterator[Piece]:
    names = listed((Foreign(_name(run)) for run in board.unranked), NAMES_SHOWN)
    if board.metric is None:
        yield ("no metric with a direction has a score in every run here, so there is no rank: ", *names)
        yield ("--metric NAME ranks those that have it",)
    else:
        yield ("no run here has a score by it: ", *names)


def _cases(board: Board) -> Iterator[Piece]:
    runs = f"{len(board.runs)} run{'s' * (len(board.runs) > 1)}"
    dropped = board.cases - board.complete
    whole = "scored" if len(board.runs) == 1 else "all have scored"
    documents = f", in {board.documents} documents" if board.documents is not None else ""
    yield (f"{runs} on the {board.complete} of {board.cases} cases that {whole}{documents}",)
    if not board.complete:
        yield ("no case is scored by all, so there is no rank",)
    yield from _dropped(board) if dropped else ()
    if board.documents is not None:
        few = f", and under {FEW_DOCUMENTS} say little" if board.documents < FEW_DOCUMENTS else ""
        yield (f"questions on one document are not independent: documents are what is tested{few}",)


def _dropped(board: Board) -> Iterator[Line]:
    """Say why cases are left out; what all runs say is said once."""
    by_reason: dict[tuple[Standing, str, int], list[Dropped]] = {}
    for each in board.dropped:
        by_reason.setdefault((each.standing, each.reason, each.cases), []).append(each)
    lines = list(by_reason.items())
    for (standing, reason, cases), members in lines[:REASONS_SHOWN]:
        what = "missing" if standing is Standing.MISSING else "left out"
        who: Line = (
            ("every run",)
            if len(members) == len(board.runs)
            else listed((Foreign(_name(board.runs[each.place])) for each in members), NAMES_SHOWN)
        )
        yield (f"{what}, {cases} case{'s' * (cases > 1)}: ", Foreign(reason), " (", *who, ")")
    if len(lines) > REASONS_SHOWN:
        yield (f"and {len(lines) - REASONS_SHOWN} more reasons; --json has all",)


def _reading(board: Board) -> Iterator[Piece]:
    """Say how the table is read, and what it cannot say."""
    ranked = board.ranked
    if any(each.expense.p50_ms is not None for each in ranked):
        yield ("p50, p95: milliseconds a case",)
    if any(each.expense.judged for each in ranked):
        yield ("judge $: what this run's own judging cost; a verdict kept from an earlier run is free",)
    yield from _flags(each.interval for each in ranked)
    if len(ranked) == 1:
        yield ("one run: there is nothing to rank it against",)
        return
    if all(pair.n_nonzero == 0 for pair in board.pairs):
        yield ("no case tells these runs apart: all have the same score on each",)
    elif all(pair.unresolvable for pair in board.pairs):
        few = f"no two runs differ on more than {UNRESOLVABLE_UP_TO} {_unit(board)}s"
        yield (f"unresolvable: {few}, too few for any p under {ALPHA}",)
    else:
        yield (f"letters: runs that share one are not told apart (max-T over all pairs, {ALPHA})",)
    turning = [pair for pair in board.pairs if pair.could_turn]
    if turning:
        separated = sum(pair.separated for pair in board.pairs)
        yield (f"what is missing could turn the order of {len(turning)} of {separated} separated pairs",)
    yield from _front(board)


def _front(board: Board) -> Iterator[Piece]:
    costs = [each.expense for each in board.ranked]
    known = ["quality"]
    lacking: list[Line] = []
    for what, values in (
        ("cost", [each.usd_a_case for each in costs]),
        ("p50 latency", [each.p50_ms for each in costs]),
    ):
        without = [each for each, value in zip(board.ranked, values, strict=True) if value is None]
        if len(without) == len(costs):
            lacking.append((f"the {what} of no run is known",))
            continue
        known.append(what)
        if without:
            names = listed((Foreign(_name(each.run)) for each in without), NAMES_SHOWN)
            lacking.append(
                (
                    f"the {what} of ",
                    *names,
                    " is not known: compared on the rest",
                )
            )
    together = " and ".join([", ".join(known[:-1]), known[-1]] if len(known) > 1 else known)
    yield (f"front: no other run is as good in {together}, and better in one",)
    yield from lacking


def _against_best(board: Board) -> Iterator[Piece]:
    best = board.ranked[0]
    pairs = [pair for pair in board.pairs if pair.better == best.place]
    if not pairs:
        return
    yield Heading(("held against ", Foreign(_name(best.run)), ", the best mean"))
    namesakes = len({run.pipeline for run in board.runs}) < len(board.runs)
    rows = [_against(board, pair, namesakes) for pair in pairs[:HELD_SHOWN]]
    who = ("variant", "run") if namesakes else ("variant",)
    yield Grid((*who, "difference", "95 % interval", "p", "says"), rows)
    if len(pairs) > HELD_SHOWN:
        yield (f"and {len(pairs) - HELD_SHOWN} more; --json has all pairs",)
    yield from _flags(pair.interval for pair in pairs)
    if len(board.pairs) > 1:
        yield (f"p: adjusted over all {len(board.pairs)} pairs; intervals are of one pair each",)


def _flags(intervals: Iterable[Interval | None]) -> Iterator[Piece]:
    """Say what is to know of some intervals; how many documents there are is said above."""
    flags = dict.fromkeys(each.flag for each in intervals if each is not None and each.flag is not None)
    for flag in flags:
        if flag is not Flag.FEW_DOCUMENTS:
            yield (f"interval: {flag.value}",)


def _against(board: Board, pair: PairTest, namesakes: bool) -> Sequence[Words]:
    run, metric = board.runs[pair.worse], board.metric or ""
    says = "worse" if pair.separated else "not told apart"
    if pair.unresolvable:
        unit = _unit(board)
        says = f"{pair.n_nonzero} {unit}{'s' * (pair.n_nonzero != 1)} differ{'s' * (pair.n_nonzero == 1)}"
    told = "-" if pair.interval is None else interval(pair.interval, metric, signed=True)
    return (
        Foreign(run.pipeline),
        *((Foreign(run.id),) if namesakes else ()),
        difference(-pair.difference, metric),
        told,
        p_value(pair.p, pair.unresolvable),
        says,
    )


def _tags(board: Board, tag: str) -> Iterator[Piece]:
    yield Heading(("by ", Foreign(tag)))
    if not board.tags:
        yield ("no complete case has this tag",)
        return
    names = [Foreign(each.run.pipeline) for each in board.ranked]
    if len({name.text for name in names}) < len(names):
        names = [Foreign(each.run.id) for each in board.ranked]
    rows = [
        (
            Foreign(each.value) if each.value is not None else "(without)",
            str(each.cases),
            *(rounding.value(board.metric or "", each.means[ranked.place]) for ranked in board.ranked),
        )
        for each in board.tags
    ]
    yield Grid(("value", "cases", *names), rows)
    yield ("means alone: a look at where runs differ, and no test",)


def _unit(board: Board) -> str:
    return "case" if board.documents is None else "document"


def _field(field: str, first: str, second: str) -> Line:
    return (Foreign(field), " ", Foreign(second), " against ", Foreign(first))


def _joined(lines: Sequence[Line]) -> Line:
    return tuple(part for line in lines for part in ("; ", *line))[1:]


def _name(run: RunRecord) -> str:
    return f"{run.pipeline} ({run.id})"
