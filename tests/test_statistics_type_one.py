"""Error rates under no difference: close to the published table, at every sample size.

Few repetitions in the normal run, with the tolerance widened by the noise that they add; 2,000 and the
table's own tolerance of .015 when RAGPROOF_SOAK is set.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest

from ragproof.statistics.bca import bca_interval
from ragproof.statistics.clusters import cluster_interval, cluster_sign_flip
from ragproof.statistics.gate_rules import drop_verdict
from ragproof.statistics.max_t import all_pairs, max_t
from ragproof.statistics.sequential import fail_fast
from ragproof.statistics.sign_flip import sign_flip
from ragproof.statistics.simple_effects import corner_contrasts
from ragproof.statistics.student import paired_t
from ragproof.statistics.studentised import studentised_interval
from ragproof.statistics.verdicts import Verdict

SOAK = bool(os.environ.get("RAGPROOF_SOAK"))
ALPHA = 0.05

Draw = Callable[[np.random.Generator, int], np.ndarray]


def _repetitions(normally: int) -> int:
    return 2_000 if SOAK else normally


def _tolerance(rate: float, repetitions: int) -> float:
    """The table's .015 at 2,000 repetitions, and as much wider as fewer are noisier."""
    return 0.015 * np.sqrt(2_000 / repetitions) if rate > 0.005 else 0.015


def _grades(ties: float) -> Draw:
    """Differences of grades 0, .5 and 1, symmetric, with this share of ties."""
    moved = (1 - ties) * np.array([0.1, 0.4])
    chances = [moved[0], moved[1], ties, moved[1], moved[0]]
    return lambda rng, n: rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], n, p=chances)


def _binary(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.8, 0.1])


def _rejects_p(p: float | None) -> bool:
    return p is not None and p <= ALPHA


def _excludes_zero(interval: object) -> bool:
    return interval.low is not None and not interval.low <= 0 <= interval.high


def _rejections(d: np.ndarray, studentised: bool) -> dict[str, bool]:
    flip = sign_flip(d)
    found = {
        "t": _rejects_p(paired_t(d).p),
        "sign flip": _rejects_p(flip.p),
        "mid-p": _rejects_p(flip.mid_p),
        "BCa": _excludes_zero(bca_interval(d).bca),
    }
    if studentised:
        found["studentised"] = _excludes_zero(studentised_interval(d, lowest=-1, highest=1, draws=999))
    return found


GRADES, TIES, BINARY = _grades(0.5), _grades(0.9), _binary

RATES = [
    (
        "grades",
        GRADES,
        20,
        {"t": 0.054, "sign flip": 0.025, "mid-p": 0.041, "BCa": 0.068, "studentised": 0.046},
    ),
    (
        "grades",
        GRADES,
        50,
        {"t": 0.050, "sign flip": 0.034, "mid-p": 0.052, "BCa": 0.052, "studentised": 0.049},
    ),
    (
        "grades",
        GRADES,
        200,
        {"t": 0.050, "sign flip": 0.040, "mid-p": 0.045, "BCa": 0.049, "studentised": 0.050},
    ),
    ("90 % ties", TIES, 20, {"t": 0.008, "sign flip": 0.000, "mid-p": 0.003, "BCa": 0.058}),
    ("90 % ties", TIES, 50, {"t": 0.034, "sign flip": 0.008, "mid-p": 0.023, "BCa": 0.103}),
    ("90 % ties", TIES, 200, {"t": 0.050, "sign flip": 0.028, "mid-p": 0.048, "BCa": 0.061}),
    ("binary", BINARY, 20, {"t": 0.044, "sign flip": 0.006, "mid-p": 0.016, "BCa": 0.102}),
    ("binary", BINARY, 50, {"t": 0.044, "sign flip": 0.022, "mid-p": 0.045, "BCa": 0.060}),
    ("binary", BINARY, 200, {"t": 0.044, "sign flip": 0.032, "mid-p": 0.048, "BCa": 0.043}),
]


@pytest.mark.parametrize(
    ("name", "draw", "n", "rates"), RATES, ids=[f"{row[0]}, n={row[2]}" for row in RATES]
)
def test_a_paired_test_errs_as_often_as_the_table_says(name, draw, n, rates):
    """The studentised bootstrap's rates are those of the simulations in the reference file."""
    repetitions = _repetitions(120)
    rng = np.random.default_rng(100 + n)
    errors = dict.fromkeys(rates, 0)
    for _ in range(repetitions):
        for test, rejects in _rejections(draw(rng, n), "studentised" in rates).items():
            errors[test] += rejects
    for test, rate in rates.items():
        assert errors[test] / repetitions == pytest.approx(rate, abs=_tolerance(rate, repetitions)), test


