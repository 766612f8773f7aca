"""The ledger's statements and what they do to many calls at once. Each is compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Text, Update, and_, bindparam, case, select

from ragproof.errors import StoreError
from ragproof.ledger import Call, CallState
from ragproof.store.group_commit import Change
from ragproof.store.tables import CALL

Key = tuple[str, str]
"""Run and identity."""
KEYS_A_QUERY = 1000


class Step(StrEnum):
    """What happens to a call, in the order in which one transaction makes them happen."""

    SENT = "sent"
    SETTLED = "settled"
    FAILED = "failed"


def _update(standing: ColumnElement[bool]) -> Update:
    """Update one call, found by `of_run` and `of_call`, where it stands so."""
    key = (CALL.c.run_id == bindparam("of_run"), CALL.c.identity == bindparam("of_call"))
    return CALL.update().where(*key, standing)


UNSETTLED = CALL.c.state != CallState.SETTLED.value
_SENT_ALREADY = and_(
    CALL.c.state == CallState.SENT.value, CALL.c.sent_at == bindparam("at", type_=CALL.c.sent_at.type)
)
"""The same change, made again because the connection broke before its commit was known."""

STEPS = {
    Step.SENT: _update(UNSETTLED).values(
        state=CallState.SENT.value,
        attempts=CALL.c.attempts + case((_SENT_ALREADY, 0), else_=1),
        sent_at=bindparam("at", type_=CALL.c.sent_at.type),
        ended_at=None,
        failure=None,
    ),
    Step.SETTLED: _update(UNSETTLED).values(
        state=CallState.SETTLED.value,
        ended_at=bindparam("at", type_=CALL.c.ended_at.type),
        latency_ms=bindparam("latency"),
        failure=None,
        output=bindparam("reply", type_=Text),
    ),
    Step.FAILED: _update(UNSETTLED).values(
        state=CallState.FAILED.value,
        ended_at=bindparam("at", type_=CALL.c.ended_at.type),
        latency_ms=bindparam("latency"),
        failure=bindparam("reply", type_=Text),
    ),
}
"""A reply arrives as JSON text: it was written by the task that has it, so that its faults stay with it."""

LOST = _update(CALL.c.state == CallState.SENT.value).values(
    state=CallState.UNCERTAIN.value, uncertain_attempts=CALL.c.uncertain_attempts + 1
)
"""The process that sent it died before it could say how the call ended."""

AGAIN = _update(CALL.c.state == CallState.FAILED.value).values(
    state=CallState.RESERVED.value, ended_at=None, failure=None
)


def key_of(call: Call) -> Key:
    """Return what a call is found by."""
    return call.run_id, call.identity


def where(key: Key) -> dict[str, object]:
    """Return the parameters by which a statement finds its call."""
    return {"of_run": key[0], "of_call": key[1]}


def portions(keys: Iterable[str]) -> Iterator[list[str]]:
    """Cut keys into as many as one statement may carry: databases set a limit."""
    all_keys = list(keys)
    for start in range(0, len(all_keys), KEYS_A_QUERY):
        yield all_keys[start : start + KEYS_A_QUERY]


def standing(connection: Connection, keys: Iterable[Key]) -> dict[Key, Row[*tuple[Any, ...]]]:
    """Read the state and the output of calls; those that are not there are absent."""
    keys = set(keys)
    runs = {run_id for run_id, _ in keys}
    columns = select(CALL.c.run_id, CALL.c.identity, CALL.c.state, CALL.c.output)
    rows = (
        row
        for identities in portions(identity for _, identity in keys)
        for row in connection.execute(columns.where(CALL.c.run_id.in_(runs), CALL.c.identity.in_(identities)))
    )
    return {(row.run_id, row.identity): row for row in rows}


def take(connection: Connection, changes: Sequence[Change[Step]]) -> dict[int, StoreError]:
    """Take calls through their steps within one transaction.

    Returns:
        Why a step could not be taken, by position in `changes`; the others were.
    """
    faults: dict[int, StoreError] = {}
    for step, statement in STEPS.items():
        rows = {at: change.row for at, change in enumerate(changes) if change.step is step}
        if rows and connection.execute(statement, list(rows.values())).rowcount < len(rows):
            faults |= _faults(connection, step, rows)
    return faults


def _faults(
    connection: Connection, step: Step, rows: Mapping[int, Mapping[str, Any]]
) -> dict[int, StoreError]:
    keys = {at: (row["of_run"], row["of_call"]) for at, row in rows.items()}
    known = standing(connection, keys.values())
    told = {at: _fault(step, key, known.get(key)) for at, key in keys.items()}
    return {at: StoreError(fault) for at, fault in told.items() if fault is not None}


def _fault(step: Step, key: Key, call: Row[*tuple[Any, ...]] | None) -> str | None:
    named = f"call '{key[1]}' of run '{key[0]}'"
    if call is None:
        return f"{named} was never reserved, or its run was deleted; start the run again"
    if step is Step.SENT and call.state == CallState.SETTLED:
        return f"{named} was settled by another process; resume the run to use its reply"
    return None  # a second reply, or a failure after one: the first reply stays
