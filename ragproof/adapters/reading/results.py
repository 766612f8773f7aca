"""The result of one call: text, a mapping or an object, with its parts under any of their usual names.

A ranking (`retrieved`, `source_documents`, ...) and what the generator read (`context`, `contexts`) are kept
apart; a pipeline that returns only what it read has that taken as its ranking, with a note.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

from ragproof.adapters.reading.chunks import is_named_tuple, items, parts, read_chunks
from ragproof.adapters.reading.fields import filled, first, names_of
from ragproof.adapters.reading.notes import Notes
from ragproof.adapters.reading.values import count, identifier, plain, whole, wrong
from ragproof.outputs import Chunk, PipelineOutput, Usage

ANSWER = ("answer", "result", "output", "response", "output_text", "generation", "content", "text")
RANKING = (
    "retrieved",
    "retrieved_chunks",
    "retrieved_contexts",
    "source_documents",
    "source_nodes",
    "documents",
    "chunks",
)
CONTEXT = ("context", "contexts")
CITATIONS = ("citations",)
USAGE = ("usage", "token_usage", "usage_metadata")
USAGE_NAMES: Mapping[str, tuple[str, ...]] = {
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
    "llm_calls": ("llm_calls", "calls"),
    "llm_cache_hits": ("llm_cache_hits", "cache_hits"),
    "llm_cache_misses": ("llm_cache_misses", "cache_misses"),
}
_RESULT = "text, None, a list of chunks, or something with an answer or retrieved chunks"
_STREAM = f"{_RESULT}; join a stream before returning it"


@dataclass(frozen=True)
class Reading:
    """What one call returned, checked; None is absent, as in `PipelineOutput`."""

    answer: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    context: tuple[Chunk, ...] | None = None
    citations: tuple[str, ...] | None = None
    usage: Usage | None = None
    notes: tuple[str, ...] = ()

    def output(self, case_id: str, latency_ms: float | None) -> PipelineOutput:
        """Return it as the output of a case; a latency of None is not known."""
        retrieved, context, notes = self.retrieved, self.context, self.notes
        if retrieved is None and context is not None:
            retrieved, context = context, None
            notes = (*notes, "the ranking is the context that came with the answer; there is no other")
        return PipelineOutput(
            case_id=case_id,
            answer=self.answer,
            retrieved=retrieved,
            context=context,
            citations=self.citations,
            usage=self.usage,
            latency_ms=latency_ms,
            notes=notes,
        )


def read_ranking(result: object, source: str) -> Reading:
    """Read what a retriever returned: a list of chunks, or something that holds one.

    Raises:
        CallFailed: it cannot be read; the message calls it `source`.
    """
    notes = Notes()
    holder = None if _is_list(result) else first(result, (*RANKING, *CONTEXT))
    value = result if holder is None else holder[1]
    if value is None or isinstance(value, str):
        raise wrong(source, value, "a list of chunks, best first")
    return Reading(retrieved=read_chunks(value, source, notes), notes=notes.sentences())


def read_result(result: object, source: str) -> Reading:
    """Read what an answering pipeline returned.

    Args:
        result: text, None, a list of chunks (then there is no answer), or a mapping or object with parts.
        source: what to call it in a failure, `answer()` for example.

    Raises:
        CallFailed: it, or one of its parts, is of the wrong type.
    """
    notes = Notes()
    if result is None or isinstance(result, str):
        return Reading(answer=read_answer(result, source, notes), notes=notes.sentences())
    if _is_list(result):
        return _as_ranking(result, source)
    if inspect.isgenerator(result) or inspect.isasyncgen(result):
        raise wrong(source, result, _STREAM)
    found = {
        part: first(result, names)
        for part, names in (("answer", ANSWER), ("retrieved", RANKING), ("context", CONTEXT))
    }
    if isinstance(result, bytes | bytearray | Real):
        raise wrong(source, result, _RESULT)
    if not any(found.values()):
        raise wrong(source, result, f"{_RESULT}; its fields are {names_of(result)}")
    answer, retrieved, context = found["answer"], found["retrieved"], found["context"]
    return Reading(
        answer=_answer(result, answer, notes) if answer else None,
        retrieved=read_chunks(retrieved[1], f"'{retrieved[0]}'", notes) if retrieved else None,
        context=read_chunks(context[1], f"'{context[0]}'", notes) if context else None,
        citations=read_citations(filled(result, CITATIONS), "'citations'", notes),
        usage=read_usage(filled(result, USAGE), "'usage'"),
        notes=notes.sentences(),  # last: the parts above add to them
    )


def read_answer(value: object, field: str, notes: Notes) -> str | None:
    """Read an answer: text, or a chat message whose content is text or blocks of text; None stays None.

    Raises:
        CallFailed: it is something else.
    """
    if value is None or isinstance(value, str):
        return None if value is None else whole(value, notes)
    if not isinstance(value, Real | bytes | bytearray | Sequence):
        content = first(value, ("content", "text"))
        if content is not None and isinstance(content[1], str):
            return whole(content[1], notes)
        if content is not None and isinstance(content[1], list):
            return whole("".join(_block(block) for block in content[1]), notes)
    raise wrong(field, value, "text or None")


def read_citations(value: object, field: str, notes: Notes) -> tuple[str, ...] | None:
    """Read the ids an answer cites: text, integers, or anything with a chunk's id; None is absent.

    Raises:
        CallFailed: it is something else; one text is not a list of its characters.
    """
    if value is None:
        return None
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    listed = items(value, field, "a list of chunk ids")
    return tuple(_citation(item, f"{field}[{index}]", notes) for index, item in enumerate(listed))


def read_usage(value: object, field: str) -> Usage | None:
    """Read what was spent, under the usual names; None when nothing known is reported.

    Raises:
        CallFailed: a count is no whole number of at least 0.
    """
    if value is None:
        return None
    if isinstance(value, str | Real | Sequence):
        raise wrong(field, value, "a mapping with input_tokens, output_tokens or llm_calls")
    counts = {name: count(filled(value, names), f"{name} of {field}") for name, names in USAGE_NAMES.items()}
    known = {name: given for name, given in counts.items() if given is not None}
    return Usage(**known) if known else None


def _answer(result: object, found: tuple[str, object], notes: Notes) -> str | None:
    name, value = found
    return read_answer(result if name == "content" else value, f"'{name}'", notes)  # a message is read whole


def _as_ranking(result: object, source: str) -> Reading:
    listed = items(result, source, _RESULT)
    if listed and all(isinstance(item, str) for item in listed):
        # One token, one sentence or one chunk each: a guess would be wrong for two of the three.
        raise wrong(source, result, "text, or {'answer': ..., 'retrieved': [...]}")
    ranking = read_ranking(result, source)
    return Reading(
        retrieved=ranking.retrieved, notes=(*ranking.notes, f"{source} is a list: read as the ranking")
    )


def _is_list(result: object) -> bool:
    result = result if isinstance(result, Mapping | str) else plain(result)
    return isinstance(result, list | tuple) and not is_named_tuple(result)


def _citation(item: object, field: str, notes: Notes) -> str:
    cited = plain(item)
    if cited is not None and not isinstance(cited, str | Real):
        cited = parts(item, field).id
    name = identifier(cited, field, notes)
    if name is None:
        raise wrong(field, item, "a chunk id")
    return name


def _block(block: object) -> str:
    """Return the text of one block of a chat message; a tool call or a thought has none."""
    if isinstance(block, str):
        return block
    text = first(block, ("text",))
    return text[1] if text is not None and isinstance(text[1], str) else ""
