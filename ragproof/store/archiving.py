"""A run as JSON lines: everything the store knows of it, for an archive or for another program.

The first line is the run, then come its cases, calls, scores, summaries and human labels, a line each with
its `type`, and the last line counts them: an archive without it is cut off. All text is ASCII, half
characters as escapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select

from ragproof.runs import RunRecord
from ragproof.store.columns import to_json
from ragproof.store.cost_tables import ATTEMPT
from ragproof.store.label_tables import LABEL
from ragproof.store.store import Store
from ragproof.store.tables import CALL, DATASET_CASE, SCORE, SUMMARY

FORMAT = 1
"""Grows when a line's meaning changes; a new field is no change."""
ROWS_A_READ = 500
_OF_RUN = {"call": CALL, "attempt": ATTEMPT, "score": SCORE, "summary": SUMMARY, "label": LABEL}


def lines(store: Store, run: RunRecord) -> Iterator[str]:
    """Write a run, a line at a time; all lines are of one moment, and few of them in memory.

    Args:
        store: an open store.
        run: a run in it.

    Yields:
        Lines with their line break.

    Raises:
        StoreError: the store cannot be read.
    """
    parts = _parts(run)
    written = dict.fromkeys(parts, 0)
    yield _line("run", {"format": FORMAT, **run.model_dump(mode="json")})
    with store.database.read() as connection:
        for kind, query in parts.items():
            for row in connection.execute(query.execution_options(yield_per=ROWS_A_READ)):
                written[kind] += 1
                yield _line(kind, dict(row._mapping))
    yield _line("end", written)


def _parts(run: RunRecord) -> dict[str, Select[Any]]:
    """What follows the run, by the type of its lines."""
    cases = select(DATASET_CASE.c.content.label("case")).where(
        DATASET_CASE.c.dataset_hash == run.dataset_hash, DATASET_CASE.c.position < run.cases.total
    )
    of_run = {
        kind: select(*(column for column in table.columns if column.name != "run_id"))
        .where(table.c.run_id == run.id)
        .order_by(*table.primary_key)
        for kind, table in _OF_RUN.items()
    }
    return {"case": cases.order_by(DATASET_CASE.c.position), **of_run}


def _line(kind: str, fields: Mapping[str, Any]) -> str:
    plain = {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in fields.items()
    }
    return to_json({"type": kind, **plain}) + "\n"
