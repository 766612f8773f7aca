"""The effects of a sweep's factors in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.leaderboards.board import Board
from ragproof.leaderboards.effects import Effects
from ragproof.leaderboards.factorial import NoDesign
from ragproof.leaderboards.interactions import FactorPair
from ragproof.leaderboards.numbers import difference, interval, p_value
from ragproof.leaderboards.pieces import Foreign, Grid, Heading, Piece, Words, listed
from ragproof.reports import rounding
from ragproof.statistics.simple_effects import SimpleEffect

NAMES_SHOWN = 4


def effects(board: Board) -> Iterator[Piece]:
    """Word main effects, interactions, and what carries those that stand."""
    found, metric = board.effects, board.metric or ""
    if isinstance(found, NoDesign):
        yield Heading(("effects of the factors",))
        names = listed(map(Foreign, found.names), NAMES_SHOWN)
        yield (f"none: {found.reason}", *((": ", *names) if names else ()))
        return
    if found is None:
        return
    yield from _head(found)
    yield from _main(found, metric)
    yield from _pairs(found, metric)


def _head(found: Effects) -> Iterator[Piece]:
    design = found.design
    crossed = " x ".join(map(str, design.shape))
    yield Heading(("effects of ", *listed(map(Foreign, design.factors), NAMES_SHOWN), f" ({crossed} cells)"))
    documents = f", in {found.documents} documents" if found.documents is not None else ""
    dropped = f"; {found.dropped} others are not" if found.dropped else ""
    yield (f"{found.cases} cases are scored in every cell{documents}{dropped}",)
    for name, level in design.constant.items():
        yield (Foreign(name), " is ", Foreign(level), " in every run")
    if design.repeated:
        yield (f"{design.repeated} earlier runs of the same levels are passed over",)
    if design.outside:
        yield (f"{design.outside} runs without factors are passed over",)
    yield ("differences are oriented: + is better",)


def _main(found: Effects, metric: str) -> Iterator[Piece]:
    design = found.design
    yield Grid(
        ("factor", "level", "mean", "95 % interval"),
        [
            (
                Foreign(design.factors[each.factor]),
                Foreign(design.levels[each.factor][each.level]),
                rounding.value(metric, each.mean),
                interval(each.interval, metric),
            )
            for each in found.means
        ],
    )
    rows: list[Sequence[Words]] = []
    for each in found.contrasts:
        levels = design.levels[each.factor]
        rows.append(
            (
                Foreign(design.factors[each.factor]),
                Foreign(levels[each.levels[1]]),
                Foreign(levels[each.levels[0]]),
                difference(each.difference, metric),
                interval(each.interval, metric, signed=True),
                p_value(each.p, each.unresolvable),
                "depends: see below" if found.conditional(each.factor) else "",
            )
        )
    yield Heading(("main effects: levels, averaged over the other factors",))
    yield Grid(("factor", "level", "against", "difference", "95 % interval", "p", ""), rows)
    yield (f"p: max-T over all {len(rows)} contrasts",)


def _pairs(found: Effects, metric: str) -> Iterator[Piece]:
    if not found.pairs:
        return
    yield Heading(("interactions: does what one factor does depend on the other?",))
    rows = [
        (
            *_factors(found, pair),
            p_value(pair.test.p, pair.unresolvable),
            p_value(pair.p, pair.unresolvable),
            rounding.fixed(pair.test.partial_eta2, rounding.SCORE_DIGITS),
            rounding.value(metric, pair.detectable),
            "stands" if pair.stands else "",
        )
        for pair in found.pairs
    ]
    headings = ("factor", "and", "p", "Holm", "partial eta²", "could see", "")
    yield Grid(headings, rows)
    yield (
        "could see: the difference in differences that 80 % power needs; a smaller one may be there unseen",
    )
    for pair in found.pairs:
        yield from _cells(found, pair, metric)
        if pair.stands:
            yield from _corners(found, pair, metric)
            yield from _simple(found, pair, metric)
    if len(found.design.factors) > 2:
        yield ("how three factors interact is not asked; each pair is averaged over the others",)


def _factors(found: Effects, pair: FactorPair) -> tuple[Foreign, Foreign]:
    first, second = (found.design.factors[factor] for factor in pair.factors)
    return Foreign(first), Foreign(second)


def _cells(found: Effects, pair: FactorPair, metric: str) -> Iterator[Piece]:
    first, second = (found.design.levels[factor] for factor in pair.factors)
    names = _factors(found, pair)
    yield Heading(("cells of ", names[0], " and ", names[1]))
    rows = [
        (
            Foreign(one),
            Foreign(other),
            rounding.value(metric, pair.means[i][j]),
            difference(pair.test.cell_effects[i][j], metric),
        )
        for i, one in enumerate(first)
        for j, other in enumerate(second)
    ]
    yield Grid((*names, "mean", "beyond both"), rows)


def _corners(found: Effects, pair: FactorPair, metric: str) -> Iterator[Piece]:
    first, second = (found.design.levels[factor] for factor in pair.factors)
    names = _factors(found, pair)
    yield Heading(("differences in differences: how much more one change brings after the other",))
    rows = [
        (
            Foreign(f"{first[each.levels_a[0]]} -> {first[each.levels_a[1]]}"),
            Foreign(f"{second[each.levels_b[0]]} -> {second[each.levels_b[1]]}"),
            difference(each.mean, metric),
            interval(each.interval, metric, signed=True),
            p_value(each.p, False),
        )
        for each in pair.corners
    ]
    yield Grid((*names, "difference", "95 % interval", "p"), rows)


def _simple(found: Effects, pair: FactorPair, metric: str) -> Iterator[Piece]:
    names = _factors(found, pair)
    levels = [found.design.levels[factor] for factor in pair.factors]
    for of, simple in ((0, pair.given_second), (1, pair.given_first)):
        yield Heading(("what ", names[of], " brings at each level of ", names[1 - of]))
        yield Grid(
            (names[1 - of], "level", "against", "difference", "95 % interval"),
            [_simple_row(each, levels[of], levels[1 - of], metric) for each in simple],
        )


def _simple_row(
    each: SimpleEffect, levels: Sequence[str], given: Sequence[str], metric: str
) -> tuple[Words, ...]:
    return (
        Foreign(given[each.given]),
        Foreign(levels[each.levels[1]]),
        Foreign(levels[each.levels[0]]),
        difference(each.mean, metric),
        interval(each.interval, metric, signed=True),
    )
