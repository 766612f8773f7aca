"""What a rule looks at: a metric that the run measures, and which statistic of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.catalogue import catalogue
from ragproof.errors import ConfigurationError, nearest
from ragproof.metric import Metric, Statistic

MEAN: Statistic = "mean"


@dataclass(frozen=True)
class Target:
    """What a rule looks at.

    Attributes:
        metric: as the configuration measures it.
        statistic: of its values over the cases.
    """

    metric: Metric
    statistic: Statistic = MEAN


def find_target(name: str, statistic: Statistic | None, metrics: Sequence[Metric]) -> Target:
    """Find what a rule names.

    Args:
        name: a metric's key in any spelling, or a key of the whole run such as `p95_latency_ms`.
        statistic: the one named beside it; None is the key's own, which is the mean unless it says another.
        metrics: what the configuration measures.

    Returns:
        The target.

    Raises:
        ConfigurationError: no metric is called so, it is not measured, or it does not keep the statistic.
    """
    own = {metric.key: Target(metric) for metric in metrics}
    whole = {
        derived.key: Target(metric, derived.statistic) for metric in metrics for derived in metric.run_level
    }
    spelled = catalogue().find(name)
    found = own.get(name) or whole.get(name) or (own.get(spelled.key) if spelled else None)
    if found is None:
        if spelled is not None:
            raise ConfigurationError(f"'{name}' is not measured; add it to the configuration's 'metrics'")
        hint = nearest(name, (*own, *whole)) or "; 'ragproof metrics' lists them"
        raise ConfigurationError(f"no metric is named '{name}'{hint}")
    if statistic is None or statistic == found.statistic:
        return found
    if name in whole:
        raise ConfigurationError(
            f"'{name}' is the {found.statistic} of '{found.metric.key}' already; leave statistic out"
        )
    kept = found.metric.statistics
    if statistic not in kept:
        named = ", ".join(f"'{each}'" for each in kept)
        raise ConfigurationError(f"'{name}' keeps no '{statistic}'; expected one of {named}")
    return Target(found.metric, statistic)
