"""A deployment as an operator meets it: a real server, a real worker, and a run started through the API."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ragproof.store.opening import open_store
from tests.fakes.prefect_server import PrefectServer, end
from tests.flows.conftest import ROOT

FINISHED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
DEPLOYMENTS = {"handbook-baseline": "baseline", "handbook-reranked": "reranked"}
SWEEPS = {"handbook-sweep": "handbook"}


@pytest.fixture(scope="module")
def environment(prefect_server: PrefectServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the operator's processes see: the server, and a store of their own."""
    folder = tmp_path_factory.mktemp("operator")
    return prefect_server.environment(
        RAGPROOF_STORE_URL=f"sqlite:///{folder}/ragproof.db", RAGPROOF_RESULTS=str(folder / "results")
    )


def prefect(environment: dict[str, str], *words: str) -> None:
    """Run Prefect's own command from the checkout's root, and insist that it works."""
    done = subprocess.run(
        [sys.executable, "-m", "prefect", *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def worker(environment: dict[str, str]) -> Iterator[None]:
    """The deployments of `deployments/prefect.yaml`, deployed twice (it is idempotent), and a worker."""
    prefect(environment, "work-pool", "create", "evaluations", "--type", "process")
    for _ in range(2):
        prefect(environment, "--no-prompt", "deploy", "--all", "--prefect-file", "deployments/prefect.yaml")
    process = subprocess.Popen(
        [sys.executable, "-m", "prefect", "worker", "start", "--pool", "evaluations"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        end(process)


@pytest.mark.usefixtures("worker")
def test_each_variant_has_a_deployment_with_a_nightly_schedule(prefect_server: PrefectServer) -> None:
    """The variant is among the deployment's parameters, and the cron has a time zone."""
    deployments = {str(each["name"]): each for each in prefect_server.find("deployments")}
    assert deployments.keys() == {*DEPLOYMENTS, *SWEEPS}
    for name, meant in (*DEPLOYMENTS.items(), *SWEEPS.items()):
        deployment = deployments[name]
        named = "variant" if name in DEPLOYMENTS else "sweep"
        assert deployment["parameters"]["request"][named] == meant  # type: ignore[index]
        (schedule,) = deployment["schedules"]  # type: ignore[misc]
        assert schedule["schedule"]["cron"]
        assert schedule["schedule"]["timezone"] == "Europe/Berlin"


@pytest.mark.usefixtures("worker")
def test_a_run_through_the_api_takes_other_parameters(
    prefect_server: PrefectServer, environment: dict[str, str]
) -> None:
    """The worker runs it; the run, its tasks and its artifacts are there to be found."""
    flow = start(
        prefect_server,
        "handbook-baseline",
        {"config": "demo", "variant": "reranked", "limit": 12, "label": "api"},
    )
    assert flow["state_type"] == "COMPLETED", flow["state"]
    with open_store(environment["RAGPROOF_STORE_URL"]) as store:
        (run,) = store.runs.list(project="handbook")
    assert (run.pipeline, run.label, run.cases.total, run.cases.ok) == ("reranked", "api", 12, 12)
    assert run.flow_run_id == flow["id"]
    tasks = prefect_server.find("task_runs", flow_runs={"id": {"any_": [flow["id"]]}})
    names = {str(task["name"]) for task in tasks}
    assert {
        "load dataset demo.jsonl",
        "ask the pipeline, cases 1-10",
        "score, cases 11-12",
        "publish",
    } <= names
    artifacts = prefect_server.find("artifacts", flow_runs={"id": {"any_": [flow["id"]]}})
    assert {"markdown", "table", "progress"} <= {str(artifact["type"]) for artifact in artifacts}


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"config": "demo", "variant": "rerankd"}, "did you mean 'reranked'?"),
        ({"config": "../../etc/passwd", "variant": "baseline"}, "pattern"),
        (
            {"config": "demo", "variant": "baseline", "metrics": ["os:getcwd"]},
            "no metric is named 'os:getcwd'",
        ),
    ],
)
def test_whoever_presses_run_cannot_leave_the_configuration_folder(
    prefect_server: PrefectServer, request_: dict[str, object], told: str
) -> None:
    """Paths, unknown names and importable functions are refused with the reason."""
    created = create(prefect_server, "handbook-baseline", request_)
    if created.is_error:
        assert told in created.text or "does not match" in created.text
        return
    flow = wait(prefect_server, created.json()["id"])
    assert flow["state_type"] == "FAILED"
    assert told in str(flow["state"])


def start(server: PrefectServer, name: str, request: dict[str, object]) -> dict[str, object]:
    """Start a deployment through the API and wait for its end."""
    return wait(server, create(server, name, request).raise_for_status().json()["id"])


def create(server: PrefectServer, name: str, request: dict[str, object]) -> httpx.Response:
    """Press Run: what the server says to a flow run of a deployment with this request."""
    deployment = server.get(f"/deployments/name/evaluate/{name}")
    assert isinstance(deployment, dict)
    return server.post(
        f"/deployments/{deployment['id']}/create_flow_run", {"parameters": {"request": request}}
    )


def wait(server: PrefectServer, flow_run_id: str) -> dict[str, object]:
    """Wait until a flow run has ended."""
    for _ in range(600):
        flow = server.get(f"/flow_runs/{flow_run_id}")
        assert isinstance(flow, dict)
        if flow["state_type"] in FINISHED:
            return flow
        time.sleep(0.25)
    raise AssertionError(f"flow run {flow_run_id} did not end: {flow['state']}")


def test_the_prefect_file_holds_no_path_of_a_machine() -> None:
    """What is committed can be deployed from anywhere."""
    text = (ROOT / "deployments" / "prefect.yaml").read_text()
    assert str(Path.home()) not in text
    assert str(ROOT) not in text
