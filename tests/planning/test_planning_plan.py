"""A plan of a configuration: which spread it takes, what it says of each metric, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.comparing.pairing import pair
from ragproof.comparing.scored_run import ScoredRun
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.evidence import Settings
from ragproof.planning.basis_runs import BasisRuns
from ragproof.planning.costs import cost_of, usd_a_call
from ragproof.planning.plan import OPEN_RANGE, MetricPlan, plan
from ragproof.planning.present_cases import present_cases
from ragproof.planning.question import Question
from ragproof.planning.sample_size import cases_needed, effect_seen
from ragproof.planning.spread import ASSUMED_CORRELATION, Basis, of_range
from tests.fakes.configs import BASE, loaded
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run

METRICS = "metrics: [exact_match, token_f1, abstention_rate, robustness.overrefusal, latency_ms]\n"
N = 20


def config(folder: Path, metrics: str = METRICS) -> EvalConfig:
    """A configuration of five metrics."""
    return loaded(folder, BASE + metrics)


def cases(n: int = N, groups: Sequence[str | None] = (), **fields: Any) -> list[Case]:
    """Questions with an answer."""
    grouped = groups or [None] * n
    whole = {"expected_answers": ("yes",), **fields}
    return [Case(id=f"c{k}", question=f"q{k}", group=grouped[k], **whole) for k in range(n)]


def run(values: Sequence[Cell], name: str = "one", key: str = "token_f1", **fields: Any) -> ScoredRun:
    """A run that measured one metric."""
    return scored_run({key: values}, id=name, pipeline=name, **fields)


def two(first: ScoredRun, second: ScoredRun) -> BasisRuns:
    """Both as what a plan rests on."""
    return BasisRuns(first, pair(first, second))


def planned(
    folder: Path,
    basis: BasisRuns,
    key: str = "token_f1",
    **asked: Any,
) -> MetricPlan:
    """The plan of one metric."""
    found = plan(config(folder), cases(), Question(**asked), basis)
    return next(each for each in found.metrics if each.metric == key)


LOW, HIGH = [0.0] * N, [0.25, 0.75] * (N // 2)


def test_two_runs_are_believed_first(tmp_path: Path) -> None:
    """Their differences, and the share of cases that both scored."""
    found = planned(tmp_path, two(run(LOW), run(HIGH[:-4] + [ERROR] * 2 + [NONE] * 2, "two")), effect=0.1)
    assert (found.spread.basis, found.alike) == (Basis.TWO_RUNS, False)
    assert (found.share, found.cases, found.scored) == (0.8, N, 16)
    assert found.scored_needed == cases_needed(found.spread, Question(effect=0.1), 1.0)
    assert found.needed == math.ceil(found.scored_needed / 0.8)
    assert found.seen == effect_seen(found.spread, 16, Question(effect=0.1), 1.0)


def test_two_runs_that_hardly_differ_leave_the_bound_of_one(tmp_path: Path) -> None:
    """And it is said why."""
    found = planned(tmp_path, two(run(HIGH), run([*HIGH[:-1], 0.0], "two")))
    assert (found.spread.basis, found.alike) == (Basis.ONE_RUN, True)


@pytest.mark.parametrize(
    ("why", "basis", "expected"),
    [
        ("one run bounds it", BasisRuns(run(HIGH)), Basis.ONE_RUN),
        ("one without spread does not", BasisRuns(run(LOW)), Basis.RANGE),
        ("nor one that did not measure it", BasisRuns(run(HIGH, key="m")), Basis.RANGE),
        ("nor one that scored no case", BasisRuns(run([ERROR] * N)), Basis.RANGE),
        ("without a run the range bounds it", BasisRuns(), Basis.RANGE),
    ],
)
def test_the_best_spread_there_is_is_taken(
    why: str, basis: BasisRuns, expected: Basis, tmp_path: Path
) -> None:
    """In order of what it rests on."""
    found = planned(tmp_path, basis)
    assert (found.spread.basis, found.alike) == (expected, False), why
    if expected is Basis.RANGE:
        assert found.spread.variance == of_range(0.0, 1.0).variance  # type: ignore[union-attr]


def test_what_cannot_be_planned_is_told_why(tmp_path: Path) -> None:
    """A metric that describes, one whose range is open and unmeasured, one that no case can have."""
    injections = cases(kind="injection", adversarial_payload="x")
    found = plan(config(tmp_path), injections, Question(), BasisRuns())
    assert found.unplanned == {
        "abstention_rate": "describes and ranks nothing",
        "latency_ms": OPEN_RANGE,
        "exact_match": "applies to qa and unanswerable cases only",
        "token_f1": "applies to qa and unanswerable cases only",
        "robustness.overrefusal": "applies to qa cases only",
    }
    assert (found.primary, found.metrics) == (None, ())


def test_the_metric_that_decides_is_the_first_that_is_better_when_higher(tmp_path: Path) -> None:
    """Else the first that is better when lower; else none."""

    def primary(metrics: str) -> str | None:
        found = plan(config(tmp_path, f"metrics: [{metrics}]\n"), cases(), Question(), BasisRuns()).primary
        return None if found is None else found.metric

    assert primary("robustness.overrefusal, token_f1, exact_match") == "token_f1"
    assert primary("abstention_rate, robustness.overrefusal") == "robustness.overrefusal"
    assert primary("abstention_rate") is None


def test_an_effect_for_all_metrics_is_not_meant_for_an_open_range(tmp_path: Path) -> None:
    """Nobody means 0.03 of a millisecond, unless the metric is named; what is seen now is said anyway."""
    basis = two(
        run([10.0] * N, key="latency_ms", span=(0.0, None)),
        run([12.0, 14.0] * (N // 2), "two", key="latency_ms", span=(0.0, None)),
    )
    found = planned(tmp_path, basis, "latency_ms")
    assert (found.needed, found.scored_needed) == (None, None)
    assert found.seen is not None
    named = planned(tmp_path, basis, "latency_ms", metric="latency_ms", effect=1.0)
    assert named.needed is not None


@pytest.mark.parametrize(
    ("why", "asked", "expected"),
    [
        ("one that is not measured", {"metric": "token_f2"}, "did you mean 'token_f1'?"),
        ("one that describes", {"metric": "abstention_rate"}, "ranks nothing"),
        ("an effect over the range", {"metric": "token_f1", "effect": 1.5}, "more than the range"),
    ],
)
def test_a_metric_that_cannot_be_asked_for_is_refused(
    why: str, asked: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    """With the cure."""
    with pytest.raises(ConfigurationError) as caught:
        plan(config(tmp_path), cases(), Question(**asked), BasisRuns())
    assert expected in str(caught.value), why


GROUPS = [f"d{k // 2}" for k in range(N)]


def test_grouped_cases_need_more(tmp_path: Path) -> None:
    """1 + (2 - 1) ICC times as many; the correlation is measured where it can be, and else a guess."""
    guessed = plan(config(tmp_path), cases(groups=GROUPS), Question(metric="token_f1"), BasisRuns()).metrics[
        0
    ]
    assert guessed.design_effect == pytest.approx(1 + ASSUMED_CORRELATION)
    assert guessed.correlation_assumed
    # Both questions of a document always differ alike: a correlation of 1.
    basis = two(run(LOW, groups=GROUPS), run([0.25, 0.25, 0.75, 0.75] * 5, "two", groups=GROUPS))
    measured = plan(config(tmp_path), cases(groups=GROUPS), Question(metric="token_f1"), basis).metrics[0]
    assert measured.design_effect == pytest.approx(2.0)
    assert not measured.correlation_assumed


def test_where_nothing_was_measured_a_table_shows_what_smaller_spreads_need(tmp_path: Path) -> None:
    """Under the bound; none where two runs have shown it."""
    found = plan(config(tmp_path), cases(), Question(metric="token_f1", effect=0.1), BasisRuns())
    assert [deviation for deviation, _ in found.deviations] == [0.1, 0.2, 0.3, 0.5, 0.7]
    needed = [needed for _, needed in found.deviations]
    assert needed == sorted(needed)
    assert needed[0] == cases_needed(
        of_range(0.0, 0.02**0.5),
        Question(effect=0.1),
        1.0,  # type: ignore[arg-type]
    )
    bounded = plan(config(tmp_path), cases(), Question(metric="token_f1"), BasisRuns(run(HIGH)))
    assert [deviation for deviation, _ in bounded.deviations] == [0.1, 0.2, 0.3]
    shown = plan(config(tmp_path), cases(), Question(metric="token_f1"), two(run(LOW), run(HIGH, "two")))
    assert shown.deviations == ()


def test_where_cases_were_asked_twice_a_table_shows_what_trials_save(tmp_path: Path) -> None:
    """Cases fall with trials; the asked number is among them."""
    first = run([(0.0, 0.5)] * 10 + [(0.5, 0.5)] * 10)
    second = run([(0.5, 1.0), (0.0, 0.5)] * 10, "two")
    found = plan(config(tmp_path), cases(), Question(metric="token_f1", repeats=4), two(first, second))
    assert [trials for trials, _ in found.repeats] == [1, 2, 3, 4, 5, 10]
    needed = dict(found.repeats)
    assert needed[1] > needed[2] > needed[10]
    assert found.primary is not None
    assert found.primary.needed == needed[4]


def test_the_cases_of_now_are_those_within_reach() -> None:
    """By metric; groups count as large as they are among those."""
    (metric,) = choose(["ndcg@10"])
    some = [
        Case(id="a", question="q", relevance={"s": 1}, group="d"),
        Case(id="b", question="q", relevance={"s": 1}, group="d"),
        Case(id="c", question="q", group="d"),
        Case(id="d", question="q", relevance={"s": 1}),
    ]
    found = present_cases(metric, some, Settings())
    assert (found.cases, found.in_reach, sorted(found.group_sizes)) == (4, 3, [1, 2])
    assert found.reason == "case has no expected_source_ids"
    assert found.is_grouped
    assert found.design_effect(0.5) == pytest.approx(1 + ((2 * 2 + 1) / 3 - 1) * 0.5)
    assert present_cases(metric, some[2:3], Settings()).in_reach == 0
    assert present_cases(metric, some[3:], Settings()).design_effect(1.0) == 1.0


def test_a_run_costs_its_calls_times_its_trials() -> None:
    """What is not known is None, never 0."""
    found = cost_of(100, 3, None, None)
    assert (found.pipeline_calls, found.pipeline_usd, found.judge_calls, found.judge_usd) == (
        300,
        None,
        None,
        None,
    )
    assert cost_of(100, 3, None, 0.01).pipeline_usd == pytest.approx(3.0)
    assert usd_a_call(None) is None
    assert usd_a_call(run(HIGH)) is None
    assert usd_a_call(run([0.1, 0.3], key="cost_usd_estimate")) == pytest.approx(0.2)
