"""Faulty rules: each told with its line and its cure, all at once, before anything is run."""

from __future__ import annotations

import pytest

from ragproof.catalogue import catalogue
from ragproof.config import load
from ragproof.errors import ConfigurationError
from ragproof.gating.demands import Demand, Kind, demands_of
from ragproof.gating.targets import find_target
from tests.fakes.configs import BASE, faults, loaded, write

METRICS = "metrics: [retrieval.mrr, latency_ms, abstention_rate, exact_match]\n"
LEAST = "a number of at least 0, or null"
FAULTS = [
    # why, a rule, its faults from their column on
    (
        "no threshold: it could never fail",
        "{metric: retrieval.mrr}",
        [
            "7: gate.rules[0]: no threshold, so it could never fail; expected one or more of min, max,"
            " max_drop and max_error_rate"
        ],
    ),
    (
        "not a number",
        "{metric: retrieval.mrr, min: .nan}",
        ["31: gate.rules[0].min: nan is not allowed; expected a number, or null"],
    ),
    (
        "infinity",
        "{metric: retrieval.mrr, max_drop: .inf}",
        [f"31: gate.rules[0].max_drop: inf is not allowed; expected {LEAST}"],
    ),
    (
        "a switch is no threshold",
        "{metric: retrieval.mrr, max_error_rate: true}",
        ["31: gate.rules[0].max_error_rate: true is not allowed; expected a number from 0 to 1, or null"],
    ),
    (
        "a drop below zero",
        "{metric: retrieval.mrr, max_drop: -0.1}",
        [f"31: gate.rules[0].max_drop: -0.1 is not allowed; expected {LEAST}"],
    ),
    (
        "a metric with a typo",
        "{metric: retrieval.mr, min: 0.5}",
        ["8: gate.rules[0].metric: no metric is named 'retrieval.mr'; did you mean 'retrieval.mrr'?"],
    ),
    (
        "a metric like none",
        "{metric: zzz, min: 0.5}",
        ["8: gate.rules[0].metric: no metric is named 'zzz'; 'ragproof metrics' lists them"],
    ),
    (
        "a metric that is not measured",
        "{metric: token_f1, min: 0.5}",
        ["8: gate.rules[0].metric: 'token_f1' is not measured; add it to the configuration's 'metrics'"],
    ),
    (
        "a metric that ranks nothing",
        "{metric: abstention_rate, max: 0.5, max_error_rate: 0.1}",
        [
            "33: gate.rules[0].max: 'abstention_rate' ranks nothing; name a metric with a direction, or set"
            " max_error_rate"
        ],
    ),
    (
        "a statistic that is not kept",
        "{metric: exact_match, statistic: p99, max: 0.5}",
        ["29: gate.rules[0].statistic: 'exact_match' keeps no 'p99'; expected one of 'mean', 'p50', 'p95'"],
    ),
    (
        "a statistic that is none",
        "{metric: latency_ms, statistic: p98, max: 900}",
        [
            "28: gate.rules[0].statistic: 'p98' is not allowed; expected 'mean', 'p50', 'p95' or 'p99', or"
            " null; did you mean 'p99'?"
        ],
    ),
    (
        "a statistic of a key that is one",
        "{metric: p95_latency_ms, statistic: p50, max: 900}",
        [
            "32: gate.rules[0].statistic: 'p95_latency_ms' is the p95 of 'latency_ms' already; leave"
            " statistic out"
        ],
    ),
    (
        "a drop of a percentile",
        "{metric: p95_latency_ms, max_drop: 9}",
        [
            "32: gate.rules[0].max_drop: a drop is judged on the mean, case by case, and not on the p95; set"
            " max instead"
        ],
    ),
    (
        "per cent for a share",
        "{metric: retrieval.mrr, min: 50}",
        ["31: gate.rules[0].min: 50 lies outside what 'retrieval.mrr' can be; expected a number from 0 to 1"],
    ),
    (
        "a time below zero",
        "{metric: latency_ms, max: -1}",
        ["28: gate.rules[0].max: -1 lies outside what 'latency_ms' can be; expected at least 0"],
    ),
    (
        "a drop that is no drop any more",
        "{metric: retrieval.mrr, max_drop: 1}",
        ["31: gate.rules[0].max_drop: 1 allows any drop of 'retrieval.mrr'; expected less than 1"],
    ),
    (
        "a noise floor of nothing",
        "{metric: retrieval.mrr, min: 0.5, noise_floor: 0.1}",
        ["7: gate.rules[0]: noise_floor without max_drop has nothing to hold back; set max_drop too"],
    ),
    (
        "nothing between the two",
        "{metric: retrieval.mrr, min: 0.5, max: 0.4}",
        ["7: gate.rules[0]: min 0.5 is not under max 0.4, so it could never pass"],
    ),
    (
        "a tag without a name",
        "{metric: retrieval.mrr, min: 0.5, tag: =de}",
        ["41: gate.rules[0].tag: '=de' names no tag; expected NAME or NAME=VALUE, such as language=de"],
    ),
    (
        "a misspelt key",
        "{metric: retrieval.mrr, max_dorp: 0.5}",
        ["31: 'gate.rules[0].max_dorp' is not a key; did you mean 'gate.rules[0].max_drop'?"],
    ),
    (
        "no metric",
        "{min: 0.5}",
        [
            "7: gate.rules[0].metric: missing; expected one line of text, at most 100 characters, such as"
            " retrieval.mrr"
        ],
    ),
    ("no rule", "0.5", ["7: gate.rules[0]: 0.5 is not allowed; expected a section of keys"]),
]


