"""Running the flow in this process: Prefect's server, the story it tells, and how it can be stopped."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.console import Console

from deployments import prefect_settings
from deployments.progress import Standing, shown
from ragproof.config import EvalConfig
from ragproof.errors import RagproofError
from ragproof.ledger import CallKind, CallState
from ragproof.runs import RunStatus
from ragproof.store.store import Store

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

STORY = "prefect.flow_runs.ragproof"
"""The logger on which a flow tells its story; Prefect sends the same lines to its UI."""


class _Told(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        self._console.print(record.getMessage(), markup=False, highlight=False)


def run_flow(start: Callable[[], State[Any]], run_ids: Sequence[str], store: Store, told: Console) -> None:
    """Run a flow; how its runs ended is in the store.

    Args:
        start: imports the flow and calls it; Prefect is set up before.
        run_ids: the runs it makes or goes on with, in the order of their work.
        store: the store the flow uses too.
        told: where progress is shown.

    Raises:
        RagproofError: the flow broke off before a run could say how it ended.
    """
    prefect_settings.apply()
    told.print(_server_line(), highlight=False)
    importlib.import_module("prefect.main")  # sets its logging up, which would put our listener out again
    with _listening(told), _stdout_for_us_alone(told), _termination_as_interrupt():
        try:
            with shown(lambda: _done(store, run_ids), told):
                state = start()
        except BaseException:
            stopped = [run for run_id in run_ids if (run := store.runs.find(run_id)) is not None]
            if not any(run.status is RunStatus.CANCELLED for run in stopped):
                raise
            return
    if state.name not in {status.value for status in RunStatus} and not state.is_completed():
        error = state.result(raise_on_failure=False)  # the flow broke off: say why, in its own words
        raise error if isinstance(error, RagproofError) else RagproofError(f"the flow failed: {error}")


@contextmanager
def _listening(told: Console) -> Iterator[None]:
    story, listener = logging.getLogger(STORY), _Told(told)
    story.addHandler(listener)
    try:
        yield
    finally:
        story.removeHandler(listener)


@contextmanager
def _stdout_for_us_alone(told: Console) -> Iterator[None]:
    """With --json, send what a pipeline prints to stderr: stdout has to stay one JSON value."""
    if told.file is not sys.stderr:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Let SIGTERM end the flow the way Ctrl-C does: with what is done kept and summarised."""

    def interrupt(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 - Python's signature
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _done(store: Store, run_ids: Sequence[str]) -> Standing:
    """Count the ended calls of the run at work, the last that has any; none before the first is planned."""
    at_work = ((run_id, counts) for run_id in reversed(run_ids) if (counts := store.calls.progress(run_id)))
    run_id, counts = next(at_work, ("", {}))
    if not counts:
        return Standing()
    ended = counts.get(CallState.SETTLED, 0) + counts.get(CallState.FAILED, 0)
    verdicts = store.calls.progress(run_id, CallKind.JUDGE).get(CallState.SETTLED, 0)
    run = store.runs.get(run_id)
    repeats = EvalConfig.model_validate(run.config).run.repeats
    return Standing(asked=ended, cases=run.cases.total * repeats, repeats=repeats, verdicts=verdicts)


def _server_line() -> str:
    url = prefect_settings.server_url()
    if url:
        return f"using the Prefect server at {url}"
    return "starting a temporary Prefect server (10 to 20 s; PREFECT_API_URL would use a running one) ..."
