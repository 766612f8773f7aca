"""Group commit: what arrives during one commit shares the next; every waiter is told, once, of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection

from ragproof.errors import StoreError
from ragproof.store.database import Database
from ragproof.store.group_commit import Change, GroupCommit
from ragproof.store.locations import locate


class Writes:
    """Keeps what it was asked to write, batch by batch; the first batch waits until it is let go."""

    def __init__(
        self, faults: Mapping[int, StoreError] | None = None, error: Exception | None = None
    ) -> None:
        self.batches: list[list[str]] = []
        self.faults = faults or {}
        self.error = error
        self.begun, self.go = threading.Event(), threading.Event()

    def take(self, connection: Connection, changes: Sequence[Change[str]]) -> Mapping[int, StoreError]:
        self.batches.append([change.step for change in changes])
        self.begun.set()
        self.go.wait()
        if self.error is not None:
            raise self.error
        return self.faults


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    database = Database(locate(f"sqlite:///{tmp_path}/a.db"))
    yield database
    database.close()


def change(name: str) -> Change[str]:
    """A change that only its name tells from another."""
    return Change(name, {})


async def begun(writes: Writes, commits: GroupCommit[str]) -> asyncio.Task[None]:
    """Start a first change and return while its transaction is open."""
    first = asyncio.create_task(commits.commit(change("first")))
    await asyncio.to_thread(writes.begun.wait)
    return first


def test_what_arrives_during_a_commit_shares_the_next(database: Database) -> None:
    """A hundred changes, two transactions; in the order in which they came."""
    writes = Writes()
    commits = GroupCommit(database, writes.take)

    async def story() -> None:
        first = await begun(writes, commits)
        others = [asyncio.create_task(commits.commit(change(f"{index}"))) for index in range(100)]
        await asyncio.sleep(0)
        assert not first.done()
        writes.go.set()
        await asyncio.gather(first, *others)

    asyncio.run(story())
    commits.close()
    assert writes.batches == [["first"], [f"{index}" for index in range(100)]]


def test_a_fault_is_told_to_the_one_it_belongs_to(database: Database) -> None:
    """The others of its transaction are committed."""
    writes = Writes(faults={1: StoreError("never reserved")})
    commits = GroupCommit(database, writes.take)

    async def story() -> list[object]:
        first = await begun(writes, commits)
        others = [asyncio.create_task(commits.commit(change(name))) for name in "abc"]
        await asyncio.sleep(0)
        writes.go.set()
        await first
        return list(await asyncio.gather(*others, return_exceptions=True))

    told = [None if error is None else str(error) for error in asyncio.run(story())]
    commits.close()
    assert writes.batches == [["first"], ["a", "b", "c"]]
    assert told == [None, "never reserved", None]


def test_an_error_of_any_kind_is_told_to_every_waiter(database: Database) -> None:
    """A waiter that is never told would wait for ever; and the thread lives on."""
    writes = Writes(error=TypeError("a fault in our own code"))
    writes.go.set()
    commits = GroupCommit(database, writes.take)

    async def story() -> list[object]:
        return list(
            await asyncio.gather(*(commits.commit(change(name)) for name in "ab"), return_exceptions=True)
        )

    for error in asyncio.run(story()):
        assert isinstance(error, StoreError)
        assert "a fault in our own code" in str(error)
        assert isinstance(error.__cause__, TypeError)
    writes.error = None
    asyncio.run(commits.commit(change("later")))
    commits.close()


def test_a_cancelled_wait_disturbs_nobody(database: Database) -> None:
    """The change is written all the same: it may have been on its way."""
    writes = Writes()
    commits = GroupCommit(database, writes.take)

    async def story() -> None:
        first = await begun(writes, commits)
        cancelled, other = (
            asyncio.create_task(commits.commit(change(name))) for name in ("cancelled", "other")
        )
        await asyncio.sleep(0)
        cancelled.cancel()
        writes.go.set()
        await asyncio.gather(first, other)
        assert cancelled.cancelled()

    asyncio.run(story())
    commits.close()
    assert writes.batches == [["first"], ["cancelled", "other"]]


def test_tasks_of_several_loops_share_a_transaction(database: Database) -> None:
    """Each is told in its own loop; a loop that ended meanwhile holds up nobody."""
    writes = Writes()
    commits = GroupCommit(database, writes.take)

    async def leave() -> None:
        leaving = asyncio.create_task(commits.commit(change("left")))
        await asyncio.sleep(0)
        assert not leaving.done()

    async def story() -> None:
        first = await begun(writes, commits)
        await asyncio.to_thread(asyncio.run, leave())
        elsewhere = asyncio.create_task(asyncio.to_thread(asyncio.run, commits.commit(change("elsewhere"))))
        here = asyncio.create_task(commits.commit(change("here")))
        await asyncio.sleep(0.05)
        writes.go.set()
        await asyncio.gather(first, here, elsewhere)

    asyncio.run(story())
    commits.close()
    assert sorted(name for batch in writes.batches for name in batch) == [
        "elsewhere",
        "first",
        "here",
        "left",
    ]


def test_closing_commits_what_was_asked_for(database: Database) -> None:
    """And takes no more."""
    writes = Writes()
    commits = GroupCommit(database, writes.take)

    async def story() -> None:
        first = await begun(writes, commits)
        second = asyncio.create_task(commits.commit(change("second")))
        await asyncio.sleep(0)
        closing = asyncio.create_task(asyncio.to_thread(commits.close))
        writes.go.set()
        await asyncio.gather(first, second, closing)
        with pytest.raises(StoreError, match=r"a\.db' is closed; open it again"):
            await commits.commit(change("too late"))

    asyncio.run(story())
    commits.close()
    assert writes.batches == [["first"], ["second"]]
