"""A sweep's runs as a full factorial design: one run for each combination of levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Design:
    """The combinations of the levels that runs have.

    Attributes:
        factors: names of those with at least two levels, at least one.
        levels: of each factor, in order of first appearance.
        places: of the run of each combination, the last factor varying fastest.
        constant: factors that have one level in all runs, with that level.
        repeated: runs passed over because a later one has the same levels.
        outside: runs without factors.
    """

    factors: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]
    constant: Mapping[str, str]
    repeated: int
    outside: int

    @property
    def shape(self) -> tuple[int, ...]:
        """How many levels each factor has."""
        return tuple(map(len, self.levels))


@dataclass(frozen=True)
class NoDesign:
    """Why runs are no full factorial design.

    Attributes:
        reason: in words of ours.
        names: what it is about, in words of others; empty when the reason says all.
    """

    reason: str
    names: tuple[str, ...] = ()


def design(factors: Sequence[Mapping[str, str] | None]) -> Design | NoDesign:
    """Find the design of runs.

    Args:
        factors: of each run in order of start, its level by factor; None is a run without.

    Returns:
        The design, or why there is none.
    """
    placed = [(place, each) for place, each in enumerate(factors) if each]
    if not placed:
        return NoDesign("no run here has factors; 'ragproof sweep' makes runs that do")
    names = tuple(placed[0][1])
    strange = dict.fromkeys(", ".join(each) for _, each in placed if each.keys() != placed[0][1].keys())
    if strange:
        return NoDesign(
            "the runs come from sweeps of different factors; name one with --group",
            (", ".join(names), *strange),
        )
    levels = {name: tuple(dict.fromkeys(each[name] for _, each in placed)) for name in names}
    varied = tuple(name for name in names if len(levels[name]) > 1)
    if not varied:
        return NoDesign("every factor has one level in all runs")
    at = {tuple(each[name] for name in varied): place for place, each in placed}
    wanted = list(product(*(levels[name] for name in varied)))
    lacking = [each for each in wanted if each not in at]
    if lacking:
        return NoDesign(
            f"{len(lacking)} of {len(wanted)} combinations have no completed run here",
            tuple(", ".join(map("=".join, zip(varied, each, strict=True))) for each in lacking),
        )
    return Design(
        factors=varied,
        levels=tuple(levels[name] for name in varied),
        places=tuple(at[each] for each in wanted),
        constant={name: levels[name][0] for name in names if name not in varied},
        repeated=len(placed) - len(at),
        outside=len(factors) - len(placed),
    )
