"""Erasing a person's data: the cases that hold it, and every call, score and label of them, in every run.

What stays are numbers over many cases, which are listed: a summary does not say whose answer was wrong. The
reasons for missing scores are text in it, and may quote a case: those that no other case has given go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, Table, func, select

from ragproof.errors import StoreError
from ragproof.frozen import Frozen
from ragproof.judge.calls import JudgeFailure
from ragproof.ledger import CallKind
from ragproof.outputs import CaseFailure
from ragproof.store.call_statements import portions
from ragproof.store.cost_tables import ATTEMPT
from ragproof.store.erasable import Counting, Found, Wanted, counting, find
from ragproof.store.label_tables import LABEL
from ragproof.store.leases import Leases
from ragproof.store.reclaiming import overwrite_deleted, reclaim
from ragproof.store.store import Store
from ragproof.store.tables import CALL, DATASET_CASE, RUN, SCORE, SUMMARY

ERASED = "erased on request"
"""What stands for a reason that erased cases alone had given."""


class Erased(Frozen):
    """What is, or would be, removed, and what is left that counts it."""

    cases: int
    """Ids; the same id in two datasets is one."""
    dataset_rows: int
    calls: int
    scores: int
    labels: int
    """What people said of the answers."""
    tag_summaries: int
    """Summaries of the erased tag itself."""
    still_counting: tuple[Counting, ...]
    not_reclaimed: str | None = None
    """Why the room was not given back; None when it was, or nothing was removed."""


def plan(store: Store, wanted: Wanted) -> Erased:
    """Say what `erase` would remove; nothing is changed.

    Raises:
        StoreError: no case is meant.
    """
    with store.database.read() as connection:
        return _seen(connection, find(connection, wanted))


def erase(store: Store, wanted: Wanted) -> Erased:
    """Remove the cases and what was made with them, in one transaction, and what the database kept of it.

    Args:
        store: an open store.
        wanted: whose data.

    Raises:
        StoreError: no case is meant, a process works on a run with it, or the database cannot be written;
            nothing is removed.
    """
    with store.database.write() as connection:
        overwrite_deleted(connection)
        found = find(connection, wanted)
        _refuse_at_work(store.leases, connection, found)
        seen = _seen(connection, found)
        _forget_reasons(connection, found)
        for table in (CALL, SCORE, LABEL):
            _delete(connection, table, found.of_runs(table))
        for condition in found.of_runs(ATTEMPT):  # what was paid stays, and for whom is forgotten
            connection.execute(ATTEMPT.update().where(condition).values(case_id="", request="", answer=None))
        _delete(connection, DATASET_CASE, found.of_datasets())
        _delete(connection, SUMMARY, _of_the_tag(found))
    return seen.model_copy(update={"not_reclaimed": reclaim(store.database, store.leases)})


def _seen(connection: Connection, found: Found) -> Erased:
    return Erased(
        cases=len(found.case_ids),
        dataset_rows=_count(connection, DATASET_CASE, found.of_datasets()),
        calls=_count(connection, CALL, found.of_runs(CALL)),
        scores=_count(connection, SCORE, found.of_runs(SCORE)),
        labels=_count(connection, LABEL, found.of_runs(LABEL)),
        tag_summaries=_count(connection, SUMMARY, _of_the_tag(found)),
        still_counting=counting(connection, found),
    )


def _of_the_tag(found: Found) -> Iterable[ColumnElement[bool]]:
    tag = found.wanted.tag
    return [] if tag is None else [(SUMMARY.c.tag_name == tag.name) & (SUMMARY.c.tag_value == tag.value)]


def _refuse_at_work(leases: Leases, connection: Connection, found: Found) -> None:
    for run_ids in portions(found.runs):
        for lease in leases.block(connection, run_ids):
            if not lease.abandoned:
                raise StoreError(
                    f"run '{lease.run_id}' is being worked on by {lease.holder} and would write the data"
                    " again; wait for it, or stop it, and delete then"
                )


def _forget_reasons(connection: Connection, found: Found) -> None:
    """Replace what erased cases alone have given as reasons, in their runs' summaries and statuses."""
    for run_id, ids in found.runs.items():
        theirs, others = _reasons(connection, run_id, ids)
        gone = theirs - others
        if not gone:
            continue
        of_run = SUMMARY.c.run_id == run_id
        for row in connection.execute(SUMMARY.select().where(of_run)).all():
            reasons: Counter[str] = Counter()
            for reason, number in row.reasons.items():
                reasons[ERASED if reason in gone else reason] += number
            if reasons != row.reasons:
                key = [SUMMARY.c[column.name] == getattr(row, column.name) for column in SUMMARY.primary_key]
                connection.execute(SUMMARY.update().where(*key).values(reasons=dict(reasons)))
        status = connection.scalar(select(RUN.c.status_reason).where(RUN.c.id == run_id)) or ""
        for reason in sorted(gone, key=len, reverse=True):
            status = status.replace(reason, ERASED)
        if ERASED in status:
            connection.execute(RUN.update().where(RUN.c.id == run_id).values(status_reason=status))


def _reasons(connection: Connection, run_id: str, ids: set[str]) -> tuple[set[str], set[str]]:
    """Return the reasons for missing scores and the failures of these cases, and those of all others."""
    theirs: set[str] = set()
    others: set[str] = set()
    reasons = select(SCORE.c.case_id, SCORE.c.reason).where(
        SCORE.c.run_id == run_id, SCORE.c.reason.is_not(None)
    )
    for case_id, reason in connection.execute(reasons.distinct()):
        (theirs if case_id in ids else others).add(reason)
    failures = select(CALL.c.case_id, CALL.c.kind, CALL.c.failure).where(
        CALL.c.run_id == run_id, CALL.c.failure.is_not(None)
    )
    for case_id, kind, failure in connection.execute(failures):
        noun = JudgeFailure if kind == CallKind.JUDGE else CaseFailure
        (theirs if case_id in ids else others).add(noun.model_validate(failure).reason)
    return theirs, others


def _count(connection: Connection, table: Table, conditions: Iterable[ColumnElement[bool]]) -> int:
    query = select(func.count()).select_from(table)
    return sum(connection.scalar(query.where(condition)) or 0 for condition in conditions)


def _delete(connection: Connection, table: Table, conditions: Iterable[ColumnElement[bool]]) -> None:
    for condition in conditions:
        connection.execute(table.delete().where(condition))
