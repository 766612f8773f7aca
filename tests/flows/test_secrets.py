"""Twenty kinds of secrets, echoed wherever a pipeline can: none is kept, printed, reported or published."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragproof.reports.registry import formats, render
from ragproof.reports.report import gather
from ragproof.store.opening import open_store
from tests.fakes.prefect_server import PrefectServer

RANDOM = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
HEX = "9f86d081884c7d659a2feaa0c55ad015"

VARIABLES = {
    "SEARCH_API_KEY": "search-81.x!7",
    "CHAT_TOKEN": "chat-81.x!7b",
    "SIGNING_SECRET": "signing-81.x!7b",
    "LDAP_PASSWD": "ldap-81.x!7b",
    "RAG_DATABASE_URL": "postgresql://rag:database-81.x7@db/rag",
    "RAG_SETTING": RANDOM[::-1],
}
"""Known by name, by what is inside a URL, and by shape."""

PLANTED = {
    **{name: value for name, value in VARIABLES.items() if name != "RAG_DATABASE_URL"},
    "RAG_DATABASE_URL": "database-81.x7",
    "aws-access-key-id": "AKIA" + "Q1" * 8,
    "aws-secret-access-key": RANDOM + "/+aB",
    "openai-key": f"sk-proj-{RANDOM}",
    "anthropic-key": f"sk-ant-api03-{RANDOM}",
    "github-token": f"ghp_{RANDOM}",
    "gitlab-token": f"glpat-{RANDOM[:20]}",
    "slack-token": f"xoxb-1234567890-{RANDOM}",
    "google-key": f"AIza{RANDOM[:35]}",
    "stripe-key": f"sk_live_{RANDOM}",
    "huggingface-token": f"hf_{RANDOM[:34]}",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{RANDOM}",
    "private-key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
    "url-credentials": "someone:basic-81.x7",
    "authorization": base64.b64encode(b"someone:header-81.x7").decode(),
}
"""What must be found nowhere, by the mark that stands in its place."""

AROUND = {
    "aws-secret-access-key": "aws_secret_access_key={}",
    "private-key": "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    "url-credentials": "https://{}@docs.example.org/x",
    "authorization": "Authorization: Basic {}",
}

PIPELINE = '''
"""A pipeline that knows secrets and tells them."""
import json
from pathlib import Path

TOLD = json.loads((Path(__file__).parent / "told.json").read_text())

def answer(question):
    secret = TOLD[question.split()[1]]
    if question.startswith("raise"):
        raise ValueError(f"the server said {secret}, and no more")
    chunk = {"id": "d1", "text": f"see {secret} there", "metadata": {"seen": [secret, {secret: secret}]}}
    return {"answer": f"it is {secret}", "retrieved": [chunk], "context": [chunk], "citations": ["d1"]}
'''
CONFIG = """
project: secrets
dataset: cases.jsonl
pipeline: {name: echo, adapter: {type: python, target: "echo_pipeline:answer"}}
run: {max_error_rate: 1.0}
"""


def ragproof(folder: Path, server: PrefectServer, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command where the planted variables are set."""
    return subprocess.run(
        [sys.executable, "-m", "ragproof", *words],
        cwd=folder / "evaluation",
        env=server.environment(**VARIABLES, PYTHONPATH=os.pathsep.join([str(folder), *sys.path])),
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose `evaluation` holds no secret; what the pipeline knows lies beside it."""
    told = {kind: AROUND.get(kind, "{}").format(value) for kind, value in PLANTED.items()}
    (tmp_path / "told.json").write_text(json.dumps(told))
    (tmp_path / "echo_pipeline.py").write_text(PIPELINE)
    (tmp_path / "evaluation").mkdir()
    questions = [f"{verb} {kind}" for verb in ("answer", "raise") for kind in PLANTED]
    cases = [
        {"id": f"q{index}", "question": question, "expected_answers": ["it"], "relevance": {"d1": 1}}
        for index, question in enumerate(questions)
    ]
    (tmp_path / "evaluation" / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (tmp_path / "evaluation" / "evaluation.yaml").write_text(CONFIG)
    return tmp_path


def published(server: PrefectServer, name: str) -> str:
    """Return all that Prefect has of the flow runs whose names hold a text."""
    flows = server.find("flow_runs", flow_runs={"name": {"like_": name}})
    ids = {"any_": [flow["id"] for flow in flows]}
    artifacts = server.find("artifacts", flow_runs={"id": ids})
    tasks = server.find("task_runs", flow_runs={"id": ids})
    logs = server.find("logs", logs={"flow_run_id": ids}) if flows else []
    return json.dumps([flows, artifacts, tasks, logs])


def files_of(folder: Path) -> str:
    """Return every byte that a folder holds, the store's and its journal's included."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).decode("latin-1")


def test_there_are_twenty_kinds() -> None:
    """As many as the promise says."""
    assert len(PLANTED) == 20


def test_planted_secrets_are_found_nowhere(folder: Path, prefect_server: PrefectServer) -> None:
    """In answers, chunks, metadata and errors: neither store, streams, reports nor Prefect has one."""
    done = ragproof(folder, prefect_server, "run", "evaluation.yaml", "--json")
    assert done.returncode == 0, done.stderr
    run_id = json.loads(done.stdout)["run_id"]
    with open_store(f"sqlite:///{folder}/evaluation/.ragproof/ragproof.db") as store:
        report = gather(store, run_id, worst=100)
        reports = {name: render(report, name) for name in formats()}
    places = {
        "stdout": done.stdout,
        "stderr": done.stderr,
        "files": files_of(folder / "evaluation"),
        "prefect": published(prefect_server, run_id),
        "prefect's files": files_of(prefect_server.home),
        **reports,
    }
    found = [(kind, place) for kind, secret in PLANTED.items() for place in places if secret in places[place]]
    assert found == []
    assert [kind for kind in PLANTED if f"[redacted:{kind}]" not in places["files"]] == []


def test_a_configuration_with_secrets_starts_nothing(folder: Path, prefect_server: PrefectServer) -> None:
    """A URL with a password and an option that is a key: exit 3, their lines, and not their values."""
    key, password = PLANTED["openai-key"], "basic-81.x7"
    (folder / "evaluation" / "evaluation.yaml").write_text(
        CONFIG.replace(
            '{type: python, target: "echo_pipeline:answer"}',
            f"\n  {{type: python, target: 'echo_pipeline:answer', options:\n"
            f"    {{index: 'https://someone:{password}@h/x',\n     api_key: {key}}}}}",
        ).replace("project: secrets", "project: refused-secrets")
    )
    done = ragproof(folder, prefect_server, "run", "evaluation.yaml")
    assert done.returncode == 3, done.stderr
    (folder / "evaluation" / "evaluation.yaml").unlink()
    assert "evaluation.yaml:6:" in done.stderr
    assert "evaluation.yaml:7:" in done.stderr
    assert "env:NAME" in done.stderr
    left = files_of(folder / "evaluation") + files_of(prefect_server.home)
    for place in (done.stdout, done.stderr, left, published(prefect_server, "refused-secrets")):
        assert key not in place
        assert password not in place
