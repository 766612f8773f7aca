"""How much of a variance lies between groups and how much inside them: the one-way random-effects estimators.

Trials inside a case and questions on one document are the same arithmetic: analysis of variance estimators
for groups of unequal size (Searle, Casella and McCulloch 1992, section 3.6). A between component that comes
out negative is 0: the groups differ by less than their members do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.statistics.samples import FloatArray


@dataclass(frozen=True)
class Components:
    """A variance split in two.

    Attributes:
        between: of the groups' true means, at least 0; None when there are under 2 groups or none has 2
            members.
        within: of members around their group's mean, at least 0; None when no group has 2 members.
        n_groups: groups with a member.
        n_values: members in all.
    """

    between: float | None
    within: float | None
    n_groups: int
    n_values: int

    @property
    def intraclass_correlation(self) -> float | None:
        """The share that lies between, in [0, 1]; None when it is not known, or nothing varies."""
        if self.between is None or self.within is None or self.between + self.within == 0.0:
            return None
        return self.between / (self.between + self.within)


def components(groups: Sequence[FloatArray]) -> Components:
    """Split the variance of grouped values.

    Args:
        groups: the values of each group; an empty group is left out.

    Returns:
        The two components.
    """
    held = [group for group in groups if group.size]
    sizes = np.array([group.size for group in held], dtype=np.float64)
    n, k = float(sizes.sum()), len(held)
    if n - k < 1:
        return Components(None, None, k, int(n))
    means = np.array([group.mean() for group in held])
    within = float(
        sum(((group - mean) ** 2).sum() for group, mean in zip(held, means, strict=True)) / (n - k)
    )
    if k < 2:
        return Components(None, within, k, int(n))
    grand = (sizes * means).sum() / n
    between_square = (sizes * (means - grand) ** 2).sum() / (k - 1)
    usual_size = (n - (sizes**2).sum() / n) / (k - 1)
    return Components(max(0.0, float((between_square - within) / usual_size)), within, k, int(n))
