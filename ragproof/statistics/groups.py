"""Leaderboard groups: variants that the data do not tell apart, as maximal cliques, printed as letters.

Two variants share a letter exactly when they were not separated. Maximal cliques of the graph of pairs not
separated (Bron and Kerbosch 1973, with pivoting), because "not separated" is not transitive and need not
follow the ranking: a noisy variant can be tied with the first while a steady one above it is not. False
friend: runs of neighbouring ranks, which get that case wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase


@dataclass(frozen=True)
class Groups:
    """Which variants are not told apart.

    Attributes:
        groups: every maximal set of variants of which no two were separated; each in the leaderboard's order,
            the group of the best variant first.
        letters: the letters of each variant, in the leaderboard's order; two share a letter exactly when they
            were not separated.
        tied_with_best: the first variant and all not separated from it, in the leaderboard's order.
    """

    groups: tuple[tuple[str, ...], ...]
    letters: tuple[str, ...]
    tied_with_best: tuple[str, ...]


def indistinguishable_groups(
    systems: Sequence[str], separated_pairs: Sequence[tuple[str, str] | Sequence[str]]
) -> Groups:
    """Group the variants of a leaderboard.

    Args:
        systems: names, best first, each once; empty gives empty groups.
        separated_pairs: pairs that a test told apart, in either order; empty when it told none.

    Returns:
        Groups and letters.

    Raises:
        ValueError: when a name stands twice, or a pair names another system or one system twice.
    """
    place = {name: index for index, name in enumerate(systems)}
    if len(place) != len(systems):
        raise ValueError(f"'systems' holds a name twice in {list(systems)}; expected each once")
    near = [set(range(len(systems))) - {index} for index in range(len(systems))]
    for one, two in separated_pairs:
        if one not in place or two not in place or one == two:
            raise ValueError(f"'separated_pairs' holds {(one, two)}; expected two of {list(systems)}")
        near[place[one]].discard(place[two])
        near[place[two]].discard(place[one])
    cliques = sorted(tuple(sorted(clique)) for clique in _cliques(set(), set(place.values()), set(), near))
    letters = ["".join(_letter(i) for i, c in enumerate(cliques) if index in c) for index in place.values()]
    return Groups(
        groups=tuple(tuple(systems[index] for index in clique) for clique in cliques),
        letters=tuple(letters),
        tied_with_best=tuple(systems[index] for index in sorted({0} | near[0])) if systems else (),
    )


def _cliques(chosen: set[int], open_: set[int], closed: set[int], near: list[set[int]]) -> Iterator[set[int]]:
    if not open_:
        if chosen and not closed:
            yield set(chosen)
        return
    pivot = max(sorted(open_ | closed), key=lambda index: len(near[index] & open_))
    for index in sorted(open_ - near[pivot]):
        yield from _cliques(chosen | {index}, open_ & near[index], closed & near[index], near)
        open_ = open_ - {index}
        closed = closed | {index}


def _letter(index: int) -> str:
    """a to z; from the 27th group on the letter carries a number, so that "ab" is always two groups."""
    turn, letter = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(turn) if turn else "")
