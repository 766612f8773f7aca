"""Which part made a repeated case flicker."""

from __future__ import annotations

import pytest

from ragproof.flakiness import Cause, causes, varying
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput


def said(answer: str, *chunks: str, read: tuple[str, ...] | None = None) -> PipelineOutput:
    """An output with this answer over these chunks."""
    return PipelineOutput(
        case_id="c",
        answer=answer,
        retrieved=tuple(Chunk(id=each, text=each) for each in chunks),
        context=None if read is None else tuple(Chunk(id=each, text=each) for each in read),
    )


def blind(answer: str) -> PipelineOutput:
    """An output that does not say what was retrieved."""
    return PipelineOutput(case_id="c", answer=answer)


FAILED = CaseFailure(case_id="c", kind=FailureKind.TIMEOUT, message="no answer in time")


@pytest.mark.parametrize(
    ("why", "values", "outcomes", "expected"),
    [
        ("all trials agree", [1.0, 1.0], [said("a", "x"), said("b", "y")], ()),
        ("same answer, another verdict", [1.0, 0.0], [said("a", "x"), said("a", "x")], (Cause.JUDGE,)),
        ("another answer on the same chunks", [1, 0], [said("a", "x"), said("b", "x")], (Cause.GENERATOR,)),
        ("other chunks, whatever the answer", [1, 0], [said("a", "x"), said("b", "y")], (Cause.INDEX,)),
        ("another order", [1, 0], [said("a", "x", "y"), said("a", "y", "x")], (Cause.INDEX,)),
        (
            "what the generator read differs",
            [1, 0],
            [said("a", "x", read=("x",)), said("a", "x", read=())],
            (Cause.INDEX,),
        ),
        ("no retrieval to tell by", [1, 0], [blind("a"), blind("b")], (Cause.UNSEEN,)),
        ("no retrieval, same answer", [1, 0], [blind("a"), blind("a")], (Cause.JUDGE,)),
        ("one trial failed", [1, None], [said("a", "x"), FAILED], (Cause.PIPELINE,)),
        (
            "no number in one trial is a difference",
            [1, None],
            [said("a", "x"), said("b", "x")],
            (Cause.GENERATOR,),
        ),
        (
            "three trials, two causes, told in one order",
            [1, 0, 0.5],
            [said("a", "x"), said("b", "x"), said("a", "y")],
            (Cause.INDEX, Cause.GENERATOR),
        ),
        (
            "only a pair that differs",
            [1, 1, 0],
            [said("a", "x"), said("a", "x"), said("b", "x")],
            (Cause.GENERATOR,),
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_cause_is_read_off_the_trials_that_differ(
    why: str, values: list[float | None], outcomes: list[Outcome], expected: tuple[Cause, ...]
) -> None:
    """The first part that differs, in the order a pipeline works, is to blame."""
    assert causes(values, outcomes) == expected, why


def test_no_number_differs_from_a_number() -> None:
    """A metric that is not applicable in one trial flickers; one that never applies does not."""
    assert varying({"a": [1.0, None], "b": [None, None], "c": [0.5, 0.5], "d": [0.0, 1.0]}) == ("a", "d")
