"""Whole gates: what is wrong, what is measured, and the verdict and exit code that follow."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

from ragproof.gating.verdict import Verdict, worst
from ragproof.metric import Direction
from ragproof.runs import RunStatus
from ragproof.statistics.gate_rules import drop_verdict, level_verdict
from tests.fakes.gates import BASELINE, CANDIDATE, gated, verdicts
from tests.fakes.scored_runs import ERROR, scored_run

MRR, REFUSAL, LATENCY = "retrieval.mrr", "robustness.overrefusal", "latency_ms"
DIRECTIONS = {REFUSAL: Direction.LOWER, LATENCY: Direction.LOWER}
SPANS = {LATENCY: (0.0, None)}
N = 200


def spread(level, n=N):
    """Values of 0 and 1, their mean the level."""
    return [1.0 if place < round(level * n) else 0.0 for place in range(n)]


def noisy(level, seed, n=N):
    """Grades around a level."""
    return np.clip(np.random.default_rng(seed).normal(level, 0.1, n), 0.0, 1.0).tolist()


def run(values, id=CANDIDATE, **settings):
    return scored_run(values, id=id, directions=DIRECTIONS, spans=SPANS, **settings)


BEFORE = run({MRR: noisy(0.7, 1), REFUSAL: spread(0.1), LATENCY: [100.0] * N}, BASELINE)
SAME = run({MRR: noisy(0.7, 5), REFUSAL: spread(0.1), LATENCY: noisy(0.5, 3)})
WORSE = run({MRR: noisy(0.5, 2), REFUSAL: spread(0.6), LATENCY: noisy(0.5, 3)})
MISSED = run({MRR: [*noisy(0.7, 5)[:-3], ERROR, ERROR, ERROR], REFUSAL: spread(0.1)})
OUTAGE = run({MRR: [*noisy(0.7, 5)[:100], *[ERROR] * 100], REFUSAL: spread(0.1)})
SILENT = run({MRR: [None] * N, REFUSAL: spread(0.1)})
LOST = run({MRR: noisy(0.7, 5), LATENCY: [*[10.0] * 100, *[12.0] * 99, ERROR]})

SITUATIONS = [
    # why, rule, run, verdict, exit code
    ("as good as before", {"metric": MRR, "max_drop": 0.05}, SAME, "PASS", 0),
    ("worse by more than the margin", {"metric": MRR, "max_drop": 0.05}, WORSE, "FAIL", 1),
    ("a margin that so many cases cannot see", {"metric": MRR, "max_drop": 0.01}, SAME, "INCONCLUSIVE", 4),
    ("of overrefusal a rise is the regression", {"metric": REFUSAL, "max_drop": 0.1}, WORSE, "FAIL", 1),
    ("and none is none", {"metric": REFUSAL, "max_drop": 0.1}, SAME, "INCONCLUSIVE", 4),
    ("over a least", {"metric": MRR, "min": 0.6}, SAME, "PASS", 0),
    ("under a least", {"metric": MRR, "min": 0.6}, WORSE, "FAIL", 1),
    ("about a least", {"metric": MRR, "min": 0.7}, SAME, "INCONCLUSIVE", 4),
    ("under a most", {"metric": REFUSAL, "max": 0.3}, SAME, "PASS", 0),
    ("over a most", {"metric": REFUSAL, "max": 0.3}, WORSE, "FAIL", 1),
    ("a long call that was lost could be any", {"metric": LATENCY, "max": 900}, LOST, "INCONCLUSIVE", 4),
    ("three lost, whatever they were", {"metric": MRR, "max_drop": 0.1}, MISSED, "PASS", 0),
    ("three lost, and more may not be", {"metric": MRR, "max_error_rate": 0.01}, MISSED, "FAIL", 1),
    ("three lost of those that may be", {"metric": MRR, "max_error_rate": 0.015}, MISSED, "PASS", 0),
    ("half lost is an outage and no regression", {"metric": MRR, "max_drop": 0.05}, OUTAGE, "ERROR", 2),
    ("nor a level", {"metric": MRR, "min": 0.6}, OUTAGE, "ERROR", 2),
    ("nor a rate of errors", {"metric": MRR, "max_error_rate": 0.9}, OUTAGE, "ERROR", 2),
    ("nothing was measured on any case", {"metric": MRR, "min": 0.1}, SILENT, "ERROR", 2),
    ("a metric that the run does not have", {"metric": "ndcg@10", "min": 0.1}, SAME, "ERROR", 2),
    ("a drop of it", {"metric": "ndcg@10", "max_drop": 0.1}, SAME, "ERROR", 2),
    ("fewer cases than it takes", {"metric": MRR, "min": 0.1, "min_cases": 201}, SAME, "INCONCLUSIVE", 4),
]


@pytest.mark.parametrize(
    ("why", "rule", "judged", "verdict", "code"), SITUATIONS, ids=[row[0] for row in SITUATIONS]
)
def test_a_rule_is_judged(why, rule, judged, verdict, code):
    found = gated([rule], judged, BEFORE)
    assert (verdicts(found), found.exit_code) == ([verdict], code), found.rulings[0].reason
    assert found.rulings[0].reason


def test_a_metric_that_speaks_of_no_case_is_an_error_whatever_the_floor():
    """With the reasons that the cases gave."""
    found = gated([{"metric": MRR, "min": 0.1}], SILENT, min_coverage=0)
    assert (verdicts(found), found.rulings[0].reason) == (
        ["ERROR"],
        "no case has a value: the answer declines (200)",
    )


def test_the_numbers_are_those_of_the_statistics():
    """The gate adds no arithmetic of its own where cases are independent."""
    drop, most = gated(
        [{"metric": REFUSAL, "max_drop": 0.1}, {"metric": REFUSAL, "max": 0.3}], WORSE, BEFORE
    ).rulings
    before, after = spread(0.1), spread(0.6)
    expected = drop_verdict(before, after, margin=0.1, lowest=0, highest=1, higher_is_better=False)
    assert (drop.numbers.compared, drop.numbers.pass_bound) == (expected.mean, expected.decisive)
    assert (drop.numbers.measured, drop.numbers.baseline) == (mean(after), mean(before))
    level = level_verdict(after, at_most=0.3, lowest=0, highest=1)
    assert (most.numbers.measured, most.numbers.compared) == (mean(after), pytest.approx(level.mean))
    assert most.numbers.pass_bound == pytest.approx(level.decisive)
    assert most.numbers.fail_bound == pytest.approx(level.lower)


def test_the_worst_verdict_is_the_gates():
    """ERROR over FAIL over INCONCLUSIVE over PASS."""
    rules = [
        {"metric": MRR, "max_error_rate": 0.5},
        {"metric": MRR, "min": 0.5},
        {"metric": MRR, "min": 0.9},
        {"metric": "ndcg@10", "min": 0.5},
    ]
    expected = [Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.FAIL, Verdict.ERROR]
    for several, verdict in enumerate(expected, 1):
        assert gated(rules[:several], WORSE, BEFORE).verdict is verdict
    with pytest.raises(ValueError, match="empty"):
        worst([])


@pytest.mark.parametrize("code", [0, 1, 4])
def test_an_open_gate_exits_as_it_is_configured(code):
    found = gated([{"metric": MRR, "min": 0.7}], SAME, inconclusive=code)
    assert (found.verdict, found.exit_code) == (Verdict.INCONCLUSIVE, code)


def test_a_rule_with_several_thresholds_is_judged_on_each():
    rule = {"metric": MRR, "min": 0.6, "max": 0.8, "max_drop": 0.05, "max_error_rate": 0}
    found = gated([rule], SAME, BEFORE)
    assert [ruling.demand.kind.value for ruling in found.rulings] == [
        "min",
        "max",
        "max_drop",
        "max_error_rate",
    ]
    assert verdicts(found) == ["PASS"] * 4


UNFINISHED = [status for status in RunStatus if status not in (RunStatus.COMPLETED, RunStatus.STOPPED_EARLY)]


@pytest.mark.parametrize("status", UNFINISHED)
def test_a_run_that_is_not_completed_is_an_error_whatever_its_numbers(status):
    """Of the run, and of the baseline for what is held against it."""
    half = run({MRR: noisy(0.7, 5)}, status=status)
    found = gated([{"metric": MRR, "min": 0.1}, {"metric": MRR, "max_drop": 0.9}], half, BEFORE)
    assert (verdicts(found), found.exit_code) == (["ERROR", "ERROR"], 2)
    assert status.value in found.rulings[0].reason
    before = run({MRR: noisy(0.7, 1)}, BASELINE, status=status)
    found = gated([{"metric": MRR, "min": 0.1}, {"metric": MRR, "max_drop": 0.9}], SAME, before)
    assert verdicts(found) == ["PASS", "ERROR"]


def test_a_run_that_was_stopped_early_fails_on_its_own():
    """Its numbers are no estimates and no rule is judged on them."""
    stopped = run({MRR: noisy(0.9, 2)}, status=RunStatus.STOPPED_EARLY, status_reason="60 of 200 show it")
    found = gated([{"metric": MRR, "min": 0.1}], stopped, BEFORE)
    assert (found.verdict, found.exit_code, found.stopped) == (Verdict.FAIL, 1, "60 of 200 show it")
    assert verdicts(found) == ["INCONCLUSIVE"]
    before = run({MRR: noisy(0.9, 2)}, BASELINE, status=RunStatus.STOPPED_EARLY)
    assert verdicts(gated([{"metric": MRR, "max_drop": 0.1}], SAME, before)) == ["ERROR"]


def test_what_cannot_be_compared_is_an_error_and_the_rest_is_judged():
    """Every field that differs is told."""
    other = run({MRR: noisy(0.7, 1)}, BASELINE, fields={"k": 10, "source_match": "document"})
    found = gated([{"metric": MRR, "max_drop": 0.1}, {"metric": MRR, "min": 0.5}], SAME, other)
    assert verdicts(found) == ["ERROR", "PASS"]
    assert [each.field for each in found.runs.differences] == ["k", "source_match"]


def test_another_judge_is_an_error_unless_it_is_allowed():
    judges = [
        run({MRR: noisy(0.7, seed)}, id, fields={"judge": {"model": id}})
        for seed, id in ((1, BASELINE), (2, CANDIDATE))
    ]
    rules = [{"metric": MRR, "max_drop": 0.1}]
    assert verdicts(gated(rules, judges[1], judges[0])) == ["ERROR"]
    allowed = gated(rules, judges[1], judges[0], allow_mixed_judges=True)
    assert verdicts(allowed) == ["PASS"]
    assert any("judges differ" in told for told in allowed.cautions)


def test_too_few_shared_cases_are_an_error():
    other = run({MRR: noisy(0.7, 1)}, BASELINE, cases=[f"c{place + 50}" for place in range(N)])
    rules = [{"metric": MRR, "max_drop": 0.1}]
    assert verdicts(gated(rules, SAME, other)) == ["ERROR"]
    assert verdicts(gated(rules, SAME, other, min_coverage=0.7)) == ["PASS"]


def test_cases_of_one_run_alone_are_left_out_and_told():
    other = run({MRR: noisy(0.7, 1)}, BASELINE, contents={"c7": "rewritten"})
    found = gated([{"metric": MRR, "max_drop": 0.1}], SAME, other)
    assert found.rulings[0].counts.expected == N - 1
    assert any("c7" in told for told in found.cautions)


def test_a_run_is_no_baseline_of_itself():
    """All differences are zero, and show nothing."""
    found = gated([{"metric": MRR, "max_drop": 0.1}], SAME, SAME)
    assert (verdicts(found), found.exit_code) == (["ERROR"], 2)


def test_a_baseline_that_is_gone_is_an_error_of_what_needs_it():
    found = gated([{"metric": MRR, "max_drop": 0.1}, {"metric": MRR, "min": 0.5}], SAME)
    assert (verdicts(found), found.exit_code) == (["ERROR", "PASS"], 2)
    assert found.rulings[0].reason == "there is no baseline 'gone'"


def test_a_value_outside_the_range_is_an_error():
    """No bound computed from the range would hold; a file in a repository can be edited."""
    odd = run({MRR: [*noisy(0.7, 5)[:-1], 7.0]})
    found = gated([{"metric": MRR, "min": 0.5}, {"metric": MRR, "max_drop": 0.5}], odd, BEFORE)
    assert verdicts(found) == ["ERROR", "ERROR"]
    assert "holds 7" in found.rulings[0].reason


NEVER_PASS = [
    ("the same on every case", noisy(0.7, 1), {"max_drop": 0.5}, "no case differs"),
    ("five cases differ", [*noisy(0.7, 1)[:-5], *[1.0] * 5], {"max_drop": 0.5}, "5 of 200 cases differ"),
    (
        "thirteen are missing",
        [*noisy(0.7, 5)[:-13], *[ERROR] * 13],
        {"max_drop": 0.5},
        "13 values are missing",
    ),
    ("one case", [0.7], {"min": 0.1}, "one case"),
]


@pytest.mark.parametrize(("why", "values", "limit", "told"), NEVER_PASS, ids=[row[0] for row in NEVER_PASS])
def test_data_that_can_show_nothing_are_open(why, values, limit, told):
    before = run({MRR: noisy(0.7, 1)[: len(values)]}, BASELINE)
    found = gated([{"metric": MRR, **limit}], run({MRR: values}), before)
    assert (verdicts(found), told in found.rulings[0].reason) == (["INCONCLUSIVE"], True), found.rulings[
        0
    ].reason


def test_a_drop_under_the_noise_floor_never_fails():
    rule = {"metric": MRR, "max_drop": 0.05}
    assert verdicts(gated([rule], WORSE, BEFORE)) == ["FAIL"]
    assert verdicts(gated([{**rule, "noise_floor": 0.3}], WORSE, BEFORE)) == ["INCONCLUSIVE"]


def test_trials_of_a_case_are_one_observation():
    """Ten trials of 20 cases are 20, and one lost trial loses the case."""

    def trials(seed, lost=0):
        rows = [[value] * 10 for value in noisy(0.7, seed, 20)]
        return [[ERROR, *row[1:]] if place < lost else row for place, row in enumerate(rows)]

    found = gated(
        [{"metric": MRR, "max_drop": 0.5}], run({MRR: trials(2, lost=2)}), run({MRR: trials(1)}, BASELINE)
    )
    assert (found.rulings[0].counts.scored, found.rulings[0].counts.expected) == (18, 20)


def test_a_gate_warns_of_a_margin_that_it_cannot_see():
    """And says what it could have seen, in the metric's unit."""
    found = gated([{"metric": MRR, "max_drop": 0.01}], SAME, BEFORE)
    (told,) = found.cautions
    detectable = found.rulings[0].numbers.detectable
    assert detectable > 0.01
    assert (
        told
        == f"{MRR}: this gate cannot see a drop of 0.01 with 200 cases; it could see about {detectable:.3f}"
    )
    assert not gated([{"metric": MRR, "max_drop": 0.1}], SAME, BEFORE).cautions


