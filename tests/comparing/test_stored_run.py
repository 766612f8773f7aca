"""Reading a run from the store as numbers: what is scored, what is missing, what is absent, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.catalogue import choose
from ragproof.comparing.scored_run import ScoredRun, Standing
from ragproof.comparing.stored_run import read_run
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput
from ragproof.runs import RunRecord
from ragproof.scores import BUDGET_EXHAUSTED, CaseFailed, JudgeFailed, NotApplicable, Score, Scored, Skipped
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import DATASET_CASE
from tests.fakes.kept_runs import keep_run

METRICS = choose(["contains_answer", "retrieval.recall_at_k", "robustness.abstention", "latency_ms"])
CASES = (
    Case(id="right", question="?", expected_answers=("28 days",), relevance={"d": 1}, tags={"topic": "hr"}),
    Case(id="wrong", question="?", expected_answers=("28 days",), relevance={"d": 1}, group="g"),
    Case(id="failed", question="?", expected_answers=("28 days",), relevance={"d": 1}, group="g"),
    Case(id="unlabelled", question="?"),
    Case(id="fiction", kind=CaseKind.UNANSWERABLE, question="?"),
    Case(id="never", question="?", expected_answers=("28 days",)),
)
FAILED = CaseFailure(case_id="failed", kind=FailureKind.TIMEOUT, message="after 30 s")


def answered(case_id: str, answer: str) -> PipelineOutput:
    """An answer that had the source."""
    return PipelineOutput(
        case_id=case_id, answer=answer, retrieved=(Chunk(id="d", text="28 days"),), latency_ms=5
    )


OUTCOMES: tuple[Outcome, ...] = (
    answered("right", "28 days"),
    answered("wrong", "a year"),
    FAILED,
    answered("unlabelled", "28 days"),
    answered("fiction", "I cannot answer that from the documents."),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new store."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as opened:
        yield opened


def kept(store: Store, **changes: Any) -> RunRecord:
    """Keep the run and return its record."""
    return keep_run(store, CASES, OUTCOMES, metrics=METRICS, **changes)


def standings(run: ScoredRun, key: str) -> dict[str, str]:
    """Return each case's standing on a metric, by id."""
    scores = run.scores[key]
    found = (Standing(each).name.lower() for each in scores.standing)
    return dict(zip((case.id for case in run.cases), found, strict=True))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (
            "contains_answer",
            {
                "right": "scored",
                "wrong": "scored",
                "failed": "missing",  # an answer could have been scored
                "unlabelled": "absent",  # nothing to hold it against
                "fiction": "absent",  # of another kind
                "never": "missing",  # nobody came to it
            },
        ),
        (
            "retrieval.recall_at_k",
            {
                "right": "scored",
                "wrong": "scored",
                "failed": "missing",
                "unlabelled": "absent",
                "fiction": "absent",
                "never": "absent",  # no ranking of it could be scored
            },
        ),
        (
            "robustness.abstention",
            {
                "right": "absent",
                "wrong": "absent",
                "failed": "absent",  # a failed case outside the metric's reach misses nothing
                "unlabelled": "absent",
                "fiction": "scored",
                "never": "absent",
            },
        ),
    ],
)
def test_a_case_is_missing_where_an_output_could_have_been_scored(
    metric: str, expected: dict[str, str], store: Store
) -> None:
    """An outage is bounded where it costs a number, and nowhere else."""
    assert standings(read_run(store, kept(store)), metric) == expected


def test_numbers_and_reasons_are_those_of_the_store(store: Store) -> None:
    """A case with a number has no reason, any other has the store's, and a case nobody came to says so."""
    scores = read_run(store, kept(store)).scores["contains_answer"]
    assert [value for value in scores.values() if value == value] == [1.0, 0.0]
    assert scores.reasons == (
        None,
        None,
        FAILED.reason,
        "case has no expected_answer",
        "applies to qa cases only",
        "case was not reached",
    )
    assert scores.traits.span == (0.0, 1.0)


def test_cases_are_in_the_dataset_s_order_with_all_a_comparison_needs(store: Store) -> None:
    """Content, kind, group and tags."""
    run = read_run(store, kept(store))
    assert [case.id for case in run.cases] == [case.id for case in CASES]
    assert [case.content_hash for case in run.cases] == [case.content_hash() for case in CASES]
    assert [case.group for case in run.cases] == [None, "g", "g", None, None, None]
    assert run.cases[0].tags == {"topic": "hr"}
    assert run.cases[4].kind is CaseKind.UNANSWERABLE


def test_metrics_are_read_in_reading_order_or_those_asked_for(store: Store) -> None:
    """One that the run did not measure is left out."""
    record = kept(store)
    assert set(read_run(store, record).scores) == {metric.key for metric in METRICS}
    asked = read_run(store, record, only=["latency_ms", "rouge_l"])
    assert list(asked.scores) == ["latency_ms"]
    assert "p95_latency_ms" in asked.summaries, "statistics of the whole run stay"


def test_a_metric_that_changed_since_has_no_known_range(store: Store) -> None:
    """A bound from today's range would be wrong for yesterday's numbers."""
    record = kept(store)
    versions = {**{metric.key: metric.version for metric in METRICS}, "contains_answer": 99}
    old = record.model_copy(update={"comparability": {**record.comparability, "metrics": versions}})
    assert read_run(store, old).scores["contains_answer"].traits.span is None


@pytest.mark.parametrize(
    ("why", "results", "standing", "value"),
    [
        ("all trials scored", [Scored(value=1.0), Scored(value=0.0)], "scored", 0.5),
        ("one erred", [Scored(value=1.0), CaseFailed(reason="timeout: late")], "missing", None),
        ("the judge erred", [JudgeFailed(reason="transport: reset"), Scored(value=1.0)], "missing", None),
        ("the budget was spent", [Scored(value=1.0), BUDGET_EXHAUSTED], "missing", None),
        ("one was never asked", [Scored(value=1.0)], "missing", None),
        ("one declined", [Scored(value=1.0), NotApplicable(reason="the answer declines")], "scored", 1.0),
        ("none applies", [Skipped(reason="no"), NotApplicable(reason="no")], "absent", None),
    ],
)
def test_trials_are_one_case(
    why: str, results: list[Any], standing: str, value: float | None, store: Store
) -> None:
    """A case counts when every trial that the metric applies to has a number."""
    record = kept(store, run_id="repeated")
    again = record.model_copy(update={"config": {"run": {"repeats": 2}}})
    key = "contains_answer"
    store.scores.put(
        record.id,
        [Score(case_id="right", metric=key, trial=trial, result=each) for trial, each in enumerate(results)],
    )
    run = read_run(store, again, only=[key])
    assert standings(run, key)["right"] == standing, why
    found = float(run.scores[key].values()[0])
    assert (None if found != found else found) == value, why


def test_an_erased_case_is_in_no_comparison(store: Store) -> None:
    """Its rows may be there for a moment longer."""
    record = kept(store)
    with store.database.write() as connection:
        connection.execute(DATASET_CASE.delete().where(DATASET_CASE.c.case_id == "right"))
    run = read_run(store, record)
    assert [case.id for case in run.cases] == [case.id for case in CASES[1:]]
    assert len(run.scores["contains_answer"].values()) == len(CASES) - 1


def test_a_run_that_ended_before_its_dataset_was_loaded_has_no_cases(store: Store) -> None:
    """It is a run all the same, and says nothing."""
    run = read_run(store, kept(store).model_copy(update={"dataset_hash": None}))
    assert run.cases == ()
