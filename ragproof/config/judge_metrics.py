"""Source B's judged metrics, the one set that `RAG_EVAL_JUDGE_METRICS` replaces and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.catalogue import catalogue
from ragproof.config.layers import Layer
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import Fault, nearest
from ragproof.metric import Metric

VARIABLE = "RAG_EVAL_JUDGE_METRICS"
KEY = ("run", "judge_metrics")
CHOICE = (
    "faithfulness",
    "context_precision",
    "context_recall",
    "factual_correctness",
    "noise_sensitivity",
    "context_relevance",
    "citation_recall",
    "citation_precision",
)


def with_judged(metrics: Sequence[Metric], names: Sequence[str] | None) -> tuple[Metric, ...]:
    """Return metrics with those of source B that a judge decides replaced.

    Args:
        metrics: of a run, in order.
        names: keys of `CHOICE`; None leaves the metrics as they are, empty measures none of them.

    Returns:
        The others in their order, then the named ones.
    """
    if names is None:
        return tuple(metrics)
    others = [metric for metric in metrics if metric.key not in CHOICE]
    return (*others, *(catalogue().by_key[name] for name in dict.fromkeys(names)))


def judge_metric_faults(layer: Layer) -> Iterator[Fault]:
    """Yield a fault for each name that is none of source B's judged metrics."""
    section = layer.data.get(KEY[0])
    given = section.get(KEY[1]) if isinstance(section, dict) else None
    names = given.split(",") if isinstance(given, str) else given
    written = layer.find(KEY)
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and name.strip() and name.strip() not in CHOICE:
            cure = nearest(name.strip(), CHOICE) or f"; expected {one_of(CHOICE)}"
            told = f"{'.'.join(KEY)}: {shown(name.strip())} is no judged metric of this set{cure}"
            yield Fault(told, written.place if written else "")
