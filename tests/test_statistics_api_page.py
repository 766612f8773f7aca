"""The API page: current, complete, and true to the code."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import ragproof.statistics
from ragproof.statistics import reference
from ragproof.statistics.chapters import CHAPTERS

ROOT = Path(__file__).parents[1]
FUNCTIONS = [call for chapter in CHAPTERS for call in chapter.functions]
RESULTS = [result for chapter in CHAPTERS for result in chapter.results]

INNER = {
    "samples": "reads what callers pass",
    "distributions": "wraps scipy.special",
    "streams": "draws",
    "bootstrap": "resamples for the intervals",
    "resampled_mean": "resamples for BCa",
    "lattice": "convolves for the sign flip",
    "chapters": "the page's table of contents",
    "reference": "writes the page",
}


def test_the_page_is_current():
    """Run `python -m ragproof.statistics.reference` at the root after changing a docstring or a signature."""
    assert (ROOT / reference.PAGE_FILE).read_text(encoding="utf-8") == reference.page_text()


def test_writing_gives_the_page(tmp_path):
    reference.write(tmp_path)
    assert (tmp_path / "docs" / "statistics-api.md").read_text(encoding="utf-8") == reference.page_text()


@pytest.mark.parametrize("call", FUNCTIONS, ids=lambda call: call.__name__)
def test_every_argument_and_return_value_is_explained(call):
    """With its name, as the docstring promises."""
    documented = inspect.getdoc(call)
    entries = documented.split("Args:")[1].split("Returns:")[0]
    for name in inspect.signature(call).parameters:
        assert f"    {name}: " in entries, name
    assert "Returns:" in documented
    assert f"### {call.__name__}\n" in reference.page_text()


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.__name__)
def test_every_field_of_a_result_is_explained(result):
    documented = inspect.getdoc(result)
    for name in getattr(result, "__dataclass_fields__", ()):
        assert f"    {name}: " in documented, name


def test_whatever_comes_back_is_on_the_page():
    """Unless it is a plain number or an array."""
    plain = ("float", "FloatArray", "tuple[float, ...]", "Components", "None")
    named = {result.__name__ for result in RESULTS}
    for call in FUNCTIONS:
        annotation = str(inspect.signature(call).return_annotation)
        assert any(name in annotation for name in (*named, *plain)), call.__name__


def test_every_module_is_on_the_page_or_inside_for_a_reason():
    """So a new method cannot be forgotten."""
    shown = {item.__module__.rsplit(".", 1)[1] for item in (*FUNCTIONS, *RESULTS)}
    modules = {module.name for module in pkgutil.iter_modules(ragproof.statistics.__path__)}
    assert modules == shown | INNER.keys()


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.iter_modules(ragproof.statistics.__path__)))
def test_every_module_says_what_it_is(name):
    assert inspect.getdoc(importlib.import_module(f"ragproof.statistics.{name}"))
