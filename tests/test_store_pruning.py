"""Pruning: what is old goes as a whole, and nothing that anybody works on or still names."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ragproof.cases import Case
from ragproof.errors import StoreError
from ragproof.holders import Holder, this_process
from ragproof.ledger import Call
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunRecord, RunStatus
from ragproof.store.database import Database
from ragproof.store.locations import locate
from ragproof.store.opening import open_store
from ragproof.store.pruning import Pruned, plan, prune
from ragproof.store.store import Store
from ragproof.store.tables import METADATA
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import NOON, do

CUTOFF = NOON
OLD, NEW = NOON - timedelta(days=2), NOON + timedelta(seconds=1)
NOW = NOON + timedelta(days=90)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store whose clock stands ninety days after the cutoff, on each kind of database."""
    with store_url(request.param) as url, Store(Database(locate(url)), "test", clock=lambda: NOW) as store:
        yield store


def keep(store: Store, id: str, ended: datetime | None, dataset: str | None = None, **fields: object) -> None:
    """Keep a run with a call, which began two hours before it ended."""
    began = (ended or OLD) - timedelta(hours=2)
    whole = {"id": id, "project": "p", "pipeline": "b", "status": "completed", "finished_at": ended}
    store.runs.start(
        RunRecord.model_validate({**whole, "started_at": began, "dataset_hash": dataset, **fields})
    )
    call = Call(run_id=id, identity="c", case_id="a")
    store.calls.reserve([call])
    do(store.calls.settle(call, PipelineOutput(case_id="a", answer="x", latency_ms=1.0)))


def dataset(store: Store, hash: str, used_at: datetime | None) -> None:
    """Keep a dataset that was last used then; None is before anybody noted it."""
    store.datasets.put(hash, "jsonl@1", "cases.jsonl", [Case(id="a", question="?")])
    with store.database.write() as connection:
        table = METADATA.tables["dataset"]
        connection.execute(table.update().where(table.c.hash == hash).values(used_at=used_at))


def left(store: Store) -> set[str]:
    """Return the runs there are."""
    return {run.id for run in store.runs.list(limit=None)}


@pytest.mark.parametrize(
    ("why", "ended", "fields", "goes"),
    [
        ("it ended before the cutoff", OLD, {}, True),
        ("it ended after it", NEW, {}, False),
        ("it ended at it", CUTOFF, {}, False),
        (
            "it began long before, and ended after it: a long run, or a resumed one",
            NEW,
            {"started_at": OLD},
            False,
        ),
        ("it broke off long ago and never ended", None, {"status": "interrupted"}, True),
        ("it was stopped long ago", OLD, {"status": "cancelled"}, True),
        ("it says it is running, and nobody can know that it is not", None, {"status": "running"}, False),
    ],
)
def test_what_ended_before_the_cutoff_goes(
    why: str, ended: datetime | None, fields: dict[str, Any], goes: bool, store: Store
) -> None:
    """The end counts; without one, the beginning."""
    keep(store, "it", ended, **fields)
    keep(store, "new", NEW)
    planned = plan(store, CUTOFF)
    assert planned.runs == (("it",) if goes else ()), why
    assert left(store) == {"it", "new"}, "a plan changes nothing"
    assert prune(store, planned).runs == planned.runs
    assert left(store) == ({"new"} if goes else {"it", "new"}), why
    assert store.calls.progress("it") == ({} if goes else store.calls.progress("new"))


@pytest.mark.parametrize(
    ("why", "holder", "status", "goes"),
    [
        ("a run that is worked on", this_process(), RunStatus.RUNNING, False),
        ("a finished run that is being taken up again", this_process(), RunStatus.CANCELLED, False),
        (
            "a process elsewhere may be alive",
            Holder(process=1, machine="elsewhere"),
            RunStatus.RUNNING,
            False,
        ),
        ("a process here that is gone", None, RunStatus.RUNNING, True),
    ],
)
def test_a_run_that_somebody_works_on_stays(
    why: str, holder: Holder | None, status: RunStatus, goes: bool, store: Store
) -> None:
    """However old it is; it is named, so that nobody wonders."""
    if holder is None:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        holder = this_process().model_copy(update={"process": ended.pid})
    keep(store, "it", None, status=status)
    store.leases.acquire("it", holder)
    planned = plan(store, CUTOFF)
    assert planned.running == (() if goes else ("it",)), why
    prune(store, planned)
    assert left(store) == (set() if goes else {"it"}), why


