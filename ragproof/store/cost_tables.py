"""The tables of what calls cost: requests, the accounts of each cap, and calibrations of judges."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, CheckConstraint, Index
from sqlmodel import Field

from ragproof.store.columns import AnyText, Instant, Json
from ragproof.store.rows import Rows, of_run, table_of


class AttemptRow(Rows, table=True):
    """One request that costs money: what was set aside for it and what it used; amounts are picodollars."""

    __tablename__ = "attempt"
    __table_args__: ClassVar[Any] = (
        of_run(),
        Index(None, "run_id", "identity"),
        Index(None, "run_id", "state"),
        CheckConstraint("state IN ('sent', 'settled', 'uncertain')", name="state"),
        CheckConstraint("(state = 'sent') = (spent IS NULL)", name="spent_when_ended"),
    )

    id: str = Field(primary_key=True)
    run_id: str = Field(sa_type=AnyText)
    kind: str
    """Whom it goes to: the judge, or the pipeline where the budget includes it."""
    identity: str
    """Of the call it belongs to."""
    case_id: str = Field(sa_type=AnyText)
    request: str
    """sha256 of the request's address and body."""
    number: int
    stage: str
    state: str
    reserved: int = Field(sa_type=BigInteger)
    spent: int | None = Field(sa_type=BigInteger)
    input_tokens: int = Field(sa_type=BigInteger)
    output_tokens: int = Field(sa_type=BigInteger)
    """At their worst case until the attempt is settled."""
    basis: str
    """Where the numbers of tokens come from."""
    sent_at: datetime = Field(sa_type=Instant)
    ended_at: datetime | None = Field(sa_type=Instant)
    accounts: list[str] = Field(sa_type=Json)
    """Where the amounts were set aside, and were or will be charged."""
    served: str | None = Field(sa_type=AnyText)
    """The model as its server names it."""
    answer: dict[str, Any] | None = Field(sa_type=Json)
    """The reply, until its call has ended."""


class AccountRow(Rows, table=True):
    """What is spent and set aside under one cap; amounts are picodollars."""

    __tablename__ = "account"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("spent >= 0", name="spent"),
        CheckConstraint("reserved >= 0", name="reserved"),
    )

    name: str = Field(primary_key=True, sa_type=AnyText)
    """`run:ID`, `project:NAME` or `month:YYYY-MM`."""
    spent: int = Field(sa_type=BigInteger)
    reserved: int = Field(sa_type=BigInteger)


class CalibrationRow(Rows, table=True):
    """How well a judge agreed with people, when it was tried."""

    __tablename__ = "calibration"
    __table_args__: ClassVar[Any] = (Index(None, "judge", "made_at"),)

    id: str = Field(primary_key=True)
    judge: str = Field(sa_type=AnyText)
    """The provider, address and model."""
    made_at: datetime = Field(sa_type=Instant)
    content: dict[str, Any] = Field(sa_type=Json)


ATTEMPT, ACCOUNT, CALIBRATION = (table_of(row) for row in (AttemptRow, AccountRow, CalibrationRow))
