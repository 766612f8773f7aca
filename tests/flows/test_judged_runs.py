"""Runs with a judge: every paid call is made once, the cap holds, and how a run ended is said truthfully."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ragproof.judge.metering import Tokens
from tests.fakes.databases import ON_BOTH, store_url
from tests.fakes.http_server import Reply
from tests.fakes.judge_server import Asked, JudgeServer, Line, judging
from tests.fakes.obliging_judge import ObligingJudge
from tests.fakes.prefect_server import PrefectServer
from tests.fakes.run_command import Runs, run_id_of

SOAK = bool(os.environ.get("RAGPROOF_SOAK"))
KILLS = 20 if SOAK else 1
CASES = 12
CALLS_A_CASE = 5
"""Whether it declines, its claims, its citations, its relevance, its completeness."""
PIPELINE = """
def answer(question, k=5):
    number = question.rstrip("?").split()[-1]
    text = f"The number is {number}."
    return {"answer": f"{text} [d1]", "retrieved": [{"id": "d1", "text": f"{text} So it is."}],
            "citations": ["d1"]}
"""
CONFIG = """
project: judged
dataset: cases.jsonl
pipeline: {{name: instant, adapter: {{type: python, target: "instant:answer"}}}}
run: {{shard_size: 4}}
metrics: [generation.groundedness, generation.citation_support, generation.answer_relevance,
          generation.completeness, robustness.overrefusal, echo.exact_match]
judge: {{model: m, base_url: "{url}", input_cost_per_mtok: 1, output_cost_per_mtok: 4, max_tokens: 200,
        concurrency: 8}}
