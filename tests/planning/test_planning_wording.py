"""Numbers of a plan as people read them."""

from __future__ import annotations

import pytest

from ragproof.planning.wording import money, number, span


@pytest.mark.parametrize(
    ("why", "value", "expected"),
    [
        ("two significant digits are enough to plan with", 0.02612, "0.026"),
        ("one before the point is kept", 1.26, "1.3"),
        ("two need none behind it", 12.6, "13"),
        ("nor do more", 1262.0, "1262"),
        ("a small one is not 0", 0.00041, "0.00041"),
    ],
)
def test_an_effect_is_written_as_planned_with(why: str, value: float, expected: str) -> None:
    """It is no measurement."""
    assert number(value) == expected, why


@pytest.mark.parametrize(
    ("why", "written", "expected"),
    [
        ("cents are enough from a dollar on", money(12.345), "$12.35"),
        ("under it they are not", money(0.01234), "$0.012340"),
        ("what is not known is not 0", money(None), "not known"),
        ("a span of one number is that number", span((3, 3)), "3"),
        ("of two both", span((3, 4000)), "3 to 4,000"),
        ("of none a dash", span(None), "-"),
    ],
)
def test_money_and_spans_are_written(why: str, written: str, expected: str) -> None:
    """For people."""
    assert written == expected, why
