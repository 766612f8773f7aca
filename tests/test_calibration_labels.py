"""A user's label file: what it may say, and what is told of one that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragproof.errors import ConfigurationError
from ragproof.judge.calibration.labelled import Labelled
from ragproof.judge.calibration.labels import read
from ragproof.judge.calibration.metrics import judged_metrics
from ragproof.outputs import Chunk

METRICS = judged_metrics()
GROUNDED = "generation.groundedness"
ROW: dict[str, Any] = {
    "id": "a",
    "question": "How long?",
    "contexts": [{"id": "d1", "text": "Two weeks."}],
    "answer": "Two weeks.",
    "labels": {GROUNDED: 1},
}


def written(folder: Path, *rows: dict[str, Any] | str) -> Path:
    """Write a label file."""
    path = folder / "labels.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def labelled(folder: Path, **fields: Any) -> Labelled:
    """Read one row."""
    (found,) = read(written(folder, {**ROW, **fields}), METRICS)
    return found


def faults(folder: Path, *rows: dict[str, Any] | str) -> list[str]:
    """Return what is wrong with a file that cannot be used."""
    with pytest.raises(ConfigurationError) as caught:
        read(written(folder, *rows), METRICS)
    return [str(fault) for fault in caught.value.faults]


def test_a_row_becomes_a_case_an_output_and_labels(tmp_path: Path) -> None:
    """Whatever a case of a dataset may have, it may have too."""
    found = labelled(
        tmp_path,
        expected_answer="14 days",
        citations=["d1"],
        tags={"language": "en"},
        metadata={"from": "audit"},
        labels={GROUNDED: [1, 0.5, 0], "generation.citation_support": 0.5, "generation.completeness": 1.0},
        why="half of it",
        hard=True,
        scored_by="the support team",
    )
    assert (found.case.id, found.case.expected_answers, found.case.language) == ("a", ("14 days",), "en")
    assert found.output.answer == "Two weeks."
    assert found.output.context == (Chunk(id="d1", text="Two weeks."),)
    assert found.output.citations == ("d1",)
    assert {key: label.scores for key, label in found.labels.items()} == {
        GROUNDED: (1, 0.5, 0),
        "generation.citation_support": (0.5,),
        "generation.completeness": (1,),
    }
    assert (found.why, found.hard, found.scored_by) == ("half of it", True, "the support team")


CONTEXTS = [
    # why, contexts as written, as read
    ("left out is unknown", None, None),
    ("an empty list is nothing found", [], ()),
    ("texts alone are named by their place", ["x", "y"], (("1", "x"), ("2", "y"))),
    ("a whole number is an id without loss", [{"id": 7, "text": "x"}], (("7", "x"),)),
]


@pytest.mark.parametrize(("why", "given", "expected"), CONTEXTS, ids=[row[0] for row in CONTEXTS])
def test_contexts(tmp_path: Path, why: str, given: Any, expected: Any) -> None:
    """As texts or as objects."""
    found = labelled(tmp_path, contexts=given).output.context
    assert (None if found is None else tuple((chunk.id, chunk.text) for chunk in found)) == expected


def test_a_kind_makes_abstention_a_label(tmp_path: Path) -> None:
    """It is measured on unanswerable cases."""
    key = "robustness.abstention"
    assert labelled(tmp_path, kind="unanswerable", labels={key: 1}).labels[key].scores == (1,)


FAULTS = [
    # why, fields in place of the sound ones, what is told
    ("no answer", {"answer": None}, "answer: missing; expected text"),
    ("no labels", {"labels": None}, "labels: missing; expected numbers by metric"),
    (
        "an empty object of labels",
        {"labels": {}},
        "labels: an empty object is not allowed; expected an object of metrics and numbers",
    ),
    (
        "a metric that is misspelt",
        {"labels": {"generation.groundednes": 1}},
        "labels: 'generation.groundednes' is no metric that a judge decides; did you mean",
    ),
    (
        "a metric that no judge decides",
        {"labels": {"ndcg@10": 1}},
        "labels: 'ndcg@10' is no metric that a judge decides; expected one of generation.",
    ),
    ("code to import", {"labels": {"os:system": 1}}, "labels: 'os:system' is no metric that a judge decides"),
    (
        "another scale",
        {"labels": {GROUNDED: 4}},
        f"labels['{GROUNDED}']: 4 is not allowed; expected a number from 0 to 1: bring another scale to it",
    ),
    (
        "another scale of one annotator",
        {"labels": {GROUNDED: [1, 3]}},
        f"labels['{GROUNDED}'][1]: 3 is not allowed",
    ),
    (
        "a word",
        {"labels": {GROUNDED: "supported"}},
        f"labels['{GROUNDED}']: 'supported' is not allowed; expected a number from 0 to 1",
    ),
    ("true is no number", {"labels": {GROUNDED: True}}, f"labels['{GROUNDED}']: true is not allowed"),
    (
        "no annotator",
        {"labels": {GROUNDED: []}},
        f"labels['{GROUNDED}']: an empty list is not allowed; expected a number from 0 to 1 for each",
    ),
    (
        "an annotator who says nothing",
        {"labels": {GROUNDED: [1, None]}},
        f"labels['{GROUNDED}'][1]: null is not allowed",
    ),
    (
        "one context that is no list",
        {"contexts": "Two weeks."},
        "contexts: 'Two weeks.' is not allowed; expected a list",
    ),
    (
        "a context without text",
        {"contexts": [{"id": "d1"}]},
        "contexts[0]: an object is not allowed; expected text, or an object of 'id' and 'text'",
    ),
    (
        "a context id twice",
        {"contexts": [{"id": "d", "text": ""}, {"id": "d", "text": ""}]},
        "contexts[1]['id']: 'd' is not allowed; expected a different id for each context",
    ),
    (
        "a citation that is no id",
        {"citations": [None]},
        "citations[0]: null is not allowed; expected the id of a context",
    ),
    (
        "a misspelt field",
        {"contextes": []},
        "'contextes' is not a field of a labelled answer; did you mean 'contexts'?",
    ),
    (
        "a field of somebody else",
        {"judge_scores": 1},
        "'judge_scores' is not a field of a labelled answer; move it under 'metadata' or 'tags'",
    ),
    (
        "what is wrong with the case",
        {"question": " "},
        "question: ' ' is not allowed; expected text that is not blank",
    ),
    (
        "a kind the metric does not measure",
        {"labels": {"robustness.abstention": 1}},
        "labels['robustness.abstention']: it cannot be measured here: applies to unanswerable cases only",
    ),
    (
        "a label that needs a reference",
        {"labels": {"generation.completeness": 1}},
        "labels['generation.completeness']: it cannot be measured here: case has no expected_answer",
    ),
    (
        "a label that needs citations",
        {"labels": {"generation.citation_support": 1}},
        "labels['generation.citation_support']: it cannot be measured here: answer has no citations",
    ),
    ("hard is a switch", {"hard": "yes"}, "hard: 'yes' is not allowed; expected true or false"),
]


@pytest.mark.parametrize(("why", "fields", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_names_its_line_and_its_cure(
    tmp_path: Path, why: str, fields: dict[str, Any], told: str
) -> None:
    """The file, the line, the field, the value and what was expected."""
    (found,) = faults(tmp_path, ROW, {**ROW, "id": "b", **fields})
    assert found.startswith(f"labels.jsonl:2: {told}"), found


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Of every line and of every kind, in the order of the lines."""
    found = faults(
        tmp_path,
        {**ROW, "labels": {GROUNDED: 2}, "colour": 1},
        '{"id": "b", ',
        "[]",
        {**ROW, "question": None, "answer": 3},
        ROW,
    )
    assert [each.split(": ")[0] for each in found] == [
        "labels.jsonl:1",
        "labels.jsonl:1",
        "labels.jsonl:2:12",
        "labels.jsonl:3",
        "labels.jsonl:4",
        "labels.jsonl:4",
        "labels.jsonl:5",
    ]
    assert found[-1] == "labels.jsonl:5: id: 'a' is already used at labels.jsonl:1; expected another"