"""
PRICE_A_CALL = (100 * 1 + 20 * 4) / 1e6
"""Dollars, at the usage that the obliging judge reports."""


@contextmanager
def judged(
    folder: Path, prefect: PrefectServer, judge: Callable[[Asked], Line], environment: Mapping[str, str] = {}
) -> Iterator[tuple[Runs, JudgeServer]]:
    """Have a configuration with a judge in a folder while the block lasts."""
    with judging(judge) as server:
        runs = Runs(folder, prefect, CASES, environment)
        (folder / "instant.py").write_text(PIPELINE)
        (folder / "evaluation.yaml").write_text(CONFIG.format(url=server.base_url))
        yield runs, server


def told(out: str, err: str) -> dict[str, Any]:
    """Read what --json printed."""
    assert out, err
    read: dict[str, Any] = json.loads(out)
    return read


def test_every_question_is_asked_once_and_never_again(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """A second run finds every verdict of the first; --no-cache asks anew, and keeps what it was told."""
    judge = ObligingJudge()
    with judged(tmp_path, prefect_server, judge) as (runs, _):
        code, out, err = runs.finish("evaluation.yaml")
        assert code == 0, err
        first = told(out, err)
        assert judge.calls == CASES * CALLS_A_CASE
        assert set(judge.questions.values()) == {1}
        assert first["spend"] == {
            "eval_cost_usd": pytest.approx(judge.calls * PRICE_A_CALL),
            "eval_llm_calls": judge.calls,
            "eval_input_tokens": judge.calls * 100,
            "eval_output_tokens": judge.calls * 20,
        }
        means = {key: metric["mean"] for key, metric in first["metrics"].items()}
        assert means["generation.groundedness"] == means["generation.citation_support"] == 1.0
        assert means["robustness.overrefusal"] == 0.0

        code, out, err = runs.finish("evaluation.yaml")
        again = told(out, err)
        assert (code, judge.calls) == (0, CASES * CALLS_A_CASE)
        assert again["spend"]["eval_llm_calls"] == again["metrics"]["eval_llm_calls"]["mean"] == 0
        for key in first["metrics"].keys() - first["spend"].keys():
            assert again["metrics"][key] == first["metrics"][key]

        code, out, err = runs.finish("evaluation.yaml", "--no-cache")
        assert (code, judge.calls) == (0, 2 * CASES * CALLS_A_CASE)
        with runs.store() as store:
            score = store.scores.get(first["run_id"], "c3", "generation.groundedness")[0]
    assert json.loads(str(score.details["judge_raw_json"]))["claims"][0]["text"] == "The number is q3."


def test_a_run_stops_at_its_cap_and_goes_on_with_a_larger_one(
    tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """`aborted:budget`, exit 2, what was judged is kept with its coverage; the rest is asked on resume."""
    judge = ObligingJudge(usage=lambda _: Tokens(input=1_000, output=200))
    cap = 0.05  # of about 12 * 5 * 0.0018 = 0.108 dollars
    with judged(tmp_path, prefect_server, judge) as (runs, _):
        code, out, err = runs.finish("evaluation.yaml", "--set", f"budget.max_cost_usd={cap}")
        stopped = told(out, err)
        assert (code, stopped["status"]) == (2, "aborted:budget"), err
        assert "the run's cost cap is $0.05" in stopped["status_reason"]
        bill = sum(tokens.input * 1e-6 + tokens.output * 4e-6 for tokens in judge.billed)
        assert bill == pytest.approx(stopped["spend"]["eval_cost_usd"])
        assert 0.5 * cap < bill <= cap
        grounded = stopped["metrics"]["generation.groundedness"]
        assert grounded["scored"] + grounded["skipped"] == CASES
        assert grounded["reasons"] == {"budget exhausted": grounded["skipped"]}
        assert stopped["metrics"]["echo.exact_match"]["scored"] == CASES

        code, out, err = runs.finish("--resume", stopped["run_id"], "--set", "budget.max_cost_usd=1")
        whole = told(out, err)
        assert (code, whole["status"]) == (0, "completed"), err
        assert whole["metrics"]["generation.groundedness"]["scored"] == CASES
        assert set(judge.questions.values()) == {1}
        assert whole["spend"]["eval_llm_calls"] == CASES * CALLS_A_CASE


def test_a_ceiling_of_the_machine_is_below_every_cap(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """Nobody who starts a run can raise it."""
    judge = ObligingJudge()
    ceiling = {"RAGPROOF_PROJECT_COST_USD_CEILING": "0.003"}
    with judged(tmp_path, prefect_server, judge, ceiling) as (runs, _):
        code, out, err = runs.finish("evaluation.yaml", "--set", "budget.max_cost_usd=100")
    assert (code, told(out, err)["status"]) == (2, "aborted:budget")
    assert "the cost cap of project 'judged' is $0.003" in told(out, err)["status_reason"]
    assert judge.calls * PRICE_A_CALL <= 0.003


FAILING = [
    # why, what the judge says, status, reason, calls at most
    (
        "a key that is refused ends it at once",
        Reply({"error": {"message": "bad key"}}, 401),
        "HTTP 401: bad key",
        8,
    ),
    (
        "every judgment of a metric fails",
        "it is fine",
        "every judgment of generation.groundedness failed (12 cases): invalid reply: ",
        2 * CASES,
    ),
]


@pytest.mark.parametrize(("why", "says", "reason", "most"), FAILING, ids=[row[0] for row in FAILING])
def test_a_judge_that_fails_a_whole_run_fails_it(
    tmp_path: Path, prefect_server: PrefectServer, why: str, says: Line, reason: str, most: int
) -> None:
    """`failed:judge`, exit 2; nothing is scored 0.0 for it, and the other metrics stand."""
    judge = ObligingJudge(before=lambda _: says)
    with judged(tmp_path, prefect_server, judge) as (runs, _):
        code, out, err = runs.finish("evaluation.yaml")
    report = told(out, err)
    assert (code, report["status"]) == (2, "failed:judge"), why
    assert reason in report["status_reason"], report["status_reason"]
    assert report["metrics"]["generation.answer_relevance"]["judge_error"] == CASES
    assert report["metrics"]["generation.answer_relevance"]["mean"] is None
    assert report["metrics"]["echo.exact_match"]["scored"] == CASES
    assert judge.calls <= most


def test_without_a_judge_its_metrics_are_skipped_and_nothing_else_changes(
    tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """With the reason; the heuristic decides what declines."""
    with judged(tmp_path, prefect_server, ObligingJudge()) as (runs, server):
        code, out, err = runs.finish("evaluation.yaml", "--set", "judge=null")
    report = told(out, err)
    assert (code, server.calls) == (0, 0)
    assert report["metrics"]["generation.groundedness"]["reasons"] == {
        "no judge is configured; set RAGPROOF_JUDGE_MODEL": CASES
    }
    assert report["metrics"]["robustness.overrefusal"]["scored"] == CASES
    assert report["metrics"]["echo.exact_match"]["scored"] == CASES


def test_a_key_may_lie_in_a_secret_block(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """Of the server the run is on; the environment's own comes first, and neither is kept anywhere."""
    block = "from prefect.blocks.system import Secret; Secret(value='sk-from-a-block-77').save('{}')"
    save = block.format("ragproof-judge-api-key")
    environment = prefect_server.environment()
    subprocess.run([sys.executable, "-c", save], env=environment, check=True, capture_output=True)
    with judged(tmp_path, prefect_server, ObligingJudge()) as (runs, server):
        code, out, err = runs.finish("evaluation.yaml", "--set", "dataset.limit=1")
        assert code == 0, err
        sent = {asked.received.headers["authorization"] for asked in server.asked}
        assert sent == {"Bearer sk-from-a-block-77"}
        assert "sk-from-a-block-77" not in out + err
        kept = (tmp_path / ".ragproof" / "ragproof.db").read_bytes()
        assert b"sk-from-a-block-77" not in kept
    with judged(tmp_path, prefect_server, ObligingJudge(), {"RAGPROOF_JUDGE_API_KEY": "sk-own"}) as (
        runs,
        server,
    ):
        code, out, err = runs.finish("evaluation.yaml", "--set", "dataset.limit=1")
        assert code == 0, err
        assert {asked.received.headers["authorization"] for asked in server.asked} == {"Bearer sk-own"}


