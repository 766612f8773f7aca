"""`ragproof leaderboard` where there is nothing to rank, or nothing that can be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.leaderboard_runs import answers, cases, keep


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, in the current directory."""
    monkeypatch.setenv("RAGPROOF_STORE_URL", f"sqlite:///{tmp_path}/store.db")
    monkeypatch.chdir(tmp_path)
    open_store(f"sqlite:///{tmp_path}/store.db").close()
    return tmp_path


@pytest.mark.parametrize(
    ("why", "words", "expected"),
    [
        ("an empty store", [], "no completed run; `ragproof run CONFIG` makes one\n"),
        (
            "a project without runs",
            ["--project", "x"],
            "no completed run of project 'x'; `ragproof run CONFIG` makes one\n",
        ),
        (
            "a group without runs",
            ["--group", "g"],
            "no completed run of group 'g'; `ragproof run CONFIG` makes one\n",
        ),
    ],
)
def test_nothing_to_rank_is_told_in_words(
    why: str, words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is no error; as JSON there is no board."""
    done = ragproof(capsys, "leaderboard", *words)
    assert (done.code, done.out) == (0, expected), why
    assert ragproof(capsys, "leaderboard", *words, "--json").json["boards"] == []


def test_a_mistyped_project_is_met_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """Of those there are."""
    keep(1, "a", answers(2))
    assert "did you mean 'handbook'?" in ragproof(capsys, "leaderboard", "--project", "handbok").out


@pytest.mark.parametrize(
    ("why", "words", "expected"),
    [
        ("a metric that nobody measured", ["--metric", "token_f2"], "did you mean 'token_f1'?"),
        ("a number of a whole run", ["--metric", "p95_latency_ms"], "such as 'latency_ms'"),
        ("a dataset that nobody ran on", ["--dataset", "x.jsonl"], "no run is on the dataset 'x.jsonl'"),
        ("a file with other cases", ["--dataset", "strange.jsonl"], "no run is on the cases that"),
        ("a tag that no case has", ["--by-tag", "topik"], "there are 'topic'; did you mean 'topic'?"),
        ("two formats", ["--json", "--format", "markdown"], "expected one of them"),
        ("a seed under 0", ["--seed", "-1"], "--seed"),
        ("another word for which runs", ["--runs", "some"], "--runs"),
    ],
)
def test_bad_input_is_refused(
    why: str, words: list[str], expected: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3, the cure on stderr, and nothing on stdout."""
    keep(1, "a", answers(2))
    (folder / "strange.jsonl").write_text('{"id": "x", "question": "?"}')
    done = ragproof(capsys, "leaderboard", *words)
    assert (done.code, done.out) == (3, ""), why
    assert expected in done.err, why


def test_two_datasets_that_begin_alike_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """By asking for more of the hash."""
    with open_store() as store:
        for number in (2, 3):
            run = keep(number, f"v{number}", answers(2), asked=cases(text="!" * number))
            store.datasets.put(f"abcd{number}", "jsonl@1", "cases.jsonl", cases(text="!" * number))
            store.runs.update(run.id, dataset_hash=f"abcd{number}")
    done = ragproof(capsys, "leaderboard", "--dataset", "abcd")
    assert (done.code, "more than one dataset begins with 'abcd'" in done.err) == (3, True)
