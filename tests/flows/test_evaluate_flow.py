"""A run as its user meets it: the command, a real Prefect server, a real store, and what is left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ragproof.runs import RunStatus
from ragproof.store.opening import open_store
from tests.fakes.http_server import Reply, serving
from tests.fakes.prefect_server import PrefectServer

Run = Callable[..., subprocess.CompletedProcess[str]]

PIPELINE = '''
"""A pipeline that answers, abstains, and breaks on demand."""
ASKED = []

def answer(question, k=5):
    if "break" in question:
        raise ValueError("the index is gone")
    return {"answer": "Paris [1]", "retrieved": [{"id": "d1", "text": "Paris"}], "citations": ["d1"]}
'''
CASES = [
    {"id": "a", "question": "Capital of France?", "expected_answers": ["Paris [1]"], "relevance": {"d1": 1}},
    {"id": "b", "question": "Capital of Peru?", "expected_answers": ["Lima"], "relevance": {"d2": 1}},
    {"id": "c", "kind": "unanswerable", "question": "Capital of the Moon?"},
]
CONFIG = """
project: capitals
dataset: cases.jsonl
pipeline:
  name: toy
  adapter: {type: python, target: "toy_pipeline:answer"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's folder: a pipeline, cases and a configuration."""
    (tmp_path / "toy_pipeline.py").write_text(PIPELINE)
    write_cases(tmp_path, CASES)
    (tmp_path / "evaluation.yaml").write_text(CONFIG)
    return tmp_path


def write_cases(folder: Path, cases: list[dict[str, object]]) -> None:
    """Write a dataset file."""
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


@pytest.fixture
def ragproof(folder: Path, prefect_server: PrefectServer) -> Run:
    """The command, run in the user's folder against the running server."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ragproof", *words],
            cwd=folder,
            env=prefect_server.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )

    return run


def test_a_run_prints_strict_json_alone_and_keeps_everything(folder: Path, ragproof: Run) -> None:
    """stdout is one JSON value; the story goes to stderr; the store holds calls, scores and summaries."""
    done = ragproof("run", "evaluation.yaml", "--json", "--label", "first")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout, parse_constant=pytest.fail)
    assert result["status"] == "completed"
    assert result["cases"] == {"total": 3, "ok": 3, "failed": 0}
    assert result["metrics"]["retrieval.mrr"]["mean"] == 0.5
    assert result["metrics"]["echo.exact_match"]["mean"] == 0.5
    assert result["metrics"]["robustness.abstention"]["mean"] == 0.0
    assert result["run_id"] in done.stderr.splitlines()[0]
    assert "Traceback" not in done.stderr
    with open_store(f"sqlite:///{folder}/.ragproof/ragproof.db") as store:
        run = store.runs.get(result["run_id"])
        assert (run.label, run.status) == ("first", RunStatus.COMPLETED)
        assert len(store.calls.outcomes(run.id)) == 3


def test_a_second_run_asks_again_but_loads_the_dataset_from_the_cache(
    ragproof: Run, prefect_server: PrefectServer
) -> None:
    """A nightly run measures the pipeline anew; the unchanged file is not read twice."""
    first = ragproof("run", "evaluation.yaml", "--json")
    second = ragproof("run", "evaluation.yaml", "--json")
    assert first.returncode == second.returncode == 0, second.stderr
    assert "3 cases\n" in first.stderr
    assert "3 cases (cached)\n" in second.stderr
    flow = _flow_run(prefect_server, json.loads(second.stdout)["run_id"])
    tasks = prefect_server.find("task_runs", flow_runs={"id": {"any_": [flow["id"]]}})
    states = {str(task["name"]): task["state_name"] for task in tasks}
    assert states["load dataset cases.jsonl"] == "Cached"
    assert states["ask the pipeline, cases 1-3"] == "Completed"
    assert states["score, cases 1-3"] == "Completed"


def test_no_cache_reads_the_dataset_again(ragproof: Run) -> None:
    """`--no-cache` bypasses Prefect's cache too."""
    ragproof("run", "evaluation.yaml", "--json")
    again = ragproof("run", "evaluation.yaml", "--json", "--no-cache")
    assert again.returncode == 0, again.stderr
    assert "(cached)" not in again.stderr


def test_a_run_leaves_artifacts_that_a_person_can_read(ragproof: Run, prefect_server: PrefectServer) -> None:
    """A summary in Markdown, the worst cases by id on a shared server, and the progress at its end."""
    done = ragproof("run", "evaluation.yaml", "--json")
    flow = _flow_run(prefect_server, json.loads(done.stdout)["run_id"])
    artifacts = prefect_server.find("artifacts", flow_runs={"id": {"any_": [flow["id"]]}})
    by_type = {str(artifact["type"]): artifact for artifact in artifacts}
    assert by_type["markdown"]["key"] == "summary-capitals-toy"
    assert "retrieval.mrr" in str(by_type["markdown"]["data"])
    assert "Capital of Peru" not in json.dumps(artifacts)
    assert "b" in {row["case"] for row in json.loads(str(by_type["table"]["data"]))}
    assert by_type["progress"]["data"] == 100


def test_some_failed_cases_are_counted_and_never_averaged(folder: Path, ragproof: Run) -> None:
    """Above run.max_error_rate the run is failed:pipeline, exit 2, and what was scored is kept."""
    write_cases(folder, [*CASES, {"id": "d", "question": "break", "expected_answers": ["x"]}])
    done = ragproof("run", "evaluation.yaml", "--json")
    assert done.returncode == 2
    result = json.loads(done.stdout)
    assert result["status"] == "failed:pipeline"
    assert result["metrics"]["echo.exact_match"]["mean"] == 0.5
    assert result["metrics"]["echo.exact_match"]["case_failed"] == 1
    tolerant = ragproof("run", "evaluation.yaml", "--json", "--set", "run.max_error_rate=0.5")
    assert tolerant.returncode == 0
    assert json.loads(tolerant.stdout)["status"] == "completed"


def test_an_outage_is_told_once_and_ends_with_2(
    folder: Path, ragproof: Run, prefect_server: PrefectServer
) -> None:
    """Every call fails: one clear message, results kept; a shared server gets no error's words."""
    config = CONFIG.replace(
        '{type: python, target: "toy_pipeline:answer"}',
        '{type: http, url: "http://127.0.0.1:9/ask", retries: 0}',
    )
    (folder / "evaluation.yaml").write_text(config)
    done = ragproof("run", "evaluation.yaml", "--json")
    assert done.returncode == 2
    result = json.loads(done.stdout)
    assert result["status"] == "failed:pipeline"
    assert result["cases"] == {"total": 3, "ok": 0, "failed": 3}
    assert "cannot connect" in result["status_reason"]
    measured = result["metrics"].keys() - result["spend"].keys()
    assert all(result["metrics"][key]["mean"] is None for key in measured)
    (flow,) = prefect_server.find("flow_runs", flow_runs={"id": {"any_": [flow_run_of(folder)]}})
    assert flow["state_name"] == "failed:pipeline"
    assert "every call failed (3 of 3)" in str(flow["state"])
    assert "cannot connect" not in str(flow["state"])


def flow_run_of(folder: Path) -> str | None:
    """Return the flow run of the latest run."""
    with open_store(f"sqlite:///{folder}/.ragproof/ragproof.db") as store:
        return store.runs.get("latest").flow_run_id


def test_faults_are_told_before_anything_starts(folder: Path, ragproof: Run) -> None:
    """A misspelt key, an unknown metric, k = 0 and an unset variable: exit 3 with all four."""
    (folder / "evaluation.yaml").write_text(
        """
projekt: capitals
dataset: cases.jsonl
pipeline:
  name: toy
  adapter: {type: http, url: "http://127.0.0.1:9", headers: {Authorization: "env:RAGPROOF_TEST_UNSET_TOKEN"}}
run: {k: 0}
metrics: [retrieval.mmr]
"""
    )
    done = ragproof("run", "evaluation.yaml")
    assert done.returncode == 3
    for told in ("'project'", "RAGPROOF_TEST_UNSET_TOKEN", "run.k", "'retrieval.mrr'"):
        assert told in done.stderr


def test_dataset_faults_end_the_flow_with_3(folder: Path, ragproof: Run) -> None:
    """Every faulty line is named."""
    (folder / "cases.jsonl").write_text('{"id": "a"}\n{"id": "a", "question": "?", "kind": "qq"}\n')
    done = ragproof("run", "evaluation.yaml")
    assert done.returncode == 3
    assert "cases.jsonl:1" in done.stderr
    assert "cases.jsonl:2" in done.stderr


def test_history_is_refused_where_the_pipeline_takes_none(folder: Path, ragproof: Run) -> None:
    """A conversation is never shortened silently."""
    turn = {"role": "user", "content": "Hello"}
    write_cases(folder, [{"id": "a", "question": "And now?", "history": [turn]}])
    done = ragproof("run", "evaluation.yaml")
    assert done.returncode == 3
    assert "'a'" in done.stderr
    assert "history" in done.stderr


def test_labels_that_name_chunks_leave_document_metrics_unscored(folder: Path, ragproof: Run) -> None:
    """Found over the whole run: by document every system would score 0."""
    chunks = '{"id": "d1", "text": "Paris", "metadata": {"document_id": "atlas"}}'
    (folder / "toy_pipeline.py").write_text(PIPELINE.replace('{"id": "d1", "text": "Paris"}', chunks))
    done = ragproof("run", "evaluation.yaml", "--json")
    metrics = json.loads(done.stdout)["metrics"]
    assert metrics["retrieval.mrr"]["mean"] == 0.5
    assert metrics["ndcg@10"]["mean"] is None
    assert metrics["ndcg@10"]["reasons"]["expected ids are chunk-level"] == 2


def test_a_referenced_secret_is_found_nowhere(folder: Path, prefect_server: PrefectServer) -> None:
    """A pipeline that echoes its token: neither the store, nor the output, nor Prefect has it."""
    secret = "tok-3f9a77c1d2e84b"
    with serving(
        lambda received: Reply({"answer": f"you sent {received.headers['authorization']}"})
    ) as server:
        config = CONFIG.replace(
            '{type: python, target: "toy_pipeline:answer"}',
            f'{{type: http, url: "{server.url}", headers: {{Authorization: "Bearer env:TOY_TOKEN"}}}}',
        )
        (folder / "evaluation.yaml").write_text(config)
        done = subprocess.run(
            [sys.executable, "-m", "ragproof", "run", "evaluation.yaml", "--json"],
            cwd=folder,
            env=prefect_server.environment(TOY_TOKEN=secret),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    flow = _flow_run(prefect_server, json.loads(done.stdout)["run_id"])
    published = json.dumps(prefect_server.find("artifacts", flow_runs={"id": {"any_": [flow["id"]]}}))
    for place in (done.stdout, done.stderr, kept.decode("utf-8", "replace"), json.dumps(flow), published):
        assert secret not in place
    assert b"[redacted:TOY_TOKEN]" in kept


def _flow_run(server: PrefectServer, run_id: str) -> dict[str, object]:
    found = server.find("flow_runs", flow_runs={"name": {"like_": run_id}})
    assert len(found) == 1
    return found[0]
