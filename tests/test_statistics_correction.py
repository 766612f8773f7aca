"""Human labels correct the judge: PPI++, Rogan and Gladen, and the labels alone where they are too few."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragproof.statistics.interval import Flag
from ragproof.statistics.judge_correction import corrected_difference, corrected_mean
from ragproof.statistics.prediction_powered import prediction_powered_mean
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.rogan_gladen import rogan_gladen
from ragproof.statistics.student import paired_t

PLACES = np.arange(300)
HUMAN = (PLACES * 7 % 10 < 7).astype(float)
JUDGE = np.where(PLACES * 13 % 17 < 2, 1 - HUMAN, HUMAN)
GRADES = (PLACES * 7 % 11) / 10
GRADED_JUDGE = np.clip(GRADES + (PLACES * 5 % 7 - 3) / 20, 0, 1)

# Intervals of ppi_mean_ci, ppi-python 0.2.3.
ORACLE = [
    ("binary, 120 labels", HUMAN, JUDGE, 120, 0.95, 0.6283188913649158, 0.7648236469003902),
    ("binary, 40 labels", HUMAN, JUDGE, 40, 0.95, 0.5302537543295265, 0.7634005824051675),
    ("graded, 100 labels", GRADES, GRADED_JUDGE, 100, 0.90, 0.4641571121079514, 0.5305514439154363),
    ("graded, 50 labels", GRADES, GRADED_JUDGE, 50, 0.90, 0.4680798749582327, 0.5417139258148924),
    ("a judge that is wrong way round", GRADES, 1 - GRADED_JUDGE, 100, 0.95, 0.43256507, 0.55743493),
]


@pytest.mark.parametrize(
    ("why", "human", "judge", "n", "confidence", "low", "high"), ORACLE, ids=[row[0] for row in ORACLE]
)
def test_the_formula_agrees_with_ppi_python(why, human, judge, n, confidence, low, high):
    result = prediction_powered_mean(human[:n], judge[:n], judge[n:], confidence=confidence)
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high), abs=1e-8)
    assert 0 <= result.lam <= 1


def test_a_judge_that_says_one_thing_is_not_used():
    result = prediction_powered_mean(HUMAN[:100], np.ones(100), np.ones(200))
    assert result.lam == 0.0
    assert result.estimate == pytest.approx(HUMAN[:100].mean())


def test_enough_labels_correct_the_judge():
    """And the raw judge's mean stands beside it."""
    result = corrected_mean(
        HUMAN[:120], JUDGE[:120], JUDGE[120:], labels_are_random=True, lowest=0, highest=1
    )
    powered = prediction_powered_mean(HUMAN[:120], JUDGE[:120], JUDGE[120:])
    assert (result.reason, result.estimate, result.interval) == (None, powered.estimate, powered.interval)
    assert result.raw_judge == pytest.approx(JUDGE.mean())
    assert result.n_disagreements == int((HUMAN[:120] != JUDGE[:120]).sum())
    assert result.n_rarer == int((HUMAN[:120] == 0).sum())


def _near_perfect(n=120, faults=5):
    human = np.ones(n)
    human[:faults] = 0
    judge = human.copy()
    judge[-12:] = 0
    return human, judge


TOO_LITTLE = [
    ("99 labels", HUMAN[:99], JUDGE[:99], True, "99 labels, a correction needs at least 100"),
    ("hand-picked labels", HUMAN[:120], JUDGE[:120], False, "the labelled cases were not drawn at random"),
    ("no disagreement", HUMAN[:120], HUMAN[:120], True, "0 disagreements, a correction needs at least 10"),
    (
        "5 of the rarer class",
        *_near_perfect(),
        True,
        "5 labels of the rarer class, a correction needs at least 10",
    ),
]


@pytest.mark.parametrize(
    ("why", "human", "judge", "random", "reason"), TOO_LITTLE, ids=[row[0] for row in TOO_LITTLE]
)
def test_too_few_labels_stand_alone_with_wilsons_interval(why, human, judge, random, reason):
    result = corrected_mean(human, judge, JUDGE[120:], labels_are_random=random)
    assert (result.reason, result.lam) == (reason, None)
    assert result.estimate == human.mean()
    assert result.interval == wilson_interval(int(human.sum()), human.size)


def test_graded_labels_alone_have_students_t_and_no_rarer_class():
    result = corrected_mean(GRADES[:50], GRADED_JUDGE[:50], GRADED_JUDGE[50:], labels_are_random=True)
    assert result.interval == paired_t(GRADES[:50]).interval
    assert result.n_rarer is None


