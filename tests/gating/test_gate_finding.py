"""Which runs a gate holds against each other when they are not named by their ids."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.errors import StoreError
from ragproof.gating.finding import find_baseline, latest_finished
from ragproof.holders import this_process
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunStatus
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.kept_runs import STARTED, keep_run

KEY = "exact_match"
CASES = [Case(id=f"c{number}", question="?", expected_answers=("yes",)) for number in range(3)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store without runs."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as opened:
        yield opened


def keep(store: Store, id: str, hour: int, status: RunStatus = RunStatus.COMPLETED, **fields: str) -> str:
    """Keep a run that started at some hour and stands as it is said."""
    label = fields.pop("label", None)
    keep_run(
        store,
        CASES,
        [PipelineOutput(case_id=case.id, answer="yes", latency_ms=1.0) for case in CASES],
        run_id=id,
        metrics=choose([KEY]),
        started_at=STARTED + timedelta(hours=hour),
        **fields,  # type: ignore[arg-type]
    )
    store.runs.update(id, status=status, label=label)
    return id


def test_without_a_name_it_is_the_latest_finished_run_of_the_pipeline(store: Store) -> None:
    """However it ended: an older one must not pass in the place of one that failed."""
    keep(store, "old", 1)
    keep(store, "failed", 2, RunStatus.FAILED_PIPELINE)
    keep(store, "variant", 3, pipeline="reranked")
    keep(store, "elsewhere", 4, project="other")
    found, notes = latest_finished(store, "handbook", "baseline")
    assert (found.id, notes) == ("failed", ())
    assert latest_finished(store, "handbook", "reranked")[0].id == "variant"


def test_a_run_that_still_goes_on_is_passed_over_and_told(store: Store) -> None:
    """What it has so far is no verdict."""
    keep(store, "old", 1)
    keep(store, "new", 2, RunStatus.RUNNING)
    store.leases.acquire("new", this_process())
    found, notes = latest_finished(store, "handbook", "baseline")
    assert (found.id, notes) == ("old", ("run 'new' is still running and was passed over",))
    assert find_baseline("latest", store, "handbook", "another", [KEY]).record.id == "old"


def test_a_pipeline_without_a_finished_run_is_told(store: Store) -> None:
    """With the nearest name."""
    keep(store, "old", 1)
    with pytest.raises(StoreError, match=r"no finished run of pipeline 'basline'.*did you mean 'baseline'"):
        latest_finished(store, "handbook", "basline")


def test_latest_is_the_last_other_completed_run_of_the_project(store: Store) -> None:
    """Not the run itself, and a broken one only when there is none that is whole."""
    keep(store, "broken", 3, RunStatus.ABORTED_BUDGET)
    keep(store, "judged", 4)
    assert find_baseline("latest", store, "handbook", "judged", [KEY]).record.id == "broken"
    keep(store, "good", 1)
    keep(store, "better", 2, pipeline="reranked")
    keep(store, "elsewhere", 5, project="other")
    assert find_baseline("latest", store, "handbook", "judged", [KEY]).record.id == "better"


def test_a_run_alone_has_no_baseline(store: Store) -> None:
    keep(store, "judged", 1)
    with pytest.raises(StoreError, match="no other finished run than 'judged'"):
        find_baseline("latest", store, "handbook", "judged", [KEY])


def test_a_baseline_is_found_by_its_label_too(store: Store) -> None:
    """The last one with it, and never the run that is judged."""
    keep(store, "older", 1, label="release")
    keep(store, "newer", 2, label="release")
    keep(store, "judged", 3, label="release")
    assert find_baseline("release", store, "handbook", "judged", [KEY]).record.id == "newer"
    assert find_baseline("old", store, "handbook", "judged", [KEY]).record.id == "older"
