"""Checking a store: a sound one is called sound, and each kind of damage is found and named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ragproof.errors import StoreError
from ragproof.holders import Holder, this_process
from ragproof.runs import RunRecord
from ragproof.store.checking import check
from ragproof.store.database import Database
from ragproof.store.erasable import Wanted
from ragproof.store.erasing import erase
from ragproof.store.leases import LEASE_SECONDS
from ragproof.store.locations import locate
from ragproof.store.opening import open_store
from ragproof.store.schema import REVISIONS
from ragproof.store.store import Store
from tests.fakes.databases import KINDS, ON_BOTH, execute, new_url
from tests.fakes.erasable_runs import keep_two_runs
from tests.fakes.stores import NOON


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Of a store of its own with two runs, on each kind of database: it is going to be damaged."""
    with new_url(request.param) as url:
        with open_store(url) as store:
            keep_two_runs(store)
        yield url


def test_a_sound_store_is_sound(url: str) -> None:
    """With what is in it: tables, sizes, nobody at work."""
    with open_store(url) as store:
        checked = check(store)
    assert checked.sound
    assert checked.faults == ()
    assert checked.schema_revision == REVISIONS[-1]
    assert checked.size_bytes > 50_000
    assert (checked.rows["run"], checked.rows["call"], checked.rows["dataset_case"]) == (2, 9, 5)
    assert (checked.leases, checked.interrupted_runs, checked.unled_runs, checked.erased_cases) == (
        (),
        (),
        (),
        0,
    )


def test_erased_cases_are_counted_and_are_no_damage(url: str) -> None:
    """A dataset with a gap that was asked for is sound."""
    with open_store(url) as store:
        erase(store, Wanted(case_id="mine"))
        checked = check(store)
    assert checked.sound
    assert checked.erased_cases == 1


@pytest.mark.parametrize(
    ("why", "statements", "fault"),
    [
        (
            "a column is gone",
            ["ALTER TABLE score DROP COLUMN details"],
            "the table 'score' has no column 'details'",
        ),
        ("a table is gone", ["DROP TABLE summary"], "the table 'summary' is missing"),
        (
            "an index is gone",
            ["DROP INDEX ix_call_run_id_kind_state"],
            "the table 'call' has no index 'ix_call_run_id_kind_state'",
        ),
        (
            "a dataset that runs name is gone",
            ["DELETE FROM dataset_case", "DELETE FROM dataset"],
            "2 runs name a dataset that is not there",
        ),
    ],
)
def test_damage_is_found_and_named(why: str, statements: list[str], fault: str, url: str) -> None:
    """Together with everything that is sound."""
    execute(url, *statements)
    with open_store(url) as store:
        checked = check(store)
    assert not checked.sound, why
    assert any(told.startswith(fault) for told in checked.faults), checked.faults
    assert checked.rows["run"] == 2


@ON_BOTH
def test_rows_that_belong_to_no_run_are_counted(kind: str) -> None:
    """Left by a tool that had foreign keys switched off."""
    orphan = "INSERT INTO lease (run_id, fence) VALUES ('gone', 1)"
    with new_url(kind) as url:
        open_store(url).close()
        if kind == "postgresql":
            execute(url, "ALTER TABLE lease DISABLE TRIGGER ALL", orphan)
        else:
            execute(url, "PRAGMA foreign_keys = OFF", orphan)
        with open_store(url) as store:
            faults = check(store).faults
    assert "1 rows of 'lease' belong to a run that is not there" in faults


def test_a_damaged_file_is_told_by_the_database_itself(tmp_path: Path) -> None:
    """An index that says something else than its table."""
    path = tmp_path / "a.db"
    with open_store(f"sqlite:///{path}") as store:
        keep_two_runs(store)
    ((root,),) = execute(
        f"sqlite:///{path}", "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_score_1'"
    )
    whole = bytearray(path.read_bytes())
    at = whole.index(b"other", 4096 * (root - 1), 4096 * root)
    whole[at : at + 5] = b"bther"
    path.write_bytes(whole)
    with open_store(f"sqlite:///{path}") as store:
        faults = check(store).faults
    assert any(fault.startswith("the database says: row ") for fault in faults)


def test_a_file_damaged_beyond_reading_is_an_error(tmp_path: Path) -> None:
    """With what to do."""
    path = tmp_path / "a.db"
    with open_store(f"sqlite:///{path}") as store:
        keep_two_runs(store)
        ((root,),) = execute(f"sqlite:///{path}", "SELECT rootpage FROM sqlite_master WHERE name = 'score'")
    whole = bytearray(path.read_bytes())
    whole[4096 * (root - 1) : 4096 * root] = b"\xff" * 4096
    path.write_bytes(whole)
    with open_store(f"sqlite:///{path}") as store, pytest.raises(StoreError, match="restore a copy of it"):
        check(store)


def test_who_works_and_who_fell_silent_is_told(url: str) -> None:
    """And a run that says it is running without anybody at work."""
    moment = [NOON]
    with Store(Database(locate(url)), "test", clock=lambda: moment[0]) as store:
        for run_id in ("silent", "at-work", "unled"):
            store.runs.start(RunRecord(id=run_id, project="p", pipeline="b", started_at=NOON))
        store.leases.acquire("silent", Holder(process=7, machine="elsewhere"))
        moment[0] += timedelta(seconds=LEASE_SECONDS + 1)
        store.leases.acquire("at-work", this_process())
        checked = check(store)
    assert [(lease.run_id, lease.abandoned) for lease in checked.leases] == [
        ("at-work", False),
        ("silent", True),
    ]
    assert checked.interrupted_runs == ("silent",)
    assert checked.unled_runs == ("unled",)
    assert checked.sound
