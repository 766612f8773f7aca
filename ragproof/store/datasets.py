"""Datasets in the store: each content once, its cases in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Insert, select
from sqlalchemy import func as sql

from ragproof.cases import Case
from ragproof.errors import StoreError, nearest
from ragproof.store.database import Database
from ragproof.store.outages import outlasting
from ragproof.store.tables import DATASET, DATASET_CASE
from ragproof.store.upserts import insert_new, is_new

PORTION = 250
"""Cases that are read, or written, at once."""


class Datasets:
    """The tables dataset and dataset_case."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    @outlasting
    def put(self, hash: str, reader_version: str, path: str, cases: Sequence[Case]) -> None:
        """Keep a dataset; one that is there already is left as it is, but for cases that were erased.

        Args:
            hash: sha256 of the content, so that the same hash means the same cases.
            reader_version: of the code that read it.
            path: where it was found, for people.
            cases: all of them, in order; their ids are unique.

        Raises:
            StoreError: the database cannot be written, or two cases have one id.
        """
        now = self._clock()
        dataset = {
            "hash": hash,
            "reader_version": reader_version,
            "path": path,
            "cases": len(cases),
            "used_at": now,
        }
        insert: Insert = DATASET_CASE.insert()
        with self._database.write() as connection:
            if not is_new(connection, DATASET, dataset):
                connection.execute(DATASET.update().where(DATASET.c.hash == hash).values(used_at=now))
                if _kept(connection, hash) >= len(cases):
                    return
                insert = insert_new(DATASET_CASE, self._database.dialect)
            for start in range(0, len(cases), PORTION):
                connection.execute(insert, _rows(hash, cases[start : start + PORTION], start))

    @outlasting
    def has(self, hash: str) -> bool:
        """Say whether a dataset is there."""
        with self._database.read() as connection:
            return _cases(connection, hash) is not None

    @outlasting
    def cases(self, hash: str, start: int = 0, stop: int | None = None) -> tuple[Case, ...]:
        """Read the cases from one place up to another, of those that were not erased.

        Args:
            hash: the dataset.
            start: the first, from 0.
            stop: one past the last; None, or one beyond the end, is the end.

        Returns:
            Cases in the dataset's order; empty when there are none.

        Raises:
            StoreError: there is no such dataset.
        """
        query = (
            select(DATASET_CASE.c.content)
            .where(DATASET_CASE.c.dataset_hash == hash)
            .order_by(DATASET_CASE.c.position)
            .offset(start)
            .limit(None if stop is None else max(0, stop - start))
        )
        with self._database.read() as connection:
            _require(connection, hash)
            return tuple(_case(content) for content in connection.scalars(query))

    @outlasting
    def hashed(self, hash: str, stop: int | None = None) -> tuple[tuple[Case, str], ...]:
        """Read the cases up to a place, each with its content hash; otherwise as `cases`."""
        query = (
            select(DATASET_CASE.c.content, DATASET_CASE.c.content_hash)
            .where(DATASET_CASE.c.dataset_hash == hash)
            .order_by(DATASET_CASE.c.position)
        )
        if stop is not None:
            query = query.where(DATASET_CASE.c.position < stop)
        with self._database.read() as connection:
            _require(connection, hash)
            return tuple((_case(content), found) for content, found in connection.execute(query))

    @outlasting
    def at(self, hash: str, positions: Sequence[int]) -> tuple[Case, ...]:
        """Read the cases at some places, in their order; otherwise as `cases`."""
        query = select(DATASET_CASE.c.position, DATASET_CASE.c.content).where(
            DATASET_CASE.c.dataset_hash == hash, DATASET_CASE.c.position.in_(positions)
        )
        with self._database.read() as connection:
            _require(connection, hash)
            found = {position: _case(content) for position, content in connection.execute(query)}
        return tuple(found[position] for position in positions if position in found)

    def portions(self, hash: str, stop: int | None = None) -> Iterator[tuple[Case, ...]]:
        """Read the cases up to a place a few hundred at a time; arguments and errors as of `cases`."""
        start = 0
        while cases := self.cases(
            hash, start, start + PORTION if stop is None else min(start + PORTION, stop)
        ):
            yield cases
            start += len(cases)

    @outlasting
    def case(self, hash: str, case_id: str) -> Case:
        """Read one case.

        Raises:
            StoreError: there is no such dataset, or no such case in it.
        """
        of_dataset = DATASET_CASE.c.dataset_hash == hash
        with self._database.read() as connection:
            _require(connection, hash)
            content = connection.scalar(
                select(DATASET_CASE.c.content).where(of_dataset, DATASET_CASE.c.case_id == case_id)
            )
            if content is None:
                ids = connection.scalars(select(DATASET_CASE.c.case_id).where(of_dataset))
                raise StoreError(f"the dataset has no case '{case_id}'{nearest(case_id, ids)}")
        return _case(content)


def _rows(hash: str, cases: Sequence[Case], start: int) -> list[dict[str, object]]:
    return [
        {
            "dataset_hash": hash,
            "position": position,
            "case_id": case.id,
            "content_hash": case.content_hash(),
            "kind": case.kind.value,
            "content": case.model_dump(),
        }
        for position, case in enumerate(cases, start)
    ]


def _cases(connection: Connection, hash: str) -> int | None:
    return connection.scalar(select(DATASET.c.cases).where(DATASET.c.hash == hash))


def _kept(connection: Connection, hash: str) -> int:
    """Count the cases that are there: fewer than the dataset has where some were erased."""
    query = select(sql.count()).where(DATASET_CASE.c.dataset_hash == hash)
    return connection.scalar(query) or 0


def _require(connection: Connection, hash: str) -> None:
    if _cases(connection, hash) is None:
        raise StoreError(f"the store has no dataset '{hash}'; run again to load it from its file")


def _case(content: Any) -> Case:
    return Case.model_validate(content)
