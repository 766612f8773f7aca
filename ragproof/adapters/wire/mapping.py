"""Where the parts of an output stand in a response, as the configuration says; without it, the usual names.

With a mapping, only what it names is read. A path to the answer, the chunks, or a chunk's id or text that
leads nowhere fails the case: a typing mistake must not look like a pipeline that finds nothing.
"""

from __future__ import annotations

from typing import Self

from pydantic import JsonValue, model_validator

from ragproof.adapters.reading.chunks import Parts, chunk, read_chunks
from ragproof.adapters.reading.notes import Notes
from ragproof.adapters.reading.results import (
    Reading,
    read_answer,
    read_citations,
    read_result,
    read_usage,
)
from ragproof.adapters.wire.paths import JsonPath, match, matches, miss
from ragproof.frozen import Described
from ragproof.outputs import Chunk, Usage


class ChunkPaths(Described):
    """Paths within one chunk."""

    id: JsonPath | None = None
    """Within a chunk, to its id; without one a hash of the text stands for it."""
    text: JsonPath | None = None
    """Within a chunk, to its text."""
    score: JsonPath | None = None
    """Within a chunk, to the retriever's score."""
    document_id: JsonPath | None = None
    """Within a chunk, to the id of the document it was cut from."""
    metadata: JsonPath | None = None
    """Within a chunk, to a mapping of anything else."""

    @model_validator(mode="after")
    def _tells_chunks_apart(self) -> Self:
        if self.id is None and self.text is None:
            raise ValueError(
                "a chunk is told from another by its id or its text; set at least one of the two"
            )
        return self


class UsagePaths(Described):
    """Paths to what the pipeline says it spent."""

    input_tokens: JsonPath | None = None
    """JSONPath to the tokens that the pipeline's models read."""
    output_tokens: JsonPath | None = None
    """JSONPath to the tokens that they wrote."""
    llm_calls: JsonPath | None = None
    """JSONPath to the number of calls to a model."""
    llm_cache_hits: JsonPath | None = None
    """JSONPath to the number of calls that a cache answered."""
    llm_cache_misses: JsonPath | None = None
    """JSONPath to the number of calls that it did not."""


class ResponsePaths(Described):
    """Paths within a response."""

    answer: JsonPath | None = None
    """JSONPath to the answer: text, or a chat message."""
    chunks: JsonPath | None = None
    """JSONPath to the ranking, best first: the list, or each of its chunks (`$.hits[*]`)."""
    context: JsonPath | None = None
    """JSONPath to what the generator read, where that differs."""
    chunk: ChunkPaths | None = None
    """Paths within each chunk; without them, the usual names."""
    citations: JsonPath | None = None
    """JSONPath to the ids of the chunks that the answer cites."""
    usage: UsagePaths | None = None
    """Where the counts of tokens and calls are."""

    @model_validator(mode="after")
    def _has_chunks_to_look_into(self) -> Self:
        if self.chunk is not None and self.chunks is None and self.context is None:
            raise ValueError("chunk is given without chunks; set chunks to the path of the list")
        return self

    def read(self, response: JsonValue) -> Reading:
        """Read a response.

        Raises:
            CallFailed: a path leads nowhere, or to something of the wrong type.
        """
        if self == ResponsePaths():
            return read_result(response, "the response")
        notes = Notes()
        return Reading(
            answer=self._answer(response, notes),
            retrieved=self._chunks(self.chunks, response, notes),
            context=self._chunks(self.context, response, notes),
            citations=self._citations(response, notes),
            usage=self._usage(response, notes),
            notes=notes.sentences(),  # last: the parts above add to them
        )

    def _answer(self, response: JsonValue, notes: Notes) -> str | None:
        if self.answer is None:
            return None
        found = match(self.answer, response)
        if found is None:
            raise miss(self.answer, response, "the response")
        return read_answer(found[0], f"the answer at '{self.answer}'", notes)

    def _chunks(self, path: str | None, response: JsonValue, notes: Notes) -> tuple[Chunk, ...] | None:
        if path is None:
            return None
        found = _listed(path, response)
        if found is None:
            raise miss(path, response, "the response")
        field = f"'{path}'"
        if self.chunk is None or found == [None]:
            return read_chunks(None if found == [None] else found, field, notes)
        return tuple(
            chunk(_parts(self.chunk, item, f"{field}[{index}]"), f"{field}[{index}]", notes)
            for index, item in enumerate(found)
        )

    def _citations(self, response: JsonValue, notes: Notes) -> tuple[str, ...] | None:
        if self.citations is None:
            return None
        found = _listed(self.citations, response)
        if found is None:
            notes.add(f"JSONPath '{self.citations}' matches nothing: no citations")
        return read_citations(None if found == [None] else found, f"'{self.citations}'", notes)

    def _usage(self, response: JsonValue, notes: Notes) -> Usage | None:
        if self.usage is None:
            return None
        counts: dict[str, JsonValue] = {}
        for name, path in self.usage.model_dump(exclude_none=True).items():
            found = match(path, response)
            if found is None:
                notes.add(f"JSONPath '{path}' matches nothing: no {name}")
            else:
                counts[name] = found[0]
        return read_usage(counts, "the usage")


def _listed(path: str, response: JsonValue) -> list[JsonValue] | None:
    """Return what a path finds; the one list it finds is opened, so that `[*]` may be left out."""
    found = matches(path, response)
    return found[0] if found is not None and len(found) == 1 and isinstance(found[0], list) else found


def _parts(paths: ChunkPaths, item: JsonValue, field: str) -> Parts:
    found: dict[str, JsonValue] = {}
    for name, path in paths.model_dump(exclude_none=True).items():
        value = match(path, item)
        if value is not None:
            found[name] = value[0]
        elif name in ("id", "text"):
            raise miss(path, item, field)
    return Parts(**found)
