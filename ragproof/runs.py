"""A run: one pipeline over one dataset at one time, and everything needed to know what its numbers mean."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from enum import StrEnum

from pydantic import AwareDatetime, Field, JsonValue

from ragproof.errors import EXIT_EXECUTION, EXIT_GATE, EXIT_OK
from ragproof.frozen import Frozen

CALIBRATION = "calibration"
"""The project of the runs that hold a judge against labels; no evaluation, so `latest` passes them over."""


class RunStatus(StrEnum):
    """Where a run stands, or how it ended."""

    RUNNING = "running"
    COMPLETED = "completed"
    STOPPED_EARLY = "stopped:early"
    ABORTED_BUDGET = "aborted:budget"
    FAILED_PIPELINE = "failed:pipeline"
    """Every call failed, or more than `run.max_error_rate` of them."""
    FAILED_JUDGE = "failed:judge"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """It stopped without saying so."""

    @property
    def exit_code(self) -> int:
        """The exit code of the command that made this run."""
        if self is RunStatus.COMPLETED:
            return EXIT_OK
        return EXIT_GATE if self is RunStatus.STOPPED_EARLY else EXIT_EXECUTION


class CaseCounts(Frozen):
    """How the cases ended; total = ok + failed + those never reached. A repeated case is ok in all trials."""

    total: int = Field(default=0, ge=0)
    ok: int = Field(default=0, ge=0)
    failed: int = Field(default=0, ge=0)


class Spend(Frozen):
    """What the evaluation itself cost (the judge), never the pipeline under test."""

    eval_cost_usd: float | None = Field(default=0.0, ge=0)
    """None when the judge has no price: what it cost is not known."""
    eval_llm_calls: int = Field(default=0, ge=0)
    eval_input_tokens: int = Field(default=0, ge=0)
    eval_output_tokens: int = Field(default=0, ge=0)


class RunRecord(Frozen):
    """One row of `ragproof runs`."""

    id: str = Field(min_length=1)
    project: str
    pipeline: str
    """The name of the pipeline variant."""
    label: str | None = None
    status: RunStatus = RunStatus.RUNNING
    status_reason: str | None = None
    """One sentence for a status other than completed."""
    config: dict[str, JsonValue] = {}
    """The resolved configuration, with environment references instead of their values."""
    git_revision: str | None = None
    pipeline_version: str | None = None
    corpus_version: str | None = None
    dataset: str = ""
    """The dataset's path as configured."""
    dataset_hash: str | None = None
    comparability: dict[str, JsonValue] = {}
    """Every field that two runs must share for their numbers to be held against each other."""
    comparability_key: str | None = None
    """sha256 of `comparability`."""
    cases: CaseCounts = CaseCounts()
    spend: Spend = Spend()
    started_at: AwareDatetime
    finished_at: AwareDatetime | None = None
    """When it last ended; None while it runs, and when its process died."""
    worked_seconds: float = Field(default=0.0, ge=0)
    """How long its segments of work took that are over; see `ragproof.working_time`."""
    working_since: AwareDatetime | None = None
    """When the segment began that nobody ended yet."""
    flow_run_id: str | None = None
    """Prefect's flow run, to be found in its UI."""


def new_run_id() -> str:
    """Return 12 random hex digits: a unique prefix of a few is enough to name a run."""
    return secrets.token_hex(6)


def now() -> datetime:
    """Return the present instant, in UTC and aware of it."""
    return datetime.now(UTC)
