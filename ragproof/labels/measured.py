"""Which metrics of a run people may label: those that a judge decides, as the run measured them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError, nearest
from ragproof.metric import Metric
from ragproof.reports.order import known_metrics
from ragproof.runs import RunRecord


@dataclass(frozen=True)
class Measured:
    """The metrics of a run.

    Attributes:
        run: the run.
        versions: of every metric that it measured, by key.
        loaded: those of them that can be loaded here in the same version, by key.
    """

    run: RunRecord
    versions: Mapping[str, int]
    loaded: Mapping[str, Metric]

    @property
    def judged(self) -> tuple[str, ...]:
        """Keys of those that a judge decides, in reading order."""
        return tuple(key for key, metric in self.loaded.items() if metric.judged is not None)

    def named(self, name: str) -> Metric | str:
        """Find a metric that may be labelled.

        Args:
            name: its key, in any spelling.

        Returns:
            The metric, or why it is none, with the cure.
        """
        known = known_metrics().find(name)
        key = name if name in self.versions or known is None else known.key
        metric = self.loaded.get(key)
        if metric is not None and metric.judged is not None:
            return metric
        if metric is not None:
            return f"'{name}' is computed, and no judge decides it; {self._expected()}"
        if key in self.versions:
            return (
                f"'{name}' cannot be loaded here as run '{self.run.id}' measured it, in version"
                f" {self.versions[key]}, so that its range is not known; import where its code or rubric lies"
            )
        if known is not None:
            return f"'{name}' was not measured by run '{self.run.id}'; {self._expected()}"
        hint = nearest(name, self.judged) or f"; {self._expected()}"
        return f"'{name}' is no metric of run '{self.run.id}'{hint}"

    def _expected(self) -> str:
        keys = ", ".join(f"'{key}'" for key in self.judged)
        return f"expected one of {keys}" if keys else "it measured none that a judge decides"


def measured(run: RunRecord) -> Measured:
    """Find out what a run measured; a function that is gone since leaves the shipped metrics."""
    given = run.comparability.get("metrics")
    versions = {key: int(str(version)) for key, version in given.items()} if isinstance(given, dict) else {}
    return Measured(
        run,
        versions,
        {metric.key: metric for metric in _chosen(run) if versions.get(metric.key) == metric.version},
    )


def _chosen(run: RunRecord) -> tuple[Metric, ...]:
    try:
        return EvalConfig.model_validate(run.config).chosen_metrics()
    except (ConfigurationError, ValueError):
        return known_metrics().metrics
