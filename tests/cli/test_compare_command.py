"""`ragproof compare`: two runs of a store, or of files, held against each other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.comparing.run_file import run_file
from ragproof.comparing.stored_run import read_run
from ragproof.evidence import Settings
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput
from ragproof.runs import RunStatus
from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.hostile_run import HOSTILE
from tests.fakes.kept_runs import STARTED, keep_run

METRICS = choose(
    ["contains_answer", "retrieval.mrr", "retrieval.recall_at_k", "robustness.overrefusal", "latency_ms"]
)
CASES = tuple(
    Case(
        id=f"q{number}",
        question=HOSTILE if number == 1 else f"What is rule {number}?",
        expected_answers=(f"rule {number}",),
        relevance={f"r{number}": 1},
        tags={"topic": "hr" if number < 12 else "it"},
    )
    for number in range(20)
)
DECLINED = "I cannot answer that from the documents."


def answered(
    number: int, answer: str | None = None, *, found: bool = True, ms: float = 5.0
) -> PipelineOutput:
    """An answer to a case, by default the right one from its source."""
    ids = [f"r{number}" if found else f"r{number + 1}", "other"]
    return PipelineOutput(
        case_id=f"q{number}",
        answer=f"It is rule {number}." if answer is None else answer,
        retrieved=tuple(Chunk(id=id, text=f"It is rule {id[1:]}.") for id in ids),
        latency_ms=ms,
    )


BEFORE: tuple[Outcome, ...] = tuple(answered(number) for number in range(20))
AFTER: tuple[Outcome, ...] = (
    *(answered(number, DECLINED, found=False) for number in range(6)),
    *(answered(number, DECLINED) for number in range(6, 9)),
    answered(9, HOSTILE),
    CaseFailure(case_id="q10", kind=FailureKind.TIMEOUT, message=f"after 30 s {HOSTILE}"),
    *(answered(number) for number in range(11, 20)),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a baseline, a candidate that is worse, and runs that cannot be compared with them."""
    url = f"sqlite:///{tmp_path}/store.db"
    monkeypatch.setenv("RAGPROOF_STORE_URL", url)
    monkeypatch.chdir(tmp_path)
    runs: Sequence[tuple[str, str, Sequence[Outcome], Settings]] = (
        ("aaaaaaaaaaaa", "baseline", BEFORE, Settings()),
        ("bbbbbbbbbbbb", "reranked", AFTER, Settings()),
        ("cccccccccccc", "deeper", AFTER, Settings(k=8, metric_k=20)),
    )
    with open_store(url) as store:
        for minute, (id, pipeline, outcomes, settings) in enumerate(runs):
            keep_run(
                store,
                CASES,
                outcomes,
                run_id=id,
                pipeline=pipeline,
                metrics=METRICS,
                settings=settings,
                started_at=STARTED + timedelta(minutes=minute),
            )
            store.runs.update(id, label=pipeline, corpus_version=f"2026-1{minute}")
    return tmp_path


def exported(folder: Path, run_id: str) -> str:
    """Write a run as `ragproof export` does and return the file's name."""
    with open_store(f"sqlite:///{folder}/store.db") as store:
        text = run_file(read_run(store, store.runs.get(run_id)))
    (folder / f"{run_id}.json").write_text(text, encoding="utf-8")
    return f"{run_id}.json"


def test_the_page_begins_with_what_came_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Better, worse, and why."""
    done = ragproof(capsys, "compare", "baseline", "reranked")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:6] == [
        "reranked against baseline on 20 shared cases: better on 0, worse on 2 of 5 metrics",
        "worse: contains_answer 1.000 → 0.474 (-0.526), robustness.overrefusal 0.000 → 0.500 (-0.500)",
        "the other metrics: 2 no difference shown, 1 the same on every case",
        "cases without a score they should have: baseline up to 0, candidate up to 1",
        "cases: 11 got worse (5 not retrieved, 3 over-refusal, 1 pipeline error, 1 labels no longer in the",
        "  corpus, 1 contradicted), 0 got better, 9 did not change",
    ]


def test_every_part_of_the_page_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Runs, metrics by verdict, missing cases, tags, cases with cause and both answers, what to type next."""
    lines = ragproof(capsys, "compare", "baseline", "reranked", "--cases", "20").out.splitlines()
    for told in (
        "runs",
        "corpus version  2026-10                  2026-11",
        "worse",
        "no difference shown",
        "cases that should have a score and have none",
        "by tag",
        "q0 -1.000: labels no longer in the corpus",
        "q6 -0.667: over-refusal",
        "  why        it declined a question that the baseline answered",
        "  question   What is rule 6?",
        "  baseline   It is rule 6.",
        f"  candidate  {DECLINED}",
        "next: ragproof show aaaaaaaaaaaa --case q0",
    ):
        assert told in lines, told


