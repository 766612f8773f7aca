"""Scoring outputs in a notebook: the same numbers as a run, from whatever form they are in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ragproof
from ragproof.cases import Case, Turn
from ragproof.errors import ConfigurationError
from ragproof.outputs import CaseFailure, Chunk, FailureKind, PipelineOutput
from ragproof.scores import CaseFailed, Scored, Skipped

CASES = [
    {"id": "a", "question": "Capital of France?", "expected_answer": "Paris", "tags": {"topic": "geo"}},
    {"id": "b", "question": "Where?", "expected_source_ids": ["d1", "d2"], "tags": {"topic": "text"}},
]
CHUNKS = [{"id": "d1", "text": "one"}, {"id": "x", "text": "two"}]
METRICS = ["exact_match", "recall@5"]
MEANS = {"exact_match": 1.0, "recall@5": 0.5}

FORMS: list[tuple[str, Any]] = [
    ("by case id, in any form an adapter reads", {"a": "Paris", "b": {"answer": "x", "contexts": CHUNKS}}),
    (
        "mappings that name their case",
        [{"case_id": "a", "answer": "Paris"}, {"case_id": "b", "answer": "x", "retrieved": CHUNKS}],
    ),
    (
        "outputs",
        [
            PipelineOutput(case_id="a", answer="Paris"),
            PipelineOutput(case_id="b", answer="x", retrieved=(Chunk(id="d1"), Chunk(id="x"))),
        ],
    ),
]


@pytest.mark.parametrize(("why", "outputs"), FORMS, ids=[row[0] for row in FORMS])
def test_outputs_may_have_any_usual_form(why: str, outputs: Any) -> None:
    """And the means are those of the cases that have a number."""
    assert ragproof.evaluate(outputs, CASES, METRICS).means == MEANS, why


def test_files_are_read_as_a_run_reads_them(tmp_path: Path) -> None:
    """A dataset in any format, a recording as `ragproof record` writes it."""
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, CASES)))
    rows = [{"case_id": "a", "answer": "Paris"}, {"case_id": "b", "answer": "x", "retrieved": CHUNKS}]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = ragproof.evaluate(tmp_path / "answers.jsonl", str(tmp_path / "cases.jsonl"), METRICS)
    assert found.means == MEANS


def test_every_case_and_metric_has_an_outcome() -> None:
    """Reasons included; a failure is an error of its case, and a case without an output was not reached."""
    failed = CaseFailure(case_id="a", kind=FailureKind.TIMEOUT, message="after 60 s")
    cases = [
        Case(id="a", question="?", expected_answers=("Paris", "Lutetia"), relevance={"d": 2}, group="g"),
        Case(
            id="b",
            question="?",
            expected_answers=("x",),
            tags={"topic": "text"},
            history=(Turn(role="user", content="hi"),),
        ),
    ]
    found = ragproof.evaluate([failed], cases, ["exact_match"])
    assert [type(score.result) for score in found.scores] == [CaseFailed]
    (overall,) = [summary for summary in found.summaries if summary.tag is None]
    assert (overall.mean, overall.case_failed, overall.skipped) == (None, 1, 1)
    assert overall.reasons == {"timeout: after 60 s": 1, "case was not reached": 1}
    assert found.means == {"exact_match": None}
    assert "scored 0 of 2" in str(found)


def test_the_frame_has_a_row_for_each_score() -> None:
    """With the types a column needs, also when nothing was scored."""
    found = ragproof.evaluate({"a": "Paris", "b": "x"}, CASES, METRICS)
    frame = found.frame()
    assert frame.shape == (4, 5)
    by_outcome = dict(zip(frame["outcome"].to_list(), frame["value"].to_list(), strict=True))
    assert by_outcome == {"scored": 1.0, "skipped": None}
    assert all(isinstance(score.result, Scored | Skipped) for score in found.scores)
    assert ragproof.evaluate({}, CASES, METRICS).frame().schema == frame.schema


def test_settings_mean_what_they_mean_in_a_run() -> None:
    """Cutoffs and the way in which expected ids are matched."""
    chunks = [{"id": "d1#1", "text": "", "metadata": {"document_id": "d1"}}, {"id": "d2", "text": ""}]
    outputs = {"b": {"answer": "", "retrieved": chunks}}
    cases, keys = CASES[1:], ["retrieval.recall_at_k"]
    assert ragproof.evaluate(outputs, cases, keys, k=1, source_match="document").means == {
        "retrieval.recall_at_k": 0.5
    }
    assert ragproof.evaluate(outputs, cases, keys, k=5).means == {"retrieval.recall_at_k": 0.5}
    assert ragproof.evaluate(outputs, cases, keys, source_match="document").means == {
        "retrieval.recall_at_k": 1.0
    }


FAULTS: list[tuple[str, Any, Any, list[str]]] = [
    (
        "no such case",
        {"aa": "x", "zzz": "y"},
        CASES,
        [
            "output of 'aa': 'aa' is no case of the dataset; did you mean 'a'?",
            "output of 'zzz': 'zzz' is no case of the dataset",
        ],
    ),
    (
        "two outputs of a case",
        [{"case_id": "a", "answer": "x"}, {"case_id": "a", "answer": "y"}],
        CASES,
        ["output 2: case 'a' has an output already; expected one"],
    ),
    (
        "an output without a case",
        ["Paris", {"answer": "Paris"}],
        CASES,
        [
            "output 1: is str without a case; expected a mapping with a 'case_id'",
            "output 2: names no case; expected a 'case_id'",
        ],
    ),
    ("a case that is none", {}, [{"id": "a"}], ["case 1"]),
]


@pytest.mark.parametrize(("why", "outputs", "cases", "expected"), FAULTS, ids=[row[0] for row in FAULTS])
def test_what_is_wrong_is_told_at_once(why: str, outputs: Any, cases: Any, expected: list[str]) -> None:
    """With its place, and the nearest that was meant."""
    with pytest.raises(ConfigurationError) as error:
        ragproof.evaluate(outputs, cases, METRICS)
    told = [str(fault) for fault in error.value.faults]
    assert len(told) == len(expected), told
    assert all(each.startswith(start) for each, start in zip(told, expected, strict=True)), told


def test_importing_ragproof_loads_none_of_it() -> None:
    """The command has to start at once."""
    code = (
        "import sys, ragproof; print('ragproof.evaluating' in sys.modules); print(ragproof.evaluate.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "evaluate"]
    with pytest.raises(AttributeError, match="has no attribute 'evalute'"):
        _ = ragproof.evalute
