"""Loading a configuration: which source wins, and where files are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.config import Content, load
from ragproof.config.layers import Layer
from ragproof.errors import ConfigurationError
from ragproof.evidence import SourceMatch
from tests.fakes.configs import BASE, faults, loaded, write

DATASET = "dataset: cases.jsonl"


def test_the_least_a_configuration_can_be_has_the_documented_defaults(tmp_path):
    """What a user does not say is said by the reference page."""
    config = loaded(tmp_path)
    assert (config.project, config.pipeline.name, config.dataset.path) == (
        "handbook",
        "baseline",
        "cases.jsonl",
    )
    assert config.pipeline.version is config.pipeline.corpus_version is None
    run = config.run
    assert (run.k, run.metric_k, run.retrieve_k, run.source_match) == (5, 10, None, SourceMatch.CHUNK)
    assert (run.concurrency, run.case_timeout_seconds) == (8, 60.0)
    assert (run.shard_size, run.max_error_rate) == (None, 0.1)
    assert (config.metrics, config.publish.content, config.variant, config.label) == (None, None, None, None)


VARIANT = {"fast": "pipeline: {version: variant}"}
PRECEDENCE = [
    # why, version in the file, variant, environment, overrides, version that wins
    ("the file alone", "file", None, {}, [], "file"),
    ("a variant lies over the file", "file", "fast", {}, [], "variant"),
    ("the environment lies over a variant", "file", "fast", {"RAGPROOF_PIPELINE__VERSION": "env"}, [], "env"),
    (
        "the command line lies over the environment",
        "file",
        "fast",
        {"RAGPROOF_PIPELINE__VERSION": "env"},
        ["pipeline.version=set"],
        "set",
    ),
    ("of two the later wins", "file", None, {}, ["pipeline.version=1", "pipeline.version=2"], "2"),
    ("null takes a value away", "file", None, {}, ["pipeline.version=null"], None),
    ("an empty variable is not set", "file", None, {"RAGPROOF_PIPELINE__VERSION": ""}, [], "file"),
    ("text stays as it was typed", "file", None, {}, ["pipeline.version=1.10"], "1.10"),
    ("the environment's too", "file", None, {"RAGPROOF_PIPELINE__VERSION": "010"}, [], "010"),
    ("a key may be set that no file has", None, None, {}, ["pipeline.version=x"], "x"),
]


@pytest.mark.parametrize(
    ("why", "in_file", "variant", "environ", "overrides", "wins"),
    PRECEDENCE,
    ids=[row[0] for row in PRECEDENCE],
)
def test_the_nearest_source_wins(tmp_path, why, in_file, variant, environ, overrides, wins):
    text = BASE + (f"  version: {in_file}\n" if in_file else "")
    config = loaded(tmp_path, text, variants=VARIANT, variant=variant, environ=environ, overrides=overrides)
    assert config.pipeline.version == wins, why


def test_values_from_outside_become_what_their_key_expects(tmp_path):
    """A shell knows nothing but text."""
    config = loaded(
        tmp_path,
        environ={"RAGPROOF_RUN__K": "7", "RAGPROOF_METRICS": "retrieval.mrr, echo.exact_match"},
        overrides=[
            "run.max_error_rate=0.25",
            "run={concurrency: 3}",
            "publish.content=ids",
            "run.shard_size=null",
        ],
    )
    assert (config.run.k, config.run.max_error_rate, config.run.concurrency) == (7, 0.25, 3)
    assert config.metrics == ("retrieval.mrr", "echo.exact_match")
    assert config.publish.content is Content.IDS


SHORTHAND = [
    ("a file alone", DATASET, [], ("cases.jsonl", None, None)),
    ("a section", "dataset: {path: cases.jsonl, limit: 3}", [], ("cases.jsonl", None, 3)),
    ("a key laid over a file alone", DATASET, ["dataset.limit=3"], ("cases.jsonl", None, 3)),
    (
        "a file replaces a section whole",
        "dataset: {path: x, format: y, limit: 3}",
        ["dataset=cases.jsonl"],
        ("cases.jsonl", None, None),
    ),
    (
        "a path alone keeps the rest",
        "dataset: {path: x, limit: 3}",
        ["dataset.path=cases.jsonl"],
        ("cases.jsonl", None, 3),
    ),
]


@pytest.mark.parametrize(
    ("why", "section", "overrides", "expected"), SHORTHAND, ids=[row[0] for row in SHORTHAND]
)
def test_a_dataset_is_a_file_or_a_section(tmp_path, why, section, overrides, expected):
    dataset = loaded(tmp_path, BASE.replace(DATASET, section), overrides=overrides).dataset
    assert (dataset.path, dataset.format, dataset.limit) == expected, why


def test_an_empty_section_is_the_same_as_none(tmp_path):
    """As it is left when its last key is commented out."""
    assert loaded(tmp_path, BASE + "run:\nmetrics:\n").run == loaded(tmp_path).run


def test_no_metrics_are_no_metrics(tmp_path):
    """An empty list is a choice, unlike an absent one."""
    assert loaded(tmp_path, BASE + "metrics: []\n").metrics == ()


def test_a_dataset_is_looked_for_beside_the_configuration_and_then_here(tmp_path):
    """A configuration that came with its dataset works from everywhere."""
    folder, here = tmp_path / "config", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    path = write(folder)
    (here / "cases.jsonl").touch()
    assert load(path, environ={}, current=here).dataset.resolved() == folder / "cases.jsonl"
    (folder / "cases.jsonl").unlink()
    assert load(path, environ={}, current=here).dataset.resolved() == here / "cases.jsonl"
    (here / "cases.jsonl").unlink()
    with pytest.raises(ConfigurationError) as caught:
        load(path, environ={}, current=here)
    assert str(caught.value) == (
        f"eval.yaml:2:1: dataset: 'cases.jsonl' does not exist in '{folder}' nor in '{here}'"
    )


def test_a_dataset_of_the_command_line_is_looked_for_here_first(tmp_path):
    """A shell completes names from its own folder; and the file replaces the section whole."""
    folder, here = tmp_path / "config", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    path = write(folder, BASE.replace(DATASET, "dataset: {path: x, format: y, limit: 3}"))
    (here / "cases.jsonl").touch()
    config = load(path, dataset="cases.jsonl", environ={}, current=here)
    assert (config.dataset.resolved(), config.dataset.limit) == (here / "cases.jsonl", None)
    limited = load(path, dataset="cases.jsonl", overrides=["dataset.limit=5"], environ={}, current=here)
    assert limited.dataset.limit == 5
    with pytest.raises(ConfigurationError, match=r"^--dataset: dataset: 'absent' does not exist"):
        load(path, dataset="absent", environ={}, current=here)


def test_an_absolute_dataset_is_where_it_says(tmp_path):
    """And nothing is said of folders when it is not."""
    there = tmp_path / "zzz"
    assert faults(tmp_path, BASE.replace(DATASET, f"dataset: {there}")) == [
        f"eval.yaml:2:1: dataset: '{there}' does not exist"
    ]
    there.touch()
    assert loaded(tmp_path, BASE.replace(DATASET, f"dataset: {there}")).dataset.resolved() == there


def test_a_relative_configuration_is_found_from_here(tmp_path):
    """Its own path and the folders searched are absolute, for another process has another current folder."""
    write(tmp_path)
    config = load(Path("eval.yaml"), environ={}, current=tmp_path)
    assert (config.path, config.folder()) == (tmp_path / "eval.yaml", tmp_path)
    assert config.search_path == (tmp_path,)


def test_modules_are_looked_for_beside_the_configuration_and_then_here(tmp_path):
    """The Python adapter's target may stand in either folder."""
    (tmp_path / "config").mkdir()
    path = write(tmp_path / "config")
    assert load(path, environ={}, current=tmp_path).search_path == (tmp_path / "config", tmp_path)


