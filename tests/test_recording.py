"""`ragproof record`: every case is asked once, and what came of it can be scored from the file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ragproof import recording
from ragproof.config import EvalConfig, load
from ragproof.errors import ConfigurationError
from ragproof.outputs import FailureKind
from tests.command_line import ragproof
from tests.fakes.http_server import Received, Reply, serving

CASES = [{"id": f"q{number}", "question": f"why {number}?"} for number in range(9)]


def written(folder: Path, url: str, cases: object = CASES, **run: object) -> Path:
    """Write a configuration of a pipeline behind HTTP, and its cases."""
    lines = "".join(f"{json.dumps(case)}\n" for case in cases)
    (folder / "cases.jsonl").write_text(lines, encoding="utf-8")
    adapter = {"type": "http", "url": url, "retries": 0, "headers": {"Authorization": "Bearer env:RAG_TOKEN"}}
    content = {
        "project": "p",
        "dataset": "cases.jsonl",
        "pipeline": {"name": "a", "adapter": adapter},
        "run": run,
        "metrics": ["exact_match"],
    }
    (folder / "eval.yaml").write_text(json.dumps(content), encoding="utf-8")
    return folder / "eval.yaml"


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOKEN", "tok-48151623")


def loaded(path: Path) -> EvalConfig:
    return load(path, environ=dict(os.environ))


def answering(received: Received) -> Reply:
    """Answer, but fail on one case and give the key away on another."""
    question = received.json["question"]
    if question == "why 3?":
        return Reply({"detail": "no index for tok-48151623"}, 500)
    return Reply(
        {"answer": f"because of {received.headers['authorization'] if '5' in question else question}"}
    )


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_case_is_asked_once_and_its_answer_kept_in_the_order_of_the_cases(tmp_path):
    """Failures too, and no secret, whoever gave it away."""
    out = tmp_path / "answers.jsonl"
    seen: list[int] = []
    with serving(answering) as server:
        config = loaded(written(tmp_path, server.url, concurrency=4))
        end = recording.record(config, out, lambda progress: seen.append(progress.done))
    found = lines(out)
    assert [line["case_id"] for line in found] == [case["id"] for case in CASES]
    assert (server.calls, end.total, end.answered, end.failed) == (9, 9, 8, 1)
    assert seen == [*range(1, 10)]
    assert found[0]["answer"] == "because of why 0?"
    assert found[5]["answer"] == "because of Bearer [redacted:RAG_TOKEN]"
    assert end.first_failure is not None
    assert found[3] == end.first_failure.model_dump(mode="json")
    assert end.first_failure.kind is FailureKind.HTTP_STATUS
    assert "tok-48151623" not in out.read_text(encoding="utf-8")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["answers.jsonl", "cases.jsonl", "eval.yaml"]


def test_no_more_cases_are_asked_at_once_than_the_configuration_says(tmp_path):
    """`run.concurrency`, as in a run."""
    under_way, most = 0, 0

    def script(received: Received) -> Reply:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        time.sleep(0.01)
        under_way -= 1
        return Reply({"answer": "x"})

    with serving(script) as server:
        recording.record(loaded(written(tmp_path, server.url, concurrency=2)), tmp_path / "out.jsonl")
    assert most <= 2


def test_a_recording_that_is_there_is_replaced_only_by_a_whole_one(tmp_path):
    """Until then it stays as it was."""
    out = tmp_path / "answers.jsonl"
    out.write_text("as it was\n", encoding="utf-8")

    def script(received: Received) -> Reply:
        assert out.read_text(encoding="utf-8") == "as it was\n"
        return Reply({"answer": "new"})

    with serving(script) as server:
        recording.record(loaded(written(tmp_path, server.url)), out)
    assert [line["answer"] for line in lines(out)] == ["new"] * 9


REFUSED = [
    ("a folder", ".", "is a folder, the configuration or the dataset; name a new JSONL file"),
    ("the dataset", "cases.jsonl", "is a folder, the configuration or the dataset; name a new JSONL file"),
    ("the configuration", "eval.yaml", "or the dataset; name a new JSONL file"),
    ("no folder", "none/out.jsonl", "none'; make it, or name a file elsewhere"),
    ("an interrupted one", "kept.jsonl", "a recording that was interrupted; rename or delete it"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "out", "told"), REFUSED, ids=[row[0] for row in REFUSED])
def test_nothing_that_exists_is_lost(why, out, told, tmp_path):
    """It is said before the pipeline is asked."""
    (tmp_path / "kept.jsonl.part").write_text("{}\n", encoding="utf-8")
    with serving([Reply({"answer": "x"})]) as server:
        config = loaded(written(tmp_path, server.url))
        with pytest.raises(ConfigurationError) as refused:
            recording.record(config, tmp_path / out)
        assert server.calls == 0
    assert str(refused.value).startswith("--out: ")
    assert str(refused.value).endswith(told)


def test_a_history_that_would_be_lost_is_refused(tmp_path):
    """As in a run; and no empty file is left behind."""
    case = {"id": "a", "question": "and then?", "history": [{"role": "user", "content": "hi"}]}
    with serving([Reply({"answer": "x"})]) as server:
        config = loaded(written(tmp_path, server.url, [case]))
        with pytest.raises(ConfigurationError, match="cases 'a' have a history"):
            recording.record(config, tmp_path / "out.jsonl")
    assert not list(tmp_path.glob("out.jsonl*"))


RECORD = """
import resource, signal, sys
from ragproof.cli.main import run
if len(sys.argv) > 3:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
sys.exit(run(["record", sys.argv[1], "--out", sys.argv[2]]))
"""


def test_a_disk_without_room_is_told_with_what_is_kept(tmp_path):
    """Here files may have 3,000 bytes; two answers of 1,000 characters fit."""
    out = tmp_path / "answers.jsonl"
    with serving([Reply({"answer": "x" * 1000})]) as server:
        path = written(tmp_path, server.url, concurrency=1)
        done = subprocess.run(
            [sys.executable, "-c", RECORD, str(path), str(out), "3000"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, out.exists()) == (2, False)
    part = tmp_path / "answers.jsonl.part"
    assert done.stderr == (
        f"error: '{part}' cannot be written: file too large; 2 of 9 answers are kept in '{part}'\n"
    )


def test_an_interrupted_recording_keeps_what_was_answered(tmp_path):
    """And says where; the file that was asked for is not there."""
    out = tmp_path / "answers.jsonl"

    def script(received: Received) -> Reply:
        return Reply(hang=True) if received.json["question"] == "why 4?" else Reply({"answer": "x"})

    with serving(script) as server:
        path = written(tmp_path, server.url, concurrency=1)
        process = subprocess.Popen(
            [sys.executable, "-c", RECORD, str(path), str(out)], stderr=subprocess.PIPE, text=True
        )
        while server.calls < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    part = tmp_path / "answers.jsonl.part"
    assert (process.returncode, out.exists()) == (2, False)
    assert told == f"error: cancelled; 4 of 9 answers are kept in '{part}'\n"
    assert [line["case_id"] for line in lines(part)] == ["q0", "q1", "q2", "q3"]


def test_the_command_says_what_it_wrote_and_what_to_do_next(capsys, tmp_path):
    """What it says to do next is a configuration that works."""
    out = tmp_path / "the answers.jsonl"
    with serving(answering) as server:
        path = str(written(tmp_path, server.url, max_error_rate=0.5))
        done = ragproof(capsys, "record", path, "--out", str(out), "--set", "dataset.limit=4")
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"wrote 4 cases to {out}: 3 answered, 1 failed",
        "",
        f"next: ragproof run {path} --set dataset.limit=4 --set 'pipeline.adapter={{type: replay, path:"
        f' "{out}"}}\'',
    ]
    replay = f'pipeline.adapter={{type: replay, path: "{out}"}}'
    checked = ragproof(capsys, "check", path, "--set", replay, "--json")
    assert checked.code == 0, checked.err
    assert checked.json["call"]["output"]["answer"] == "because of why 0?"


def test_a_pipeline_that_fails_too_often_is_an_error_although_its_failures_are_kept(capsys, tmp_path):
    """As in a run: `run.max_error_rate`."""
    out = tmp_path / "answers.jsonl"
    with serving([Reply({"why": "no index"}, 500)]) as server:
        done = ragproof(capsys, "record", str(written(tmp_path, server.url)), "--out", str(out))
    assert done.code == 2
    assert done.err == (
        'error: 9 of 9 cases failed, the first with http_status: HTTP 500: {"why": "no index"}\n'
    )
    assert len(lines(out)) == 9
