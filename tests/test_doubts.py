"""What lets numbers look right and mean something else is told before the run."""

from __future__ import annotations

import pytest

from ragproof.cases import Case
from ragproof.doubts import doubts
from ragproof.evidence import SourceMatch
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput

FAILED = CaseFailure(case_id="q1", kind=FailureKind.TIMEOUT, message="late")


def labelled(*ids: str, gain: int = 1) -> Case:
    """A case with expected source ids."""
    return Case(id="q1", question="?", relevance=dict.fromkeys(ids, gain))


def retrieved(*ids: str, texts: tuple[str, ...] = ()) -> PipelineOutput:
    """A ranking; `d1#c1` is a chunk of `d1`."""
    padded = texts or ("",) * len(ids)
    chunks = tuple(
        Chunk(id=id_, text=text, metadata={"document_id": id_.split("#")[0]})
        for id_, text in zip(ids, padded, strict=True)
    )
    return PipelineOutput(case_id="q1", retrieved=chunks)


CHUNK, DOCUMENT = SourceMatch.CHUNK, SourceMatch.DOCUMENT
NAME_DOCUMENTS = "name documents, and run.source_match is 'chunk': set it to 'document'"
NAME_CHUNKS = "name chunks, and run.source_match is 'document': set it to 'chunk'"
NONE_FOUND = "the labels do not match today's corpus"
IDS = [
    # why, cases, outcomes, source match, what is told
    ("chunks are chunks", [labelled("d1#c1")], [retrieved("d1#c1")], CHUNK, None),
    ("documents are documents", [labelled("d1")], [retrieved("d1#c1")], DOCUMENT, None),
    ("labels of documents, matched by chunk", [labelled("d1")], [retrieved("d1#c1")], CHUNK, NAME_DOCUMENTS),
    ("labels of chunks, by document", [labelled("d1#c1")], [retrieved("d1#c1")], DOCUMENT, NAME_CHUNKS),
    ("labels of no kind", [labelled("d1#c3")], [retrieved("d1/0-400")], CHUNK, NONE_FOUND),
    ("one hit of many is a low recall, and a measurement",
     [labelled("a"), labelled("b")], [retrieved("a"), retrieved("x")], CHUNK, None),
    ("nothing retrieved tells nothing", [labelled("a")], [retrieved()], CHUNK, None),
    ("nor does a failure", [labelled("a")], [FAILED], CHUNK, None),
    ("nor does a case without labels", [Case(id="q1", question="?")], [retrieved("x")], CHUNK, None),
    ("nor do labels of what is irrelevant", [labelled("a", gain=0)], [retrieved("x")], CHUNK, None),
]  # fmt: skip


@pytest.mark.parametrize(("why", "cases", "outcomes", "match", "told"), IDS, ids=[row[0] for row in IDS])
def test_labels_that_match_nothing_are_told(
    why: str, cases: list[Case], outcomes: list[Outcome], match: SourceMatch, told: str | None
) -> None:
    """Every system would score 0 on them."""
    found = doubts(cases, outcomes, match)
    assert len(found) == (told is not None), why
    assert told is None or told in found[0]


def with_contexts(reference: object, recorded: object = None) -> Case:
    """A case whose dataset tells contexts."""
    metadata = {"reference_contexts": reference, "retrieved_contexts": recorded}
    return Case.model_validate({"id": "q1", "question": "?", "metadata": metadata})


OWN = with_contexts(["one", "two"], ["two", "one"])
ONE, TWO = retrieved("a", texts=("one",)), retrieved("b", texts=("two",))
CONTEXTS = [
    # why, cases, outcomes, whether it is told
    ("in every row of the dataset", [OWN, OWN], [], True),
    ("in the only row", [OWN], [], True),
    ("but for one row", [OWN, with_contexts(["one"], ["three"])], [], False),
    ("a row without references", [OWN, with_contexts([], [])], [], False),
    ("a text is a list of one", [with_contexts("one", ["one"])], [], True),
    ("in everything that came back", [with_contexts(["one"]), with_contexts(["two"])], [ONE, TWO], True),
    ("not in all that came back", [with_contexts(["one"]), with_contexts(["two"])], [ONE, ONE], False),
    ("one perfect retrieval is no pattern", [with_contexts(["one"]), with_contexts(["two"])], [ONE], False),
    ("what came back counts, whatever the dataset records", [OWN, OWN], [ONE, TWO], False),
]


@pytest.mark.parametrize(("why", "cases", "outcomes", "told"), CONTEXTS, ids=[row[0] for row in CONTEXTS])
def test_contexts_that_the_dataset_brought_measure_no_retriever(
    why: str, cases: list[Case], outcomes: list[Outcome], told: bool
) -> None:
    """The comparison is of texts, in any order, in every single case."""
    found = doubts(cases, outcomes, SourceMatch.CHUNK)
    assert [("the retriever is not being measured" in doubt) for doubt in found] == [True] * told, why


def test_ids_in_a_doubt_are_cut() -> None:
    """An id may be a whole page."""
    (found,) = doubts([labelled("x" * 500)], [retrieved("y" * 500)], SourceMatch.CHUNK)
    assert f"expects '{'x' * 60}...', retrieved was '{'y' * 60}...'" in found