def test_an_open_rule_says_how_many_cases_would_decide_it():
    found = gated([{"metric": MRR, "min": 0.69}], SAME, BEFORE).rulings[0]
    assert found.verdict is Verdict.INCONCLUSIVE
    assert f"about {found.numbers.cases_needed:,} cases would decide" in found.reason
    assert found.numbers.cases_needed > N


def test_the_cases_that_fell_furthest_are_told_of_a_drop_that_failed():
    before = noisy(0.9, 1)
    after = [0.0 if place in (3, 5) else value - 0.2 for place, value in enumerate(before)]
    found = gated(
        [{"metric": MRR, "max_drop": 0.05}], run({MRR: after}), run({MRR: before}, BASELINE)
    ).rulings[0]
    assert {each.id for each in found.fallen[:2]} == {"c3", "c5"}
    assert found.fallen[0].after == 0.0
    assert len(found.fallen) == 5
    assert gated([{"metric": MRR, "max_drop": 0.1}], SAME, BEFORE).rulings[0].fallen == ()


def test_a_run_of_another_project_is_told():
    found = gated([{"metric": MRR, "min": 0.1}], run({MRR: noisy(0.7, 1)}, project="elsewhere"), BEFORE)
    assert any("project 'elsewhere'" in told for told in found.cautions)
