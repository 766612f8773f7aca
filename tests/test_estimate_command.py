"""`ragproof estimate`, and the line that `ragproof run` prints: what judging may cost, without a call."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from deployments import foreseen_cost as foreseen
from ragproof import datasets
from ragproof.cli import estimate_page
from ragproof.cli.estimate import MOST_CASES
from ragproof.config import EvalConfig, load
from ragproof.judge.calls import JudgeCall, Transcript, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.prompting import load as prompt
from ragproof.outputs import Chunk, PipelineOutput
from ragproof.run_estimates import estimate_run
from ragproof.store.opening import open_store
from tests.command_line import Done, ragproof
from tests.fakes.kept_runs import keep_run

CONFIG = """
project: handbook
dataset: cases.jsonl
pipeline: {name: baseline, adapter: {type: python, target: "nowhere:answer"}}
metrics: [generation.groundedness, generation.answer_relevance]
judge: {model: m, base_url: "http://localhost:1/v1", input_cost_per_mtok: 1, output_cost_per_mtok: 4}
"""
CASES = 4


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration whose judge and whose pipeline cannot be reached, in the current directory."""
    lines = [json.dumps({"id": f"c{n}", "question": f"What is {n}?"}) for n in range(CASES)]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines))
    (tmp_path / "eval.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RAGPROOF_STORE_URL", raising=False)
    return tmp_path


