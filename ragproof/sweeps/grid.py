"""The grid of a sweep: factors with their levels, and every combination of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pydantic import JsonValue


@dataclass(frozen=True)
class Level:
    """One way a factor can stand.

    Attributes:
        name: what people call it.
        changes: configuration keys with the values they take.
        place: where it is written.
    """

    name: str
    changes: Mapping[str, JsonValue]
    place: str


@dataclass(frozen=True)
class Factor:
    """What is varied; at least two levels of different names."""

    name: str
    levels: tuple[Level, ...]


Combination = tuple[tuple[Factor, Level], ...]


def combinations(factors: Sequence[Factor]) -> Iterator[Combination]:
    """Yield every combination of levels, the last factor varying fastest; one empty one without factors."""
    for levels in product(*(factor.levels for factor in factors)):
        yield tuple(zip(factors, levels, strict=True))


def overrides(combination: Combination) -> Iterator[tuple[str, str]]:
    """Yield each change of a combination as `KEY=VALUE`, as a command line has it, with its place."""
    for _, level in combination:
        for key, value in level.changes.items():
            yield f"{key}={json.dumps(value, ensure_ascii=False)}", level.place


def level_name(value: JsonValue) -> str:
    """Return the name of a level that is one value: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
