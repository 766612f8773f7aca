"""How far the sources that hold the answer came in one run: returned at some rank, and read by the generator.

A source is an expected id, matched as the run matches them; of a case without expected ids it is the first
chunk in which an expected answer stands. What the generator read is its own context where the adapter tells
it apart, else the top k of the ranking. Without outputs the values of retrieval metrics say what they can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof.comparing.metric_roles import Role, describes, role_of
from ragproof.evidence import Evidence
from ragproof.metrics.answer.contains_answer import contains_answer
from ragproof.metrics.retrieval.hits import hit_ranks
from ragproof.outputs import Chunk

ANSWER = "the expected answer"
"""Stands for the source of a case without expected ids."""
SOME = "an expected source"
"""Stands for it where only scores were kept."""
_WHOLE_RANKING, _TOP_K = "retrieval.mrr", "retrieval.recall_at_k"


@dataclass(frozen=True)
class Reach:
    """How far the sources came.

    Attributes:
        ranks: the rank of each source that was returned, 1 for the first; None where only that is known.
        read: the sources that the generator was given.
    """

    ranks: Mapping[str, int | None]
    read: frozenset[str]

    @property
    def found(self) -> frozenset[str]:
        """The sources that came back at all."""
        return frozenset(self.ranks) | self.read


def reach(evidence: Evidence) -> Reach | None:
    """Find out how far the sources of a case came.

    Args:
        evidence: the case with one run's output.

    Returns:
        None when it cannot be told: retrieval is not exposed, or nothing says what holds the answer.
    """
    if evidence.output.retrieved is None and evidence.output.context is None:
        return None
    relevant = evidence.case.relevant()
    if relevant:
        return _of_ids(evidence, relevant)
    return _of_texts(evidence) if evidence.case.expected_answers else None


def reach_of_values(values: Mapping[str, float]) -> Reach | None:
    """Tell the same from scores alone; None when no retrieval metric was measured."""
    hits = {
        key: value for key, value in values.items() if role_of(key) is Role.RETRIEVAL and not describes(key)
    }
    if not hits:
        return None
    if not any(value > 0.0 for value in hits.values()):
        return Reach({}, frozenset())
    first = hits.get(_WHOLE_RANKING, 0.0)
    rank = round(1.0 / first) if first > 0.0 else None
    read = hits[_TOP_K] > 0.0 if _TOP_K in hits else True
    return Reach({SOME: rank}, frozenset({SOME}) if read else frozenset())


def chunks_read(evidence: Evidence) -> Sequence[Chunk]:
    """Return what the generator read, in its order."""
    if _has_own_context(evidence):
        return evidence.output.context or ()
    kept = frozenset(evidence.ranked[: evidence.settings.k])
    chunks = evidence.output.retrieved or ()
    sources = evidence.source_ids(chunks)
    return [chunk for chunk, source in zip(chunks, sources, strict=True) if source in kept]


def _of_ids(evidence: Evidence, relevant: frozenset[str]) -> Reach:
    # Labels that name documents in a run matched by chunk are still labels of a source.
    ranks = hit_ranks(evidence.ranked, relevant) or hit_ranks(evidence.ranked_documents, relevant)
    if _has_own_context(evidence):
        read = frozenset(id for chunk in chunks_read(evidence) for id in _ids(chunk)) & relevant
    else:
        read = frozenset(id for id, rank in ranks.items() if rank <= evidence.settings.k)
    return Reach(dict(ranks), read)


def _of_texts(evidence: Evidence) -> Reach:
    wanted = evidence.case.expected_answers
    rank = _first_with(evidence.output.retrieved or (), wanted)
    read = _first_with(chunks_read(evidence), wanted) is not None
    return Reach({} if rank is None else {ANSWER: rank}, frozenset({ANSWER}) if read else frozenset())


def _first_with(chunks: Sequence[Chunk], wanted: Sequence[str]) -> int | None:
    return next((n for n, chunk in enumerate(chunks, 1) if contains_answer(chunk.text, wanted)), None)


def _has_own_context(evidence: Evidence) -> bool:
    """Whether the context tells what was read; one whose ids are none of the ranking's cannot be matched."""
    context, retrieved = evidence.output.context, evidence.output.retrieved
    if context is None:
        return False
    ranked = {id for chunk in retrieved or () for id in _ids(chunk)}
    return not context or not ranked or any(id in ranked for chunk in context for id in _ids(chunk))


def _ids(chunk: Chunk) -> tuple[str, str]:
    return chunk.id, chunk.document_id
