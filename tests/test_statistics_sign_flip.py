"""The sign flip: exact where it says so, the same p whatever the batch, and honest at its edges."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.statistics import lattice
from ragproof.statistics.flips import monte_carlo_p
from ragproof.statistics.paired_proportions import mcnemar
from ragproof.statistics.sign_flip import FlipMethod, sign_flip, sign_flips, smallest_p

KNOWN = [
    ("two equal differences: both signs of both, 2 of 4 as extreme", [0.5, 0.5], 2 / 4, 1 / 4),
    ("opposite differences: the mean is 0, all are as extreme", [0.5, -0.5], 1.0, 1 - 2 / 4 / 2),
    ("one case: its sign says nothing", [1.0], 1.0, 1 / 2),
    ("nothing differs", [0.0, 0.0, 0.0], 1.0, 1 / 2),
    ("a zero difference changes nothing", [0.5, 0.5, 0.0], 2 / 4, 1 / 4),
    ("six wins: the first p that can reach .05", [1] * 6, 2 / 2**6, 1 / 2**6),
    ("five wins: it cannot", [1] * 5, 2 / 2**5, 1 / 2**5),
    ("1, 2 and 3 units: only all plus and all minus reach 6", [1, 2, 3], 2 / 8, 1 / 8),
    ("rounding is no difference: 0.3 - 0.1 and 0.7 - 0.5 tie", [0.3 - 0.1, 0.7 - 0.5, 0.1 - 0.3], 1.0, 5 / 8),
    ("a tiny unit is no rounding: costs of 1e-7", [1e-7] * 6, 2 / 2**6, 1 / 2**6),
    ("dust beside real differences is a tie", [0.5] * 6 + [5e-17], 2 / 2**6, 1 / 2**6),
]


@pytest.mark.parametrize(("why", "d", "p", "mid_p"), KNOWN, ids=[row[0] for row in KNOWN])
def test_a_small_sample_has_the_p_that_counting_gives(why, d, p, mid_p):
    test = sign_flip(d)
    assert math.isclose(test.p, p, rel_tol=1e-12)
    assert math.isclose(test.mid_p, mid_p, rel_tol=1e-12)


def _counted(d):
    """Both tails by exact rational arithmetic over every sign assignment."""
    exact = [Fraction(value).limit_denominator(1000) for value in d]
    observed = abs(sum(exact))
    sums = [
        abs(sum(map(Fraction.__mul__, exact, signs))) for signs in itertools.product((1, -1), repeat=len(d))
    ]
    at_least = sum(one >= observed for one in sums)
    tied = sum(one == observed for one in sums)
    return at_least / len(sums), (at_least - tied / 2) / len(sums)


@given(st.lists(st.integers(-10, 10).map(lambda units: units / 10), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_enumeration_agrees_with_rational_arithmetic(d):
    """On tenths, which no float holds exactly."""
    test = sign_flip(d)
    assert test.method is FlipMethod.ENUMERATION
    assert (test.p, test.mid_p) == pytest.approx(_counted(d), rel=1e-12)


@given(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_convolution_agrees_with_rational_arithmetic(multiples):
    at_least, tie = lattice.tail(np.array(multiples))
    assert (at_least, at_least - tie / 2) == pytest.approx(_counted(multiples), rel=1e-12)


def test_convolution_takes_over_above_sixteen_differences():
    """And agrees with the binomial on a binary metric, however many cases there are."""
    for wins, losses in ((12, 5), (30, 20), (700, 612)):
        test = sign_flip([1.0] * wins + [-1.0] * losses + [0.0] * 100)
        exact = mcnemar(0, wins, losses, 100)
        assert test.method is FlipMethod.LATTICE
        assert test.p == pytest.approx(exact.p, rel=1e-10)
        assert test.mid_p == pytest.approx(exact.mid_p, rel=1e-10)


LATTICES = [
    ("grades", [0.5, -1.0, 1.0], 2),
    ("whole numbers", [3.0, -7.0], 1),
    ("fifths as floats leave them", [0.7 - 0.5, 0.9 - 0.3], 5),
    ("thirds and fourths", [1 / 3, 1 / 4], 12),
    ("thousandths", [0.001, 0.013], 1000),
    ("an irrational", [math.sqrt(2)], None),
    ("too fine", [0.0001], None),
    ("zeros fit anything", [0.0, 0.5], 2),
]


@pytest.mark.parametrize(("why", "d", "q"), LATTICES, ids=[row[0] for row in LATTICES])
def test_the_lattice_is_the_coarsest_that_fits(why, d, q):
    assert lattice.denominator(np.array(d)) == q


def test_many_different_values_are_no_lattice():
    """Found out without trying a thousand denominators on each."""
    assert lattice.denominator(np.arange(1.0, 3000.0)) is None


def test_a_convolution_that_would_take_too_long_is_left_to_random_signs():
    """Sizes of a thousand units in twenty thousand cases."""
    assert lattice.units(np.tile([0.999, -0.998], 10_000)) is None


def _continuous(n=60, seed=3):
    return np.random.default_rng(seed).normal(0.2, 1.0, n)


def test_random_signs_are_close_to_the_exact_p():
    """Within four standard errors of the exact p of the lattice that the data were rounded to."""
    rounded = np.rint(_continuous() * 20) / 20
    exact = sign_flip(rounded)
    nudged = sign_flip(rounded + 1e-7 * math.pi * np.sign(rounded) * np.arange(60) / 60)
    assert exact.method is FlipMethod.LATTICE
    assert nudged.method is FlipMethod.MONTE_CARLO
    assert abs(nudged.p - exact.p) <= 4 * math.sqrt(exact.p * (1 - exact.p) / 9_999)


def test_the_same_seed_gives_the_same_p_at_any_batch_size():
    """Alone or beside other contrasts too."""
    table = np.column_stack([_continuous(seed=seed) for seed in range(4)])
    together = sign_flips(table, draws=1_000, seed=5)
    for batch in (1, 64, 100, 1_000, 5_000):
        assert sign_flips(table, draws=1_000, seed=5, batch=batch) == together
    assert tuple(sign_flip(column, draws=1_000, seed=5) for column in table.T) == together


def test_another_seed_gives_other_draws():
    assert len({sign_flip(_continuous(), draws=999, seed=seed).p for seed in range(8)}) > 1


def test_p_is_never_zero():
    """However clear the difference: 40 wins of different size, none of 99 draws comes near."""
    test = sign_flip(1 + _continuous(40) ** 2, draws=99)
    assert test.p == monte_carlo_p(0, 99) == 1 / 100
    assert test.mid_p == 0.5 / 100


def test_a_missing_case_is_left_out_of_its_contrast_alone():
    d = _continuous()
    table = np.column_stack([d, np.where(np.arange(60) < 50, d, np.nan)])
    whole, partial = sign_flips(table, draws=500)
    assert (whole.n, partial.n) == (60, 50)
    assert partial.mean == pytest.approx(d[:50].mean())
    assert partial.p == sign_flip(np.where(np.arange(60) < 50, d, 0.0), draws=500).p


def test_five_differences_are_unresolvable_and_six_are_not():
    """However many ties stand beside them."""
    assert sign_flip([1.0] * 5 + [0.0] * 500).unresolvable
    assert not sign_flip([1.0] * 6).unresolvable
    assert sign_flip([1.0] * 5).p_least == smallest_p(5) == 2 / 2**5
    assert smallest_p(0) == smallest_p(1) == 1.0


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=40), st.sampled_from([1e-6, 0.05, 1e4]))
@settings(max_examples=40, deadline=None)
def test_neither_order_nor_direction_nor_unit_changes_p(units, unit):
    """The test is about the signs, so swapping A and B changes nothing but the mean."""
    d = np.array(units) * unit
    first, swapped = sign_flip(d), sign_flip(-d[::-1])
    assert swapped.p == pytest.approx(first.p, rel=1e-9)
    assert sign_flip(d * 8).p == pytest.approx(first.p, rel=1e-9)
    assert 0 < first.mid_p <= first.p <= 1


REFUSED = [
    ("nothing", [], "'d' has shape (0,); expected one number a case, at least one case"),
    ("a table", [[1.0]], "'d' has shape (1, 1); expected one number a case, at least one case"),
    (
        "not a number",
        [0.1, math.nan],
        "'d' holds nan at 1; expected finite numbers; leave a missing case out",
    ),
    ("infinite", [math.inf], "'d' holds inf at 0; expected finite numbers; leave a missing case out"),
]


@pytest.mark.parametrize(("why", "d", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_sample_is_refused(why, d, message):
    with pytest.raises(ValueError, match=r"^" + _escaped(message)):
        sign_flip(d)


TABLES = [
    ("no table", [1.0, 2.0], "'d' has shape (2,); expected one row a case, one column a contrast"),
    ("no column", [[]], "'d' has shape (1, 0); expected one row a case, one column a contrast"),
    ("a contrast without a case", [[1.0, math.nan]], "column 1 of 'd' holds no number"),
    ("infinite", [[1.0, math.inf]], "'d' holds inf at (0, 1); expected finite numbers, or NaN"),
]


@pytest.mark.parametrize(("why", "d", "message"), TABLES, ids=[row[0] for row in TABLES])
def test_what_is_no_table_of_contrasts_is_refused(why, d, message):
    with pytest.raises(ValueError, match=r"^" + _escaped(message)):
        sign_flips(d)


@pytest.mark.parametrize("name", ["draws", "batch", "seed"])
def test_draws_that_mean_nothing_are_refused(name):
    with pytest.raises(ValueError, match=f"^'{name}' is -1; expected at least"):
        sign_flip(_continuous(), **{name: -1})


def _escaped(text):
    return "".join(f"[{letter}]" if letter in "()[].+" else letter for letter in text)
