"""Configuration from the environment and from `--set`: names that mean something, and names that do not."""

from __future__ import annotations

import pytest

from ragproof.config import environment, overrides
from ragproof.config.keys import keys
from ragproof.config.layers import Written

SECTIONS = (
    "'project', 'metrics', 'dataset', 'pipeline', 'run', 'early_stop', 'gate', 'judge', 'budget', 'prices' or"
    " 'publish'"
)

READ_AS = [
    ("a key of a section", {"RAGPROOF_RUN__K": "7"}, {"run": {"k": "7"}}),
    ("a key at the top", {"RAGPROOF_PROJECT": "x"}, {"project": "x"}),
    ("a key with an underscore", {"RAGPROOF_RUN__METRIC_K": "7"}, {"run": {"metric_k": "7"}}),
    (
        "an adapter's option",
        {"RAGPROOF_PIPELINE__ADAPTER__TARGET": "m:f"},
        {"pipeline": {"adapter": {"target": "m:f"}}},
    ),
    ("a section whole", {"RAGPROOF_RUN": "{k: 7}"}, {"run": {"k": 7}}),
    ("a key lies over its section", {"RAGPROOF_RUN__K": "8", "RAGPROOF_RUN": "{k: 7}"}, {"run": {"k": "8"}}),
    (
        "a key of a file alone",
        {"RAGPROOF_DATASET": "x", "RAGPROOF_DATASET__LIMIT": "3"},
        {"dataset": {"path": "x", "limit": "3"}},
    ),
    ("an empty variable is not set", {"RAGPROOF_PROJECT": ""}, {}),
    ("other programs' variables", {"HOME": "/", "ragproof_project": "x", "XRAGPROOF_PROJECT": "x"}, {}),
    ("variables that are read elsewhere", dict.fromkeys(environment.ELSEWHERE, "x"), {}),
    (
        "the judge's and the budget's have short names",
        {
            "RAGPROOF_JUDGE_MODEL": "x",
            "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "1",
            "RAGPROOF_MAX_COST_USD": "1",
            "RAGPROOF_ALLOWED_ENV": "X",
        },
        {"judge": {"model": "x", "input_cost_per_mtok": "1"}, "budget": {"max_cost_usd": "1"}},
    ),
    (
        "source B's variable for its judged metrics",
        {"RAG_EVAL_JUDGE_METRICS": "faithfulness,context_recall", "RAG_EVAL_OTHER": "x"},
        {"run": {"judge_metrics": "faithfulness,context_recall"}},
    ),
    ("which is not set when it is empty", {"RAG_EVAL_JUDGE_METRICS": ""}, {}),
    ("and the names all keys have", {"RAGPROOF_JUDGE__MODEL": "x"}, {"judge": {"model": "x"}}),
]


@pytest.mark.parametrize(("why", "environ", "data"), READ_AS, ids=[row[0] for row in READ_AS])
def test_a_variable_stands_for_a_key(why, environ, data):
    layer, faults = environment.read(environ)
    assert (layer.data, faults) == (data, []), why


REFUSED = [
    (
        "a misspelt section",
        {"RAGPROOF_RUNN__K": "7"},
        "'RAGPROOF_RUNN__K' is not a setting; did you mean 'RAGPROOF_RUN__K'?",
    ),
    (
        "one underscore",
        {"RAGPROOF_RUN_K": "7"},
        "'RAGPROOF_RUN_K' is not a setting; did you mean 'RAGPROOF_RUN__K'?",
    ),
    (
        "a misspelt variable that is no key",
        {"RAGPROOF_STOR_URL": "x"},
        "'RAGPROOF_STOR_URL' is not a setting; did you mean 'RAGPROOF_STORE_URL'?",
    ),
    (
        "a key of a value",
        {"RAGPROOF_PROJECT__X": "x"},
        "'RAGPROOF_PROJECT__X' is not a setting; did you mean 'RAGPROOF_PROJECT'?",
    ),
    (
        "a bracket without its partner",
        {"RAGPROOF_METRICS": "[a"},
        "not valid YAML: expected ',' or ']', but got '<stream end>'",
    ),
]


@pytest.mark.parametrize(("why", "environ", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_variable_that_means_nothing_is_a_fault(why, environ, message):
    layer, faults = environment.read(environ)
    assert [str(fault) for fault in faults] == [f"environment {next(iter(environ))}: {message}"], why
    assert layer.data == {}


def test_every_key_has_a_variable():
    """A key that the environment could not reach would make the reference page wrong."""
    layer, faults = environment.read({environment.variable(name): "x" for name in keys()})
    assert faults == []
    assert set(layer.written) == {key.path for key in keys().values()}


SET = [
    ("a key", ["run.k=7"], {"run": {"k": "7"}}),
    ("an equals sign in the value", ["pipeline.version=a=b"], {"pipeline": {"version": "a=b"}}),
    ("blanks around the key", [" run . k =7"], {"run": {"k": "7"}}),
    (
        "an adapter's option",
        ["pipeline.adapter.options.rerank=[true]"],
        {"pipeline": {"adapter": {"options": {"rerank": [True]}}}},
    ),
    (
        "an adapter's switch is no text",
        ["pipeline.adapter.options.rerank=false"],
        {"pipeline": {"adapter": {"options": {"rerank": False}}}},
    ),
    ("an adapter's type", ["pipeline.adapter.type=http"], {"pipeline": {"adapter": {"type": "http"}}}),
    ("an empty value", ["pipeline.version="], {"pipeline": {"version": ""}}),
    ("nothing", [], {}),
]


@pytest.mark.parametrize(("why", "pairs", "data"), SET, ids=[row[0] for row in SET])
def test_a_pair_sets_a_key(why, pairs, data):
    layer, faults = overrides.read(pairs)
    assert (layer.data, faults) == (data, []), why


SET_REFUSED = [
    ("no value", "run.k", "--set: 'run.k' has no value; expected KEY=VALUE such as run.k=10"),
    ("no key", "=7", f"--set : '' is not a key; expected {SECTIONS}"),
    ("a misspelt key", "run.kk=7", "--set run.kk: 'run.kk' is not a key; did you mean 'run.k'?"),
    (
        "a key of a value",
        "project.x=7",
        "--set project.x: 'project.x' is not a key; 'project' holds one line of text, at most 100 characters",
    ),
    ("quotes without an end", "project='x", "--set project: not valid YAML: found unexpected end of stream"),
]


@pytest.mark.parametrize(("why", "pair", "expected"), SET_REFUSED, ids=[row[0] for row in SET_REFUSED])
def test_a_pair_that_sets_nothing_is_a_fault(why, pair, expected):
    layer, faults = overrides.read([pair])
    assert ([str(fault) for fault in faults], layer.data) == ([expected], {}), why


def test_a_value_knows_where_it_was_given():
    """Its faults are told there."""
    assert environment.read({"RAGPROOF_RUN__K": "7"})[0].written == {
        ("run", "k"): Written("environment RAGPROOF_RUN__K")
    }
    assert overrides.read(["run.k=7"])[0].written == {("run", "k"): Written("--set run.k")}
