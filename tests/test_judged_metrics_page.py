"""The page on judged metrics: its examples run, and what it says of calls is what is counted."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from ragproof.calls_a_case import calls_a_case
from ragproof.catalogue import catalogue
from ragproof.config.judge_metrics import CHOICE
from ragproof.judge.prompting import names

PAGE = Path(__file__).parents[1] / "docs" / "judged-metrics.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))


def test_every_metric_has_a_section() -> None:
    """Source B's judged metrics, and no other."""
    assert set(SECTIONS) == set(CHOICE)


@pytest.mark.parametrize("key", CHOICE)
def test_a_section_has_what_a_reader_looks_for(key: str) -> None:
    """What it is, how it is counted, where it ends, how it departs, and an example."""
    for part in ("**Formula.**", "**Edges.**", "**Departs from ", "```python\n>>> "):
        assert part in SECTIONS[key], part


@pytest.mark.parametrize("key", CHOICE)
def test_an_example_runs_as_it_is_printed(key: str) -> None:
    """Each block of a section in turn, with names of its own."""
    blocks = re.findall(r"```python\n(.*?)```", SECTIONS[key], re.DOTALL)
    assert blocks
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, {}, key, str(PAGE), 0)
        runner = doctest.DocTestRunner(verbose=False)
        assert test.examples
        assert runner.run(test).failed == 0


def test_the_calls_are_those_that_are_counted() -> None:
    """By itself each, and all together."""
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|$", TEXT, re.MULTILINE))
    by_key = catalogue().by_key
    assert {key: int(calls) for key, calls in rows.items()} == {
        key: calls_a_case([by_key[key]]) for key in CHOICE
    }
    together = calls_a_case(metric for metric in catalogue().metrics if metric.judged)
    assert f"cost {together} calls a case" in TEXT


def test_every_prompt_that_is_shared_is_named() -> None:
    """By the prompt's own name; those of source A's ratings are asked by one metric each."""
    table = TEXT.partition("| question |")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[2])}
    assert named == set(names()) - {"answer_relevance", "citation_support", "completeness"}
