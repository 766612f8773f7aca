"""Summaries in the store: a row for each metric over all cases, and one for each tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, select

from ragproof.store.database import Database
from ragproof.store.leases import Leases
from ragproof.store.outages import outlasting
from ragproof.store.tables import SUMMARY
from ragproof.store.upserts import put
from ragproof.summaries import Summary, Tag

_NUMBERS = tuple(name for name in Summary.model_fields if name != "tag")


class Summaries:
    """The summary table."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._database = database
        self._leases = leases

    def put(self, run_id: str, summaries: Iterable[Summary]) -> None:
        """Keep summaries, in place of those of the same metric and tag.

        Args:
            run_id: a run in the store.
            summaries: all of them are kept, or none; empty does nothing.

        Raises:
            StoreError: there is no such run, or the database cannot be written.
        """
        rows = [_row(run_id, summary) for summary in summaries]
        if rows:
            self._put(run_id, rows)

    @outlasting
    def get(self, run_id: str) -> tuple[Summary, ...]:
        """Read a run's summaries.

        Args:
            run_id: the run; one that is not there has none.

        Returns:
            Summaries over all cases first, then by tag; by metric within each.
        """
        query = select(SUMMARY).where(SUMMARY.c.run_id == run_id)
        with self._database.read() as connection:
            rows = connection.execute(
                query.order_by(SUMMARY.c.tag_name, SUMMARY.c.tag_value, SUMMARY.c.metric)
            )
            return tuple(_summary(row) for row in rows)

    @outlasting
    def _put(self, run_id: str, rows: Sequence[Mapping[str, object]]) -> None:
        with self._database.write() as connection:
            self._leases.check(connection, [run_id])
            connection.execute(put(SUMMARY, self._database.dialect), rows)


def _row(run_id: str, summary: Summary) -> Mapping[str, object]:
    tag = summary.tag
    return {
        "run_id": run_id,
        "tag_name": tag.name if tag else "",  # no tag has an empty name
        "tag_value": tag.value if tag else "",
        **{name: getattr(summary, name) for name in _NUMBERS},
    }


def _summary(row: Row[*tuple[Any, ...]]) -> Summary:
    tag = Tag(name=row.tag_name, value=row.tag_value) if row.tag_name else None
    return Summary(tag=tag, **{name: getattr(row, name) for name in _NUMBERS})
