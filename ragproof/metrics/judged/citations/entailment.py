"""ALCE's citation recall and precision as plain formulas over verdicts on sets of sources.

A sentence is entailed when its sources, read together, support it. A citation is needed when the sentence is
entailed and it supports the sentence alone, or the others do not suffice without it; recall is entailed
sentences over sentences, precision is needed citations over citations (Gao et al., 2023, arXiv:2305.14627).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Places = frozenset[int]
Supports = Callable[[Places], bool]
"""Says whether the sources at these places, read together and no others, support a sentence."""


def to_ask(cited: Sequence[int]) -> tuple[Places, ...]:
    """Return the sets of sources that a sentence has to be held against.

    Args:
        cited: places of distinct sources; empty asks nothing.

    Returns:
        All together, each alone, and of three or more all but each; every set once.
    """
    together = frozenset(cited)
    alone = [frozenset({place}) for place in cited]
    all_but_one = [together - {place} for place in cited]
    return tuple(dict.fromkeys(each for each in (together, *alone, *all_but_one) if each))


def needed(cited: Iterable[int], supports: Supports) -> dict[int, bool]:
    """Say of each citation of a sentence whether it is needed.

    Args:
        cited: places of distinct sources.
        supports: verdicts on the sets that `to_ask` names.

    Returns:
        By place; all False when the sentence is not entailed.
    """
    together = frozenset(cited)
    if not together or not supports(together):
        return dict.fromkeys(together, False)
    return {place: _is_needed(place, together, supports) for place in together}


def _is_needed(place: int, together: Places, supports: Supports) -> bool:
    rest = together - {place}
    return supports(frozenset({place})) or not rest or not supports(rest)
