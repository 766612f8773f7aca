"""What a user's function is given, by its signature: the question; `k` and `history` when it takes them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Container
from dataclasses import dataclass
from inspect import Parameter

from ragproof.adapters.adapter import Question
from ragproof.errors import ConfigurationError

QUESTION_NAMES = frozenset({"question", "query", "q", "input", "prompt", "text"})
K_NAMES = ("k", "top_k")
HISTORY = "history"
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class Arguments:
    """How a function wants what it is given; None is "does not take it"."""

    question_by: str | None = None
    """Its name when the question must be given by name."""
    k_by: str | None = None
    k_second: bool = False
    """Whether k is the second positional argument, whatever its name."""
    history_by: str | None = None

    def of(self, question: Question, asked: object, k: int) -> tuple[list[object], dict[str, object]]:
        """Return the positional arguments and those by name.

        Args:
            question: the case's question.
            asked: what stands for it: its text, or the text under a key.
            k: how many chunks to ask for.
        """
        positional: list[object] = [] if self.question_by else [asked]
        named: dict[str, object] = {self.question_by: asked} if self.question_by else {}
        if self.k_second:
            positional.append(k)
        elif self.k_by:
            named[self.k_by] = k
        if self.history_by:
            named[self.history_by] = [turn.model_dump() for turn in question.history]
        return positional, named


def parameters(function: Callable[..., object]) -> tuple[Parameter, ...] | None:
    """Return the parameters of a function, None when Python does not know them."""
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def required(found: tuple[Parameter, ...], given: Container[str | None] = ()) -> list[Parameter]:
    """Return the parameters without a default that are not among those given."""
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return [
        p for p in found if p.default is Parameter.empty and p.kind not in several and p.name not in given
    ]


def arguments(function: Callable[..., object], name: str, *, k_second: bool, free: bool) -> Arguments:
    """Read what a function wants.

    Args:
        function: the answer or retrieve function.
        name: what to call it in a fault.
        k_second: whether an unknown second positional parameter without a default is k.
        free: whether `**kwargs` means that it takes `k` and `history`. It does not when they would be passed
            on (a runnable's), nor beside a bare `*args` (a decorator's), which hides what is behind it.

    Raises:
        ConfigurationError: it cannot take a question, or needs something that nobody gives it.
    """
    found = parameters(function)
    if found is None:
        return Arguments()
    positional = [p for p in found if p.kind in _POSITIONAL]
    names = _names(found, free=free)
    k_by = next((k for k in K_NAMES if k in names), None)
    wanted = Arguments(
        question_by=None if positional else _question_by_name(found),
        k_by=k_by,
        k_second=k_by is None and len(positional) > 1 and _stands_for_k(positional[1], unknown=k_second),
        history_by=HISTORY if HISTORY in names else None,
    )
    if not (positional or wanted.question_by or any(p.kind is Parameter.VAR_POSITIONAL for p in found)):
        raise ConfigurationError(f"{name} takes no question; give it a first parameter 'question'")
    given = {p.name for p in positional[: 2 if wanted.k_second else 1]}
    missing = required(found, given | names & {*K_NAMES, HISTORY} | {wanted.question_by})
    if missing:
        needs = " and ".join(f"'{parameter.name}'" for parameter in missing)
        raise ConfigurationError(f"{name} needs {needs}, which it is not given; give each a default")
    return wanted


def _names(found: tuple[Parameter, ...], *, free: bool) -> set[str]:
    """Return the names that can be given, with those that `**kwargs` may be trusted to take."""
    names = {p.name for p in found if p.kind in _NAMED}
    shows_itself = any(p.kind in (*_POSITIONAL, Parameter.KEYWORD_ONLY) for p in found)
    if free and shows_itself and any(p.kind is Parameter.VAR_KEYWORD for p in found):
        names |= {K_NAMES[0], HISTORY}
    return names


def _question_by_name(found: tuple[Parameter, ...]) -> str | None:
    names = (p.name for p in found if p.kind is Parameter.KEYWORD_ONLY)
    return next((name for name in names if name in QUESTION_NAMES), None)


def _stands_for_k(second: Parameter, *, unknown: bool) -> bool:
    return second.name in K_NAMES or (unknown and second.default is Parameter.empty)


def is_async(function: object) -> bool:
    """Say whether calling it makes a coroutine."""
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
