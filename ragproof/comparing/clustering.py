"""Which of the shared cases belong together: cases of one group succeed and fail together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.scored_run import CaseFacts
from ragproof.statistics.clusters import cluster_sums
from ragproof.statistics.samples import FloatArray

Clusters = NDArray[np.int64]
"""The number of each case's cluster, from 0."""


def clusters_of(cases: Sequence[CaseFacts]) -> Clusters:
    """Number the clusters: a case's group, or the case itself when it has none."""
    numbers: dict[Hashable, int] = {}
    alone = (("case", place) for place in range(len(cases)))
    named = (
        each if case.group is None else ("group", case.group) for case, each in zip(cases, alone, strict=True)
    )
    return np.array([numbers.setdefault(name, len(numbers)) for name in named], dtype=np.int64)


def repeats(clusters: Clusters, among: NDArray[np.bool_]) -> bool:
    """Say whether a cluster has two cases or more among some of them.

    Args:
        clusters: the cluster of each case.
        among: which cases are looked at, the same length.
    """
    return bool(among.any()) and int(np.bincount(clusters[among]).max()) > 1


def sums_by_cluster(table: FloatArray, clusters: Clusters) -> FloatArray:
    """Add the cases of each cluster, column by column.

    Args:
        table: shape (cases, contrasts), NaN where a contrast lacks a case.
        clusters: the cluster of each case.

    Returns:
        Shape (clusters, contrasts), NaN where a contrast lacks all cases of a cluster.
    """
    named = clusters.tolist()
    held = cluster_sums((~np.isnan(table)).astype(np.float64), named)
    sums = cluster_sums(np.nan_to_num(table), named)
    return np.where(held > 0.0, sums, np.nan)