def _documents(rng: np.random.Generator, documents: int) -> np.ndarray:
    """Five questions a document; half of the documents favour a variant, ICC about .38."""
    level = (rng.random(documents) < 0.5) * rng.normal(0, 0.5, documents)
    return np.clip(np.rint(2 * (np.repeat(level, 5) + rng.normal(0, 0.39, documents * 5))) / 2, -1, 1)


CLUSTERS = [
    (10, {"naive t": 0.217, "CR1": 0.047, "sign flip of documents": 0.033}),
    (40, {"naive t": 0.203, "CR1": 0.045, "sign flip of documents": 0.040}),
]


@pytest.mark.parametrize(("documents", "rates"), CLUSTERS, ids=[f"{row[0]} documents" for row in CLUSTERS])
def test_a_test_of_documents_errs_as_often_as_the_table_says(documents, rates):
    """And a test that takes questions for cases four times as often."""
    repetitions = _repetitions(200)
    rng = np.random.default_rng(documents)
    places = np.repeat(np.arange(documents), 5).tolist()
    errors = dict.fromkeys(rates, 0)
    for _ in range(repetitions):
        d = _documents(rng, documents)
        errors["naive t"] += _rejects_p(paired_t(d).p)
        errors["CR1"] += _rejects_p(cluster_interval(d, places).p)
        errors["sign flip of documents"] += _rejects_p(cluster_sign_flip(d, places).p)
    for test, rate in rates.items():
        noise = 2 if rate > 0.1 else 1
        allowed = noise * _tolerance(rate, repetitions)
        assert errors[test] / repetitions == pytest.approx(rate, abs=allowed), test


def test_under_four_documents_a_sign_flip_never_errs():
    """Sixteen sign assignments cannot reach .05."""
    rng = np.random.default_rng(4)
    places = np.repeat(np.arange(4), 5).tolist()
    assert not any(_rejects_p(cluster_sign_flip(_documents(rng, 4), places).p) for _ in range(100))


def test_the_joint_test_holds_the_error_of_the_whole_family():
    """Six equal variants, fifteen pairs: t tests of each pair find a difference in 40 %."""
    repetitions = _repetitions(150)
    rng = np.random.default_rng(6)
    adjusted = unadjusted = 0
    for _ in range(repetitions):
        _, d = all_pairs(rng.choice([0.0, 0.5, 1.0], (50, 6)) + rng.normal(0, 0.01, (50, 1)))
        result = max_t(d, draws=499)
        adjusted += _rejects_p(min(result.p_step_down))
        unadjusted += any(_rejects_p(paired_t(column).p) for column in d.T)
    assert adjusted / repetitions == pytest.approx(0.052, abs=_tolerance(0.05, repetitions))
    assert unadjusted / repetitions == pytest.approx(0.4, abs=3 * _tolerance(0.4, repetitions))


def test_an_interaction_test_errs_as_often_as_the_table_says():
    """Two by two on 50 cases with large main effects: .036."""
    repetitions = _repetitions(200)
    rng = np.random.default_rng(7)
    errors = 0
    for _ in range(repetitions):
        cells = rng.choice([0.0, 0.5, 1.0], (50, 2, 2)) + np.array([[0.0, 1.0], [2.0, 3.0]])
        errors += _rejects_p(sign_flip(corner_contrasts(cells)[1][:, 0]).p)
    assert errors / repetitions == pytest.approx(0.036, abs=_tolerance(0.036, repetitions))


def _at_the_margin(rng: np.random.Generator) -> np.ndarray:
    return rng.choice([-1.0, 0.0, 1.0], 500, p=[0.125, 0.78, 0.095])


def test_a_gate_at_its_margin_errs_in_five_percent_each_way():
    """Passing and failing: .051 and .051 at n = 500."""
    repetitions = _repetitions(400)
    rng = np.random.default_rng(8)
    verdicts = []
    for _ in range(repetitions):
        d = _at_the_margin(rng)
        a = np.where(d < 0, 1.0, 0.0)
        verdicts.append(drop_verdict(a, a + d, margin=0.03, lowest=0, highest=1).verdict)
    for verdict in (Verdict.PASS, Verdict.FAIL):
        share = verdicts.count(verdict) / repetitions
        assert share == pytest.approx(0.051, abs=_tolerance(0.051, repetitions)), verdict


def test_a_run_that_may_stop_early_fails_falsely_in_five_percent_at_most():
    """Peeking at a t test every ten cases would in 25 %."""
    repetitions = _repetitions(300)
    rng = np.random.default_rng(9)
    failed = sum(fail_fast(_at_the_margin(rng), margin=0.03, n_planned=500).fails for _ in range(repetitions))
    assert failed / repetitions <= 0.05 + _tolerance(0.05, repetitions)
