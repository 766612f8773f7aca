"""Random draws: fair, and the same however they are grouped."""

from __future__ import annotations

import numpy as np
import pytest

from ragproof.statistics.streams import plus_signs, resample_counts

DRAWERS = [plus_signs, resample_counts]


def _all(drawer, n, **asked):
    return np.concatenate(list(drawer(n, **{"draws": 300, "seed": 4, "batch": 512, **asked})))


@pytest.mark.parametrize("drawer", DRAWERS)
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_a_batch_changes_no_draw(drawer, n):
    first = _all(drawer, n)
    assert first.shape == (300, n)
    for batch in (1, 64, 128, 299, 10_000):
        np.testing.assert_array_equal(_all(drawer, n, batch=batch), first)


@pytest.mark.parametrize("drawer", DRAWERS)
def test_fewer_draws_are_the_first_of_more(drawer):
    np.testing.assert_array_equal(_all(drawer, 50, draws=100), _all(drawer, 50)[:100])


@pytest.mark.parametrize("drawer", DRAWERS)
def test_seeds_and_streams_differ(drawer):
    first = _all(drawer, 50)
    assert (first != _all(drawer, 50, seed=5)).any()
    assert (first[:64] != first[64:128]).any()


def test_every_sign_is_fair():
    """Each of 200 cases within five standard errors of one half over 6,400 draws."""
    signs = _all(plus_signs, 200, draws=6_400)
    assert set(np.unique(signs)) == {0.0, 1.0}
    assert np.abs(signs.mean(axis=0) - 0.5).max() < 5 * 0.5 / 80


def test_signs_of_two_cases_are_independent():
    signs = 2 * _all(plus_signs, 70, draws=6_400) - 1
    assert np.abs(np.corrcoef(signs.T) - np.eye(70)).max() < 5.5 / 80


@pytest.mark.parametrize("n", [3, 70_000])
def test_a_resample_draws_n_cases_with_equal_chances(n):
    """The larger n needs a wider index."""
    counts = _all(resample_counts, n, draws=64)
    assert (counts.sum(axis=1) == n).all()
    assert counts.mean() == 1.0
    assert counts.var() == pytest.approx(1 - 1 / n, rel=0.25)
    assert counts[:, n // 2 :].sum() == pytest.approx(64 * (n - n // 2), rel=0.1)
