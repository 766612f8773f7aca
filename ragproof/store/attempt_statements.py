"""What happens to requests to the judge inside one transaction: reserved, settled or lost, and calls ended.

Amounts move between a cap's `reserved` and `spent` in the same transaction as the request's own row, so a
crash at any moment leaves both or neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, and_, bindparam, exists, select

from ragproof.errors import StoreError
from ragproof.judge.metering import Basis
from ragproof.ledger import CallKind, CallState
from ragproof.store.accounts import balances, charge, room, set_aside
from ragproof.store.call_statements import LOST, STEPS, UNSETTLED, Step, portions
from ragproof.store.cost_tables import ATTEMPT
from ragproof.store.group_commit import Change
from ragproof.store.tables import CALL, LEASE
from ragproof.store.upserts import insert_new, inserting


class Move(StrEnum):
    """What happens to a request or its call, in the order in which one transaction makes it happen."""

    SETTLE = "settle"
    """First, because it makes room."""
    END = "end"
    RESERVE = "reserve"


_SETTLE = (
    ATTEMPT.update()
    .where(ATTEMPT.c.id == bindparam("of_attempt"), ATTEMPT.c.state == "sent")
    .values(
        state="settled",
        spent=bindparam("charged"),
        input_tokens=bindparam("input"),
        output_tokens=bindparam("output"),
        basis=bindparam("on_basis"),
        ended_at=bindparam("at", type_=ATTEMPT.c.ended_at.type),
        served=bindparam("model", type_=ATTEMPT.c.served.type),
        answer=bindparam("reply", type_=ATTEMPT.c.answer.type),
    )
)
_FORGET = (
    ATTEMPT.update()
    .where(ATTEMPT.c.run_id == bindparam("of_run"), ATTEMPT.c.identity == bindparam("of_call"))
    .values(answer=None)
)
"""The replies of a call that has failed, which are not used again when it is asked anew."""
_LOSE = (
    ATTEMPT.update()
    .where(ATTEMPT.c.id == bindparam("of_attempt"), ATTEMPT.c.state == "sent")
    .values(
        state="uncertain",
        spent=ATTEMPT.c.reserved,
        basis=Basis.WORST_CASE.value,
        ended_at=bindparam("at", type_=ATTEMPT.c.ended_at.type),
    )
)

_BEGUN_AND_OVER = (
    CALL.update()
    .where(CALL.c.kind == CallKind.JUDGE.value, CALL.c.state == CallState.SENT.value)
    .values(state=CallState.RESERVED.value)
)


def make(
    connection: Connection, changes: Sequence[Change[Move]], places: Iterable[int]
) -> dict[int, StoreError]:
    """Make changes; return why one could not be made, by position."""
    by_move: dict[Move, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for at in places:
        by_move[changes[at].step][at] = changes[at].row
    settling = {row["of_attempt"]: row["charged"] for row in by_move[Move.SETTLE].values()}
    under_way = _standing(connection, settling)
    named = {name for row in under_way for name in row.accounts}
    named |= {name for row in by_move[Move.RESERVE].values() for name in row["caps"]}
    if named:
        balances(connection, named, lock=True)  # all at once: two who lock some and then others could wait
    if under_way:
        _settle(connection, list(by_move[Move.SETTLE].values()), under_way)
    _end(connection, list(by_move[Move.END].values()))
    return _reserve(connection, by_move[Move.RESERVE])


def _settle(connection: Connection, rows: Sequence[Mapping[str, Any]], under_way: Sequence[Any]) -> None:
    """Settle requests; one that is settled already, or was given up for lost, stays as it is."""
    charged = {row["of_attempt"]: row["charged"] for row in rows}
    ended: dict[str, tuple[int, int]] = {}
    for row in under_way:
        _add(ended, row.accounts, row.reserved, charged[row.id])
    connection.execute(_SETTLE, list(rows))
    charge(connection, ended)


def _end(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep verdicts and failures; those of a call that was never sent are a copy of another run's."""
    if not rows:
        return
    copied = [row["copied"] for row in rows if row["copied"] is not None]
    if copied:
        connection.execute(insert_new(CALL, connection.dialect.name), copied)
    for step in (Step.SETTLED, Step.FAILED):
        of_step = [row["end"] for row in rows if row["step"] is step]
        if of_step:
            connection.execute(STEPS[step], of_step)
            if step is Step.FAILED:
                keys = [{"of_run": row["of_run"], "of_call": row["of_call"]} for row in of_step]
                connection.execute(_FORGET, keys)


