"""Which of an object's methods answer and retrieve: our own protocol, LangChain's and LlamaIndex's, by name.

A synchronous method is preferred to its asynchronous twin: in those libraries the twin is often the same code
in a small thread pool, whose queue would count as the pipeline's latency.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ragproof.adapters.adapter import Question
from ragproof.adapters.calling.arguments import Arguments, arguments, is_async
from ragproof.errors import ConfigurationError

_ANSWERS = ("answer",)
_RUNNABLES = ("invoke", "ainvoke", "query", "aquery")
_RETRIEVES = ("retrieve", "aretrieve")


@dataclass(frozen=True)
class Role:
    """One thing a pipeline can do, and how it is asked to."""

    function: Callable[..., object]
    name: str
    """What it is called in a failure."""
    wants: Arguments
    is_async: bool
    input_key: str | None = None
    """The key under which the question is given, when it is given in a mapping."""

    def arguments(self, question: Question, k: int) -> tuple[list[object], dict[str, object]]:
        """Return the positional arguments and those by name for one question."""
        asked: object = question.text if self.input_key is None else {self.input_key: question.text}
        return self.wants.of(question, asked, k)


@dataclass(frozen=True)
class Retriever:
    """A pipeline that gives a ranking and no answer."""

    retrieve: Role

    @property
    def first(self) -> Role:
        """What is asked first."""
        return self.retrieve


@dataclass(frozen=True)
class Answerer:
    """A pipeline that answers, and may be asked for a ranking apart from that."""

    answer: Role
    retrieve: Role | None

    @property
    def first(self) -> Role:
        """What is asked first."""
        return self.answer


def able(subject: object, name: str, input_key: str | None = None) -> Answerer | Retriever:
    """Find what an object can do.

    Args:
        subject: the pipeline.
        name: its target, for a fault.
        input_key: wraps the question in a mapping when it is asked to answer; None gives it as text.

    Raises:
        ConfigurationError: it can neither answer nor retrieve, or not with what it is given.
    """
    retrieves = _method(subject, _RETRIEVES)
    answers = _method(subject, (*_ANSWERS, *_RUNNABLES))
    if answers is None and callable(subject):
        named = getattr(subject, "__name__", "")
        if named in _RETRIEVES:
            retrieves = (named, subject)
        else:
            answers = ("", subject)
    retrieve = retrieves and _role(retrieves, name, k_second=True)
    if answers is not None:
        return Answerer(_role(answers, name, input_key=input_key), retrieve)
    if retrieve is not None:
        return Retriever(retrieve)
    known = ", ".join(f"{method}()" for method in (*_ANSWERS, "retrieve", "invoke", "query"))
    kind = f"an object of class '{type(subject).__name__}'"
    raise ConfigurationError(f"'{name}' is {kind}; expected a function, or something with one of {known}")


def _method(subject: object, names: tuple[str, ...]) -> tuple[str, Callable[..., object]] | None:
    for name in names:
        method = getattr(subject, name, None)
        if callable(method):
            return name, method
    return None


def _role(
    found: tuple[str, Callable[..., object]],
    target: str,
    *,
    k_second: bool = False,
    input_key: str | None = None,
) -> Role:
    method, function = found
    shown = f"{method}()" if method else f"'{target}'"
    return Role(
        function=function,
        name=shown,
        wants=arguments(function, shown, k_second=k_second, free=method not in _RUNNABLES),
        is_async=is_async(function),
        input_key=input_key,
    )
