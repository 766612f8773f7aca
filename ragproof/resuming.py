"""Going on with a run: what may change on the way, and what would make its numbers mean two things.

How fast, how long and where to tell may change. Whatever decides a score may not: a run half measured one way
and half another has no meaning, so a new run is the cure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from ragproof.comparability import Difference, comparability, differences
from ragproof.config import EvalConfig, again
from ragproof.errors import ConfigurationError, Fault
from ragproof.runs import RunRecord

MAY_CHANGE = frozenset(
    {
        "run.concurrency",
        "run.case_timeout_seconds",
        "run.shard_size",
        "run.max_error_rate",
        "publish.content",
        "label",
        "path",
        "search_path",
        "variant",
        "gate",
        "dataset.path",
        "dataset.location",
        "budget.max_cost_usd",
        "budget.include_pipeline",
        "budget.pipeline_call_usd",
        "judge.concurrency",
        "judge.timeout_seconds",
        "judge.retries",
        "judge.retry_after_cap_seconds",
        "judge.input_cost_per_mtok",
        "judge.output_cost_per_mtok",
    }
)
"""Fields of a configuration's snapshot that no score depends on; the cases themselves lie in the store."""


def resumed(run: RunRecord, asked: EvalConfig | Sequence[str] = ()) -> EvalConfig:
    """Return the configuration to go on with.

    Args:
        run: the run to go on with.
        asked: a configuration to go on with, or `key=value` pairs to lay over what it ran with.

    Returns:
        Its configuration, changed in nothing that a score depends on.

    Raises:
        ConfigurationError: a pair has a fault; a change would change scores, or ragproof itself scores
            otherwise by now; every difference is listed.
    """
    config = asked if isinstance(asked, EvalConfig) else again(run.config, asked)
    changed = changes(run, config)
    if changed:
        raise ConfigurationError(
            [
                Fault(
                    f"{each.field} was {each.first} when run '{run.id}' began and is {each.second} now, which"
                    " changes scores; take it back, or start a new run",
                    "--resume",
                )
                for each in changed
            ]
        )
    return config


def changes(run: RunRecord, config: EvalConfig) -> tuple[Difference, ...]:
    """List what differs between a run and a configuration and would change a score; empty is nothing."""
    before = EvalConfig.model_validate(run.config)
    now = comparability(
        config.settings(), config.chosen_metrics(), retrieve_k=config.retrieve_k(), judge=config.judge
    )
    asked = differences(_deciding(before.snapshot()), _deciding(config.snapshot()))
    if before.adapter().identity() == config.adapter().identity():
        asked = tuple(each for each in asked if not each.field.startswith("pipeline.adapter."))
    return (*asked, *differences(run.comparability, now))


def _deciding(snapshot: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return a snapshot without what may change; what the comparability key holds is told by that."""
    kept: dict[str, Any] = {}
    for name, value in snapshot.items():
        if name == "run" and isinstance(value, dict):
            kept[name] = {"repeats": value.get("repeats", 1)}
        if name in MAY_CHANGE or name == "run":
            continue
        kept[name] = (
            {key: inner for key, inner in value.items() if f"{name}.{key}" not in MAY_CHANGE}
            if isinstance(value, dict)
            else value
        )
    return kept