def _reserve(connection: Connection, rows: Mapping[int, Mapping[str, Any]]) -> dict[int, StoreError]:
    """Set aside what fits, in the order it was asked; a request reserved already is not asked again."""
    if not rows:
        return {}
    known = {
        row.id
        for part in portions(row["attempt"]["id"] for row in rows.values())
        for row in connection.execute(select(ATTEMPT.c.id).where(ATTEMPT.c.id.in_(part)))
    }
    asked = {at: row for at, row in rows.items() if row["attempt"]["id"] not in known}
    if not asked:
        return {}
    caps: dict[str, int | None] = {}
    for row in asked.values():
        for name, cap in row["caps"].items():
            known_cap = caps.get(name)
            caps[name] = cap if known_cap is None else min(known_cap, cap if cap is not None else known_cap)
    standing = balances(connection, caps, lock=True)
    faults: dict[int, StoreError] = {}
    amounts: dict[str, int] = defaultdict(int)
    fitting: list[Mapping[str, Any]] = []
    for at, row in asked.items():
        amount = row["attempt"]["reserved"]
        fault = room(standing, amount, row["caps"])
        if fault is not None:
            faults[at] = fault
            continue
        fitting.append(row)
        for name in row["caps"]:
            amounts[name] += amount
    if fitting:
        set_aside(connection, amounts, caps)
        calls = [row["call"] for row in fitting if row["call"] is not None]
        if calls:
            connection.execute(_sent(connection.dialect.name), calls)
        connection.execute(ATTEMPT.insert(), [row["attempt"] for row in fitting])
    return faults


@cache
def _sent(dialect: str) -> Insert:
    """Return the statement that plans and sends a call in one, or sends one again that is there."""
    insert = inserting(CALL, dialect)
    again = {
        "state": CallState.SENT.value,
        "attempts": CALL.c.attempts + 1,
        "sent_at": insert.excluded.sent_at,
        "ended_at": None,
        "failure": None,
    }
    return insert.on_conflict_do_update(index_elements=["run_id", "identity"], set_=again, where=UNSETTLED)


def tidy(connection: Connection, run_id: str) -> None:
    """Let go of the replies of a run's calls that have a verdict, which holds them."""
    judged = select(CALL.c.identity).where(
        CALL.c.run_id == run_id,
        CALL.c.kind == CallKind.JUDGE.value,
        CALL.c.state == CallState.SETTLED.value,
    )
    held = (ATTEMPT.c.run_id == run_id, ATTEMPT.c.answer.is_not(None), ATTEMPT.c.identity.in_(judged))
    connection.execute(ATTEMPT.update().where(*held).values(answer=None))


def lose(connection: Connection, run_ids: Collection[str], at: datetime) -> int:
    """Charge what was under way in runs nobody works on at its worst case; return how many requests.

    Their calls are `uncertain`: listed, and asked again when the run is resumed. A call whose requests had
    all ended is asked again from where it stood.
    """
    query = select(ATTEMPT).where(ATTEMPT.c.run_id.in_(run_ids), ATTEMPT.c.state == "sent")
    lost = connection.execute(query.order_by(ATTEMPT.c.id).with_for_update()).all()
    if lost:
        ended: dict[str, tuple[int, int]] = {}
        for row in lost:
            _add(ended, row.accounts, row.reserved, row.reserved)
        balances(connection, ended, lock=True)
        connection.execute(_LOSE, [{"of_attempt": row.id, "at": at} for row in lost])
        charge(connection, ended)
        calls = dict.fromkeys((row.run_id, row.identity) for row in lost)
        connection.execute(LOST, [{"of_run": run_id, "of_call": call} for run_id, call in calls])
    connection.execute(_BEGUN_AND_OVER.where(CALL.c.run_id.in_(run_ids)))
    return len(lost)


def forsaken(connection: Connection, at: datetime) -> list[str]:
    """Return the runs with requests under way that nobody holds any more."""
    held = exists().where(
        LEASE.c.run_id == ATTEMPT.c.run_id, and_(LEASE.c.until.is_not(None), LEASE.c.until > at)
    )
    query = select(ATTEMPT.c.run_id).distinct().where(ATTEMPT.c.state == "sent", ~held)
    return list(connection.scalars(query.order_by(ATTEMPT.c.run_id)))


def _standing(connection: Connection, ids: Iterable[str]) -> list[Any]:
    query = select(ATTEMPT.c.id, ATTEMPT.c.reserved, ATTEMPT.c.accounts).order_by(ATTEMPT.c.id)
    return [
        row
        for part in portions(ids)
        for row in connection.execute(
            query.where(ATTEMPT.c.id.in_(part), ATTEMPT.c.state == "sent").with_for_update()
        )
    ]


def _add(ended: dict[str, tuple[int, int]], accounts: Iterable[str], released: int, charged: int) -> None:
    for name in accounts:
        before = ended.get(name, (0, 0))
        ended[name] = (before[0] + released, before[1] + charged)
