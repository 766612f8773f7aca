"""A run that is killed, stopped or started twice: nothing settled is asked again, and nothing is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from ragproof.runs import RunStatus
from tests.fakes.http_server import Received, Reply, Server, serving
from tests.fakes.prefect_server import PrefectServer
from tests.fakes.run_command import Runs, run_id_of

SOAK = bool(os.environ.get("RAGPROOF_SOAK"))
KILLS = 50 if SOAK else 3
CASES = 200 if SOAK else 60
CALL_SECONDS = 0.03
CONFIG = """
project: kills
dataset: cases.jsonl
pipeline: {{name: served, adapter: {{type: http, url: "{url}", retries: 0}}}}
run: {{concurrency: 4, shard_size: 20}}
"""


def answer(received: Received) -> Reply:
    """Answer after a moment, so that a kill finds calls in flight."""
    time.sleep(CALL_SECONDS)
    return Reply({"answer": received.json["question"]})


def wait_for_calls(server: Server, calls: int) -> None:
    """Wait until the pipeline has been asked so often."""
    for _ in range(2_000):
        if server.calls >= calls:
            return
        time.sleep(0.02)
    raise AssertionError(f"only {server.calls} calls arrived")


def asked(server: Server) -> Counter[str]:
    """Count how often each question arrived."""
    return Counter(received.json["question"] for received in server.received)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_run_goes_on_without_asking_twice(
    seed: int, tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """kill -9 at a random moment, then --resume: the pipeline's count is the cases plus the uncertain."""
    with serving(answer) as server:
        runs = Runs(tmp_path, prefect_server, CASES)
        (tmp_path / "evaluation.yaml").write_text(CONFIG.format(url=server.url))
        process = runs.start("evaluation.yaml")
        wait_for_calls(server, random.Random(seed).randrange(1, CASES))
        process.kill()
        _, err = process.communicate()
        with runs.store() as store:
            assert store.runs.get(run_id_of(err)).status is RunStatus.INTERRUPTED
            settled = set(store.calls.outcomes(run_id_of(err)))
        before = asked(server)
        code, out, err = runs.finish("--resume", run_id_of(err))
        assert code == 0, err
        assert json.loads(out)["cases"] == {"total": CASES, "ok": CASES, "failed": 0}
        assert json.loads(out)["metrics"]["echo.exact_match"]["scored"] == CASES
        uncertain = set(json.loads(out)["uncertain"])
    again = {question for question, times in asked(server).items() if times > 1}
    assert not {f"q{id_[1:]}" for id_ in settled} & again, "a settled call was repeated"
    assert again <= {f"q{id_[1:]}" for id_ in uncertain}, (
        "a call was repeated that is not listed as uncertain"
    )
    assert all(times <= 2 for times in asked(server).values())
    assert sum(before.values()) < sum(asked(server).values()) <= CASES + len(uncertain)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_run_keeps_and_summarises_what_is_done(
    sent: signal.Signals, tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """Status cancelled, exit 2, a summary of what is done; the run goes on where it was."""
    hurry = threading.Event()

    def ever_slower(received: Received) -> Reply:
        if int(received.json["question"][1:]) >= CASES // 2 and not hurry.is_set():
            time.sleep(1)  # the signal arrives while there is work left, however slow the machine
        return answer(received)

    with serving(ever_slower) as server:
        runs = Runs(tmp_path, prefect_server, CASES)
        (tmp_path / "evaluation.yaml").write_text(CONFIG.format(url=server.url))
        process = runs.start("evaluation.yaml")
        wait_for_calls(server, CASES // 2)
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 2, err
        assert "Traceback" not in err
        stopped = json.loads(out)
        assert stopped["status"] == "cancelled"
        assert 0 < stopped["cases"]["ok"] < CASES
        assert f"--resume {stopped['run_id']}" in stopped["status_reason"]
        hurry.set()
        code, out, err = runs.finish("evaluation.yaml", "--resume", "latest", "--set", "run.concurrency=8")
        assert code == 0, err
        assert json.loads(out)["run_id"] == stopped["run_id"]
        assert json.loads(out)["duration_seconds"] > stopped["duration_seconds"] > 0
        assert json.loads(out)["cases"]["ok"] == CASES
        assert max(asked(server).values()) <= 2


def test_two_copies_of_a_run_at_once(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """One runs, one stops with the reason; the pipeline is asked each case once."""
    may_answer = threading.Event()

    def held(received: Received) -> Reply:
        may_answer.wait(timeout=60)
        return answer(received)

    with serving(held) as server:
        runs = Runs(tmp_path, prefect_server, CASES)
        (tmp_path / "evaluation.yaml").write_text(CONFIG.format(url=server.url))
        first = runs.start("evaluation.yaml")
        wait_for_calls(server, 1)
        with runs.store() as store:
            run_id = store.runs.get("latest").id
        code, _, told = runs.finish("--resume", run_id)
        may_answer.set()
        out, err = first.communicate(timeout=180)
    assert code == 2
    assert "is being worked on by process" in told
    assert first.returncode == 0, err
    assert json.loads(out)["cases"]["ok"] == CASES
    assert set(asked(server).values()) == {1}


def test_failed_cases_are_asked_again_on_resume(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """An outage in the middle costs nothing but the second asking of what failed."""
    down = {"q3", "q4"}

    def flaky(received: Received) -> Reply:
        return Reply(status=500) if received.json["question"] in down else answer(received)

    with serving(flaky) as server:
        runs = Runs(tmp_path, prefect_server, cases=10)
        (tmp_path / "evaluation.yaml").write_text(CONFIG.format(url=server.url))
        code, out, _ = runs.finish("evaluation.yaml")
        assert (code, json.loads(out)["status"]) == (2, "failed:pipeline")
        down.clear()
        code, out, err = runs.finish("--resume", json.loads(out)["run_id"])
        assert code == 0, err
        assert json.loads(out)["cases"] == {"total": 10, "ok": 10, "failed": 0}
    assert asked(server) == Counter({f"q{n}": 2 if n in (3, 4) else 1 for n in range(10)})


def test_a_change_that_changes_scores_is_refused(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """Exit 3 with the field and both values; nothing is asked."""
    with serving(answer) as server:
        runs = Runs(tmp_path, prefect_server, cases=3)
        (tmp_path / "evaluation.yaml").write_text(CONFIG.format(url=server.url))
        runs.finish("evaluation.yaml")
        calls = server.calls
        code, _, err = runs.finish("--resume", "latest", "--set", "run.k=9")
    assert code == 3
    assert "k was 5" in err
    assert "is 9 now" in err
    assert server.calls == calls
