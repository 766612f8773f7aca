"""Finding a person's data before it is erased: cases by id or by tag, and every run's rows made with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, func, select

from ragproof.errors import StoreError, nearest
from ragproof.frozen import Frozen
from ragproof.store.call_statements import portions
from ragproof.store.label_tables import LABEL
from ragproof.store.tables import CALL, DATASET_CASE, RUN, SCORE, SUMMARY
from ragproof.summaries import Tag

ROWS_A_READ = 500


class Wanted(Frozen):
    """Whose data: one case's, or those of every case with one tag."""

    case_id: str | None = None
    tag: Tag | None = None

    def __str__(self) -> str:
        return f"the id '{self.case_id}'" if self.tag is None else f"the tag '{self.tag}'"


class Counting(Frozen):
    """A run whose summaries count cases that are erased."""

    run_id: str
    cases: int
    summaries: int
    """Metrics over all cases, and over each tag that the cases have."""


@dataclass(frozen=True)
class Found:
    """Where the data lies."""

    places: dict[str, dict[str, int]]
    """Position by case id, by dataset."""
    tags: dict[str, set[Tag]]
    """Of the cases, by id."""
    wanted: Wanted
    runs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Case ids by run, where the run asked, scored or counted them."""

    @property
    def case_ids(self) -> frozenset[str]:
        """All ids, in whatever dataset or run."""
        return frozenset().union(*self.places.values(), *self.runs.values())

    def of_datasets(self) -> Iterator[ColumnElement[bool]]:
        """Conditions that pick the cases out of the datasets, each small enough for one statement."""
        for hash, ids in self.places.items():
            for part in portions(ids):
                yield and_(DATASET_CASE.c.dataset_hash == hash, DATASET_CASE.c.case_id.in_(part))

    def of_runs(self, table: Table) -> Iterator[ColumnElement[bool]]:
        """The same for a table of a run's rows."""
        for run_id, ids in self.runs.items():
            for part in portions(ids):
                yield and_(table.c.run_id == run_id, table.c.case_id.in_(part))


def find(connection: Connection, wanted: Wanted) -> Found:
    """Look for the data in every dataset and every run.

    Raises:
        StoreError: no case is meant, with the nearest there is.
    """
    found = Found(places=defaultdict(dict), tags=defaultdict(set), wanted=wanted)
    known: set[str] = set()
    for row in _cases(connection, wanted):
        tags = {Tag(name=name, value=value) for name, value in row.content.get("tags", {}).items()}
        known |= {str(tag) for tag in tags}
        if wanted.tag is None or wanted.tag in tags:
            found.places[row.dataset_hash][row.case_id] = row.position
            found.tags[row.case_id] |= tags
    _add_runs(connection, found)
    if not found.case_ids:
        if wanted.case_id is not None:
            known = set(connection.scalars(select(DATASET_CASE.c.case_id).distinct()))
        raise StoreError(f"no case has {wanted}{nearest(wanted.case_id or str(wanted.tag), known)}")
    return found


def counting(connection: Connection, found: Found) -> tuple[Counting, ...]:
    """List the runs whose summaries count the cases, by id."""
    counted = []
    for run_id, ids in sorted(found.runs.items()):
        tags = {None} | {tag for case_id in ids for tag in found.tags.get(case_id, ())}
        rows = connection.execute(
            select(SUMMARY.c.tag_name, SUMMARY.c.tag_value, func.count())
            .where(SUMMARY.c.run_id == run_id)
            .group_by(SUMMARY.c.tag_name, SUMMARY.c.tag_value)
        )
        theirs = (tags - {found.wanted.tag}) if found.wanted.tag else tags
        summaries = sum(
            number
            for name, value, number in rows
            if (Tag(name=name, value=value) if name else None) in theirs
        )
        if summaries:
            counted.append(Counting(run_id=run_id, cases=len(ids), summaries=summaries))
    return tuple(counted)


def _cases(connection: Connection, wanted: Wanted) -> Iterator[Row[*tuple[Any, ...]]]:
    columns = ("dataset_hash", "position", "case_id", "content")
    query = select(*(DATASET_CASE.c[name] for name in columns))
    if wanted.case_id is not None:
        query = query.where(DATASET_CASE.c.case_id == wanted.case_id)
    yield from connection.execute(query.execution_options(yield_per=ROWS_A_READ))


def _add_runs(connection: Connection, found: Found) -> None:
    for hash, places in found.places.items():
        of_dataset = select(RUN.c.id, RUN.c.cases_total).where(RUN.c.dataset_hash == hash)
        for run_id, total in connection.execute(of_dataset):
            asked = {case_id for case_id, position in places.items() if position < total}
            if asked:
                found.runs[run_id] |= asked
    for table in (CALL, SCORE, LABEL):
        for condition in _made_with(table, found):
            rows = connection.execute(select(table.c.run_id, table.c.case_id).where(condition).distinct())
            for run_id, case_id in rows:
                found.runs[run_id].add(case_id)


def _made_with(table: Table, found: Found) -> Iterator[ColumnElement[bool]]:
    if found.wanted.case_id is not None:
        yield table.c.case_id == found.wanted.case_id
        return
    for hash, ids in found.places.items():
        of_dataset = table.c.run_id.in_(select(RUN.c.id).where(RUN.c.dataset_hash == hash))
        for part in portions(ids):
            yield and_(of_dataset, table.c.case_id.in_(part))
