"""The order metrics are read in: the catalogue's, which keeps abstention and overrefusal adjacent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import ragproof.metrics
from ragproof.catalogue import Catalogue, catalogue, collect
from ragproof.errors import ConfigurationError
from ragproof.metric import Metric
from ragproof.scores import Score
from ragproof.summaries import Summary


def known_metrics() -> Catalogue:
    """Return the catalogue; a package that is broken today does not hide the results of yesterday."""
    try:
        return catalogue()
    except ConfigurationError:
        return collect(ragproof.metrics, ())


def summaries_in_order(summaries: Iterable[Summary], known: Mapping[str, Metric]) -> tuple[Summary, ...]:
    """Order summaries: all cases first, then by tag; within each as the metrics are read.

    Leaving out some of the catalogue keeps neighbours such as abstention and overrefusal adjacent.

    Args:
        summaries: in any order.
        known: metrics by key in reading order; a summary of another metric comes after them, by key.
    """
    position = _positions(known)

    def place(summary: Summary) -> tuple[bool, str, str, int, str]:
        tag = summary.tag
        name, value = (tag.name, tag.value) if tag else ("", "")
        return (tag is not None, name, value, position.get(summary.metric, len(position)), summary.metric)

    return tuple(sorted(summaries, key=place))


def scores_in_order(scores: Iterable[Score], known: Mapping[str, Metric]) -> tuple[Score, ...]:
    """Order one case's scores as the metrics are read, trials in theirs; `known` as above."""
    position = _positions(known)

    def place(score: Score) -> tuple[int, str, int]:
        return (position.get(score.metric, len(position)), score.metric, score.trial)

    return tuple(sorted(scores, key=place))


def _positions(known: Mapping[str, Metric]) -> dict[str, int]:
    return {key: place for place, key in enumerate(known)}
