"""Cases that come in groups: a verdict needs the bound of the groups, too."""

from __future__ import annotations

import numpy as np
import pytest

from ragproof.gating.cluster_bound import ClusterBounds
from ragproof.gating.outcome import Outcome, with_groups
from ragproof.gating.verdict import Verdict
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.gate_rules import drop_verdict
from tests.fakes.gates import BASELINE, CANDIDATE, gated, verdicts
from tests.fakes.scored_runs import scored_run

MRR = "retrieval.mrr"
GROUPS = [f"doc{place // 10}" for place in range(200)]


def run(values, id=CANDIDATE, groups=GROUPS):
    return scored_run({MRR: values}, id=id, groups=groups)


def documents(level, seed):
    """20 documents, whose ten questions share most of their luck."""
    draws = np.random.default_rng(seed)
    shared = np.repeat(draws.normal(level, 0.15, 20), 10)
    return np.clip(shared + draws.normal(0.0, 0.05, 200), 0.0, 1.0).tolist()


def test_groups_take_a_verdict_back_that_independent_cases_would_give():
    """200 questions on 20 documents: the documents are what was drawn."""
    before, after = documents(0.6, 1), documents(0.6, 3)
    rules = [{"metric": MRR, "max_drop": 0.05}]
    alone = gated(rules, run(after, groups=None), run(before, BASELINE, groups=None)).rulings[0]
    grouped = gated(rules, run(after), run(before, BASELINE)).rulings[0]
    assert (alone.verdict.value, grouped.verdict.value) == ("PASS", "INCONCLUSIVE")
    assert (alone.counts.groups, grouped.counts.groups) == (None, 20)
    assert grouped.counts.design_effect > 2.0
    assert "groups leave it open" in grouped.reason


def test_the_bounds_are_the_wider_of_both():
    before, after = documents(0.6, 1), documents(0.6, 3)
    numbers = gated([{"metric": MRR, "max_drop": 0.05}], run(after), run(before, BASELINE)).rulings[0].numbers
    naive = drop_verdict(before, after, margin=0.05, lowest=0, highest=1)
    robust = cluster_interval(np.subtract(after, before), GROUPS, confidence=0.9).interval
    assert numbers.pass_bound == pytest.approx(min(naive.decisive, robust.low))
    assert numbers.fail_bound == pytest.approx(max(naive.upper, robust.high))


def test_equal_differences_carry_what_so_many_groups_do():
    """A difference can be anything from -1 to 1, and 20 equal groups leave 1 - .05^(1/20) of that open."""
    found = gated([{"metric": MRR, "max_drop": 0.3}], run([0.75] * 200), run([0.5] * 200, BASELINE)).rulings[
        0
    ]
    assert found.numbers.pass_bound == pytest.approx(0.25 - (1 - 0.05 ** (1 / 20)) * (0.25 + 1))


def test_groups_of_one_are_independent_cases():
    values = documents(0.6, 1)
    singles = [f"doc{place}" for place in range(200)]
    for groups in (singles, [None] * 200):
        found = gated([{"metric": MRR, "min": 0.5}], run(values, groups=groups)).rulings[0]
        assert found.counts.groups is None
        assert found == gated([{"metric": MRR, "min": 0.5}], run(values, groups=None)).rulings[0]


def test_one_group_is_one_observation():
    values = np.random.default_rng(1).uniform(0.8, 1.0, 200).tolist()
    found = gated([{"metric": MRR, "min": 0.5}], run(values, groups=["doc"] * 200)).rulings[0]
    assert (found.verdict.value, found.reason) == (
        "INCONCLUSIVE",
        "all cases are of one group, which is one observation",
    )


def test_few_groups_are_told():
    found = gated(
        [{"metric": MRR, "min": 0.1}], run(documents(0.6, 1), groups=[f"g{n % 4}" for n in range(200)])
    )
    assert f"{MRR}: the cases come in 4 groups, and under 6 bounds are rough" in found.cautions


def test_differences_in_five_groups_show_nothing():
    """Fifty cases differ, of five documents: as with five cases, no outcome could have shown anything."""
    before = [0.5] * 200
    better = [0.5 + 0.01 * (place % 10) if place < 60 else 0.5 for place in range(200)]
    five = [0.5 + 0.01 * (place % 10) if place < 50 else 0.5 for place in range(200)]
    rules = [{"metric": MRR, "max_drop": 0.2}]
    assert verdicts(gated(rules, run(better), run(before, BASELINE))) == ["PASS"]
    found = gated(rules, run(five), run(before, BASELINE)).rulings[0]
    assert (found.verdict.value, "5 groups" in found.reason) == ("INCONCLUSIVE", True)


TAKEN_BACK = [
    # why, verdict of independent cases, bounds of the groups, verdict; the threshold is 0.5
    ("both clear", Verdict.PASS, (0.6, 0.9), Verdict.PASS),
    ("the groups do not", Verdict.PASS, (0.4, 0.9), Verdict.INCONCLUSIVE),
    ("the groups have no bound", Verdict.PASS, (None, None), Verdict.INCONCLUSIVE),
    ("both beyond", Verdict.FAIL, (0.1, 0.4), Verdict.FAIL),
    ("the groups reach over", Verdict.FAIL, (0.1, 0.6), Verdict.INCONCLUSIVE),
    ("open stays open", Verdict.INCONCLUSIVE, (0.6, 0.9), Verdict.INCONCLUSIVE),
]


@pytest.mark.parametrize(
    ("why", "verdict", "ends", "expected"), TAKEN_BACK, ids=[row[0] for row in TAKEN_BACK]
)
def test_groups_only_ever_open_a_verdict(why, verdict, ends, expected):
    outcome = Outcome(verdict, "", 0.5, 0.55, 0.45, 0.95)
    assert with_groups(outcome, ClusterBounds(*ends, 20, 2.0), 0.5).verdict is expected
