"""How much of the cases a report shows where others can read it."""

from __future__ import annotations

import pytest

from ragproof.config import Content
from ragproof.reports.disclosure import disclose
from ragproof.reports.registry import formats, render
from ragproof.reports.report import RunReport
from ragproof.reports.wording import facts
from tests.fakes.reports import record, small_report, summary

SECRET = "Mrs Miller's contract"


def telling() -> RunReport:
    """A report in which a question, an answer, an error, a reason and the status all tell something."""
    report = small_report()
    worst = report.worst[0].model_copy(update={"question": f"{SECRET} q", "answer": f"{SECRET} a"})
    failure = report.failures[0].model_copy(update={"message": f"{SECRET} e"})
    return report.model_copy(
        update={
            "run": record(status_reason=f"every call failed (1 of 1): exception: {SECRET} s"),
            "summaries": (summary(reasons={f"exception: {SECRET} r": 1, "exception: other": 1}),),
            "worst": (worst,),
            "failures": (failure,),
            "uncertain": ("c7",),
        }
    )


@pytest.mark.parametrize("content", [Content.IDS, Content.NONE])
@pytest.mark.parametrize("format", formats())
def test_no_text_of_a_case_is_told(content: Content, format: str) -> None:
    """Neither questions and answers nor what an error quotes."""
    assert SECRET not in render(disclose(telling(), content), format)
    assert SECRET in render(telling(), "json")


def test_ids_leave_what_a_reader_needs_to_go_on() -> None:
    """Which cases, what kind of failure, how often."""
    shown = disclose(telling(), Content.IDS)
    assert [case.case_id for case in shown.worst] == [case.case_id for case in telling().worst]
    assert [each.kind for each in shown.failures] == [each.kind for each in telling().failures]
    assert shown.summaries[0].reasons == {"exception": 2}
    assert shown.run.status_reason == "every call failed (1 of 1)"
    assert shown.uncertain == ("c7",)


def test_none_leaves_numbers_alone() -> None:
    """No case is named."""
    shown = disclose(telling(), Content.NONE)
    assert (shown.worst, shown.failures, shown.uncertain) == ((), (), ())
    assert shown.summaries[0].mean == telling().summaries[0].mean


def test_full_changes_nothing() -> None:
    """On a server of one's own."""
    assert disclose(telling(), Content.FULL) == telling()


@pytest.mark.parametrize(
    ("uncertain", "told"),
    [
        ((), None),
        (("c1",), "1 case's call in flight when a process ended, asked again: c1"),
        (
            tuple(f"c{n}" for n in range(7)),
            "7 cases' calls in flight when a process ended, asked again: c0, c1, c2, c3, c4, and 2 more",
        ),
    ],
)
def test_calls_that_may_have_happened_twice_are_listed(uncertain: tuple[str, ...], told: str | None) -> None:
    """In the head of every report for people."""
    report = RunReport(run=record(), uncertain=uncertain)
    assert next((fact.value for fact in facts(report) if fact.label == "uncertain"), None) == told
