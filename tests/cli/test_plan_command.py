"""`ragproof plan`: the cases that an effect needs, what it rests on, and what that costs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.comparing.run_file import run_file
from ragproof.comparing.stored_run import read_run
from ragproof.evidence import Settings
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunRecord, RunStatus
from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.kept_runs import STARTED, keep_run

CONFIG = """
project: handbook
dataset: cases.jsonl
pipeline: {name: baseline, adapter: {type: python, target: "nowhere:answer"}}
metrics: [token_f1, latency_ms]
"""
JUDGED = (
    "--set",
    "metrics=[token_f1, generation.groundedness]",
    "--set",
    'judge={model: m, base_url: "http://localhost:1/v1", input_cost_per_mtok: 1, output_cost_per_mtok: 4}',
)
N = 20


def cases() -> list[Case]:
    """Questions with an answer of two words."""
    return [Case(id=f"c{n}", question=f"What is {n}?", expected_answers=("alpha beta",)) for n in range(N)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration whose pipeline and judge cannot be reached, in the current directory; no store yet."""
    (tmp_path / "cases.jsonl").write_text("\n".join(case.model_dump_json() for case in cases()))
    (tmp_path / "eval.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RAGPROOF_STORE_URL", raising=False)
    return tmp_path


def keep(number: int, pipeline: str, right: Sequence[int], *, k: int = 5, **changes: object) -> RunRecord:
    """Keep a run; `right` is how many of the two words each answer has, in turns."""
    outcomes = [
        PipelineOutput(
            case_id=f"c{n}",
            answer=("gamma", "alpha", "alpha beta")[right[n % len(right)]],
            latency_ms=10.0 + n % len(right),
        )
        for n in range(N)
    ]
    with open_store() as store:
        run = keep_run(
            store,
            cases(),
            outcomes,
            run_id=f"{number:012}",
            pipeline=pipeline,
            metrics=choose(["token_f1", "latency_ms"]),
            settings=Settings(k=k),
            started_at=STARTED + timedelta(minutes=number),
        )
        return store.runs.update(run.id, **changes) if changes else run


