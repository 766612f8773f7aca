"""Gathering a report from a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.errors import StoreError
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput
from ragproof.reports.report import EXCERPT_CHARACTERS, gather
from ragproof.runs import RunStatus
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.evidence import chunks
from tests.fakes.kept_runs import keep_run
from tests.fakes.reports import ABSTENTION, OVERREFUSAL

CASES = (
    Case(id="right", question="?", expected_answers=("Paris",), relevance={"c1": 1}, tags={"language": "en"}),
    Case(id="wrong", question="!" * 9_000, expected_answers=("Paris",), relevance={"c1": 1}),
    Case(id="made up", kind=CaseKind.UNANSWERABLE, question="?", tags={"language": "en"}),
    Case(id="late", question="?"),
    Case(id="never", question="?"),
)
OUTCOMES: tuple[Outcome, ...] = (
    PipelineOutput(case_id="right", answer="Paris", retrieved=chunks("c1"), latency_ms=1),
    PipelineOutput(case_id="wrong", answer="I don't know.", retrieved=chunks("c9"), latency_ms=1),
    PipelineOutput(case_id="made up", answer="It is 42.", retrieved=(), latency_ms=1),
    CaseFailure(case_id="late", kind=FailureKind.TIMEOUT, message="no reply after 60 s"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with one run."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as opened:
        keep_run(opened, CASES, OUTCOMES)
        yield opened


def test_a_report_has_the_run_its_numbers_failures_and_worst_cases(store: Store) -> None:
    """Everything a reader asks for, gathered once."""
    report = gather(store, "0123456789ab")
    assert report.run.status is RunStatus.COMPLETED
    assert [failure.case_id for failure in report.failures] == ["late"]
    assert {case.case_id for case in report.worst} == {"wrong", "made up"}
    assert {str(tag) for tag in report.tagged} == {"language=en"}
    assert all(summary.tag is None for summary in report.overall)


def test_abstention_and_overrefusal_are_neighbours(store: Store) -> None:
    """A pipeline that refuses everything is perfect in one and terrible in the other."""
    for summaries in (report := gather(store, "0123456789ab")).tagged.values():
        keys = [summary.metric for summary in summaries]
        assert keys.index(OVERREFUSAL) == keys.index(ABSTENTION) + 1
    keys = [summary.metric for summary in report.overall]
    assert keys.index(OVERREFUSAL) == keys.index(ABSTENTION) + 1


def test_a_worst_case_has_its_question_answer_and_bad_scores(store: Store) -> None:
    """Long texts are cut; the store has them whole."""
    worst = {case.case_id: case for case in gather(store, "0123456789ab").worst}
    assert len(worst["wrong"].question or "") == EXCERPT_CHARACTERS
    assert worst["wrong"].answer == "I don't know."
    assert worst["wrong"].values()["retrieval.mrr"] == 0.0
    assert worst["made up"].values()[ABSTENTION] == 0.0


def test_no_worst_cases_are_listed_when_none_are_wanted(store: Store) -> None:
    """Then no score is read."""
    assert gather(store, "0123456789ab", worst=0).worst == ()


def test_an_unknown_run_is_an_error(store: Store) -> None:
    """With the store's own words."""
    with pytest.raises(StoreError, match="no run is called 'fff'"):
        gather(store, "fff")
