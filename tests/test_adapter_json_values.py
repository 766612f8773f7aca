"""Metadata on its way into the store: what has a JSON form gets it, the rest is named and left out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

import pytest

from ragproof.adapters.reading.json_values import json_object
from ragproof.adapters.reading.notes import Notes
from tests.fakes.pipelines import Array, ReplyModel, Scalar


@dataclass
class Opaque:
    """A dataclass becomes an object."""

    year: int = 1990


class Colour(Enum):
    RED = "red"


METADATA: list[tuple[str, Any, Any]] = [
    ("a date", date(2024, 2, 29), "2024-02-29"),
    ("a time with its zone", datetime(2024, 1, 1, tzinfo=UTC), "2024-01-01T00:00:00+00:00"),
    ("a length of time in seconds", timedelta(minutes=1), 60.0),
    ("a decimal", Decimal("19.99"), 19.99),
    ("NaN is null", math.nan, None),
    ("a decimal infinity is null", Decimal("Infinity"), None),
    ("a scalar of numpy", Scalar(3), 3),
    ("an array of numpy", Array([1, Scalar(math.inf)]), [1, None]),
    ("a set in order, whatever its types", {"b", "a", 2}, ["a", "b", 2]),
    ("a tuple", (1, (2,)), [1, [2]]),
    ("keys are text", {1: {None: True}}, {"1": {"None": True}}),
    ("an enum", Colour.RED, "red"),
    ("a path", PurePosixPath("a/b"), "a/b"),
    ("a dataclass", Opaque(), {"year": 1990}),
    ("a pydantic model", ReplyModel(), {"answer": "from a model", "citations": [1, 2]}),
    ("half a surrogate pair", "\ud800", "\ufffd"),
    ("a large integer", 2**70, 2**70),
]


@pytest.mark.parametrize(("why", "value", "converted"), METADATA, ids=[row[0] for row in METADATA])
def test_metadata_becomes_json(why, value, converted):
    """Every value with a JSON form gets it."""
    assert json_object({"key": value}, Notes()) == {"key": converted}


def test_metadata_without_a_json_form_is_left_out_and_named():
    """One strange value costs itself, not the case."""
    notes, endless = Notes(), []
    endless.append(endless)
    assert json_object(
        {"ok": 1, "vast": 10**5000, "raw": b"x", "lock": object(), "endless": endless}, notes
    ) == {"ok": 1}
    assert notes.sentences() == (
        "metadata 'vast' is an int without a JSON form and was left out",
        "metadata 'raw' is a bytes without a JSON form and was left out",
        "metadata 'lock' is an object without a JSON form and was left out",
        "metadata 'endless' is a list without a JSON form and was left out",
    )
