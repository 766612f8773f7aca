"""The contexts a judge is shown: each text once, under a name of ours, for ids are hostile text too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.outputs import Chunk


@dataclass(frozen=True)
class Context:
    """One text under the name the judge knows it by."""

    name: str
    text: str
    chunk_id: str

    def shown(self) -> dict[str, JsonValue]:
        """Return it as the judge reads it."""
        return {"id": self.name, "text": self.text}


def distinct(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Return chunks at their first place; one that comes again, id and text, is left out."""
    return tuple({(chunk.id, chunk.text): chunk for chunk in chunks}.values())


def contexts(chunks: Iterable[Chunk]) -> tuple[Context, ...]:
    """Return the chunks that hold any text, named `k1`, `k2` and so on in their order; empty for none."""
    readable = (chunk for chunk in distinct(chunks) if chunk.text.strip())
    return tuple(Context(f"k{n}", chunk.text, chunk.id) for n, chunk in enumerate(readable, 1))


def by_rank(evidence: Evidence) -> tuple[Chunk, ...] | None:
    """Return the chunks that the generator read in the ranking's order, which is often another than its own.

    Those that the ranking does not have come last, in the order they were read; None without retrieval.
    """
    read, ranking = evidence.read_chunks, distinct(evidence.output.retrieved or ())
    if read is None:
        return None
    rank = {(chunk.id, chunk.text): place for place, chunk in enumerate(ranking)}
    return tuple(sorted(distinct(read), key=lambda chunk: rank.get((chunk.id, chunk.text), len(rank))))
