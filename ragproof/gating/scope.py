"""Which cases a rule is about: all of them, those with a tag, or those of each value of a tag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.scored_run import CaseFacts
from ragproof.errors import nearest
from ragproof.gating.demands import TagChoice
from ragproof.summaries import Tag

_VALUES_NAMED = 8


@dataclass(frozen=True)
class Scope:
    """Some cases of a run.

    Attributes:
        tag: what they have in common; None is all cases.
        chosen: which they are, shape (cases,).
    """

    tag: Tag | None
    chosen: NDArray[np.bool_]


def scopes_of(cases: Sequence[CaseFacts], choice: TagChoice | None) -> tuple[Scope, ...]:
    """Return the subsets that a rule is judged on, by value of the tag.

    Args:
        cases: of a run.
        choice: None is all of them.

    Returns:
        One for all cases or for one value, one a value for a whole tag; empty when no case has the tag.
    """
    if choice is None:
        return (Scope(None, np.ones(len(cases), dtype=np.bool_)),)
    found = sorted({case.tags[choice.name] for case in cases if choice.name in case.tags})
    values = found if choice.value is None else [choice.value]
    return tuple(
        Scope(
            Tag(name=choice.name, value=value),
            np.array([case.tags.get(choice.name) == value for case in cases], dtype=np.bool_),
        )
        for value in values
    )


def tag_fault(cases: Sequence[CaseFacts], choice: TagChoice) -> str | None:
    """Say what is wrong with a tag that no case has; None when one has it."""
    values = sorted({case.tags[choice.name] for case in cases if choice.name in case.tags})
    if not values:
        names = sorted({name for case in cases for name in case.tags})
        expected = f"; expected one of {_listed(names)}" if names else "; the cases have no tags"
        return f"no case has a tag '{choice.name}'{nearest(choice.name, names) or expected}"
    if choice.value is None or choice.value in values:
        return None
    hint = nearest(choice.value, values) or f"; expected one of {_listed(values)}"
    return f"no case has the tag '{choice}'{hint}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _VALUES_NAMED} more" if len(names) > _VALUES_NAMED else ""
    return ", ".join(f"'{name}'" for name in names[:_VALUES_NAMED]) + more