def test_a_run_that_was_taken_up_after_the_plan_stays(store: Store) -> None:
    """Between the question and the answer somebody may resume it."""
    keep(store, "it", OLD)
    keep(store, "other", OLD)
    planned = plan(store, CUTOFF)
    store.leases.acquire("it", this_process())
    assert prune(store, planned).runs == ("other",)
    assert left(store) == {"it"}


def test_a_run_cannot_be_taken_while_it_is_being_removed(store: Store) -> None:
    """Whoever comes second is told that it is gone, and writes nothing."""
    keep(store, "it", OLD)
    store.leases.acquire("it", this_process())
    store.leases.release("it")
    told: list[StoreError] = []

    def take() -> None:
        try:
            store.leases.acquire("it", this_process())
        except StoreError as error:
            told.append(error)

    with store.database.write() as connection:
        store.leases.block(connection, ["it"])
        taker = threading.Thread(target=take)
        taker.start()
        taker.join(0.3)  # long enough for one that does not wait
        connection.execute(METADATA.tables["run"].delete())
    taker.join()
    gone = ("the run or dataset it belongs to is not there", "run 'it' was removed just now")
    assert [any(words in str(error) for words in gone) for error in told] == [True]


@pytest.mark.parametrize(
    ("why", "used_at", "runs", "goes"),
    [
        ("no run names it and nobody used it since", OLD, [], True),
        ("kept before anybody noted its use", None, [], True),
        ("loaded just now: its run is about to start", NEW, [], False),
        ("a run that stays names it", OLD, [NEW], False),
        ("its only run goes", OLD, [OLD], True),
        ("one of its runs goes", OLD, [OLD, NEW], False),
    ],
)
def test_datasets_go_with_the_last_run_that_names_them(
    why: str, used_at: datetime | None, runs: list[datetime], goes: bool, store: Store
) -> None:
    """With all their cases."""
    for number, ended in enumerate(runs):
        keep(store, f"run-{number}", ended, "d" * 64)
    dataset(store, "d" * 64, used_at)
    planned = plan(store, CUTOFF)
    assert planned.datasets == (("d" * 64,) if goes else ()), why
    assert prune(store, planned).datasets == planned.datasets
    assert store.datasets.has("d" * 64) is not goes, why


def test_a_dataset_that_came_into_use_after_the_plan_stays(store: Store) -> None:
    """A run may start with it meanwhile."""
    dataset(store, "d" * 64, OLD)
    planned = plan(store, CUTOFF)
    keep(store, "it", NEW, "d" * 64)
    assert prune(store, planned).datasets == ()
    assert store.datasets.has("d" * 64)


def test_a_dataset_that_was_loaded_again_after_the_plan_stays(store: Store) -> None:
    """Its run is about to start."""
    dataset(store, "d" * 64, OLD)
    planned = plan(store, CUTOFF)
    store.datasets.put("d" * 64, "jsonl@1", "cases.jsonl", [Case(id="a", question="?")])
    assert prune(store, planned).datasets == ()
    assert store.datasets.has("d" * 64)


def test_one_project_is_pruned_alone(store: Store) -> None:
    """With the datasets of its runs; what nobody names may be another's."""
    for hash in ("a" * 64, "b" * 64, "c" * 64):
        dataset(store, hash, OLD)
    keep(store, "mine", OLD, "a" * 64)
    keep(store, "theirs", OLD, "b" * 64, project="other")
    for hash in ("a" * 64, "b" * 64):
        dataset(store, hash, OLD)
    pruned = prune(store, plan(store, CUTOFF, "p"))
    assert (pruned.runs, pruned.datasets) == (("mine",), ("a" * 64,))
    assert left(store) == {"theirs"}


def test_nothing_to_prune_is_no_error(store: Store) -> None:
    """An empty store has nothing old."""
    assert plan(store, CUTOFF) == Pruned(before=CUTOFF)
    assert prune(store, plan(store, CUTOFF)).runs == ()


def test_a_pruned_file_is_smaller_and_holds_nothing_of_what_went(tmp_path: Path) -> None:
    """Not in the room that the rows took, and not in the log."""
    with open_store(f"sqlite:///{tmp_path}/a.db") as store:
        keep(store, "it", OLD)
        call = Call(run_id="it", identity="big", case_id="b")
        store.calls.reserve([call])
        do(store.calls.settle(call, PipelineOutput(case_id="b", answer="zebra" * 400_000, latency_ms=1.0)))
        pruned = prune(store, plan(store, CUTOFF))
        assert pruned.freed_bytes > 2_000_000
        assert pruned.not_reclaimed is None
        assert not any(b"zebra" in part.read_bytes() for part in tmp_path.iterdir())
