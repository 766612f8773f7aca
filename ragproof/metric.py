"""The metric concept: an immutable description of what is measured, what it needs, and how."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from ragproof.cases import Case, CaseKind
from ragproof.evidence import Evidence, Settings
from ragproof.scores import NotApplicable, Skipped
from ragproof.similarity.weights import INSTALL

if TYPE_CHECKING:
    from ragproof.judge.ask import Ask


class Direction(StrEnum):
    """Which way is better."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"
    """Describes the run and ranks nothing."""


class Cost(StrEnum):
    """What computing it takes."""

    FREE = "free"
    LOCAL_MODEL = "local model"
    JUDGE = "judge"


class Need(StrEnum):
    """What a metric cannot do without; the value is the reason users read when it is missing."""

    RETRIEVAL = "adapter does not expose retrieval"
    ANSWER = "adapter produced no answer"
    CITATIONS = "answer has no citations"
    USAGE = "adapter reports no usage"
    LATENCY = "recording has no latency"
    RELEVANCE = "case has no expected_source_ids"
    EXPECTED_ANSWER = "case has no expected_answer"
    PAYLOAD = "case has no adversarial_payload"
    PRICES = "no prices are set; set prices.input_cost_per_mtok and prices.output_cost_per_mtok"
    JUDGE = "no judge is configured; set RAGPROOF_JUDGE_MODEL"
    SIMILARITY_MODEL = f"no similarity model is installed; {INSTALL} install it"

    def met_by_case(self, case: Case, settings: Settings) -> bool:
        """Say whether the case and the run's set-up provide it; output-side needs are left open."""
        match self:
            case Need.RELEVANCE:
                return max(case.relevance.values(), default=0) >= 1
            case Need.EXPECTED_ANSWER:
                return bool(case.expected_answers)
            case Need.PAYLOAD:
                return bool(case.adversarial_payload)
            case Need.JUDGE:
                return settings.judge_configured
            case Need.PRICES:
                return settings.prices is not None
            case Need.SIMILARITY_MODEL:
                return settings.similarity_model is not None
            case _:
                return True

    def met(self, evidence: Evidence) -> bool:
        """Say whether case, set-up and output provide it."""
        output = evidence.output
        match self:
            case Need.RETRIEVAL:
                return output.retrieved is not None
            case Need.ANSWER:
                return output.answer is not None
            case Need.CITATIONS:
                return bool(output.citations)
            case Need.USAGE:
                return output.usage is not None
            case Need.LATENCY:
                return output.latency_ms is not None
            case _:
                return self.met_by_case(evidence.case, evidence.settings)


@dataclass(frozen=True)
class Range:
    """The closed interval a value lies in; None is unbounded on that side."""

    low: float | None = 0.0
    high: float | None = 1.0


@dataclass(frozen=True)
class Measurement:
    """A number with what explains it."""

    value: float
    details: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Explained:
    """No number, with what explains that."""

    result: Skipped | NotApplicable
    details: Mapping[str, JsonValue] = field(default_factory=dict)


Measured = float | Measurement | Explained | Skipped | NotApplicable
Measure = Callable[[Evidence], Measured]
JudgedMeasure = Callable[[Evidence, "Ask"], Awaitable[Measured]]
"""Asks the judge what it has to know, and measures; what the judge does not answer is an exception."""

Statistic = Literal["mean", "p50", "p95", "p99"]

ALL_KINDS = frozenset(CaseKind)
ANSWERABLE = frozenset({CaseKind.QA})
UNBOUNDED = Range(None, None)


@dataclass(frozen=True)
class RunLevel:
    """A statistic of a metric under a key of its own: one number a run, such as `p95_latency_ms`."""

    key: str
    summary: str
    statistic: Statistic


@dataclass(frozen=True)
class Metric:
    """One way of measuring. What measures sees evidence whose kind and needs have been checked."""

    key: str
    summary: str
    """One sentence a user reads in `ragproof metrics`."""
    family: str
    measure: Measure | None = None
    """Without a judge; None when it takes one."""
    judged: JudgedMeasure | None = None
    """With a judge, whose verdict then stands in place of what `measure` would find; None never asks one."""
    prompts: tuple[str, ...] = ()
    """The judge's prompts that `judged` may ask, whose text is part of what a score means."""
    direction: Direction = Direction.HIGHER
    range: Range = Range()
    needs: tuple[Need, ...] = ()
    """Checked in this order; the first missing one is the reason."""
    kinds: frozenset[CaseKind] = ALL_KINDS
    cost: Cost = Cost.FREE
    """Without a judge; what `asks_judge` costs calls."""
    version: int = 1
    """Raised whenever any input could now score differently."""
    statistics: tuple[Statistic, ...] = ("mean", "p50", "p95")
    run_level: tuple[RunLevel, ...] = ()
    """Keys of the whole run that come with this metric."""
    opt_in: bool = False
    """Measured only when it is named."""
    beside: str | None = None
    """The key without which this number misleads; every table prints the two in adjacent rows."""

    def __str__(self) -> str:
        return self.key

    def asks_judge(self, judge_configured: bool) -> bool:
        """Say whether a judge decides this metric in a run."""
        return self.judged is not None and judge_configured

    def definition(self) -> dict[str, JsonValue]:
        """Return as JSON all that says what a score means, except the formula; `None` is unbounded."""
        return {
            "key": self.key,
            "family": self.family,
            "direction": self.direction.value,
            "range": [self.range.low, self.range.high],
            "needs": [need.name.lower() for need in self.needs],
            "kinds": [kind.value for kind in CaseKind if kind in self.kinds],
            "cost": self.cost.value,
            "version": self.version,
            "statistics": list(self.statistics),
            "run_level": {derived.key: derived.statistic for derived in self.run_level},
            **({"prompts": list(self.prompts)} if self.prompts else {}),
            **({"opt_in": True} if self.opt_in else {}),
        }


def metric(
    *,
    key: str | None = None,
    summary: str | None = None,
    family: str = "user",
    direction: Direction = Direction.HIGHER,
    range: Range = UNBOUNDED,
    needs: Iterable[Need] = (),
    kinds: Iterable[CaseKind] = ALL_KINDS,
    cost: Cost = Cost.FREE,
    version: int = 1,
) -> Callable[[Measure], Metric]:
    """Turn a function of the evidence into a metric; the decorator for metrics of one's own.

    Args:
        key: its name everywhere; None is `module:function`.
        summary: one sentence for readers; None is the first line of the function's docstring.
        family: the heading it stands under.
        direction: which way is better; higher unless said otherwise.
        range: the interval values lie in; unbounded unless said otherwise, and then a missing value can
            not be bounded: a gate on it is inconclusive as soon as one case errs.
        needs: what must be there, in the order in which it is checked; empty measures every output.
        kinds: the case kinds it applies to.
        cost: what computing it takes.
        version: raise it whenever any input could now score differently.

    Returns:
        A decorator that puts the metric in the function's place; `.measure` is the function.
    """

    def describe(measure: Measure) -> Metric:
        name = f"{measure.__module__}:{getattr(measure, '__qualname__', type(measure).__qualname__)}"
        first_line = (measure.__doc__ or "").strip().partition("\n")[0]
        return Metric(
            key=key or name,
            summary=summary or first_line or f"What {name} returns.",
            family=family,
            measure=measure,
            direction=direction,
            range=range,
            needs=tuple(needs),
            kinds=frozenset(kinds),
            cost=cost,
            version=version,
        )

    return describe