def test_equal_labels_alone_have_a_flag_and_no_zero_width():
    result = corrected_mean([0.5] * 20, [0.5] * 20, [0.25], labels_are_random=True, lowest=0, highest=1)
    assert result.interval.flag is Flag.ALL_EQUAL
    assert result.interval.low < 0.5 < result.interval.high


def _pair(n=150):
    other = np.where(PLACES * 11 % 13 < 2, 1 - HUMAN, HUMAN)
    judged = np.where(PLACES * 17 % 19 < 2, 1 - other, other)
    return (HUMAN[:n], other[:n], JUDGE[:n], judged[:n], JUDGE[n:], judged[n:]), other, judged


def test_a_paired_difference_is_corrected_as_one_sample_of_differences():
    asked, other, judged = _pair()
    result = corrected_difference(*asked, labels_are_random=True)
    d, f = other - HUMAN, judged - JUDGE
    powered = prediction_powered_mean(d[:150], f[:150], f[150:])
    assert (result.reason, result.estimate, result.lam) == (None, powered.estimate, powered.lam)
    assert result.raw_judge == pytest.approx(f.mean())
    assert result.n_rarer == min(int((HUMAN[:150] == 0).sum()), int((other[:150] == 0).sum()))


def test_a_paired_difference_of_few_labels_stands_alone_with_students_t():
    asked, other, _ = _pair(60)
    result = corrected_difference(*asked, labels_are_random=True, lowest=-1, highest=1)
    assert result.interval == paired_t((other - HUMAN)[:60], lowest=-1, highest=1).interval
    assert result.reason == "60 labels, a correction needs at least 100"


def test_the_rarer_class_must_suffice_in_both_variants():
    human, judge = _near_perfect()
    plenty, other = (HUMAN[:120], JUDGE[:120]), (human, judge)
    for first, second in ((plenty, other), (other, plenty)):
        result = corrected_difference(
            first[0], second[0], first[1], second[1], [1, 0], [1, 1], labels_are_random=True
        )
        assert result.n_rarer == 5
        assert result.reason.startswith("5 labels of the rarer class")


def test_a_corrected_share_stays_inside_the_range():
    human = np.r_[np.zeros(10), np.ones(490)]
    judge = np.r_[np.ones(10), np.ones(490)]
    asked = {"labels_are_random": True, "confidence": 0.9999999}
    assert corrected_mean(human, judge, np.ones(9), **asked).interval.high > 1
    assert corrected_mean(human, judge, np.ones(9), **asked, lowest=0, highest=1).interval.high == 1


def test_labels_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match=r"^'judge' has 2 cases; expected the 1 of 'human'$"):
        corrected_mean([1.0], [1.0, 0.0], [1.0], labels_are_random=True)
    with pytest.raises(ValueError, match=r"^the variants have 1 and 2 labels, 1 and 1 other cases; expected"):
        corrected_difference([1], [1, 0], [1], [1, 0], [1], [1], labels_are_random=True)


def test_a_perfect_judge_needs_no_correction():
    result = rogan_gladen(
        40, 100, true_positives=50, human_positives=50, true_negatives=60, human_negatives=60
    )
    assert (result.estimate, result.raw) == pytest.approx((0.4, 0.4))
    assert result.standard_error == pytest.approx(math.sqrt(0.4 * 0.6 / 100))


def test_the_correction_recovers_the_share_that_made_the_raw_one():
    """theta .3, sensitivity .8, specificity .9: raw .3 * .8 + .7 * .1 = .31."""
    result = rogan_gladen(
        310, 1_000, true_positives=80, human_positives=100, true_negatives=90, human_negatives=100
    )
    assert result.estimate == pytest.approx(0.3)
    for interval in (result.delta_interval, result.lang_reiczigel_interval):
        assert 0 < interval.low < 0.3 < interval.high < 1


def test_a_judge_no_better_than_chance_corrects_nothing():
    result = rogan_gladen(5, 10, true_positives=1, human_positives=2, true_negatives=1, human_negatives=2)
    assert (result.estimate, result.standard_error) == (None, None)
    assert result.delta_interval.flag is Flag.NO_BETTER_THAN_CHANCE


@pytest.mark.parametrize(
    ("counts", "name"), [((11, 10, 1), "judge_positives"), ((1, 10, 0), "true_positives")]
)
def test_counts_that_do_not_fit_are_refused(counts, name):
    positives, n, humans = counts
    with pytest.raises(
        ValueError, match=f"^'{name}' is .*; expected a count from 0 to a total of at least 1$"
    ):
        rogan_gladen(
            positives, n, true_positives=0, human_positives=humans, true_negatives=1, human_negatives=1
        )