def configured(*rules, head=METRICS):
    """A configuration whose first rule is on line 9."""
    return "".join([BASE, head, "gate:\n  rules:\n", *(f"    - {rule}\n" for rule in rules)])


@pytest.mark.parametrize(("why", "rule", "expected"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_faulty_rule_is_told_where_it_stands(tmp_path, why, rule, expected):
    assert faults(tmp_path, configured(rule)) == [f"eval.yaml:9:{told}" for told in expected], why


def test_all_faulty_rules_are_told_at_once(tmp_path):
    """And whatever else is wrong beside them."""
    told = faults(
        tmp_path,
        configured(
            "{metric: retrieval.mr, min: 1}", "{metric: exact_match}", "{metric: latency_ms, max: .nan}"
        )
        + "  confidence: 2\n  inconclusive: 3\n",
    )
    assert [each.partition(": ")[0] for each in told] == [
        "eval.yaml:9:8",
        "eval.yaml:10:7",
        "eval.yaml:11:28",
        "eval.yaml:12:3",
        "eval.yaml:13:3",
    ]
    assert told[-1].endswith("expected 0, 1 or 4")


def test_rules_are_faulty_on_the_command_line_too(tmp_path):
    (told,) = faults(tmp_path, overrides=["gate.rules=[{metric: retrieval.mrr}]"])
    assert told.startswith("--set gate.rules: gate.rules[0]: no threshold")


def test_a_gate_without_rules_is_a_fault(tmp_path):
    (missing,) = faults(tmp_path, f"{BASE}gate: {{confidence: 0.9}}\n")
    assert missing.startswith("eval.yaml:6:1: gate.rules: missing")
    (empty,) = faults(tmp_path, f"{BASE}gate: {{rules: []}}\n")
    assert empty.startswith("eval.yaml:6:8: gate.rules: an empty list lets everything pass")


@pytest.mark.parametrize("code", [0, 1, 4])
def test_what_an_open_gate_exits_with_may_come_from_outside(tmp_path, code):
    """There it is text."""
    rules = "gate: {rules: [{metric: retrieval.mrr, min: 0.5}]}\n"
    config = loaded(tmp_path, BASE + rules, environ={"RAGPROOF_GATE__INCONCLUSIVE": str(code)})
    assert config.gate.inconclusive == code
    assert loaded(tmp_path, BASE + rules, overrides=[f"gate.inconclusive={code}"]).gate == config.gate


def test_the_secrets_of_a_pipeline_are_not_needed_to_gate(tmp_path):
    """A gate calls nothing; what the adapter refers to need not be on this machine."""
    adapter = '{type: http, url: "http://x.example", headers: {Authorization: "env:NOT_HERE"}}'
    text = BASE.replace('{type: python, target: "my_package.rag:Pipeline"}', adapter)
    path = write(tmp_path, text)
    with pytest.raises(ConfigurationError, match="NOT_HERE"):
        load(path, environ={})
    assert load(path, environ={}, calls=False).project == "handbook"


def test_a_rule_is_a_demand_for_each_of_its_thresholds(tmp_path):
    rule = "{metric: NDCG@10, min: 0.2, max_drop: 0.1, noise_floor: 0.02, tag: language, max_error_rate: 0}"
    config = loaded(tmp_path, configured(rule, "{metric: p99_latency_ms, max: 900, min_cases: 50}", head=""))
    found = demands_of(config.gate, config.chosen_metrics())
    assert [(each.rule, each.metric, each.statistic, each.kind) for each in found] == [
        (0, "ndcg@10", "mean", Kind.MIN),
        (0, "ndcg@10", "mean", Kind.MAX_DROP),
        (0, "ndcg@10", "mean", Kind.MAX_ERROR_RATE),
        (1, "latency_ms", "p99", Kind.MAX),
    ]
    assert [each.min_cases for each in found] == [10, 10, 10, 50]
    assert [str(each) for each in found] == ["min 0.2", "max_drop 0.1", "max_error_rate 0", "p99 max 900"]
    assert found[1].noise_floor == 0.02
    assert Demand(0, "m", "mean", Kind.MIN, 0.5).min_cases == 1


def test_a_cutoff_that_is_not_measured_is_no_target():
    metrics = [metric for metric in catalogue().at(20).metrics if metric.key == "ndcg@20"]
    assert find_target("ndcg@20", None, metrics).metric.key == "ndcg@20"
    with pytest.raises(ConfigurationError, match="'ndcg@10' is not measured"):
        find_target("ndcg@10", None, metrics)
