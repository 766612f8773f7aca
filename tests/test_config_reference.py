"""The reference page and the schema: current, complete, and true to what loading does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.config import reference
from ragproof.config.environment import ELSEWHERE
from ragproof.config.keys import adapters, keys, known, sections
from tests.fakes.configs import loaded

ROOT = Path(__file__).parents[1]
AGAIN = "run `python -m ragproof.config.reference` at the root"


@pytest.mark.parametrize(
    ("file", "text"),
    [(reference.SCHEMA_FILE, reference.schema_text()), (reference.PAGE_FILE, reference.page_text())],
    ids=["schema", "page"],
)
def test_a_generated_file_is_current(file, text):
    assert (ROOT / file).read_text(encoding="utf-8") == text, AGAIN


def test_writing_gives_both_files(tmp_path):
    """In a fresh checkout too."""
    reference.write(tmp_path)
    assert (tmp_path / "config" / "schema.json").read_text(encoding="utf-8") == reference.schema_text()
    assert (tmp_path / "docs" / "configuration.md").read_text(encoding="utf-8") == reference.page_text()


def test_every_key_is_explained():
    """A key without a meaning is one nobody can set."""
    assert all(key.meaning for key in keys().values())
    assert all(sections().values())


def test_the_page_names_every_key_variable_and_option():
    """Those of each adapter too."""
    page = reference.page_text()
    assert all(f"`{name}`" in page for name in (*keys(), *ELSEWHERE))
    assert all(f"`{key.name}`" in page for options in adapters().values() for key in options)


def test_the_example_on_the_page_is_a_configuration(tmp_path):
    """As it stands."""
    example = reference.page_text().split("```yaml\n")[1].split("```")[0]
    assert loaded(tmp_path, example) == loaded(tmp_path)


NEEDED = {
    "judge": ["judge.model=m"],
    "early_stop": ["early_stop={baseline: latest, metric: retrieval.mrr, max_drop: 0.1}"],
    "gate": ["gate={rules: [{metric: retrieval.mrr, min: 0.5}]}"],
}
"""What the keys of a section that may be absent need beside them."""


@pytest.mark.parametrize("key", [key for key in keys().values() if key.default], ids=lambda key: key.name)
def test_a_default_on_the_page_is_what_leaving_the_key_out_gives(tmp_path, key):
    """Setting a key to its default changes nothing."""
    needed = NEEDED.get(key.path[0], [])
    with_it = loaded(tmp_path, overrides=[*needed, f"{key.name}={key.default}"])
    assert with_it == loaded(tmp_path, overrides=needed)


def test_the_keys_without_default_are_those_every_configuration_has():
    """And the page shows an example of each to whoever leaves it out."""
    required = [key for key in keys().values() if not key.default]
    every = ["project", "dataset.path", "pipeline.name", "pipeline.adapter"]
    stopping = ["early_stop.baseline", "early_stop.metric", "early_stop.max_drop"]
    optional = [*stopping, "gate.rules", "judge.model"]
    assert [key.name for key in required] == [*every, *optional], "no run needs those sections"
    assert all(key.example for key in required)


KNOWN = [
    ("a key", "run.k", True),
    ("a section", "run", True),
    ("an adapter", "pipeline.adapter", True),
    ("an adapter's option, for the adapter to judge", "pipeline.adapter.headers.x", True),
    ("a key of a value", "run.k.x", False),
    ("nothing", "", False),
    ("what the program finds out", "search_path", False),
]


@pytest.mark.parametrize(("why", "name", "expected"), KNOWN, ids=[row[0] for row in KNOWN])
def test_a_name_is_known_when_something_may_stand_there(why, name, expected):
    assert known(tuple(name.split("."))) is expected, why


WORDS = [
    ("run.k", "a whole number from 1 to 10000"),
    ("run.shard_size", "a whole number from 1 to 100000, or null"),
    ("dataset.limit", "a whole number of at least 1, or null"),
    ("run.case_timeout_seconds", "a number above 0, at most 86400"),
    ("run.max_error_rate", "a number from 0 to 1"),
    ("run.source_match", "'chunk' or 'document'"),
    ("publish.content", "'none', 'ids' or 'full', or null"),
    ("project", "one line of text, at most 100 characters"),
    ("pipeline.version", "text, or null"),
    ("metrics", "a list or text, or null"),
    ("pipeline.adapter", "a section of keys"),
]


@pytest.mark.parametrize(("name", "words"), WORDS, ids=[row[0] for row in WORDS])
def test_what_a_key_may_be_is_said_in_words(name, words):
    assert keys()[name].expected == words


def test_the_schema_takes_what_loading_takes():
    """An editor must not mark the short form of a dataset, or of a list of metrics, as a mistake."""
    properties = json.loads(reference.schema_text())["properties"]
    assert {"type": "string"} in properties["dataset"]["anyOf"]
    assert {"type": "string"} in properties["metrics"]["anyOf"]
