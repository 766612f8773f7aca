"""A configuration ready to run: what it gives others, and that it survives the way through JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.config import EvalConfig
from ragproof.config.model import RunSection
from ragproof.errors import ConfigurationError
from ragproof.evidence import Settings, SourceMatch
from ragproof.similarity import minilm
from tests.fakes.configs import BASE, loaded

RETRIEVE_K = [
    # why, run section, how many chunks a separate retrieve() is asked for
    ("the larger of the two cutoffs", {"k": 5, "metric_k": 10}, 10),
    ("whichever it is", {"k": 20, "metric_k": 10}, 20),
    ("several chunks of a document are one source", {"metric_k": 10, "source_match": "document"}, 2 * 10),
    ("unless it is said", {"metric_k": 10, "source_match": "document", "retrieve_k": 7}, 7),
]


@pytest.mark.parametrize(("why", "run", "expected"), RETRIEVE_K, ids=[row[0] for row in RETRIEVE_K])
def test_enough_chunks_are_asked_for(tmp_path, why, run, expected):
    assert loaded(tmp_path, BASE + f"run: {json.dumps(run)}").retrieve_k() == expected, why


NAMED_CUTOFFS = [
    # why, run section, metrics, how many chunks a separate retrieve() is asked for
    ("a metric looks deeper than the run section", {}, ["ndcg@20"], 20),
    ("in any spelling, the deepest of them", {}, ["P(rel=2)@15", "ndcg_cut_30", "retrieval.mrr"], 30),
    ("a shallow one needs no fewer for the others", {"k": 5, "metric_k": 10}, ["ndcg@3"], 10),
    ("matched by document", {"source_match": "document"}, ["ndcg@20"], 2 * 20),
    ("unless it is said", {"retrieve_k": 7}, ["ndcg@20"], 7),
    ("no metric at all", {"k": 5, "metric_k": 10}, [], 10),
]


@pytest.mark.parametrize(
    ("why", "run", "metrics", "expected"), NAMED_CUTOFFS, ids=[row[0] for row in NAMED_CUTOFFS]
)
def test_as_many_are_asked_for_as_the_deepest_metric_looks_at(tmp_path, why, run, metrics, expected):
    """A ranking that ends before a metric's cutoff would be scored as if the rest had not been found."""
    text = BASE + f"run: {json.dumps(run)}\nmetrics: {json.dumps(metrics)}"
    assert loaded(tmp_path, text).retrieve_k() == expected, why


def test_the_cutoff_of_the_run_section_is_that_of_its_metrics(tmp_path):
    """A key carries its cutoff, and one that is named with its own keeps it."""
    config = loaded(tmp_path, BASE + "run: {metric_k: 20}")
    keys = {metric.key for metric in config.chosen_metrics()}
    assert "ndcg@20" in keys
    assert "ndcg@10" not in keys
    named = config.narrowed(metrics=["ndcg@7"])
    assert [metric.key for metric in named.chosen_metrics()] == ["ndcg@7"]


def test_the_settings_of_metrics_are_those_of_the_run_section(tmp_path):
    """Whatever gives a score its meaning; the similarity model is what this machine has."""
    config = loaded(tmp_path, BASE + "run: {k: 3, metric_k: 4, source_match: document}")
    found = config.settings()
    assert found.similarity_model == minilm.installed()
    assert replace(found, similarity_model=None) == Settings(
        k=3, metric_k=4, source_match=SourceMatch.DOCUMENT
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


run_sections = st.builds(
    RunSection,
    k=st.integers(1, 10_000),
    retrieve_k=st.none() | st.integers(1, 10_000),
    source_match=st.sampled_from(SourceMatch),
    case_timeout_seconds=st.floats(0.001, 86_400),
    max_error_rate=st.floats(0, 1),
)


@given(run=run_sections, metrics=st.sampled_from([None, (), ("retrieval.mrr",)]), label=st.none() | st.text())
def test_another_process_can_go_on_with_the_snapshot(folder, run, metrics, label):
    """The snapshot is strict JSON, kept with the run and sent to the tasks of a flow."""
    config = loaded(folder).model_copy(update={"run": run, "metrics": metrics, "label": label})
    written = json.dumps(config.snapshot(), allow_nan=False)
    assert EvalConfig.model_validate(json.loads(written)) == config
    assert EvalConfig.model_validate_json(written) == config
    assert EvalConfig.model_validate(config) == config


def test_the_adapter_comes_back_with_its_own_options(tmp_path):
    """And not as the settings all adapters share."""
    config = loaded(tmp_path)
    again = EvalConfig.model_validate(config.snapshot()).adapter()
    assert type(again) is type(config.adapter())
    assert again.identity() == config.adapter().identity()


def test_a_schema_can_be_made_for_whoever_takes_it_as_a_parameter():
    """An orchestrator asks every parameter's type for one."""
    assert EvalConfig.model_json_schema()["properties"].keys() >= {"project", "dataset", "path"}


def test_narrowing_changes_what_is_named_and_nothing_else(tmp_path):
    """None leaves a choice as it is."""
    config = loaded(tmp_path, BASE + "metrics: [echo.exact_match]")
    assert config.narrowed() == config
    other = tmp_path / "datasets" / "other.jsonl"
    narrowed = config.narrowed(dataset=other, metrics=["retrieval.mrr"], limit=3, label="x")
    assert (narrowed.dataset.path, narrowed.dataset.resolved()) == ("datasets/other.jsonl", other)
    assert (narrowed.metrics, narrowed.dataset.limit, narrowed.label) == (("retrieval.mrr",), 3, "x")
    assert (
        narrowed.model_copy(update={"dataset": config.dataset, "metrics": config.metrics, "label": None})
        == config
    )
    assert EvalConfig.model_validate(narrowed.snapshot()) == narrowed


def test_another_dataset_has_its_own_format_and_the_same_limit(tmp_path):
    """A format belongs to a file; how many cases are wanted does not."""
    section = "dataset: {path: cases.jsonl, format: jsonl, limit: 9}"
    config = loaded(tmp_path, BASE.replace("dataset: cases.jsonl", section))
    dataset = config.narrowed(dataset=tmp_path / "other.csv").dataset
    assert (dataset.format, dataset.limit) == (None, 9)


def test_a_stranger_may_name_metrics_and_not_modules(tmp_path):
    """`module:function` would import whatever it names; the configuration's own functions are its owner's."""
    config = loaded(tmp_path, BASE + "metrics: [os.path:basename]")
    with pytest.raises(ConfigurationError) as caught:
        config.narrowed(metrics=["antigravity:geohash", "retrieval.mr", "os.path:basename"])
    assert str(caught.value) == (
        "metrics: no metric is named 'antigravity:geohash'\n"
        "metrics: no metric is named 'retrieval.mr'; did you mean 'retrieval.mrr'?"
    )
    assert config.narrowed(metrics=["os.path:basename"]).metrics == ("os.path:basename",)


def test_an_empty_choice_of_metrics_is_a_choice(tmp_path):
    """Unlike None."""
    assert loaded(tmp_path).narrowed(metrics=[]).metrics == ()
