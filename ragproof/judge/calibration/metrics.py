"""Which metrics can be calibrated: those that a judge decides; and which prompt decides each.

A metric may ask several prompts, and its own is the last: the ones before it say whether it is asked, or ask
the same in other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ragproof.catalogue import catalogue
from ragproof.metric import Metric


def judged_metrics(others: Iterable[Metric] = ()) -> dict[str, Metric]:
    """Return the metrics that a judge decides, by key, in reading order.

    Args:
        others: metrics beside the known ones, such as a configuration's own; empty adds none.
    """
    return {
        metric.key: metric for metric in (*catalogue().metrics, *others) if metric.judged and metric.prompts
    }


def own_prompt(metric: Metric) -> str:
    """Return the prompt that decides a metric."""
    return metric.prompts[-1]


def metric_of(prompt: str, metrics: Mapping[str, Metric]) -> Metric:
    """Return the first metric that a prompt decides; of one that decides none, the first that asks it.

    Raises:
        LookupError: none asks it; a mistake of ours.
    """
    asking = [metric for metric in metrics.values() if prompt in metric.prompts]
    decided = [metric for metric in asking if own_prompt(metric) == prompt]
    for metric in (*decided, *asking):
        return metric
    raise LookupError(f"no metric is decided by prompt '{prompt}'; expected one that asks it")
