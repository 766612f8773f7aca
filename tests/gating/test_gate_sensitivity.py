"""What a gate could have seen: the drop it tells from none 8 times in 10, and the cases that would decide."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from ragproof.gating.failing_cases import failing_cases
from ragproof.gating.outcome import Outcome
from ragproof.gating.sample import Sample
from ragproof.gating.sensitivity import POWER, cases_to_decide, detectable_drop
from ragproof.gating.verdict import Verdict
from ragproof.scores import BUDGET_EXHAUSTED
from ragproof.statistics.power import detectable_effect
from ragproof.summarising import NOT_REACHED
from tests.fakes.gates import BASELINE, CANDIDATE, gated, verdicts
from tests.fakes.scored_runs import ERROR, scored_run

MRR = "retrieval.mrr"
Z = norm.ppf(0.95) + norm.ppf(POWER)
OUTCOME = Outcome(Verdict.INCONCLUSIVE, "", 0.0, -0.1, 0.1, 0.95)


def sample(n, seed=1):
    values = np.random.default_rng(seed).normal(0.0, 0.1, n)
    cases = scored_run({MRR: [0.5] * n}).cases
    return Sample(cases, values, np.tile([-1.0, 1.0], (n, 1)), (-1.0, 1.0), {}, {})


def test_the_drop_it_can_see_is_that_of_a_one_sided_test():
    """(z.95 + z.80) s / sqrt(n) from thirty cases on, and by the noncentral t below."""
    many, few = sample(100), sample(12)
    assert detectable_drop(many, OUTCOME) == pytest.approx(Z * many.values.std(ddof=1) / sqrt(100))
    exact = detectable_effect(12, few.values.std(ddof=1), alpha=0.1, power=POWER)
    assert detectable_drop(few, OUTCOME) == pytest.approx(exact, rel=1e-9)
    both = (
        detectable_drop(sample(30), OUTCOME),
        detectable_effect(30, sample(30).values.std(ddof=1), alpha=0.1),
    )
    assert both[0] == pytest.approx(both[1], rel=0.03)


def test_groups_that_inflate_the_variance_raise_it():
    """By the root of the design effect; one below 1 is not counted on."""
    alone = detectable_drop(sample(400), OUTCOME)
    assert detectable_drop(sample(400), replace(OUTCOME, design_effect=4.0)) == pytest.approx(2 * alone)
    assert detectable_drop(sample(400), replace(OUTCOME, design_effect=0.5)) == alone


def test_a_margin_that_it_can_see_passes_eight_times_in_ten():
    """When there is no drop at all."""
    n, repetitions, passed = 60, 300, 0
    margin = Z * 0.1 / sqrt(n)
    for seed in range(repetitions):
        draws = np.random.default_rng(seed)
        before = np.full(n, 0.5)
        runs = [
            scored_run({MRR: values.tolist()}, id=id)
            for values, id in ((before, BASELINE), (before + draws.normal(0.0, 0.1, n), CANDIDATE))
        ]
        passed += verdicts(gated([{"metric": MRR, "max_drop": margin}], runs[1], runs[0])) == ["PASS"]
    assert passed / repetitions == pytest.approx(POWER, abs=0.06)


NO_DROP = [("nothing varies", [0.5] * 40), ("one case", [0.5]), ("no case", [np.nan] * 40)]


@pytest.mark.parametrize(("why", "values"), NO_DROP, ids=[row[0] for row in NO_DROP])
def test_what_does_not_vary_has_none(why, values):
    still = replace(sample(len(values)), values=np.array(values))
    assert detectable_drop(still, OUTCOME) is None
    assert cases_to_decide(still, OUTCOME, 0.1) is None


def test_the_cases_it_takes_follow_from_the_distance():
    """((z.95 + z.80) s / distance)^2, when that is more than there are."""
    found = sample(50)
    spread = found.values.std(ddof=1)
    assert cases_to_decide(found, OUTCOME, 0.01) == ceil((Z * spread / 0.01) ** 2)
    assert cases_to_decide(found, OUTCOME, -0.01) == cases_to_decide(found, OUTCOME, 0.01)
    assert cases_to_decide(found, OUTCOME, 0.1) is None, "fifty would do"
    assert cases_to_decide(found, OUTCOME, 0.00001) is None, "no advice"
    assert cases_to_decide(found, OUTCOME, 0.0) is None


def test_a_case_that_was_never_asked_did_not_fail():
    """A run that ended early has many; those that were asked and got nothing are told with their reason."""
    run = scored_run({MRR: [0.5, ERROR, ERROR, ERROR]})
    reasons = (None, "timeout", NOT_REACHED.reason, BUDGET_EXHAUSTED.reason)
    told = replace(run, scores={MRR: replace(run.scores[MRR], reasons=reasons)})
    (found,) = failing_cases(told)
    assert (found.id, found.reasons) == ("c1", {"timeout": (MRR,)})
