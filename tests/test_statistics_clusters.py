"""Questions on one document, trials of one case: the larger unit is the one that counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm

from ragproof.statistics.clusters import (
    cluster_bootstrap_interval,
    cluster_components,
    cluster_interval,
    cluster_sign_flip,
    cluster_sums,
)
from ragproof.statistics.design_effect import design_effect, effective_cases
from ragproof.statistics.interval import Flag
from ragproof.statistics.sign_flip import sign_flip
from ragproof.statistics.student import paired_t
from ragproof.statistics.trials import case_means, paired_trial_variances, trial_variance
from ragproof.statistics.variance_components import components


def _sample(documents=12, seed=2):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, documents)
    places = np.repeat(np.arange(documents), sizes)
    return rng.normal(0.1, 0.4, documents)[places] + rng.normal(0, 0.3, places.size), places


@pytest.mark.parametrize("documents", [6, 12, 45])
def test_cr1_agrees_with_statsmodels(documents):
    d, places = _sample(documents)
    oracle = sm.OLS(d, np.ones(d.size)).fit(cov_type="cluster", cov_kwds={"groups": places}, use_t=True)
    result = cluster_interval(d, places.tolist())
    assert result.standard_error == pytest.approx(oracle.bse[0], rel=1e-10)
    assert result.p == pytest.approx(oracle.pvalues[0], rel=1e-9)
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(oracle.conf_int()[0]), rel=1e-9)


def test_documents_of_one_question_are_plain_cases():
    d, _ = _sample()
    names = [f"doc {index}" for index in range(d.size)]
    assert cluster_interval(d, names).p == pytest.approx(paired_t(d).p, rel=1e-10)
    assert cluster_interval(d, names).design_effect == pytest.approx(1.0)
    assert cluster_sign_flip(d, names).p == sign_flip(d).p


def test_sums_are_in_order_of_first_appearance():
    assert cluster_sums([1.0, 2.0, 4.0], ["y", "x", "y"]).tolist() == [5.0, 2.0]
    assert cluster_sums([[1.0, 0.0], [2.0, 1.0]], ["a", "a"]).tolist() == [[3.0, 1.0]]


def test_the_order_of_the_cases_does_not_matter():
    d, places = _sample()
    order = np.random.default_rng(0).permutation(d.size)
    shuffled = cluster_interval(d[order], places[order].tolist())
    assert shuffled.p == pytest.approx(cluster_interval(d, places.tolist()).p, rel=1e-10)
    assert cluster_sign_flip(d[order], places[order].tolist()).p == cluster_sign_flip(d, places.tolist()).p


FEW = [
    ("five documents: shown, and said", [0.1, 0.2, 0.4, 0.3, 0.5], Flag.FEW_DOCUMENTS, True),
    ("six documents", [0.1, 0.2, 0.4, 0.3, 0.5, 0.6], None, True),
    ("one document", [0.1], Flag.FEW_DOCUMENTS, False),
    ("seven equal documents", [0.1] * 7, Flag.ALL_EQUAL, False),
]


@pytest.mark.parametrize(("why", "levels", "flag", "has_p"), FEW, ids=[row[0] for row in FEW])
def test_few_or_equal_documents_are_flagged(why, levels, flag, has_p):
    """Questions vary inside each document; what counts is whether documents do."""
    d = np.repeat(levels, 2) + np.tile([0.05, -0.05], len(levels))
    result = cluster_interval(d, np.repeat(np.arange(len(levels)), 2).tolist(), lowest=-1, highest=1)
    assert result.interval.flag is flag
    assert (result.p is not None) is has_p
    assert result.interval.low < result.mean < result.interval.high


def test_equal_documents_without_a_range_have_no_interval():
    result = cluster_interval([0.5] * 8, list(range(8)))
    assert (result.interval.low, result.standard_error, result.design_effect) == (None, None, None)


def test_the_document_bootstrap_needs_forty_documents():
    d, places = _sample(45)
    interval = cluster_bootstrap_interval(d, places.tolist(), draws=4_000)
    robust = cluster_interval(d, places.tolist()).interval
    width = robust.high - robust.low
    assert (interval.low, interval.high) == pytest.approx((robust.low, robust.high), abs=0.15 * width)
    d, places = _sample(39)
    assert cluster_bootstrap_interval(d, places.tolist()).flag is Flag.FEW_FOR_DOCUMENT_BOOTSTRAP
    assert cluster_bootstrap_interval([0.1] * 40, list(range(40))).flag is Flag.ALL_EQUAL


def test_the_components_of_balanced_groups_are_the_textbook_ones():
    """Means 1 and 4, each group -1, 0, +1 around it: within 1, between 4.5 - 1/3."""
    result = components([np.array([0.0, 1.0, 2.0]), np.array([3.0, 4.0, 5.0]), np.empty(0)])
    assert (result.within, result.n_groups, result.n_values) == (1.0, 2, 6)
    assert result.between == pytest.approx(9 / 2 - 1 / 3)
    assert result.intraclass_correlation == pytest.approx((9 / 2 - 1 / 3) / (9 / 2 + 2 / 3))


def test_the_components_of_unbalanced_groups_use_the_usual_size():
    """Sizes 1 and 3 of 4 cases: (4 - 10/4) / 1 = 1.5; means 2 and 6 around 5: squares 9 + 3 * 1 = 12."""
    result = components([np.array([2.0]), np.array([5.0, 6.0, 7.0])])
    assert (result.within, result.between) == pytest.approx((2 / 2, (12 - 1) / 1.5))


EDGES = [
    ("no group has two", [[1.0], [2.0]], None, None),
    ("one group", [[1.0, 3.0]], None, 2.0),
    ("groups differ by less than their members", [[0.0, 1.0], [1.0, 0.0]], 0.0, 0.5),
    ("nothing at all", [], None, None),
]


@pytest.mark.parametrize(("why", "groups", "between", "within"), EDGES, ids=[row[0] for row in EDGES])
def test_a_component_that_cannot_be_known_is_absent(why, groups, between, within):
    result = components([np.array(group) for group in groups])
    assert (result.between, result.within) == (between, within)
    assert result.intraclass_correlation in (None, 0.0)


def test_components_of_documents_recover_what_made_them():
    """ICC .36, on 4,000 documents of unequal size."""
    rng = np.random.default_rng(1)
    places = np.repeat(np.arange(4_000), rng.integers(1, 9, 4_000))
    d = 0.6 * rng.normal(size=4_000)[places] + 0.8 * rng.normal(size=places.size)
    found = cluster_components(d, places.tolist())
    assert found.between == pytest.approx(0.36, abs=0.03)
    assert found.within == pytest.approx(0.64, abs=0.03)


def test_kishs_design_effect_counts_documents_by_their_questions():
    """Sizes 1 and 3: a question sees (1 + 9)/4 = 2.5 on average."""
    assert design_effect([1, 3], 0.4) == pytest.approx(1 + 1.5 * 0.4)
    assert design_effect(1, 1.0) == 1.0
    assert effective_cases(100, 4.0) == 25.0


@pytest.mark.parametrize(
    ("size", "correlation", "message"),
    [
        (0, 0.5, "'cases_per_cluster' is 0"),
        ([], 0.5, "'cases_per_cluster' is"),
        (2, 1.5, "'intraclass_correlation' is 1.5"),
    ],
)
def test_a_design_effect_of_nothing_is_refused(size, correlation, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        design_effect(size, correlation)
    with pytest.raises(ValueError, match=r"^'deff' is 0; expected a number over 0$"):
        effective_cases(5, 0)


def test_another_number_of_documents_is_refused():
    with pytest.raises(ValueError, match=r"^'clusters' has 1 entries; expected one a case, 2$"):
        cluster_sums([1.0, 2.0], ["a"])


def test_trials_are_averaged_in_the_case():
    """A trial without a score is left out, a case without one has no mean."""
    means = case_means([[0.0, 1.0], [0.5, None, 1.0], [None], []])
    assert means[:2].tolist() == [0.5, 0.75]
    assert np.isnan(means[2:]).all()


def test_a_trial_is_no_case():
    found = trial_variance([[0.0, 1.0], [0.0, 1.0]])
    assert (found.between, found.within) == (0.0, 0.5)


def test_the_variances_of_a_paired_design_recover_what_made_them():
    """omega2 .04, sigma2 .25 and .16, three trials of A and two of B."""
    rng = np.random.default_rng(5)
    level, change = rng.normal(size=(2, 6_000))
    a = level[:, None] + 0.5 * rng.normal(size=(6_000, 3))
    b = (level + 0.2 * change)[:, None] + 0.4 * rng.normal(size=(6_000, 2))
    found = paired_trial_variances(a.tolist(), b.tolist())
    assert found.n == 6_000
    assert (found.sigma2_a, found.sigma2_b) == pytest.approx((0.25, 0.16), rel=0.05)
    assert found.omega2 == pytest.approx(0.04, abs=0.012)


def test_single_trials_cannot_tell_cases_from_noise():
    found = paired_trial_variances([[1.0], [0.0]], [[1.0], [1.0]])
    assert (found.omega2, found.sigma2_a, found.n) == (None, None, 2)
    with pytest.raises(ValueError, match=r"^'b' has 1 cases; expected the 2 of 'a'$"):
        paired_trial_variances([[1.0], [0.0]], [[1.0]])


def test_miller_writes_the_standard_error_without_the_correction():
    d, places = _sample()
    result = cluster_interval(d, places.tolist())
    assert result.standard_error / result.standard_error_cr0 == pytest.approx(math.sqrt(12 / 11))
