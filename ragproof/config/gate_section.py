"""The section that says what a run must keep to: rules, and what becomes of a verdict that is open."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from ragproof.config.section import Name, Section

Value = Annotated[float, Field(allow_inf_nan=False)]
Margin = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_EXAMPLE = "[{metric: retrieval.mrr, max_drop: 0.03}]"
THRESHOLDS = ("min", "max", "max_drop", "max_error_rate")


def _some(rules: tuple[GateRule, ...]) -> tuple[GateRule, ...]:
    """Refuse no rules at all, once those there are have been looked at."""
    if not rules:
        raise ValueError(f"an empty list lets everything pass; expected rules, such as {_EXAMPLE}")
    return rules


def _digit(value: object) -> object:
    """Read the text that an environment variable or a command line gives as the number it is."""
    return int(value) if isinstance(value, str) and value in ("0", "1", "4") else value


class GateRule(Section):
    """What one metric must keep to; several thresholds are judged each on its own."""

    metric: Annotated[Name, Field(examples=["retrieval.mrr"])]
    """What is looked at: a metric of the run, or a key of the whole run such as `p95_latency_ms`."""
    statistic: Literal["mean", "p50", "p95", "p99"] | None = None
    """What `min` and `max` look at; without it the mean."""
    tag: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Which cases: `language=de` is those with this tag, `language` each value of the tag on its own, with
    Holm's correction over them. Without it all cases."""
    min: Value | None = None
    """The number must be shown to be above this: its bound is compared, not the number alone."""
    max: Value | None = None
    """It must be shown to be below this, likewise."""
    max_drop: Margin | None = None
    """How much worse than the baseline it may be, in the metric's unit, on the cases of both runs."""
    noise_floor: Margin | None = None
    """A drop smaller than this never fails `max_drop`."""
    max_error_rate: Annotated[float, Field(ge=0, le=1)] | None = None
    """The largest share of cases without a value that should have one."""
    min_cases: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """How many cases it takes to be judged; without it 10 of a tag, and as few as there are without one."""

    @model_validator(mode="after")
    def _has_a_threshold(self) -> GateRule:
        if all(getattr(self, name) is None for name in THRESHOLDS):
            raise ValueError(
                "no threshold, so it could never fail; expected one or more of min, max, max_drop and"
                " max_error_rate"
            )
        if self.noise_floor is not None and self.max_drop is None:
            raise ValueError("noise_floor without max_drop has nothing to hold back; set max_drop too")
        if self.min is not None and self.max is not None and self.min >= self.max:
            raise ValueError(f"min {self.min:g} is not under max {self.max:g}, so it could never pass")
        return self


class GateSection(Section):
    """When `ragproof gate` lets a run pass."""

    rules: Annotated[
        tuple[GateRule, ...],
        AfterValidator(_some),
        Field(examples=[_EXAMPLE], json_schema_extra={"minItems": 1}),
    ]
    """All of them must hold; see the keys of a rule below."""
    baseline: Annotated[str, Field(min_length=1)] | None = None
    """What `max_drop` compares with: a run's id, a label, `latest` for the last other run of the project, or
    a file of `ragproof export`, looked for as the dataset is. `--baseline` names another."""
    min_coverage: Annotated[float, Field(ge=0, le=1)] = 0.8
    """The least share of its cases on which a metric must have a value, and of their cases that two runs must
    share; under it the verdict is ERROR, for an outage is no regression."""
    confidence: Annotated[float, Field(ge=0.8, le=0.999)] = 0.95
    """How sure a PASS or a FAIL has to be, one-sided."""
    inconclusive: Annotated[
        Literal[0, 1, 4], BeforeValidator(_digit, json_schema_input_type=Literal[0, 1, 4])
    ] = 4
    """The exit code of a gate that can tell neither; 0 lets it through, 1 stops it as a FAIL."""
