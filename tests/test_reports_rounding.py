"""The last step of a report: how numbers become text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.reports import rounding


@pytest.mark.parametrize(
    ("why", "metric", "number", "expected"),
    [
        ("a score has three decimals", "token_f1", 2 / 3, "0.667"),
        ("a key with a cutoff is a score", "ndcg@10", 1.0, "1.000"),
        ("no number is never a zero", "token_f1", None, "-"),
        ("milliseconds have one", "latency_ms", 1234.56, "1234.6"),
        ("so have the run's own milliseconds", "p95_latency_ms", 0.04, "0.0"),
        ("counts have one, for they are means", "input_tokens", 1 / 3, "0.3"),
        ("calls are counts", "llm_calls", 2.0, "2.0"),
        ("the unit stands inside the key", "cost_usd_estimate", 0.0000123, "0.000012"),
        ("a unit is a whole word", "items", 0.5, "0.500"),
        ("half goes to even", "token_f1", 0.0625, "0.062"),
        ("minus zero is zero", "user.delta", -0.0001, "0.000"),
        ("a negative number keeps its sign", "user.delta", -0.25, "-0.250"),
    ],
)
def test_a_value_is_written_with_the_digits_of_its_unit(
    why: str, metric: str, number: float | None, expected: str
) -> None:
    """The digits follow from the unit, and the unit from the metric's key."""
    assert rounding.value(metric, number) == expected, why


@pytest.mark.parametrize(
    ("why", "seconds", "expected"),
    [
        ("a run that goes on has no duration", None, "-"),
        ("seconds have one decimal", 4.25, "4.2 s"),
        ("below a minute there are seconds alone", 59.9, "59.9 s"),
        ("a minute begins at sixty", 60, "1 min 0 s"),
        ("an hour drops its seconds", 2 * 3600 + 5 * 60 + 59, "2 h 5 min"),
    ],
)
def test_a_duration_is_told_in_two_units(why: str, seconds: float | None, expected: str) -> None:
    """Nobody wants to divide by 3600."""
    assert rounding.duration(seconds) == expected, why


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9), st.integers(0, 6))
def test_a_written_number_is_within_half_a_digit(number: float, digits: int) -> None:
    """What is read back is the number, up to half of the last digit shown."""
    assert abs(float(rounding.fixed(number, digits)) - number) <= 0.5 * 10**-digits * (1 + 1e-6)