def test_a_long_list_of_faults_is_cut(tmp_path: Path) -> None:
    """A misspelt metric in a thousand rows fills no terminal."""
    found = faults(tmp_path, *({**ROW, "id": str(n), "labels": {"x": 1}} for n in range(120)))
    assert len(found) == 51
    assert found[-1] == "labels.jsonl: and 70 more faults"


def test_an_empty_file_and_no_file(tmp_path: Path) -> None:
    """Neither is a calibration that found nothing wrong."""
    assert faults(tmp_path, "") == ["labels.jsonl: no labelled answers; expected at least one"]
    with pytest.raises(ConfigurationError, match=r"labels '.*absent.jsonl' cannot be read: no such file"):
        read(tmp_path / "absent.jsonl", METRICS)
    with pytest.raises(ConfigurationError, match="cannot be read: is a directory; expected a JSONL file"):
        read(tmp_path, METRICS)


def test_other_files_are_refused_as_datasets_are(tmp_path: Path) -> None:
    """One document instead of lines."""
    (found,) = faults(tmp_path, "[")
    assert "the file is one JSON document" in found


def test_foreign_text_stays_as_it_is(tmp_path: Path) -> None:
    """A line separator, which JSON allows inside of text, ends no row."""
    assert (
        labelled(tmp_path, answer="a\u2028b {answer} <|im_end|>").output.answer
        == "a\u2028b {answer} <|im_end|>"
    )
