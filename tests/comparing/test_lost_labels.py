"""Expected ids that left the corpus: what is a miss, and what says that more than a miss happened."""

from __future__ import annotations

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.comparing.lost_labels import MANY, Ran, lost_labels
from ragproof.comparing.worsened_case import Side, WorsenedCase
from ragproof.outputs import CaseFailure, Chunk, FailureKind, PipelineOutput
from tests.fakes.outputs_in_memory import OutputsInMemory


def output(case_id: str, *ids: str) -> PipelineOutput:
    """What came back: `x=a` is a chunk x with the text of a."""
    chunks = (Chunk(id=id.partition("=")[0], text=f"The text of {id.rpartition('=')[2]}.") for id in ids)
    return PipelineOutput(case_id=case_id, answer="?", retrieved=tuple(chunks))


def case(id: str, before: tuple[str, ...], after: tuple[str, ...], expected: str = "a") -> WorsenedCase:
    """A case that got worse."""
    return WorsenedCase(
        id=id,
        kind=CaseKind.QA,
        before=Side(output(id, *before)),
        after=Side(output(id, *after)),
        case=Case(id=id, question="?", relevance={expected: 1, "irrelevant": 0}),
    )


def found(
    cases: list[WorsenedCase],
    *others: PipelineOutput | CaseFailure,
    versions: tuple[str | None, str | None] = (None, None),
    cases_found: tuple[int | None, int | None] = (9, 9),
) -> dict[str, set[str]]:
    """Return the ids that are gone by case; `others` are the candidate's cases that did not get worse."""
    ids = [*(each.id for each in cases), *(each.case_id for each in others)]
    after = [*(each.after.output for each in cases if each.after.output), *others]
    ran = [
        Ran(OutputsInMemory((), [outcomes]), ids, version, count)
        for outcomes, version, count in zip(([], after), versions, cases_found, strict=True)
    ]
    return {id: set(gone) for id, gone in lost_labels(cases, ran[0], ran[1]).items()}


MISSED = case("c1", ("a", "b"), ("b",))


@pytest.mark.parametrize(
    ("why", "gone"),
    [
        ("a source that no longer comes back for one question is a miss", found([MISSED])),
        (
            "another case of the run brought it back",
            found([MISSED], output("c2", "a"), versions=("1", "2")),
        ),
        (
            "a later one, after a failure",
            found(
                [MISSED],
                *(output(f"n{number}", "b") for number in range(5)),
                CaseFailure(case_id="f", kind=FailureKind.TIMEOUT, message="late"),
                output("c9", "a"),
                versions=("1", "2"),
            ),
        ),
        ("one known version is one corpus", found([MISSED], versions=("1", "1"))),
        ("a version that one side alone knows says nothing", found([MISSED], versions=(None, "2"))),
        ("it came back for its own case", found([case("c1", ("a",), ("b", "a"))], versions=("1", "2"))),
        ("the baseline never had it", found([case("c1", ("b",), ("b",))], versions=("1", "2"))),
        (
            "it is judged and not relevant",
            found([case("c1", ("irrelevant", "b"), ("b",))], versions=("1", "2")),
        ),
        (
            "nothing came back at all for a few",
            found([MISSED], cases_found=(MANY - 1, 0)),
        ),
        (
            "two questions that it came back for are not many",
            found([MISSED, case("c2", ("a",), ("b",))]),
        ),
        ("the outputs were not kept", found([WorsenedCase("c1", CaseKind.QA, Side(), Side())])),
    ],
)
def test_a_miss_is_no_lost_label(why: str, gone: dict[str, set[str]]) -> None:
    """Labels are made again at some cost."""
    assert gone == {}, why


@pytest.mark.parametrize(
    ("why", "gone"),
    [
        ("another corpus version", found([MISSED], output("c2", "b"), versions=("1", "2"))),
        ("its text under another id", found([case("c1", ("a", "b"), ("b", "a2=a"))], versions=("1", "1"))),
        ("of all expected ids none came back", found([MISSED], cases_found=(MANY, 0), versions=("1", "1"))),
        (
            "many of these cases had it before",
            {
                "c1": found(
                    [
                        MISSED,
                        *(case(f"c{number}", ("a",), ("b",), expected="b") for number in range(2, MANY + 1)),
                    ]
                )["c1"]
            },
        ),
    ],
)
def test_a_lost_label_is_told_by_more_than_a_miss(why: str, gone: dict[str, set[str]]) -> None:
    """Never returned over the whole run, and one thing more."""
    assert gone == {"c1": {"a"}}, why


def test_a_long_run_is_not_read_when_what_got_worse_tells() -> None:
    """The outputs of 5,000 cases take a second to read."""
    swapped = [MISSED, case("c2", ("b",), ("a",), expected="b")]
    ids = [f"n{number}" for number in range(50)]
    after = OutputsInMemory((), [[output(id, "x") for id in ids]])
    assert lost_labels(swapped, Ran(OutputsInMemory(), [], "1"), Ran(after, ids, "2")) == {}
    assert after.read == 0
    assert lost_labels([MISSED], Ran(OutputsInMemory(), [], "1"), Ran(after, ids, "2"))
    assert after.read == len(ids), "only the whole run says that nothing brought it back"


def test_a_long_run_is_read_until_every_source_came_back() -> None:
    """A few hundred cases at a time."""
    ids = [f"n{number}" for number in range(50)]
    after = OutputsInMemory((), [[output(id, "a") for id in ids]])
    assert lost_labels([MISSED], Ran(OutputsInMemory(), [], "1"), Ran(after, ids, "2")) == {}
    assert after.read == 2
