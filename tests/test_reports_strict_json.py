"""JSON that every parser reads."""

from __future__ import annotations

import json
import math

import pytest

from ragproof.reports.strict_json import strict_json


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    """Python would write `NaN`, which no other parser reads."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        strict_json({"mean": number})


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("other scripts are text", "四日", "四日"),
        ("so is a whole pair", "\U0001f600", "\U0001f600"),
        ("half of a pair is replaced", "a\ud800", "a\N{REPLACEMENT CHARACTER}"),
        ("the other half too", "\udc00a", "\N{REPLACEMENT CHARACTER}a"),
        ("a control character is escaped", "\x1b[0m", "\x1b[0m"),
    ],
)
def test_text_comes_back_and_encodes(why: str, text: str, expected: str) -> None:
    """The file is UTF-8, whatever an error message held."""
    written = strict_json([text])
    assert json.loads(written.encode("utf-8")) == [expected], why
    assert "\x1b" not in written
