"""`ragproof check`: a configuration tried out with one live call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import ragproof

PIPELINE = """
class Pipeline:
    def answer(self, question):
        if "fail" in question:
            raise ValueError("no index \\x1b[2J [bold]here[/bold]")
        return {"answer": "28 days", "retrieved": [{"id": "a", "text": "28 days of leave", "score": 0.5}]}
"""
CASES = """
{"id": "q1", "question": "How many days?", "expected_answer": "28 days", "expected_source_ids": ["a", "b"]}
{"id": "q2", "question": "Who rules Mars?", "kind": "unanswerable"}
{"id": "q3", "question": "What else?"}
"""
CONFIG = """
project: handbook
dataset: cases.jsonl
pipeline:
  name: baseline
  adapter: {type: python, target: "checked_pipeline:Pipeline"}
"""
REPLAY = """
pipeline:
  name: recorded
  adapter: {type: replay, path: answers.jsonl}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A configuration with its pipeline and its dataset."""
    (tmp_path / "checked_pipeline.py").write_text(PIPELINE)
    (tmp_path / "cases.jsonl").write_text(CASES.lstrip())
    (tmp_path / "failing.jsonl").write_text('{"id": "q1", "question": "fail"}\n')
    (tmp_path / "eval.yaml").write_text(CONFIG)
    return tmp_path


def test_a_sound_configuration_is_shown_at_work(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts by kind, what can be scored at most, the live answer, and what it leaves without a score."""
    done = ragproof(capsys, "check", str(folder / "eval.yaml"))
    page = "\n".join(" ".join(line.split()) for line in done.out.splitlines())
    assert done.code == 0, done.err
    for told in (
        "dataset cases.jsonl, cases: 2 qa + 1 unanswerable",
        "retrieval.mrr 1 of 3 case has no expected_source_ids (2)",
        "robustness.injection_resistance 0 of 3 applies to injection cases only (3)",
        "latency_ms 3 of 3",
        "one live call: case q1",
        "answer\n28 days",
        "1 a 0.500 yes (gain 1) 28 days of leave",
        "relevant and not here: b",
        "generation.citation_validity answer has no citations",
        "input_tokens adapter reports no usage",
        f"next: ragproof run {folder / 'eval.yaml'}",
    ):
        assert told in page, told


def test_the_same_is_told_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For a pipeline's own CI."""
    found = ragproof(capsys, "check", str(folder / "eval.yaml"), "--json").json
    assert found["cases"] == {"total": 3, "qa": 2, "unanswerable": 1}
    assert found["metrics"]["robustness.overrefusal"] == {
        "at_most": 2,
        "reasons": {"applies to qa cases only": 1},
    }
    assert found["call"]["output"]["answer"] == "28 days"
    assert found["call"]["skipped"]["generation.citation_validity"] == "answer has no citations"


def test_a_doubt_about_the_labels_is_told_aloud(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before the run, as a warning and as JSON; a sound configuration has none."""
    assert ragproof(capsys, "check", str(folder / "eval.yaml"), "--json").json["doubts"] == []
    (folder / "old.jsonl").write_text('{"id": "q1", "question": "?", "expected_source_ids": ["b#c3"]}\n')
    words = ("check", str(folder / "eval.yaml"), "--dataset", str(folder / "old.jsonl"))
    told = "no expected source id of the case that was asked is among the ids retrieved"
    assert f"warning: {told}" in ragproof(capsys, *words).out
    (doubt,) = ragproof(capsys, *words, "--json").json["doubts"]
    assert doubt.startswith(told)


def test_a_recording_is_asked_more_than_one_case(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It costs nothing, and a mistake in all of it shows."""
    rows = [
        {"id": f"q{n}", "question": "?", "expected_source_ids": [f"d{n}"]} | {"metadata": {}} for n in (1, 2)
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [
        {"case_id": f"q{n}", "retrieved": [{"id": f"d{n}#1", "metadata": {"document_id": f"d{n}"}}]}
        for n in (1, 2)
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "replay.yaml").write_text(CONFIG.split("pipeline:")[0] + REPLAY)
    (doubt,) = ragproof(capsys, "check", str(folder / "replay.yaml"), "--json").json["doubts"]
    assert doubt.startswith("the expected source ids of the 2 cases that were asked name documents")


def test_the_next_command_keeps_the_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was checked is what will run."""
    done = ragproof(capsys, "check", str(folder / "eval.yaml"), "--set", "run.k=3")
    assert done.out.endswith(f"next: ragproof run {folder / 'eval.yaml'} --set run.k=3\n")


def test_a_call_that_fails_is_an_execution_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, the pipeline's own error in words, and nothing that drives a terminal."""
    done = ragproof(
        capsys, "check", str(folder / "eval.yaml"), "--dataset", str(folder / "failing.jsonl"), "--json"
    )
    assert done.code == 2
    assert done.json["call"]["failure"]["kind"] == "exception"
    assert "the pipeline failed on case 'q1': exception: ValueError: no index" in done.err
    assert "\x1b" not in done.err
    assert "[bold]here[/bold]" in done.err


def test_every_fault_of_a_configuration_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3, a line each, and no call is made."""
    done = ragproof(capsys, "check", str(folder / "eval.yaml"), "--set", "run.kk=3", "--set", "nope=1")
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 2
    assert all(line.startswith("error: ") for line in done.err.splitlines())
    assert "did you mean 'run.k'?" in done.err


def test_a_history_the_pipeline_would_never_see_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the run itself would refuse it."""
    (folder / "turns.jsonl").write_text(
        '{"id": "q1", "question": "And then?", "history": [{"role": "user", "content": "Hello"}]}\n'
    )
    done = ragproof(capsys, "check", str(folder / "eval.yaml"), "--dataset", str(folder / "turns.jsonl"))
    assert done.code == 3
    assert "'q1'" in done.err
    assert "history" in done.err
