"""Every fault a configuration can have, in the words its user reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.config import EvalConfig, load
from ragproof.errors import ConfigurationError
from tests.fakes.configs import BASE, faults

SECTIONS = (
    "'project', 'metrics', 'dataset', 'pipeline', 'run', 'early_stop', 'gate', 'judge', 'budget', 'prices' or"
    " 'publish'"
)
NAME = "one line of text, at most 100 characters"

ADDED = [
    # why, lines added to a good configuration from its line 6 on, faults
    ("a misspelt section", "metrcs: []", ["6:1: 'metrcs' is not a key; did you mean 'metrics'?"]),
    (
        "a misspelt key",
        "run: {sorce_match: chunk}",
        ["6:7: 'run.sorce_match' is not a key; did you mean 'run.source_match'?"],
    ),
    ("a key of another section", "k: 5", ["6:1: 'k' is not a key; did you mean 'run.k'?"]),
    (
        "a key that is nothing like ours",
        "publish: {zzz: 1}",
        ["6:11: 'publish.zzz' is not a key; expected 'publish.content'"],
    ),
    (
        "a section that is nothing like ours",
        "zzz: 1",
        [f"6:1: 'zzz' is not a key; expected {SECTIONS}"],
    ),
    (
        "the store's address may hold a password",
        "store_url: sqlite:///x.db",
        ["6:1: 'store_url' is not a key, for it may hold a password; set RAGPROOF_STORE_URL instead"],
    ),
    (
        "what the program finds out is no key",
        "search_path: [/]\npath: x",
        [
            f"6:1: 'search_path' is not a key; expected {SECTIONS}",
            "7:1: 'path' is not a key; did you mean 'dataset.path'?",
        ],
    ),
    (
        "zero where one is the least",
        "run: {k: 0}",
        ["6:7: run.k: 0 is not allowed; expected a whole number from 1 to 10000"],
    ),
    (
        "a fraction of a chunk",
        "run: {k: 2.5}",
        ["6:7: run.k: 2.5 is not allowed; expected a whole number from 1 to 10000"],
    ),
    (
        "a word where a number is expected",
        "run: {concurrency: ten}",
        ["6:7: run.concurrency: 'ten' is not allowed; expected a whole number from 1 to 1024"],
    ),
    (
        "for Python true is the number 1",
        "run: {k: true, max_error_rate: no}",
        [
            "6:7: run.k: true is not allowed; expected a whole number from 1 to 10000",
            "6:16: run.max_error_rate: false is not allowed; expected a number from 0 to 1",
        ],
    ),
    (
        "not a number",
        "run: {max_error_rate: .nan}",
        ["6:7: run.max_error_rate: nan is not allowed; expected a number from 0 to 1"],
    ),
    (
        "infinity",
        "run: {case_timeout_seconds: .inf}",
        ["6:7: run.case_timeout_seconds: inf is not allowed; expected a number above 0, at most 86400"],
    ),
    (
        "no time at all",
        "run: {case_timeout_seconds: 0}",
        ["6:7: run.case_timeout_seconds: 0 is not allowed; expected a number above 0, at most 86400"],
    ),
    (
        "more than all",
        "run: {max_error_rate: 1.1}",
        ["6:7: run.max_error_rate: 1.1 is not allowed; expected a number from 0 to 1"],
    ),
    (
        "a number may be left out, not be text",
        "run: {shard_size: auto}",
        ["6:7: run.shard_size: 'auto' is not allowed; expected a whole number from 1 to 100000, or null"],
    ),
    (
        "a choice with a typo",
        "run: {source_match: documnt}",
        [
            "6:7: run.source_match: 'documnt' is not allowed; expected 'chunk' or 'document'; "
            "did you mean 'document'?"
        ],
    ),
    (
        "a choice that is none",
        "publish: {content: 3}",
        ["6:11: publish.content: 3 is not allowed; expected 'none', 'ids' or 'full', or null"],
    ),
    (
        "a value where a section is expected",
        "run: 5",
        ["6:1: run: 5 is not allowed; expected a section of keys"],
    ),
    (
        "a section where a value is expected",
        "run: {k: {a: 1}}",
        ["6:7: run.k: an object is not allowed; expected a whole number from 1 to 10000"],
    ),
    (
        "a metric with a typo",
        "metrics: [retrieval.mrr, retrieval.mr]",
        ["6:26: no metric is named 'retrieval.mr'; did you mean 'retrieval.mrr'?"],
    ),
    (
        "a metric that is a number",
        "metrics: [retrieval.mrr, 5]",
        ["6:26: metrics[1]: 5 is not allowed; expected text: write '5' in quotes"],
    ),
    (
        "one value is told of once",
        "run: {k: !env K}",
        ["6:7: the tag '!env' is not read; expected plain YAML"],
    ),
    (
        "faults in the file and in its values, from top to bottom",
        "run:\n  k: 0\n  k: 1\nmetrics: [nope:f]\nzzz:\n  a: 010",
        [
            "7:3: run.k: 0 is not allowed; expected a whole number from 1 to 10000",
            "8:3: 'k' is already given on line 7; expected it once",
            "9:11: metric 'nope:f' cannot be imported: ModuleNotFoundError: No module named 'nope'; "
            "expected module:function on the Python path",
            f"10:1: 'zzz' is not a key; expected {SECTIONS}",
            "11:3: 010 is read by YAML as 8; write 8, or '010' in quotes",
        ],
    ),
]


@pytest.mark.parametrize(("why", "added", "expected"), ADDED, ids=[row[0] for row in ADDED])
def test_an_addition_that_is_wrong_is_told_with_its_cure(tmp_path, why, added, expected):
    assert faults(tmp_path, BASE + added) == [f"eval.yaml:{fault}" for fault in expected], why


CHANGED = [
    # why, what stands in a good configuration, what stands there instead, faults
    (
        "no project",
        "project: handbook",
        "",
        ["eval.yaml: project: missing; expected " + NAME + ", such as handbook"],
    ),
    (
        "no dataset",
        "dataset: cases.jsonl",
        "dataset:",
        ["eval.yaml:2:1: dataset: missing; expected 'dataset.path'"],
    ),
    (
        "no name",
        "  name: baseline",
        "",
        ["eval.yaml:3:1: pipeline.name: missing; expected " + NAME + ", such as baseline"],
    ),
    (
        "YAML reads no as false",
        "project: handbook",
        "project: no",
        [
            "eval.yaml:1:1: project: false is not allowed; YAML reads no as false; expected text: "
            "write 'no' in quotes"
        ],
    ),
    (
        "YAML reads 1.10 as 1.1",
        "  name: baseline",
        "  name: baseline\n  version: 1.10",
        [
            "eval.yaml:5:3: pipeline.version: 1.1 is not allowed; YAML reads 1.10 as 1.1; expected text: "
            "write '1.10' in quotes"
        ],
    ),
    (
        "a number where text is expected",
        "project: handbook",
        "project: 5",
        ["eval.yaml:1:1: project: 5 is not allowed; expected text: write '5' in quotes"],
    ),
    (
        "a name of two lines",
        "project: handbook",
        'project: "a\\nb"',
        [f"eval.yaml:1:1: project: 'a\\nb' is not allowed; expected {NAME}"],
    ),
    (
        "a blank name",
        "project: handbook",
        'project: " "',
        [f"eval.yaml:1:1: project: ' ' is not allowed; expected {NAME}"],
    ),
    (
        "a misspelt format",
        "dataset: cases.jsonl",
        "dataset: {path: cases.jsonl, format: json}",
        ["eval.yaml:2:30: dataset.format: 'json' is not a format; did you mean 'jsonl'?"],
    ),
    (
        "a limit of nothing",
        "dataset: cases.jsonl",
        "dataset: {path: cases.jsonl, limit: 0}",
        ["eval.yaml:2:30: dataset.limit: 0 is not allowed; expected a whole number of at least 1, or null"],
    ),
    (
        "a dataset without a path",
        "dataset: cases.jsonl",
        "dataset: {limit: 5}",
        ["eval.yaml:2:1: dataset.path: missing; expected text, such as cases.jsonl"],
    ),
    (
        "an adapter with a misspelt option",
        "type: python,",
        "type: python, optoins: {},",
        ["eval.yaml:5:27: pipeline.adapter.optoins: 'optoins' is not a key; did you mean 'options'?"],
    ),
    (
        "no adapter",
        '  adapter: {type: python, target: "my_package.rag:Pipeline"}',
        "",
        [
            "eval.yaml:3:1: pipeline.adapter: missing; expected a section of keys, such as "
            '{type: python, target: "my_package.rag:Pipeline"}'
        ],
    ),
    (
        "text that YAML cannot read hides the rest",
        "project: handbook",
        "project: [",
        ["eval.yaml:3:9: not valid YAML: expected ',' or ']', but got ':'"],
    ),
]


@pytest.mark.parametrize(("why", "good", "bad", "expected"), CHANGED, ids=[row[0] for row in CHANGED])
def test_a_change_that_is_wrong_is_told_with_its_cure(tmp_path, why, good, bad, expected):
    assert good in BASE
    assert faults(tmp_path, BASE.replace(good, bad)) == expected, why


def test_faults_of_all_sources_are_told_at_once(tmp_path):
    """The file, the variant, the environment and the command line, each with its place."""
    told = faults(
        tmp_path,
        BASE + "run: {k: 0}\n",
        variants={"fast": "pipeline: {nam: x}\nrun: {k: 1}\n"},
        variant="fast",
        environ={"RAGPROOF_RUN__METRIC_K": "none", "RAGPROOF_PROJET": "x"},
        overrides=["run.kk=3", "run.shard_size=-1", "dataset.path=zzz"],
    )
    assert told == [
        "eval.yaml:6:7: run.k: 0 is not allowed; expected a whole number from 1 to 10000",
        "variants/fast.yaml:1:12: 'pipeline.nam' is not a key; did you mean 'pipeline.name'?",
        "variants/fast.yaml:2:1: 'run' is not a key of a variant; expected 'pipeline' alone",
        "environment RAGPROOF_PROJET: 'RAGPROOF_PROJET' is not a setting; did you mean 'RAGPROOF_PROJECT'?",
        "environment RAGPROOF_RUN__METRIC_K: run.metric_k: 'none' is not allowed; "
        "expected a whole number from 1 to 10000",
        "--set run.kk: 'run.kk' is not a key; did you mean 'run.k'?",
        "--set run.shard_size: run.shard_size: '-1' is not allowed; "
        "expected a whole number from 1 to 100000, or null",
        f"--set dataset.path: dataset: 'zzz' does not exist in '{tmp_path}'",
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


@given(text=st.text(max_size=80) | st.text(alphabet="projectdatasetpipelinerunk: {}[]-\n01.", max_size=80))
def test_whatever_text_a_file_holds_it_is_a_configuration_or_faults(folder, text):
    """Nothing but a `ConfigurationError` is ever raised, and its faults can be printed."""
    path = folder / "eval.yaml"
    path.write_text(BASE + text, encoding="utf-8", errors="surrogatepass")
    try:
        assert isinstance(load(path, environ={}), EvalConfig)
    except ConfigurationError as error:
        told = [str(fault) for fault in error.faults]
        assert told, "an error without a fault"
        assert all(fault.isprintable() for fault in told)
