"""The tables. Rows never leave the store: what comes out are the nouns of `ragproof`.

A schema change is a change here and a new revision in `migrations/versions`; a test holds the two together.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
)
from sqlmodel import Field

from ragproof.scores import OUTCOMES
from ragproof.store import cost_tables as cost_tables  # part of the same metadata
from ragproof.store import label_tables as label_tables  # likewise
from ragproof.store.columns import AnyText, Instant, Json
from ragproof.store.rows import Rows, of_run, table_of


class StoreMeta(Rows, table=True):
    """One row: which store this is."""

    __tablename__ = "store_meta"

    identity: str = Field(primary_key=True)
    created_at: datetime = Field(sa_type=Instant)


class DatasetRow(Rows, table=True):
    """A dataset by its content."""

    __tablename__ = "dataset"

    hash: str = Field(primary_key=True)
    reader_version: str = Field(sa_type=AnyText)
    path: str = Field(sa_type=AnyText)
    """As first seen."""
    cases: int
    used_at: datetime | None = Field(sa_type=Instant)
    """When it was last loaded, or a run with it last began; None before anybody noted it."""


class DatasetCaseRow(Rows, table=True):
    """One case of a dataset, in its place."""

    __tablename__ = "dataset_case"
    __table_args__: ClassVar[Any] = (
        ForeignKeyConstraint(["dataset_hash"], ["dataset.hash"], ondelete="CASCADE"),
        UniqueConstraint("dataset_hash", "case_id"),
    )

    dataset_hash: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    case_id: str = Field(sa_type=AnyText)
    content_hash: str
    kind: str
    content: dict[str, Any] = Field(sa_type=Json)
    """The whole case."""


class RunRow(Rows, table=True):
    """A run; the columns are RunRecord's fields."""

    __tablename__ = "run"
    __table_args__: ClassVar[Any] = (
        Index(None, "started_at"),
        Index(None, "project", "started_at"),
        Index(None, "flow_run_id"),
    )

    id: str = Field(primary_key=True, sa_type=AnyText)
    project: str = Field(sa_type=AnyText)
    pipeline: str = Field(sa_type=AnyText)
    label: str | None = Field(sa_type=AnyText)
    status: str
    status_reason: str | None = Field(sa_type=AnyText)
    config: dict[str, Any] = Field(sa_type=Json)
    git_revision: str | None = Field(sa_type=AnyText)
    pipeline_version: str | None = Field(sa_type=AnyText)
    corpus_version: str | None = Field(sa_type=AnyText)
    dataset: str = Field(sa_type=AnyText)
    dataset_hash: str | None
    comparability: dict[str, Any] = Field(sa_type=Json)
    comparability_key: str | None
    cases_total: int
    cases_ok: int
    cases_failed: int
    eval_cost_usd: float | None
    """None when the judge has no price."""
    eval_llm_calls: int
    eval_input_tokens: int = Field(sa_type=BigInteger)
    eval_output_tokens: int = Field(sa_type=BigInteger)
    started_at: datetime = Field(sa_type=Instant)
    finished_at: datetime | None = Field(sa_type=Instant)
    worked_seconds: float = Field(sa_column_kwargs={"server_default": "0"})
    working_since: datetime | None = Field(sa_type=Instant)
    flow_run_id: str | None = Field(sa_type=AnyText)


class LeaseRow(Rows, table=True):
    """Who works on a run."""

    __tablename__ = "lease"
    __table_args__: ClassVar[Any] = (of_run(),)

    run_id: str = Field(primary_key=True, sa_type=AnyText)
    fence: int
    """Grows each time the run changes hands."""
    process: int | None = None
    machine: str | None = Field(default=None, sa_type=AnyText)
    until: datetime | None = Field(default=None, sa_type=Instant)
    """None when nobody works on it."""


class CallRow(Rows, table=True):
    """The ledger. The wide columns stand last, so that counting states never reads them."""

    __tablename__ = "call"
    __table_args__: ClassVar[Any] = (
        of_run(),
        Index(None, "run_id", "kind", "state"),
        Index(None, "run_id", "case_id"),
        Index(None, "identity"),
        CheckConstraint("(state = 'settled') = (output IS NOT NULL)", name="output_when_settled"),
        CheckConstraint("(state = 'failed') = (failure IS NOT NULL)", name="failure_when_failed"),
    )

    run_id: str = Field(primary_key=True, sa_type=AnyText)
    identity: str = Field(primary_key=True)
    kind: str
    case_id: str = Field(sa_type=AnyText)
    trial: int
    state: str
    attempts: int
    """How often it was sent."""
    uncertain_attempts: int
    """How many of those were in flight when their process died: each may have happened."""
    reserved_at: datetime = Field(sa_type=Instant)
    sent_at: datetime | None = Field(sa_type=Instant)
    ended_at: datetime | None = Field(sa_type=Instant)
    latency_ms: float | None
    failure: dict[str, Any] | None = Field(sa_type=Json)
    output: dict[str, Any] | None = Field(sa_type=Json)


class ScoreRow(Rows, table=True):
    """One metric on one case in one trial; the database itself refuses a number without a measurement."""

    __tablename__ = "score"
    __table_args__: ClassVar[Any] = (
        of_run(),
        CheckConstraint(f"outcome IN {OUTCOMES}", name="outcome"),
        CheckConstraint("(outcome = 'scored') = (value IS NOT NULL)", name="value_when_scored"),
        CheckConstraint("(outcome = 'scored') = (reason IS NULL)", name="reason_when_not_scored"),
        # SQLite itself keeps no NaN
        CheckConstraint("value * 0 = 0", name="value_is_finite").ddl_if(dialect="postgresql"),
    )

    run_id: str = Field(primary_key=True, sa_type=AnyText)
    case_id: str = Field(primary_key=True, sa_type=AnyText)
    metric: str = Field(primary_key=True, sa_type=AnyText)
    trial: int = Field(primary_key=True)
    outcome: str
    value: float | None
    reason: str | None = Field(sa_type=AnyText)
    details: dict[str, Any] = Field(sa_type=Json)


class SummaryRow(Rows, table=True):
    """One metric over all cases (an empty tag name) or over those with one tag."""

    __tablename__ = "summary"
    __table_args__: ClassVar[Any] = (of_run(),)

    run_id: str = Field(primary_key=True, sa_type=AnyText)
    metric: str = Field(primary_key=True, sa_type=AnyText)
    tag_name: str = Field(primary_key=True, sa_type=AnyText)
    tag_value: str = Field(primary_key=True, sa_type=AnyText)
    direction: str
    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None
    scored: int
    skipped: int
    not_applicable: int
    judge_error: int
    case_failed: int
    lowest_mean: float | None
    highest_mean: float | None
    reasons: dict[str, int] = Field(sa_type=Json)


METADATA = Rows.metadata
STORE_META, DATASET, DATASET_CASE, RUN, LEASE, CALL, SCORE, SUMMARY = (
    table_of(row)
    for row in (
        StoreMeta,
        DatasetRow,
        DatasetCaseRow,
        RunRow,
        LeaseRow,
        CallRow,
        ScoreRow,
        SummaryRow,
    )
)
