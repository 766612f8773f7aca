"""Cache keys in words: each cached task names the inputs that decide its result, and nothing else.

Prefect's cache only saves time; the store is the source of truth. Results are JSON, never pickle.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect.cache_policies import NO_CACHE, CachePolicy
from prefect.context import TaskRunContext
from prefect.serializers import JSONSerializer
from prefect.transactions import get_transaction

from ragproof.cases import canonical_hash


@dataclass
class KeyedBy(CachePolicy):
    """A cache key made of a task's name, a version, and what `parts` picks out of its inputs."""

    task: str = ""
    version: int = 1
    """Raised when the task's result changes shape or meaning: results outlive releases."""
    parts: Callable[[dict[str, Any]], list[Any]] = lambda inputs: [inputs]

    def compute_key(
        self,
        task_ctx: TaskRunContext,  # noqa: ARG002 - Prefect's signature
        inputs: dict[str, Any],
        flow_parameters: dict[str, Any],  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> str:
        """Return a key that is the same in every process and on every machine."""
        return f"ragproof-{self.task}-v{self.version}-{canonical_hash(self.parts(inputs))}"


NOT_CACHED: dict[str, Any] = {"cache_policy": NO_CACHE, "persist_result": False}
"""The `@task` options of a task whose effect is the point."""


def results_folder() -> Path:
    """Return where cached results lie: beside the default store, or `RAGPROOF_RESULTS`."""
    return Path(os.environ.get("RAGPROOF_RESULTS", ".ragproof/results")).absolute()


def cached(task: str, version: int, parts: Callable[[dict[str, Any]], list[Any]]) -> dict[str, Any]:
    """Return the `@task` options of a cached task."""
    return {
        "cache_policy": KeyedBy(task=task, version=version, parts=parts),
        "persist_result": True,
        "result_storage": results_folder(),
        "result_serializer": JSONSerializer(),
    }


def keep_out_of_cache() -> None:
    """Let this task run's result serve nobody else: it holds failures that are worth asking again."""
    transaction = get_transaction()
    if transaction is not None:
        transaction.write_on_commit = False
