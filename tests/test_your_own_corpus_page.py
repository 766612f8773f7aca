"""docs/your-own-corpus.md: what it shows works on a BEIR folder and a SQuAD file as they are."""

from __future__ import annotations

import json
import re
from math import log2
from pathlib import Path

import pytest

from ragproof import evaluate
from tests.command_line import ragproof
from tests.readme import FILE

PAGE = Path(__file__).resolve().parent.parent / "docs" / "your-own-corpus.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = dict(FILE.findall(TEXT))
COMMANDS = re.findall(r"^\$ ragproof (.+)$", TEXT, re.MULTILINE)

DOCUMENTS = {
    "leave": "Every employee has thirty days of leave a year.",
    "parking": "Cars may be parked behind the warehouse.",
    "pumps": "The metering pump has a warranty of two years.",
    "lunch": "The canteen serves lunch from noon.",
}
QUERIES = {
    "q1": "How many days of leave?",
    "q2": "What warranty has the pump?",
    "q3": "Where is the canteen?",
}
QRELS = {"q1": {"leave": 1}, "q2": {"pumps": 2, "lunch": 1}}


def write_beir(folder: Path) -> None:
    """Write a BEIR folder: four documents, three queries of which two are judged."""
    (folder / "qrels").mkdir(parents=True)
    corpus = [json.dumps({"_id": id, "title": "", "text": text}) for id, text in DOCUMENTS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(corpus), encoding="utf-8")
    queries = [json.dumps({"_id": id, "text": text}) for id, text in QUERIES.items()]
    (folder / "queries.jsonl").write_text("\n".join(queries), encoding="utf-8")
    judged = [f"{query}\t{id}\t{gain}" for query, gains in QRELS.items() for id, gain in gains.items()]
    lines = ["query-id\tcorpus-id\tscore", *judged]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines), encoding="utf-8")


def write_squad(file: Path) -> None:
    """Write a SQuAD 2.0 file: a paragraph, a question that it answers and one that it does not."""
    answered = {"id": "a", "question": "How many days of leave?", "answers": [{"text": "thirty days"}]}
    impossible = {"id": "b", "question": "Who owns the moon?", "answers": [], "is_impossible": True}
    paragraph = {"context": DOCUMENTS["leave"], "qas": [answered, impossible]}
    content = {"version": "v2.0", "data": [{"title": "Leave", "paragraphs": [paragraph]}]}
    file.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's files beside the datasets that it speaks of; the current directory."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    write_beir(tmp_path / "scifact")
    write_squad(tmp_path / "dev-v2.0.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_has_what_is_tried_here() -> None:
    """Nothing below passes because nothing was found."""
    assert set(FILES) == {"scifact.yaml", "squad.yaml", "score.py"}
    assert COMMANDS == [
        "check scifact.yaml",
        "run scifact.yaml",
        "record scifact.yaml --out outputs.jsonl",
    ]


def test_a_beir_folder_is_checked_without_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One live call, and the judged queries are within reach of the ranking metrics."""
    found = ragproof(capsys, "check", "scifact.yaml", "--json").json
    assert found["cases"] == {"total": 2, "qa": 2}
    assert found["metrics"]["ndcg@10"]["at_most"] == 2
    assert found["call"]["output"]["retrieved"][0]["id"] == "leave"
    assert found["doubts"] == []
    page = ragproof(capsys, *COMMANDS[0].split())
    assert page.code == 0, page.err
    assert "\nnext: ragproof run scifact.yaml" in page.out


def test_a_beir_folder_is_evaluated_without_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the pipeline found is scored by the folder's graded judgments; the unjudged query is left out."""
    done = ragproof(capsys, *COMMANDS[2].split())
    assert done.code == 0, done.err
    capsys.readouterr()
    exec(compile(FILES["score.py"], "score.py", "exec"), {})
    found = evaluate("outputs.jsonl", "scifact", ["ndcg@10", "recall@10", "retrieval.mrr"])
    # Of q2 the pump is found and lunch, which it shares no word with, is not.
    q2 = 2 / (2 + 1 / log2(3))
    assert found.means == {
        "ndcg@10": pytest.approx((1 + q2) / 2, abs=1e-12),
        "recall@10": pytest.approx((1 + 1 / 2) / 2, abs=1e-12),
        "retrieval.mrr": 1.0,
    }
    assert "scored 2 of 2" in capsys.readouterr().out


def test_a_squad_file_is_checked_without_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its questions have expected answers, and one of them has none in the corpus."""
    found = ragproof(capsys, "check", "squad.yaml", "--json").json
    assert found["cases"] == {"total": 2, "qa": 1, "unanswerable": 1}
    assert found["metrics"]["contains_answer"]["at_most"] == 1
    assert found["call"]["output"]["answer"] == "Every employee has thirty days of leave a year. [1]"


def test_a_corpus_of_another_folder_is_told_where_it_was_looked_for(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says that the corpus is a path from the current directory; the message shows which."""
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    done = ragproof(capsys, "check", "../scifact.yaml")
    assert done.code == 3
    assert f"dataset '{folder / 'elsewhere' / 'scifact'}' does not exist" in done.err
