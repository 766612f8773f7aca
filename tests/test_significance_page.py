"""docs/significance.md: its examples print what it says, its table is the one that the tests recount."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from ragproof.cli.main import OWN
from tests.test_statistics_type_one import RATES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "significance.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = {"grades 0, .5, 1": "grades", "the same, 90 % of questions tie": "90 % ties"}


def test_every_example_prints_what_stands_there() -> None:
    """As doctest runs them, one after the other."""
    ran = doctest.testfile(str(PAGE), module_relative=False)
    assert ran.failed == 0
    assert ran.attempted > 25


def test_the_commands_it_names_exist() -> None:
    """A page of advice whose commands are gone is worse than none."""
    named = {*re.findall(r"`ragproof (\w+)", TEXT)}
    assert named >= {"compare", "gate", "leaderboard", "plan", "sweep", "rank"}
    assert named <= {*OWN, "run", "sweep"}


@pytest.mark.parametrize(
    ("row", "name"), [*ROWS.items(), ("right or wrong, 20 % of questions differ", "binary")]
)
def test_its_error_rates_are_those_that_are_counted_again(row: str, name: str) -> None:
    """tests/test_statistics_type_one.py counts them; a number that changes there changes here."""
    cells = [
        cell.strip()
        for cell in re.search(rf"^\| {re.escape(row)} \|(.*)\|$", TEXT, re.MULTILINE)[1].split("|")
    ]
    shown = dict(zip(("t", "sign flip", "mid-p", "BCa"), cells[1:5], strict=True))
    counted = {size: rates for kind, _, size, rates in RATES if kind == name}
    assert cells[0] == " / ".join(map(str, counted))
    for test, rates in shown.items():
        told = [float(rate) for rate in rates.split("/")]
        expected = [found[test] for found in counted.values()]
        assert told == (expected if len(told) > 1 else expected[:1]), test