def test_a_line_of_the_page_fits_a_hundred_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """Hostile text, long reasons and many metrics included."""
    out = ragproof(capsys, "compare", "baseline", "reranked", "--cases", "20").out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_hostile_text_is_shown_and_not_obeyed(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In questions, answers and error messages."""
    out = ragproof(capsys, "compare", "baseline", "reranked", "--format", format, "--cases", "20").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "onerror=alert(1)" in out
    assert "\\x1b[31mred\\u202e" in out


def test_the_json_is_alone_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    """Strict, with every number and every case that got worse."""
    done = ragproof(capsys, "compare", "aaaa", "bbbb", "--json")
    assert (done.code, done.err) == (0, "")
    found = done.json
    assert (found["baseline"]["run_id"], found["candidate"]["run_id"]) == ("aaaaaaaaaaaa", "bbbbbbbbbbbb")
    assert found["cases"]["shared"] == 20
    assert len(found["worse"]) == 11
    causes = {case["case_id"]: case["root_cause"] for case in found["worse"]}
    assert causes["q10"] == "pipeline error"
    assert causes["q6"] == causes["q7"] == causes["q8"] == "over-refusal"
    assert set(causes.values()) == set(found["root_causes"])


def test_a_worse_candidate_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    """Comparing is not judging: that is the gate's."""
    assert ragproof(capsys, "compare", "baseline", "reranked", "--json").code == 0


@pytest.mark.parametrize(
    ("why", "baseline", "candidate", "expected"),
    [
        ("by label", "baseline", "reranked", ("aaaaaaaaaaaa", "bbbbbbbbbbbb")),
        ("by the beginning of an id", "a", "b", ("aaaaaaaaaaaa", "bbbbbbbbbbbb")),
        ("latest is another run than the candidate", "latest", "bbbbbbbbbbbb", None),
        ("a run and itself", "a", "a", ("aaaaaaaaaaaa", "aaaaaaaaaaaa")),
    ],
)
def test_runs_are_named_as_people_call_them(
    why: str,
    baseline: str,
    candidate: str,
    expected: tuple[str, str] | None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And `latest` never makes a run its own baseline."""
    done = ragproof(capsys, "compare", baseline, candidate, "--json")
    if expected is None:
        assert "run 'cccccccccccc' and run 'bbbbbbbbbbbb' cannot be compared" in done.err, why
    else:
        assert (done.json["baseline"]["run_id"], done.json["candidate"]["run_id"]) == expected, why


def test_two_files_need_no_store(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CI has a repository alone; the numbers are the store's."""
    stored = ragproof(capsys, "compare", "a", "b", "--json").json
    files = [exported(folder, run) for run in ("aaaaaaaaaaaa", "bbbbbbbbbbbb")]
    monkeypatch.setenv("RAGPROOF_STORE_URL", f"sqlite:///{folder}/absent.db")
    read = ragproof(capsys, "compare", *files, "--json").json
    assert read["metrics"] == stored["metrics"]
    assert read["worse"][0]["baseline"]["note"] == "not in the file"
    assert not (folder / "absent.db").exists()
    page = ragproof(capsys, "compare", *files).out
    assert "  baseline   (not in the file)" in page.splitlines()
    assert "next: " not in page


def test_a_file_is_held_against_a_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the store has of one side is shown."""
    found = ragproof(capsys, "compare", exported(folder, "aaaaaaaaaaaa"), "reranked", "--json").json
    first = next(case for case in found["worse"] if "question" in case)
    assert (first["baseline"]["note"], first["candidate"]["answer"]) == ("not in the file", DECLINED)
    assert first["question"] == "What is rule 0?"


@pytest.mark.parametrize(
    ("why", "arguments", "code", "told"),
    [
        ("their numbers mean something else", ["a", "c"], 2, "they differ in 2 fields"),
        ("every field is listed", ["a", "c"], 2, "metric_k: 10 against 20"),
        ("no such run", ["a", "nope"], 2, "no run is called 'nope'"),
        ("no such file", ["a", "nope.json"], 3, "'ragproof export RUN' writes one"),
        ("no such metric", ["a", "b", "--metric", "contains_anser"], 3, "did you mean 'contains_answer'?"),
        ("a share that is none", ["a", "b", "--min-coverage", "2"], 3, "expected a share from 0 to 1"),
        ("a share that is no number", ["a", "b", "--min-coverage", "nan"], 3, "expected a share from 0 to 1"),
        ("fewer than no cases", ["a", "b", "--cases", "-1"], 3, "invalid value for '--cases'"),
        ("a seed under 0", ["a", "b", "--seed", "-1"], 3, "invalid value for '--seed'"),
        ("an unknown format", ["a", "b", "--format", "html"], 3, "invalid value for '--format'"),
        ("two formats", ["a", "b", "--json", "--format", "markdown"], 3, "exclude each other"),
        ("one run", ["a"], 3, "missing argument 'candidate'"),
    ],
)
@pytest.mark.parametrize("json", [False, True])
def test_what_cannot_be_compared_is_refused(
    why: str, arguments: list[str], code: int, told: str, json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """2 for the runs, 3 for the command line; the same with --json, and nothing on stdout."""
    done = ragproof(
        capsys, "compare", *arguments, *(["--json"] if json and "--json" not in arguments else [])
    )
    assert (done.code, done.out) == (code, ""), why
    if not (json and "markdown" in arguments):
        assert told in done.err, why


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_an_unfinished_run_is_refused_with_the_cure(
    json: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it measured is a part of what was asked for, and says which part came first."""
    with open_store(f"sqlite:///{folder}/store.db") as store:
        store.runs.update("bbbbbbbbbbbb", status=RunStatus.ABORTED_BUDGET, status_reason="budget exhausted")
    done = ragproof(capsys, "compare", "a", "b", *json)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: run 'bbbbbbbbbbbb' is aborted:budget (budget exhausted); expected a completed one: raise the"
        " budget, and 'ragproof run --resume bbbbbbbbbbbb' goes on with it\n"
    )


def test_one_metric_is_asked_about_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """And its p is adjusted for nothing."""
    found = ragproof(capsys, "compare", "a", "b", "--metric", "contains_answer", "--json").json
    assert list(found["metrics"]) == ["contains_answer"]
    metric = found["metrics"]["contains_answer"]
    assert metric["p"] == metric["p_holm"] == pytest.approx(2 / 2**10)
    assert {tag["metric"] for tag in found["tags"]} == {"contains_answer"}


def test_no_more_cases_are_told_than_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """All are counted, and in the JSON all have their cause."""
    page = ragproof(capsys, "compare", "a", "b", "--cases", "2").out
    assert "cases that got worse (11)" in page
    assert page.count("\n  why ") == 2
    none = ragproof(capsys, "compare", "a", "b", "--cases", "0", "--json").json
    assert len(none["worse"]) == 11
    assert not any("question" in case for case in none["worse"])


def test_comparing_loads_no_orchestrator(folder: Path) -> None:
    """No Prefect server is needed, or waited for."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys\nfrom ragproof.cli.main import run\ncode = run(sys.argv[1:])\n"
            "print('loaded:', *sys.modules, file=sys.stderr)\nsys.exit(code)",
            "compare",
            "a",
            "b",
            "--json",
        ],
        env={**os.environ, "RAGPROOF_STORE_URL": f"sqlite:///{folder}/store.db"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & {"prefect", "polars", "httpx"}
