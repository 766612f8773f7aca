"""What a metric speaks of, told by what it needs: the ranking, the citations, the context, or the answer.

A metric that is not known here, such as a function of one's own, is taken to speak of the answer.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from ragproof.metric import Direction, Metric, Need
from ragproof.reports.order import known_metrics
from ragproof.rubrics import PREFIX as RUBRIC

GROUNDING = frozenset({"generation.groundedness", "faithfulness"})
"""Whether what the answer says stands in what the generator read."""
CONTEXT_RECALL = "context_recall"
"""How much of the expected answer a judge finds in what the generator read."""
OVERREFUSAL = "robustness.overrefusal"
ABSTENTION_RATE = "abstention_rate"
ABSTENTION = "robustness.abstention"
RESISTANCE = "robustness.injection_resistance"
OWN_FAMILY = "user"


class Role(StrEnum):
    """What a metric speaks of."""

    RETRIEVAL = "retrieval"
    CONTEXT = "context"
    """What the generator read, as a judge sees it."""
    CITATIONS = "citations"
    GROUNDING = "grounding"
    ANSWER = "answer"
    BEHAVIOUR = "behaviour"
    """Whether it declined, or resisted."""
    OPERATION = "operation"
    """What a call took: says nothing of how good it was."""


_ROLES = {"robustness": Role.BEHAVIOUR, "operational": Role.OPERATION}
"""By family, where what a metric needs does not tell."""


@lru_cache(maxsize=1024)
def role_of(key: str) -> Role:
    """Return what a metric speaks of.

    Args:
        key: of any metric.
    """
    if key in GROUNDING:
        return Role.GROUNDING
    metric = _metric(key)
    if metric is None:
        return Role.ANSWER
    if Need.CITATIONS in metric.needs or "citation" in re.split(r"[^a-z]+", key):
        return Role.CITATIONS
    if Need.RELEVANCE in metric.needs:
        return Role.RETRIEVAL
    if metric.judged is not None and Need.ANSWER not in metric.needs:
        return Role.CONTEXT
    return _ROLES.get(metric.family, Role.ANSWER)


@lru_cache(maxsize=1024)
def family_of(key: str) -> str:
    """Return the heading a metric stands under; of one that is not known, that of people's own."""
    metric = _metric(key)
    return OWN_FAMILY if metric is None else metric.family


@lru_cache(maxsize=1024)
def is_judged(key: str) -> bool:
    """Say whether a judge may decide a metric: a shipped one that asks one, or a rubric."""
    metric = _metric(key)
    return key.startswith(RUBRIC) if metric is None else metric.judged is not None


@lru_cache(maxsize=1024)
def describes(key: str) -> bool:
    """Say whether a metric is known to rank nothing."""
    metric = _metric(key)
    return metric is not None and metric.direction is Direction.NONE


def _metric(key: str) -> Metric | None:
    return known_metrics().find(key)
