"""Which failures of a task are worth another try: infrastructure, never a fault that will stand."""

from __future__ import annotations

from typing import Any

from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task

from ragproof.errors import ConfigurationError


async def unless_configuration(task: Task[Any, Any], run: TaskRun, state: State[Any]) -> bool:  # noqa: ARG001
    """Retry unless the task failed on a configuration or dataset that will be as faulty next time."""
    error = await state.aresult(raise_on_failure=False)
    return not isinstance(error, ConfigurationError)
