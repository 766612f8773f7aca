"""What clustering costs: Kish's design effect, 1 + (m - 1) * ICC.

n cases in documents of m questions carry as much as n / deff independent ones (Kish 1965, section 8.2).
Documents of unequal size count by the mean size that a question sees, sum m^2 / sum m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def design_effect(cases_per_cluster: float | Sequence[int], intraclass_correlation: float) -> float:
    """Return by how much clusters inflate the variance of a mean.

    Args:
        cases_per_cluster: m, at least 1; or the size of every cluster.
        intraclass_correlation: from 0 to 1.

    Returns:
        At least 1; its square root is the factor on the detectable effect.

    Raises:
        ValueError: when a size is under 1, no size is given, or the correlation lies outside [0, 1].
    """
    if not 0.0 <= intraclass_correlation <= 1.0:
        raise ValueError(
            f"'intraclass_correlation' is {intraclass_correlation}; expected a number from 0 to 1"
        )
    sizes = [cases_per_cluster] if isinstance(cases_per_cluster, int | float) else list(cases_per_cluster)
    if not sizes or min(sizes) < 1:
        raise ValueError(f"'cases_per_cluster' is {cases_per_cluster}; expected sizes of at least 1")
    seen = sum(size * size for size in sizes) / sum(sizes)
    return 1.0 + (seen - 1.0) * intraclass_correlation


def effective_cases(n: int, deff: float) -> float:
    """Return how many independent cases carry as much as n clustered ones.

    Args:
        n: cases, at least 0.
        deff: from `design_effect`, or measured by `cluster_interval`; over 0.

    Returns:
        n / deff.

    Raises:
        ValueError: when the design effect is not over 0.
    """
    return n / _positive(deff)


def detectable_effect_factor(deff: float) -> float:
    """Return by how much clusters raise the detectable effect.

    Args:
        deff: from `design_effect`, or measured by `cluster_interval`; over 0.

    Returns:
        sqrt(deff).

    Raises:
        ValueError: when the design effect is not over 0.
    """
    return math.sqrt(_positive(deff))


def _positive(deff: float) -> float:
    if not deff > 0.0:
        raise ValueError(f"'deff' is {deff}; expected a number over 0")
    return deff
