"""What in a dataset and in what came back for it lets numbers look right and mean something else.

Two things: expected source ids that name nothing a pipeline returns, so that every system scores 0; and
contexts that are the dataset's own, so that no retriever is measured. Neither can be proven from outside, so
each is a doubt in a sentence, with its cure. False friend: a low recall, which is a measurement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from ragproof.cases import Case
from ragproof.evidence import SourceMatch
from ragproof.metrics.retrieval.expected_ids import IdMatches, id_matches
from ragproof.outputs import Chunk, Outcome, PipelineOutput

REFERENCE_CONTEXTS, RETRIEVED_CONTEXTS = "reference_contexts", "retrieved_contexts"
"""Where the metadata of a case keeps them, as the ragas reader does."""
_SHOWN_CHARACTERS = 60


def doubts(cases: Sequence[Case], outcomes: Sequence[Outcome], source_match: SourceMatch) -> tuple[str, ...]:
    """Look for what makes numbers mean something else.

    Args:
        cases: of the dataset.
        outcomes: what came back for the first of them, in their order; empty or few is enough.
        source_match: what the run holds expected source ids against.

    Returns:
        Sentences, the gravest first; () when there is nothing to doubt.
    """
    asked = list(zip(cases, outcomes, strict=False))
    found = (_about_ids(asked, source_match), _about_contexts(cases, asked))
    return tuple(doubt for doubt in found if doubt is not None)


def _about_ids(asked: Iterable[tuple[Case, Outcome]], source_match: SourceMatch) -> str | None:
    """Tell when no expected id is of the kind that ids are matched by."""
    telling = [(case, outcome) for case, outcome in asked if case.relevant() and _retrieved(outcome)]
    if not telling:
        return None
    matches = id_matches(telling)
    by_document = source_match is SourceMatch.DOCUMENT
    if matches.documents if by_document else matches.chunks:
        return None
    of_cases = "the case that was asked" if len(telling) == 1 else f"the {len(telling)} cases that were asked"
    if matches != IdMatches():
        named, other = (
            ("chunks", SourceMatch.CHUNK) if matches.chunks else ("documents", SourceMatch.DOCUMENT)
        )
        return (
            f"the expected source ids of {of_cases} name {named}, and run.source_match is"
            f" '{source_match.value}': set it to '{other.value}', or every system scores 0"
        )
    case, outcome = telling[0]
    expected, returned = min(case.relevant()), _retrieved(outcome)[0]
    found = returned.document_id if by_document else returned.id
    return (
        f"no expected source id of {of_cases} is among the ids retrieved (case {_shown(case.id)} expects"
        f" {_shown(expected)}, retrieved was {_shown(found)}): the retriever missed them all, or the labels"
        " do not match today's corpus and retrieval scores mean nothing; label again, or search the corpus"
        " that was labelled"
    )


def _about_contexts(cases: Sequence[Case], asked: Sequence[tuple[Case, Outcome]]) -> str | None:
    """Tell when the contexts that are scored are those that the dataset calls right, in every case."""
    pairs = [
        (_texts(case, REFERENCE_CONTEXTS), [chunk.text for chunk in _retrieved(outcome)])
        for case, outcome in asked
        if _retrieved(outcome)
    ]
    if len(pairs) < 2:  # one perfect retrieval is no pattern; what the file itself records may be one
        pairs = [(_texts(case, REFERENCE_CONTEXTS), _texts(case, RETRIEVED_CONTEXTS)) for case in cases]
    if not pairs or any(not reference or set(reference) != set(texts) for reference, texts in pairs):
        return None
    every = "the only case" if len(pairs) == 1 else f"all {len(pairs)} cases"
    return (
        f"the retrieved contexts of {every} are the dataset's own reference contexts: the retriever is not"
        " being measured, and metrics of the ranking and of contexts say nothing about it; record what it"
        " really returns"
    )


def _retrieved(outcome: Outcome) -> tuple[Chunk, ...]:
    return (outcome.retrieved if isinstance(outcome, PipelineOutput) else None) or ()


def _texts(case: Case, name: str) -> list[str]:
    found: JsonValue = case.metadata.get(name)
    entries = found if isinstance(found, list) else [found]
    return [entry for entry in entries if isinstance(entry, str)]


def _shown(id: str) -> str:
    return f"'{id if len(id) <= _SHOWN_CHARACTERS else id[:_SHOWN_CHARACTERS] + '...'}'"