PRICED = """
def answer(question, k=5):
    with open("asked.txt", "a") as file:
        file.write(question + "\\n")
    return {"answer": "42.", "usage": {"input_tokens": 1000, "output_tokens": 100}}
"""
PRICED_CONFIG = """
project: priced
dataset: cases.jsonl
pipeline: {name: priced, adapter: {type: python, target: "instant:answer"}}
run: {shard_size: 4, concurrency: 2}
metrics: [echo.exact_match]
budget: {include_pipeline: true, pipeline_call_usd: 0.01, max_cost_usd: 0.035}
prices: {input_cost_per_mtok: 5, output_cost_per_mtok: 10}
"""


def test_calls_to_the_pipeline_count_where_the_budget_includes_them(
    tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """At the tokens it reports; what is not reached is skipped, and asked with a larger cap."""
    runs = Runs(tmp_path, prefect_server, CASES)
    (tmp_path / "instant.py").write_text(PRICED)
    (tmp_path / "evaluation.yaml").write_text(PRICED_CONFIG)
    code, out, err = runs.finish("evaluation.yaml")
    stopped = told(out, err)
    assert (code, stopped["status"]) == (2, "aborted:budget"), err
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    cost = (1000 * 5 + 100 * 10) / 1e6
    assert 0.01 < len(asked) * cost <= 0.035
    assert stopped["cases"] == {"total": CASES, "ok": len(asked), "failed": 0}
    assert stopped["metrics"]["echo.exact_match"]["reasons"] == {"budget exhausted": CASES - len(asked)}
    assert stopped["spend"]["eval_llm_calls"] == 0, "the evaluation itself has no judge"

    code, out, err = runs.finish("--resume", stopped["run_id"], "--set", "budget.max_cost_usd=1")
    assert (code, told(out, err)["cases"]["ok"]) == (0, CASES), err
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    assert sorted(asked) == sorted(set(asked))
    with runs.store() as store:
        assert store.judge_calls.balance(f"run:{stopped['run_id']}").spent == CASES * round(cost * 1e12)


@ON_BOTH
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_run_pays_twice_only_for_what_was_under_way(
    kind: str, seed: int, tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """kill -9 at a random moment, then --resume: the provider counts distinct calls plus the uncertain."""
    judge = ObligingJudge(latency_s=0.1)
    with (
        store_url(kind) as url,
        judged(tmp_path, prefect_server, judge, {"RAGPROOF_STORE_URL": url}) as (runs, server),
    ):
        process = runs.start("evaluation.yaml")
        server.wait_for_calls(random.Random(seed).randrange(1, CASES * CALLS_A_CASE - 8))
        process.kill()
        _, err = process.communicate()
        code, out, err = runs.finish("--resume", run_id_of(err))
        report = told(out, err)
        assert (code, report["status"]) == (0, "completed"), err
        with runs.store() as store:
            uncertain = Counter(
                call.case_id for call in store.calls.uncertain(report["run_id"]) if call.kind == "judge"
            )
            balance = store.judge_calls.balance(f"run:{report['run_id']}")
    assert len(judge.questions) == CASES * CALLS_A_CASE
    repeated = judge.calls - len(judge.questions)
    assert repeated <= uncertain.total() <= 8, "a call was repeated that is not listed as uncertain"
    assert set(uncertain) <= set(report["uncertain"])
    assert balance.reserved == 0
    assert balance.spent / 1e12 == pytest.approx(report["spend"]["eval_cost_usd"])
    assert balance.spent / 1e12 >= judge.calls * PRICE_A_CALL
