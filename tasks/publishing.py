"""Telling people: artifacts in Prefect's UI and an event others can act on."""

from __future__ import annotations

import re
import time
from typing import Any
from uuid import UUID

from prefect import task
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.events import emit_event
from prefect.settings import get_current_settings

from ragproof.config import Content, EvalConfig
from ragproof.reports.disclosure import disclose
from ragproof.reports.markdown import render
from ragproof.reports.report import RunReport, gather
from ragproof.runs import RunRecord
from tasks import process
from tasks.caching import NOT_CACHED
from tasks.pipeline import ShardOutputs

PROGRESS_EVERY_SECONDS = 1.0


def artifact_key(*words: str) -> str:
    """Return a key Prefect accepts (lower-case letters, digits, dashes) that is the same from run to run."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-") or "run"


class ProgressArtifact:
    """How far a run is, in Prefect's UI; written once a second at most, for each write is a request."""

    def __init__(self, artifact: UUID, total: int) -> None:
        self._artifact = artifact
        self._total = total
        self._done = 0
        self._written = time.monotonic()

    @classmethod
    def of(cls, run: RunRecord) -> ProgressArtifact:
        """Open the artifact at nothing done."""
        artifact = create_progress_artifact(
            progress=0.0,
            key=artifact_key("progress", run.project, run.pipeline),
            description=f"run {run.id}: {run.cases.total} cases",
        )
        assert isinstance(
            artifact, UUID
        )  # a coroutine only where an event loop runs, and flows here are synchronous
        return cls(artifact, run.cases.total * EvalConfig.model_validate(run.config).run.repeats)

    def advance(self, outputs: ShardOutputs) -> None:
        """Count a shard's cases as done."""
        self._done += outputs.ok + outputs.failed
        if self._done < self._total and time.monotonic() - self._written < PROGRESS_EVERY_SECONDS:
            return
        update_progress_artifact(self._artifact, progress=100.0 * self._done / max(self._total, 1))
        self._written = time.monotonic()


@task(task_run_name="publish", retries=1, retry_delay_seconds=2, **NOT_CACHED)
def publish(run_id: str) -> None:
    """Publish a finished run: the summary, the worst cases, and an event `ragproof.run.STATUS`."""
    store = process.store()
    report = gather(store, run_id)
    report = disclose(report, shown_content(report.run))
    run = report.run
    create_markdown_artifact(
        render(report), key=artifact_key("summary", run.project, run.pipeline), description=f"run {run.id}"
    )
    if report.worst:
        create_table_artifact(
            worst_rows(report),
            key=artifact_key("worst-cases", run.project, run.pipeline),
            description=f"run {run.id}: the worst cases first",
        )
    emit_event(
        event=f"ragproof.run.{run.status.value}",
        resource={
            "prefect.resource.id": f"ragproof.run.{run.id}",
            "prefect.resource.name": f"{run.project} {run.pipeline}",
        },
        payload={
            "run_id": run.id,
            "project": run.project,
            "pipeline": run.pipeline,
            "status": run.status.value,
        },
    )


def shown_content(run: RunRecord) -> Content:
    """Return how much of a run's cases is shown: by default ids alone where others use the same server."""
    asked = EvalConfig.model_validate(run.config).publish.content
    return asked or (Content.IDS if get_current_settings().api.url else Content.FULL)


def worst_rows(report: RunReport) -> list[dict[str, Any]]:
    """Return the worst cases as rows of a table."""
    return [
        {"case": case.case_id, **({"question": case.question} if case.question else {}), **case.values()}
        for case in report.worst
    ]