def estimated(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the estimate as JSON."""
    done = ragproof(capsys, "estimate", "eval.yaml", *words, "--json")
    assert done.code == 0, done.err
    return done.json


def page(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the page, every run of blanks as one."""
    done = ragproof(capsys, "estimate", "eval.yaml", *words)
    assert done.code == 0, done.err
    return "\n".join(" ".join(line.split()) for line in done.out.splitlines())


def answer(case_id: str) -> PipelineOutput:
    """What an earlier run was answered."""
    return PipelineOutput(
        case_id=case_id, answer=f"The number of {case_id}.", retrieved=(Chunk(id="d", text="A number."),)
    )


def keep_answers(count: int) -> str:
    """Keep a run in which the first cases were answered, and return its id."""
    cases = datasets.read(Path("cases.jsonl"))
    with open_store() as store:
        return keep_run(store, cases, [answer(f"c{n}") for n in range(count)], metrics=()).id


async def keep_verdict(run_id: str, case_id: str, *, declined: bool) -> None:
    """Keep the verdict on whether a case's answer declines."""
    config = JudgeConfig.model_validate({"model": "m", "base_url": "http://localhost:1/v1"})
    question = f"What is {case_id[1:]}?"
    rendered = prompt("refusal").render({"question": question, "answer": answer(case_id).answer})
    call = JudgeCall(case_id=case_id, prompt=rendered)
    transcript = Transcript(
        prompt="refusal", prompt_hash=rendered.prompt_hash, model="m", base_url=config.home
    )
    verdict = Verdict(case_id=case_id, value={"declined": declined}, quotes=("",), transcript=transcript)
    with open_store() as store:
        await store.judge_calls.end(run_id, call, call.identity(config), verdict, copied=True)


def test_before_the_first_run_answers_are_taken_to_be_small_and_large(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The assumption is told; no store is made, and nothing is called."""
    found = estimated(capsys)
    assert found["cases"] == CASES
    assert found["calls"] == {"low": 3 * CASES, "high": 3 * CASES}
    assert found["outputs"]["known"] == 0
    assert found["outputs"]["assumed"]["high"]["answer_characters"] == 2_000
    assert found["judged_before"] == {"calls": 0, "share": 0.0}
    tokens, cost = found["tokens"], found["cost_usd"]
    for end in ("low", "high"):
        expected = (tokens["input"][end] * 1 + tokens["output"][end] * 4) / 1e6
        assert cost[end] == pytest.approx(expected)
    assert cost["low"] < cost["high"]
    assert not (folder / ".ragproof").exists()
    assert "outputs 4 not known yet, taken for 200 to 2,000 characters on chunks of 300 to 2,000" in page(
        capsys
    )


def test_the_outputs_of_an_earlier_run_are_taken_case_by_case(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of this pipeline on these cases; the range then is that of tokens alone."""
    run_id = keep_answers(3)
    found = estimated(capsys)
    assert (found["outputs"]["known"], found["outputs"]["of_run"]) == (3, run_id)
    assert f"outputs 3 as in run {run_id}; 1 not known yet" in page(capsys)
    assert estimated(capsys, "--set", "pipeline.name=other")["outputs"]["known"] == 0
    with (folder / "cases.jsonl").open("a") as cases:
        cases.write('\n{"id": "new", "question": "?"}')
    assert estimated(capsys)["outputs"] == {**found["outputs"], "known": 0, "of_run": None}


def test_what_was_judged_before_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer that declined has one question, and it was asked."""
    run_id = keep_answers(CASES)
    before = estimated(capsys)
    asyncio.run(keep_verdict(run_id, "c0", declined=True))
    asyncio.run(keep_verdict(run_id, "c1", declined=False))
    found = estimated(capsys)
    assert found["outputs"]["assumed"] is None
    calls = 1 + 3 * (CASES - 1)
    assert found["calls"] == {"low": calls, "high": calls}
    assert found["judged_before"] == {"calls": 2, "share": 2 / calls}
    assert found["cost_usd"]["high"] < before["cost_usd"]["high"]
    assert f"judged before 2 of {calls} (20 %)" in page(capsys)
    assert estimated(capsys, "--set", "judge.model=other")["judged_before"]["calls"] == 0


def test_a_price_that_is_not_known_is_not_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is null, and the page says how to set it."""
    words = ("--set", "judge.input_cost_per_mtok=null")
    assert estimated(capsys, *words)["cost_usd"] is None
    assert "price unknown: set RAGPROOF_JUDGE_INPUT_COST_PER_MTOK" in page(capsys, *words)


def test_the_cap_stands_beside_the_price(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lower of the configuration's and the machine's; whether it may stop the run is told."""
    assert estimated(capsys)["cap_usd"] is None
    words = ("--set", "budget.max_cost_usd=0.001")
    assert estimated(capsys, *words)["may_pass_cap"] is True
    assert "cap $0.001000" in page(capsys, *words)
    assert "may stop at its cap and end as aborted:budget" in page(capsys, *words)
    monkeypatch.setenv("RAGPROOF_MAX_COST_USD_CEILING", "100")
    found = estimated(capsys, "--set", "budget.max_cost_usd=1000")
    assert (found["cap_usd"], found["may_pass_cap"]) == (100, False)


def test_only_the_cases_that_are_asked_count(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a limit, the first ones."""
    assert estimated(capsys, "--set", "dataset.limit=2")["calls"]["high"] == 3 * 2


def test_a_larger_dataset_is_estimated_from_a_sample(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which is told; the numbers are those of all cases."""
    lines = [json.dumps({"id": f"c{n}", "question": f"What is {n}?"}) for n in range(2 * MOST_CASES)]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    (folder / "eval.yaml").write_text(
        CONFIG.replace("generation.groundedness, generation.answer_relevance", "robustness.overrefusal")
    )
    found = estimated(capsys)
    assert (found["cases"], found["looked_at"]) == (2 * MOST_CASES, MOST_CASES)
    assert found["calls"]["high"] == len(lines)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> Done:
    """Return how a command ended that must not say anything on stdout."""
    done = ragproof(capsys, "estimate", *words)
    assert done.out == ""
    return done


def test_without_a_judge_there_is_nothing_to_estimate(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3, with the cure; a file that is not there too."""
    done = refused(capsys, "eval.yaml", "--set", "judge=null")
    assert (done.code, "no judge is configured; set RAGPROOF_JUDGE_MODEL" in done.err) == (3, True)
    assert refused(capsys, "evil.yaml").code == 3


def configured(*overrides: str) -> EvalConfig:
    """Load the configuration."""
    return load(Path("eval.yaml"), overrides=overrides, environ={})


def test_a_run_prints_the_same_in_one_line_before_it_starts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Calls, what was judged before, tokens, price and cap."""
    keep_answers(CASES)
    config = configured("budget.max_cost_usd=5")
    with open_store() as store:
        told = foreseen.foreseen_cost(config, "new", store, {}, reuse=True)
        found = estimate_run(config, datasets.read(Path("cases.jsonl")), store, {})
        anew = foreseen.foreseen_cost(config, "new", store, {}, reuse=False)
    assert told == estimate_page.line(found)
    assert told.startswith(f"judge: {3 * CASES} calls to m (0 judged before), ")
    assert told.endswith(", cap $5.00")
    assert anew == told.replace(" (0 judged before)", "")


def test_a_large_dataset_is_sampled_or_passed_over(folder: Path) -> None:
    """The line must not make anybody wait."""
    lines = [
        json.dumps({"id": f"c{n}", "question": f"What is {n}?"}) for n in range(foreseen.CASES_LOOKED_UP + 1)
    ]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    with open_store() as store:
        told = foreseen.foreseen_cost(configured(), "new", store, {}, reuse=True)
        assert told is not None
        assert told.startswith(f"judge: about {3 * len(lines):,} calls to m, ")
        (folder / "cases.jsonl").write_text("x" * (foreseen.LARGEST_DATASET_BYTES + 1))
        told = foreseen.foreseen_cost(configured(), "new", store, {}, reuse=True)
    assert told == "judge: the dataset is too large for an estimate here; see `ragproof estimate`"


def test_a_run_says_nothing_of_a_judge_it_has_not(folder: Path) -> None:
    """Nor of a dataset with faults, which the run itself is about to tell."""
    with open_store() as store:
        assert foreseen.foreseen_cost(configured("judge=null"), "new", store, {}, reuse=True) is None
        (folder / "cases.jsonl").write_text("{")
        assert foreseen.foreseen_cost(configured(), "new", store, {}, reuse=True) is None


def test_a_run_that_is_gone_on_with_has_its_cases_in_the_store(folder: Path) -> None:
    """Whatever the file holds by now."""
    run_id = keep_answers(CASES)
    os.truncate("cases.jsonl", 0)
    with open_store() as store:
        told = foreseen.foreseen_cost(configured(), run_id, store, {}, reuse=True)
    assert told is not None
    assert told.startswith(f"judge: {3 * CASES} calls")


def test_a_hostile_name_of_a_model_is_shown_and_not_obeyed(folder: Path) -> None:
    """In the line too."""
    config = configured('judge.model="m\\x1b[31m"')
    assert config.judge is not None
    assert "\x1b" in config.judge.model
    with open_store() as store:
        told = foreseen.foreseen_cost(config, "new", store, {}, reuse=True)
    assert told is not None
    assert "\x1b" not in told
