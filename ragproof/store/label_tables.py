"""The table of human labels: what people say of a run's answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from ragproof.store.columns import AnyText, Instant
from ragproof.store.rows import Rows, of_run, table_of


class LabelRow(Rows, table=True):
    """One person's verdict on one answer for one metric; it goes with the run that gave the answer."""

    __tablename__ = "label"
    __table_args__: ClassVar[Any] = (
        of_run(),
        # SQLite itself keeps no NaN
        CheckConstraint("value * 0 = 0", name="value_is_finite").ddl_if(dialect="postgresql"),
    )

    run_id: str = Field(primary_key=True, sa_type=AnyText)
    case_id: str = Field(primary_key=True, sa_type=AnyText)
    metric: str = Field(primary_key=True, sa_type=AnyText)
    trial: int = Field(primary_key=True)
    labeller: str = Field(primary_key=True, sa_type=AnyText)
    """Empty where nobody is named."""
    value: float
    at_random: bool
    """Whether the labelled cases are said to have been drawn at random."""
    at: datetime = Field(sa_type=Instant)
    """When it was imported."""


LABEL = table_of(LabelRow)
