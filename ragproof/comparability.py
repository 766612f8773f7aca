"""What two runs must share for their numbers to be held against each other, and how they differ.

Corpus, index and pipeline versions are what a comparison is about, so they are not in here; the dataset is
not either, because runs on different cases are compared on the cases they share.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof import METRICS_VERSION
from ragproof.cases import canonical_hash, canonical_json
from ragproof.evidence import APART, Settings
from ragproof.judge.config import JudgeConfig
from ragproof.metric import Metric, Need
from ragproof.rubrics import prompt_hashes, verdict_values

ABSENT = "absent"
_JUDGE_FIELDS = (
    "judge",
    "judge_configured",
    "require_quotes",
    "claims",
    "per_context",
    "cap_citations",
)
_PER_METRIC = ("metrics.", "judge.prompts.", "judge.rubrics.")
"""What a run has for each metric that it measures: another run may measure fewer."""
_SERVED = "judge.served"
SIMILARITY_MODEL = "similarity_model"
"""The sha256 of its weights; absent where none was installed or no metric needs one."""


@dataclass(frozen=True)
class Difference:
    """One field that two runs do not share; both values as JSON text, or `absent`."""

    field: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.field}: {self.first} against {self.second}"

    @property
    def of_judge(self) -> bool:
        """Whether only the judge differs, and not what is measured or how it is matched."""
        return self.field.partition(".")[0] in _JUDGE_FIELDS

    @property
    def of_one_run_alone(self) -> bool:
        """Whether one run has nothing that the other could contradict: a metric that it did not measure."""
        if ABSENT not in (self.first, self.second):
            return False
        return self.field in (_SERVED, SIMILARITY_MODEL) or self.field.startswith(_PER_METRIC)


def comparability(
    settings: Settings, metrics: Sequence[Metric], *, retrieve_k: int, judge: JudgeConfig | None = None
) -> dict[str, JsonValue]:
    """Collect every field that gives a run's numbers their meaning.

    Args:
        settings: all count that are not marked apart, so a new one is in without being listed here; the
            similarity model counts by its sha256, which is read off its file.
        metrics: what the run measures; each with its version, in any order; empty is a run without numbers.
        retrieve_k: how many chunks a separate retrieve() is asked for.
        judge: who judges; None is nobody.

    Returns:
        JSON values by field name; `metrics` holds the version of each metric by key, `judge` the model,
        the sha256 of each prompt that the metrics may ask, and what the verdicts of rubrics are worth.

    Raises:
        ConfigurationError: the similarity model is needed, and its files are not the published ones.
    """
    chosen: dict[str, JsonValue] = {
        field.name: str(value) if isinstance(value := getattr(settings, field.name), str) else value
        for field in dataclasses.fields(settings)
        if not field.metadata.get(APART)
    }
    versions: dict[str, JsonValue] = {metric.key: metric.version for metric in metrics}
    shared = {
        **chosen,
        **_similarity_model(settings, metrics),
        "retrieve_k": retrieve_k,
        "metrics_version": METRICS_VERSION,
        "metrics": versions,
    }
    return shared if judge is None else {**shared, "judge": _judge(judge, metrics)}


def _similarity_model(settings: Settings, metrics: Sequence[Metric]) -> dict[str, JsonValue]:
    model = settings.similarity_model
    needed = any(Need.SIMILARITY_MODEL in metric.needs for metric in metrics)
    return {} if model is None or not needed else {SIMILARITY_MODEL: model.sha256}


def _judge(judge: JudgeConfig, metrics: Sequence[Metric]) -> dict[str, JsonValue]:
    rubrics = verdict_values(metrics)
    return {
        "provider": judge.provider,
        "base_url": judge.home,
        "model": judge.model,
        "temperature": judge.temperature,
        "max_tokens": judge.max_tokens,
        "prompts": {**prompt_hashes(metrics)},
        **({"rubrics": {key: {**values} for key, values in rubrics.items()}} if rubrics else {}),
    }


def key(fields: Mapping[str, JsonValue]) -> str:
    """Return the sha256 of the fields as 64 hex digits; their order does not matter."""
    return canonical_hash(dict(fields))


def differences(first: Mapping[str, JsonValue], second: Mapping[str, JsonValue]) -> tuple[Difference, ...]:
    """List every field that differs, with both values.

    Args:
        first: one run's fields, as `comparability` gives them.
        second: the other's.

    Returns:
        Differences by field name, a metric's version as `metrics.KEY`; empty exactly when both have one key.
    """
    left, right = _flat(first), _flat(second)
    return tuple(
        Difference(field, left.get(field, ABSENT), right.get(field, ABSENT))
        for field in sorted(left.keys() | right.keys())
        if left.get(field, ABSENT) != right.get(field, ABSENT)
    )


def conflicts(first: Mapping[str, JsonValue], second: Mapping[str, JsonValue]) -> tuple[Difference, ...]:
    """List the differences for which two runs' numbers do not mean the same; arguments as `differences`.

    Returns:
        `differences` without those of a metric that only one of them measured; empty when they can be held
        against each other.
    """
    return tuple(each for each in differences(first, second) if not each.of_one_run_alone)


def _flat(fields: Mapping[str, JsonValue], prefix: str = "") -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, value in fields.items():
        if isinstance(value, dict) and value:
            texts |= _flat(value, f"{prefix}{name}.")
        else:
            texts[f"{prefix}{name}"] = canonical_json(value)
    return texts
