"""Accounts: what is spent and set aside under each cap, changed only inside one transaction of the database.

`spent + reserved <= cap` holds after every transaction, whoever else writes: the rows are locked, and the
update itself is refused where it would pass the cap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, or_, select

from ragproof.budget import NeverFits, NoRoom
from ragproof.errors import StoreError
from ragproof.money import usd
from ragproof.store.cost_tables import ACCOUNT
from ragproof.store.upserts import insert_new

Caps = Mapping[str, int | None]
"""The accounts an amount is set aside in, with the cap of each in picodollars; None is no cap."""


@dataclass
class Balance:
    """One account, in picodollars."""

    spent: int = 0
    reserved: int = 0


_CAP = bindparam("cap", type_=ACCOUNT.c.spent.type)
_AMOUNT = bindparam("amount", type_=ACCOUNT.c.spent.type)
_SET_ASIDE = (
    ACCOUNT.update()
    .where(
        ACCOUNT.c.name == bindparam("of_account"),
        or_(_CAP.is_(None), ACCOUNT.c.spent + ACCOUNT.c.reserved + _AMOUNT <= _CAP),
    )
    .values(reserved=ACCOUNT.c.reserved + _AMOUNT)
)
_CHARGE = (
    ACCOUNT.update()
    .where(ACCOUNT.c.name == bindparam("of_account"))
    .values(reserved=ACCOUNT.c.reserved - bindparam("released"), spent=ACCOUNT.c.spent + bindparam("charged"))
)


def balances(connection: Connection, names: Iterable[str], *, lock: bool = False) -> dict[str, Balance]:
    """Read accounts; one that is not there is at nothing. With `lock`, nobody else changes them meanwhile."""
    wanted = sorted(set(names))
    if lock:
        new = [{"name": name, "spent": 0, "reserved": 0} for name in wanted]
        connection.execute(insert_new(ACCOUNT, connection.dialect.name), new)
    query = select(ACCOUNT).where(ACCOUNT.c.name.in_(wanted)).order_by(ACCOUNT.c.name)
    rows = connection.execute(query.with_for_update() if lock else query)
    found = {row.name: Balance(row.spent, row.reserved) for row in rows}
    return {name: found.get(name, Balance()) for name in wanted}


def room(standing: Mapping[str, Balance], amount: int, caps: Caps) -> StoreError | None:
    """Say why an amount does not fit under all caps; None when it does, and `standing` then has it."""
    waits: NoRoom | None = None
    for name, cap in caps.items():
        if cap is None:
            continue
        balance = standing[name]
        if balance.spent + amount > cap:
            return NeverFits(
                f"{_told(name)} is ${usd(cap):.6g}, of which ${usd(balance.spent):.6g} is spent; the next"
                f" call may cost ${usd(amount):.6g}"
            )
        if balance.spent + balance.reserved + amount > cap:
            waits = NoRoom(f"{_told(name)} has no room beside the calls under way")
    if waits is None:
        for name in caps:
            standing[name].reserved += amount
    return waits


def set_aside(connection: Connection, amounts: Mapping[str, int], caps: Caps) -> None:
    """Set amounts aside in accounts that `balances` has locked.

    Raises:
        StoreError: an amount would pass its cap, which `room` has to rule out first.
    """
    for name in sorted(amounts):
        asked = {"of_account": name, "amount": amounts[name], "cap": caps[name]}
        if not connection.execute(_SET_ASIDE, asked).rowcount:
            raise StoreError(f"{_told(name)} would be passed by a reservation; nothing was reserved")


def charge(connection: Connection, ended: Mapping[str, tuple[int, int]]) -> None:
    """Turn what was set aside into what was spent: (released, charged) by account."""
    for name in sorted(ended):
        released, charged = ended[name]
        connection.execute(_CHARGE, {"of_account": name, "released": released, "charged": charged})


def _told(name: str) -> str:
    kind, _, of = name.partition(":")
    return {
        "run": "the run's cost cap",
        "project": f"the cost cap of project '{of}'",
        "month": f"the cost cap of {of}",
    }.get(kind, f"the cost cap of '{name}'")
