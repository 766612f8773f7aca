"""What a gate demands: a rule of the configuration with several thresholds is as many demands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ragproof.config.gate_section import GateRule, GateSection
from ragproof.gating.targets import find_target
from ragproof.metric import Metric, Statistic
from ragproof.summaries import Tag

MIN_CASES_OF_A_TAG = 10
"""Below, a mean is a few cases' and its bounds are guesses."""


class Kind(StrEnum):
    """What is demanded; the value is the key of the configuration."""

    MIN = "min"
    MAX = "max"
    MAX_DROP = "max_drop"
    MAX_ERROR_RATE = "max_error_rate"


@dataclass(frozen=True)
class TagChoice:
    """Which cases a rule is about: those with a tag, or those of each of its values.

    Attributes:
        name: of the tag.
        value: None is each value on its own.
    """

    name: str
    value: str | None = None

    @classmethod
    def of(cls, text: str) -> TagChoice:
        """Read `language` or `language=de`."""
        name, equals, value = text.partition("=")
        return cls(name, value if equals else None)

    def __str__(self) -> str:
        return self.name if self.value is None else str(Tag(name=self.name, value=self.value))


@dataclass(frozen=True)
class Demand:
    """One threshold of one rule.

    Attributes:
        rule: its place in the configuration's list, from 0.
        metric: key of the metric.
        statistic: what is compared with the threshold.
        kind: how.
        limit: the threshold, in the metric's unit, or a share.
        noise_floor: a drop smaller than this never fails, at least 0; of `max_drop` alone.
        tag: which cases; None is all.
        min_cases: how many it takes to be judged, at least 1.
    """

    rule: int
    metric: str
    statistic: Statistic
    kind: Kind
    limit: float
    noise_floor: float = 0.0
    tag: TagChoice | None = None
    min_cases: int = 1

    @property
    def needs_baseline(self) -> bool:
        """Whether it is about a difference."""
        return self.kind is Kind.MAX_DROP

    def __str__(self) -> str:
        statistic = "" if self.statistic == "mean" else f"{self.statistic} "
        return f"{statistic}{self.kind} {self.limit:g}"


def demands_of(section: GateSection, metrics: Sequence[Metric]) -> tuple[Demand, ...]:
    """Return what a gate demands, in the order written.

    Args:
        section: of the configuration.
        metrics: what the configuration measures.

    Raises:
        ConfigurationError: a rule names no metric, or a statistic that it does not keep.
    """
    return tuple(
        demand for place, rule in enumerate(section.rules) for demand in _demands(place, rule, metrics)
    )


def _demands(place: int, rule: GateRule, metrics: Sequence[Metric]) -> list[Demand]:
    target = find_target(rule.metric, rule.statistic, metrics)
    tag = None if rule.tag is None else TagChoice.of(rule.tag)
    limits = {kind: getattr(rule, kind.value) for kind in Kind}
    return [
        Demand(
            rule=place,
            metric=target.metric.key,
            statistic=target.statistic if kind in (Kind.MIN, Kind.MAX) else "mean",
            kind=kind,
            limit=limit,
            noise_floor=rule.noise_floor or 0.0,
            tag=tag,
            min_cases=rule.min_cases or (1 if tag is None else MIN_CASES_OF_A_TAG),
        )
        for kind, limit in limits.items()
        if limit is not None
    ]