def planned(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the plan as JSON."""
    done = ragproof(capsys, "plan", "eval.yaml", *words, "--json")
    assert (done.code, done.err) == (0, "")
    return done.json


def page(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the page, every run of blanks as one."""
    done = ragproof(capsys, "plan", "eval.yaml", *words)
    assert (done.code, done.err) == (0, "")
    return "\n".join(" ".join(line.split()) for line in done.out.splitlines())


def test_before_the_first_run_the_range_bounds_the_answer(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """7.85 * 0.5 / 0.03^2, and 2 more for Student's t; no store is made."""
    found = planned(capsys)
    metric = found["metrics"]["token_f1"]
    assert metric["cases_needed"] == pytest.approx(7.849 * 0.5 / 0.03**2 + 2, abs=2)
    assert (metric["basis"], metric["upper_bound"]) == ("range", True)
    assert found["unplanned"] == {"latency_ms": "its range is open, and no run has shown how it varies"}
    assert (found["baseline"], found["beside"]) == (None, None)
    told = page(capsys)
    assert told.startswith(
        f"To see a change of 0.03 in token_f1 with 80 % power you need at most {metric['cases_needed']:,}"
        " cases; you have 20, which can see "
    )
    assert "rests on no run that shows it; at most: its range" in told
    assert "0.1 90" in told
    assert not (folder / ".ragproof").exists()


def test_two_runs_of_the_project_are_what_a_plan_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    """The configured variant and the latest other one, on the cases they share."""
    keep(1, "baseline", [0, 1])
    keep(2, "reranked", [1, 2])
    keep(3, "baseline", [0, 1, 1])
    found = planned(capsys, "--effect", "0.1")
    assert (found["baseline"], found["beside"]) == (f"{3:012}", f"{2:012}")
    metric = found["metrics"]["token_f1"]
    assert (metric["basis"], metric["upper_bound"], metric["test"]) == ("two_runs", False, "paired t")
    assert metric["cases_behind"] == N
    assert found["metrics"]["latency_ms"]["cases_needed"] is None
    assert found["metrics"]["latency_ms"]["detectable_now"] is not None
    told = page(capsys, "--effect", "0.1")
    assert re.match(
        r"To see a change of 0\.1 in token_f1 with 80 % power you need [\d,]+ cases; you have", told
    )
    assert f"rests on runs baseline ({3:012}) and reranked ({2:012}): 20 cases scored by both" in told
    assert "-: 0.1 is not meant for it; name one with --metric and --effect in its unit" in told


def test_a_run_that_cannot_be_held_against_the_baseline_is_passed_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And so are runs of the baseline's own variant, which differ by noise alone."""
    keep(1, "baseline", [0, 1])
    keep(2, "baseline", [1, 2])
    keep(3, "deep", [1, 2], k=50)
    found = planned(capsys)
    assert (found["baseline"], found["beside"]) == (f"{2:012}", None)
    assert found["metrics"]["token_f1"]["basis"] == "one_run"
    assert f"rests on run baseline ({2:012}), at most: its 20 cases" in page(capsys)
    keep(4, "reranked", [0, 1, 2])
    assert planned(capsys)["beside"] == f"{4:012}"


@pytest.mark.parametrize("reference", ["id", "label", "file"])
def test_the_baseline_is_found_by_what_people_call_it(
    reference: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An id's beginning, a label, a file in the repository."""
    run = keep(7, "baseline", [0, 1], label="monday")
    keep(8, "baseline", [0, 2])
    keep(9, "reranked", [1, 2, 2])
    with open_store() as store:
        (folder / "kept.json").write_text(run_file(read_run(store, run)))
    meant = {"id": run.id, "label": "monday", "file": "kept.json"}[reference]
    found = planned(capsys, "--baseline", meant)
    source = str(Path("kept.json")) if reference == "file" else run.id
    assert (found["baseline"], found["beside"]) == (source, f"{9:012}")


def test_a_baseline_in_a_file_needs_no_store(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in a pipeline that tests a pull request."""
    run = keep(7, "baseline", [0, 1])
    with open_store() as store:
        (folder / "kept.json").write_text(run_file(read_run(store, run)))
    for path in sorted((folder / ".ragproof").iterdir()):
        path.unlink()
    found = planned(capsys, "--baseline", "kept.json")
    assert (found["metrics"]["token_f1"]["basis"], found["beside"]) == ("one_run", None)


def test_a_baseline_that_was_measured_otherwise_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Its spread is the best there is, and of another k."""
    keep(1, "baseline", [0, 1], k=3)
    found = planned(capsys)
    assert {"field": "k", "baseline": "3", "configured": "5"} in found["differs"]
    assert "baseline had k 3 not 5" in page(capsys)


def test_the_price_is_that_of_the_cases_needed(capsys: pytest.CaptureFixture[str]) -> None:
    """Each case as often as it is repeated; the judge by its estimate, scaled."""
    found = planned(capsys, *JUDGED, "--metric", "token_f1", "--repeats", "3", "--effect", "0.2")
    now, needed = found["cost"]["now"], found["cost"]["needed"]
    assert (now["cases"], now["pipeline_calls"], now["pipeline_usd"]) == (N, 3 * N, None)
    assert needed["cases"] == found["metrics"]["token_f1"]["cases_needed"]
    scale = needed["cases"] / N
    assert needed["judge_calls"]["high"] == pytest.approx(now["judge_calls"]["high"] * scale, abs=1)
    assert needed["judge_usd"]["high"] == pytest.approx(now["judge_usd"]["high"] * scale)
    configured = planned(capsys, *JUDGED, "--set", "run.repeats=3", "--metric", "token_f1", "--effect", "0.2")
    assert configured["cost"] == found["cost"]
    once = planned(capsys, *JUDGED, "--metric", "token_f1", "--effect", "0.2")["cost"]["now"]
    assert now["judge_calls"]["high"] == 3 * once["judge_calls"]["high"]
    told = page(capsys, *JUDGED)
    assert "what one run costs" in told
    assert "the pipeline's price is not known: set prices, and run it once" in told
    assert "no judge is configured" not in told
    assert "no judge is configured, so none is asked" in page(capsys)


def test_a_judge_without_a_price_costs_what_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    """Null, and in words."""
    words = (*JUDGED, "--set", "judge.input_cost_per_mtok=null", "--set", "judge.output_cost_per_mtok=null")
    assert planned(capsys, *words)["cost"]["now"]["judge_usd"] is None
    assert "judge not known not known" in page(capsys, *words)


def test_only_the_cases_that_would_be_asked_count(capsys: pytest.CaptureFixture[str]) -> None:
    """With a limit, the first ones."""
    found = planned(capsys, "--set", "dataset.limit=5")
    assert found["metrics"]["token_f1"]["cases_now"] == 5
    assert found["cost"]["now"]["cases"] == 5


def test_repeats_come_from_the_configuration_unless_given(capsys: pytest.CaptureFixture[str]) -> None:
    """And are not counted where no run shows what they save."""
    words = ("--set", "run.repeats=4")
    assert planned(capsys, *words)["repeats"] == 4
    assert planned(capsys, *words, "--repeats", "2")["repeats"] == 2
    assert "repeats not counted: no run here asked a case twice" in page(capsys, *words)


def test_a_metric_that_cannot_be_planned_is_told_why(capsys: pytest.CaptureFixture[str]) -> None:
    """In the first line, and no number is made up."""
    told = page(capsys, "--metric", "latency_ms", "--effect", "5")
    assert told.startswith(
        "latency_ms cannot be planned: its range is open, and no run has shown how it varies.\n"
    )
    found = planned(capsys, "--metric", "latency_ms", "--effect", "5")
    assert (found["primary"], found["metrics"], found["cost"]["needed"]) == (None, {}, None)


@pytest.mark.parametrize(
    ("why", "words", "code", "expected"),
    [
        ("no effect", ["--effect", "0"], 3, "--effect: '0.0' is no effect to see"),
        ("one under 0", ["--effect", "-1"], 3, "--effect"),
        ("no number", ["--effect", "nan"], 3, "'nan' is no effect to see"),
        ("no number at all", ["--effect", "x"], 3, "--effect"),
        ("power of 1", ["--power", "1"], 3, "--power: '1.0' is no chance"),
        ("power that is no number", ["--power", "nan"], 3, "--power"),
        ("power under alpha", ["--power", "0.01"], 3, "not over alpha"),
        ("an unknown metric", ["--metric", "token_f2"], 3, "did you mean 'token_f1'?"),
        ("an effect over the range", ["--metric", "token_f1", "--effect", "2"], 3, "more than the range"),
        ("no trial", ["--repeats", "0"], 3, "--repeats"),
        ("a baseline file that is gone", ["--baseline", "gone.json"], 3, "cannot be read as a run"),
        ("a baseline that nobody kept", ["--baseline", "gone"], 2, "no store to find the run 'gone' in"),
        ("a dataset that is gone", ["--dataset", "gone.jsonl"], 3, "gone.jsonl"),
    ],
)
def test_bad_input_is_refused(
    why: str, words: list[str], code: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cure on stderr, nothing on stdout."""
    done = ragproof(capsys, "plan", "eval.yaml", *words)
    assert (done.code, done.out) == (code, ""), why
    assert expected in done.err, why


def test_every_fault_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A line each."""
    done = ragproof(capsys, "plan", "eval.yaml", "--effect", "0", "--power", "2", "--repeats", "0")
    assert [line.split(":")[1].strip() for line in done.err.splitlines()] == [
        "--effect",
        "--power",
        "--repeats",
    ]


def test_a_baseline_that_did_not_complete_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Of half a run the spread is half known."""
    keep(1, "baseline", [0, 1], status=RunStatus.CANCELLED)
    done = ragproof(capsys, "plan", "eval.yaml", "--baseline", f"{1:012}")
    assert (done.code, "expected a completed run" in done.err) == (3, True)
    assert planned(capsys)["baseline"] is None


def test_an_empty_dataset_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to plan from."""
    (folder / "cases.jsonl").write_text("\n")
    assert ragproof(capsys, "plan", "eval.yaml").code == 3


def test_hostile_names_drive_no_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of runs, of projects, in every line."""
    keep(1, "v\x1b[31m\u202e", [0, 1], project="handbook")
    told = page(capsys)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert json.loads(ragproof(capsys, "plan", "eval.yaml", "--json").out)["baseline"] == f"{1:012}"