def test_an_adapter_of_another_type_replaces_the_adapter():
    """Options of one type mean nothing to another."""
    base = Layer({"pipeline": {"adapter": {"type": "python", "target": "m:f", "options": {"a": 1}}}})
    other = base.under(Layer({"pipeline": {"adapter": {"type": "http", "url": "x"}}}))
    assert other.data == {"pipeline": {"adapter": {"type": "http", "url": "x"}}}
    same = base.under(Layer({"pipeline": {"adapter": {"type": "python", "options": {"b": 2}}}}))
    assert same.data["pipeline"]["adapter"] == {
        "type": "python",
        "target": "m:f",
        "options": {"a": 1, "b": 2},
    }


def test_a_variable_that_the_adapter_refers_to_must_be_set(tmp_path):
    """Before the first call, in the environment that was given, and its value is kept nowhere."""
    adapter = (
        'adapter: {type: http, url: "http://localhost:8000/ask", headers: {authorization: "env:RAG_KEY"}}'
    )
    text = BASE[: BASE.index("adapter:")] + adapter
    (fault,) = faults(tmp_path, text)
    assert fault.startswith("eval.yaml:5:")
    assert "RAG_KEY" in fault
    config = loaded(tmp_path, text, environ={"RAG_KEY": "s3cret-value"})
    assert "s3cret-value" not in str(config.snapshot())
    assert "env:RAG_KEY" in str(config.snapshot())


def test_a_label_is_kept(tmp_path):
    """It comes from the command line alone."""
    assert load(write(tmp_path), label="try 3", environ={}, current=tmp_path).label == "try 3"
