"""Percentiles against a threshold: as many cases as it takes, exactly counted."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from ragproof.metric import Direction
from tests.fakes.gates import gated, verdicts
from tests.fakes.scored_runs import ERROR, scored_run

LATENCY, MRR = "latency_ms", "retrieval.mrr"


def run(values, groups=None, key=LATENCY):
    low = Direction.LOWER if key == LATENCY else Direction.HIGHER
    span = (0.0, None) if key == LATENCY else (0.0, 1.0)
    return scored_run({key: values}, directions={key: low}, spans={key: span}, groups=groups)


P95 = {"metric": LATENCY, "statistic": "p95", "max": 900}
SITUATIONS = [
    # why, rule, values, verdict
    ("59 cases within show a 95th percentile", P95, [100.0] * 59, "PASS"),
    ("58 can not", P95, [100.0] * 58, "INCONCLUSIVE"),
    ("as its own key", {"metric": "p95_latency_ms", "max": 900}, [100.0] * 59, "PASS"),
    ("at the threshold is within", P95, [900.0] * 59, "PASS"),
    ("one of 92 beyond", P95, [100.0] * 91 + [5000.0], "INCONCLUSIVE"),
    ("one of 93 beyond", P95, [100.0] * 92 + [5000.0], "PASS"),
    ("a fifth beyond", P95, [100.0] * 80 + [5000.0] * 20, "FAIL"),
    ("a median needs few", {"metric": LATENCY, "statistic": "p50", "max": 900}, [100.0] * 5, "PASS"),
    ("a lost call may have taken any time", P95, [100.0] * 500 + [ERROR], "INCONCLUSIVE"),
    ("and does not hide a fault", P95, [100.0] * 80 + [5000.0] * 20 + [ERROR], "FAIL"),
]


@pytest.mark.parametrize(("why", "rule", "values", "verdict"), SITUATIONS, ids=[row[0] for row in SITUATIONS])
def test_a_percentile_is_judged(why, rule, values, verdict):
    assert verdicts(gated([rule], run(values))) == [verdict]


def test_a_median_of_scores_may_have_a_least():
    """At least half of all cases are at or over it; a missing score of 0 to 1 is at its worst."""
    rule = {"metric": MRR, "statistic": "p50", "min": 0.5}
    assert verdicts(gated([rule], run([1.0] * 20, key=MRR))) == ["PASS"]
    assert verdicts(gated([rule], run([0.0] * 20, key=MRR))) == ["FAIL"]
    assert verdicts(gated([rule], run([1.0] * 16 + [ERROR] * 2, key=MRR))) == ["PASS"]
    assert verdicts(gated([{**rule, "min": 0.5}], run([1.0] * 8 + [ERROR] * 2, key=MRR))) == ["INCONCLUSIVE"]


def test_a_95th_percentile_may_have_a_least_too():
    """More than 5 % of all cases are at or over it: 10 of 100 show it, 9 do not."""
    rule = {"metric": MRR, "statistic": "p95", "min": 0.5}
    assert binom.sf(9, 100, 0.05) <= 0.05 < binom.sf(8, 100, 0.05)
    for right, verdict in ((10, "PASS"), (9, "INCONCLUSIVE"), (0, "FAIL")):
        assert verdicts(gated([rule], run([1.0] * right + [0.0] * (100 - right), key=MRR))) == [verdict]


@pytest.mark.parametrize(("n", "beyond"), [(59, 0), (93, 1), (124, 2), (153, 3), (500, 16)])
def test_a_pass_is_wrong_in_at_most_one_of_twenty(n, beyond):
    """By the binomial itself: had 5 % of all cases been beyond, so few among n would be that rare."""
    assert binom.cdf(beyond, n, 0.05) <= 0.05 < binom.cdf(beyond + 1, n, 0.05)
    for more, verdict in ((0, "PASS"), (1, "INCONCLUSIVE")):
        values = [100.0] * (n - beyond - more) + [5000.0] * (beyond + more)
        assert verdicts(gated([P95], run(values))) == [verdict]


def test_what_was_measured_is_the_nearest_rank():
    """And the bound is a share of cases, compared with the 95 % that it takes."""
    numbers = gated([P95], run([float(place) for place in range(1, 101)])).rulings[0].numbers
    assert (numbers.measured, numbers.compared, numbers.threshold) == (95.0, 1.0, 0.95)
    assert numbers.pass_bound == pytest.approx(0.05 ** (1 / 100))


def test_cases_of_one_document_are_no_more_than_the_documents():
    """300 calls within, of 30 groups: 30 observations cannot show a 95th percentile."""
    found = gated([P95], run([100.0] * 300, groups=[f"g{place % 30}" for place in range(300)])).rulings[0]
    assert (found.verdict.value, found.counts.groups) == ("INCONCLUSIVE", 30)
    assert found.reason == "30 groups of cases can show nothing of it, it takes 59"
    many = run([100.0] * 300, groups=[f"g{place % 60}" for place in range(300)])
    assert verdicts(gated([P95], many)) == ["PASS"]


def test_thirteen_missing_scores_are_too_many():
    rule = {"metric": MRR, "statistic": "p50", "min": 0.5}
    assert verdicts(gated([rule], run([1.0] * 500 + [ERROR] * 12, key=MRR))) == ["PASS"]
    found = gated([rule], run([1.0] * 500 + [ERROR] * 13, key=MRR)).rulings[0]
    assert (found.verdict.value, found.reason) == ("INCONCLUSIVE", "13 values are missing, over 12")
