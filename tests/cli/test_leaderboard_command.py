"""`ragproof leaderboard`: runs in a store, ranked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ragproof.evidence import Settings
from ragproof.runs import RunStatus, Spend
from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.leaderboard_runs import PRICED, N, answers, cases, keep


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, in the current directory."""
    monkeypatch.setenv("RAGPROOF_STORE_URL", f"sqlite:///{tmp_path}/store.db")
    monkeypatch.chdir(tmp_path)
    open_store(f"sqlite:///{tmp_path}/store.db").close()
    return tmp_path


def boards(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the leaderboards as JSON."""
    done = ragproof(capsys, "leaderboard", *words, "--json")
    assert (done.code, done.err) == (0, "")
    return done.json["boards"]


def ids(board: Any) -> list[str]:
    """The runs of a board, best first, without leading zeros."""
    return [run["run_id"].lstrip("0") for run in board["runs"]]


def test_runs_are_ranked_with_what_each_costs(capsys: pytest.CaptureFixture[str]) -> None:
    """Quality first, and beside it dollars and milliseconds a case, and the judge."""
    keep(1, "weak", answers(2, ms=5.0, tokens=1000))
    keep(2, "good", answers(9, ms=50.0, tokens=5000), spend=Spend(eval_cost_usd=0.5, eval_llm_calls=3))
    keep(3, "wasteful", answers(2, ms=90.0, tokens=9000))
    (board,) = boards(capsys)
    assert ids(board) == ["2", "3", "1"]
    assert board["metric"] == {"key": "exact_match", "direction": "higher", "low": 0.0, "high": 1.0}
    good, wasteful, weak = board["runs"]
    assert (good["rank"], wasteful["rank"], weak["rank"]) == (1, 2, 2)
    assert good["cost_usd_estimate"] == pytest.approx(0.005)
    assert good["latency_ms"] == {"p50": 50.0, "p95": 50.0}
    assert [run["front"] for run in board["runs"]] == [True, False, True]
    assert [run["letters"] for run in board["runs"]] == ["a", "b", "b"]
    assert board["pairs"][0]["p"] == pytest.approx(4 / 2**7, abs=0.02)
    page = ragproof(capsys, "leaderboard").out
    assert "handbook on cases.jsonl" in page
    assert "3 runs on the 10 of 10 cases that all have scored" in page


def test_of_a_variant_the_latest_completed_run_is_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    """Unless all are asked for; those that did not complete are counted."""
    keep(1, "bm25", answers(2))
    keep(2, "bm25", answers(3))
    keep(3, "bm25", answers(9), status=RunStatus.CANCELLED)
    (board,) = boards(capsys)
    assert ids(board) == ["2"]
    (board,) = boards(capsys, "--runs", "all")
    assert ids(board) == ["2", "1"]
    page = ragproof(capsys, "leaderboard").out
    assert "of each variant the latest run: 1 earlier left out; --runs all has them" in page
    assert "left out, for they did not complete: 1 cancelled" in page


def test_what_cannot_be_held_against_each_other_is_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """By field with both values; by dataset; by project."""
    keep(1, "a", answers(2))
    keep(2, "b", answers(3))
    keep(3, "c", answers(9), settings=Settings(k=3, prices=PRICED.prices))
    found = boards(capsys)
    assert [ids(board) for board in found] == [["2", "1"], ["3"]]
    assert found[1]["apart"] == [{"field": "k", "first": "5", "second": "3"}]
    assert "not comparable: k 3 against 5" in ragproof(capsys, "leaderboard").out
    keep(4, "d", answers(5), asked=cases(text="?"))
    keep(5, "e", answers(5), project="other")
    assert [ids(board) for board in boards(capsys)] == [["5"], ["4"], ["2", "1"], ["3"]]
    assert [ids(board) for board in boards(capsys, "--project", "other")] == [["5"]]


def test_other_judges_are_ranked_together_only_when_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    """And what differs is told."""
    for number, model in ((1, "m"), (2, "n")):
        run = keep(number, f"v{number}", answers(number))
        fields = {**run.comparability, "judge": {"model": model, "base_url": "u"}}
        with open_store() as store:
            store.runs.update(run.id, comparability=fields)
    assert [ids(board) for board in boards(capsys)] == [["2"], ["1"]]
    (board,) = boards(capsys, "--allow-mixed-judges")
    assert ids(board) == ["2", "1"]
    assert board["allowed"] == [{"field": "judge.model", "first": '"m"', "second": '"n"'}]
    assert "judged otherwise, as was allowed: judge.model" in (
        ragproof(capsys, "leaderboard", "--allow-mixed-judges").out
    )


@pytest.mark.parametrize("reference", ["file", "hash", "beginning", "path"])
def test_a_dataset_is_meant_by_file_hash_or_path(
    reference: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file by what it holds now."""
    keep(1, "a", answers(2))
    second = keep(2, "b", answers(3), asked=cases(text="?"), dataset="other.jsonl")
    assert second.dataset_hash is not None
    (folder / "now.jsonl").write_text("\n".join(case.model_dump_json() for case in cases(text="?")))
    meant = {
        "file": "now.jsonl",
        "hash": second.dataset_hash,
        "beginning": second.dataset_hash[:12],
        "path": "other.jsonl",
    }
    assert [ids(board) for board in boards(capsys, "--dataset", meant[reference])] == [["2"]]


def test_the_metric_is_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Where lower is better the lower is first."""
    keep(1, "fast", answers(2, ms=5.0))
    keep(2, "slow", answers(9, ms=50.0))
    (board,) = boards(capsys, "--metric", "latency_ms")
    assert ids(board) == ["1", "2"]
    assert board["metric"]["direction"] == "lower"
    assert "by latency_ms: lower is better" in ragproof(capsys, "leaderboard", "--metric", "latency_ms").out


def test_means_are_shown_by_tag(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each value, over its cases."""
    keep(1, "a", answers(4))
    (board,) = boards(capsys, "--by-tag", "topic")
    assert [(tag["value"], tag["cases"], tag["runs"][0]["mean"]) for tag in board["tags"]] == [
        ("a", 5, 2 / 5),
        ("b", 5, 2 / 5),
    ]
    assert "by topic" in ragproof(capsys, "leaderboard", "--by-tag", "topic").out


def test_what_a_failed_case_leaves_open_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Its case is dropped for all, its mean bounded."""
    keep(1, "a", answers(2))
    keep(2, "b", answers(9, failed=1))
    (board,) = boards(capsys)
    assert (board["cases"]["shared"], board["cases"]["complete"]) == (10, 9)
    best = board["runs"][0]
    assert (best["run_id"], best["mean"], best["missing"]) == (f"{2:012}", 1.0, 1)
    assert (best["lowest_mean"], best["highest_mean"]) == (9 / 10, 1.0)
    assert board["cases"]["dropped"] == [
        {"run_id": f"{2:012}", "standing": "missing", "reason": "timeout: 30 s", "cases": 1}
    ]


def sweep(*levels: tuple[str, str], right: Sequence[int]) -> None:
    """Keep a cell for each pair of levels; `right` is how many answers are right in each."""
    for number, ((retriever, reranker), count) in enumerate(zip(levels, right, strict=True), 1):
        factors = {"retriever": retriever, "reranker": reranker}
        cell = {"sweep": "abc", "sweep_name": "grid", "factors": factors, "max_cost_usd": None}
        keep(number, f"{retriever} {reranker}", answers(count), config={"cell": cell}, label="grid")


GRID = (("bm25", "off"), ("bm25", "on"), ("dense", "off"), ("dense", "on"))


def test_the_effects_of_a_sweep_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """(8 + 10 - 0 - 1)/20 for the retriever; 10 - 8 - 1 + 0 over ten cases for the corner."""
    keep(9, "of no sweep", answers(5))
    sweep(*GRID, right=(0, 1, 8, 10))
    (board,) = boards(capsys, "--group", "grid", "--effects")
    found = board["effects"]
    assert found["factors"] == {"retriever": ["bm25", "dense"], "reranker": ["off", "on"]}
    assert found["cells"] == [f"{number:012}" for number in range(1, 5)]
    retriever, reranker = found["main"]
    assert retriever["difference"] == pytest.approx((8 + 10 - 0 - 1) / 2 / N)
    assert reranker["difference"] == pytest.approx((1 + 10 - 0 - 8) / 2 / N)
    assert reranker["p"] is None
    assert retriever["p"] == pytest.approx(2 / 2**10, abs=0.002)
    (pair,) = found["interactions"]
    assert (pair["unresolvable"], pair["p"], pair["stands"]) == (True, None, False)
    simple = {
        (each["factor"], *each["given"].values()): each["difference"] for each in pair["simple_effects"]
    }
    assert simple == pytest.approx(
        {
            ("retriever", "off"): 0.8,
            ("retriever", "on"): 0.9,
            ("reranker", "bm25"): 0.1,
            ("reranker", "dense"): 0.2,
        }
    )
    page = ragproof(capsys, "leaderboard", "--group", "grid", "--effects").out
    assert "effects of retriever, reranker (2 x 2 cells)" in page
    assert "main effects: levels, averaged over the other factors" in page
    assert "interactions: does what one factor does depend on the other?" in page


def test_half_a_sweep_has_no_effects(capsys: pytest.CaptureFixture[str]) -> None:
    """The combination that is not there is named."""
    sweep(*GRID[:3], right=(0, 1, 8))
    (board,) = boards(capsys, "--effects")
    assert board["effects"] == {
        "reason": "1 of 4 combinations have no completed run here",
        "names": ["retriever=dense, reranker=on"],
    }
    page = ragproof(capsys, "leaderboard", "--effects").out
    assert "none: 1 of 4 combinations have no completed run here: retriever=dense, reranker=on" in page


def test_the_page_is_written_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    """The same page, its foreign text in code spans."""
    keep(1, "a|b", answers(2))
    out = ragproof(capsys, "leaderboard", "--format", "markdown").out
    assert out.startswith("## `handbook` on `cases.jsonl`")
    assert "| `a\\|b` |" in out


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was printed before."""
    for number in range(1, 4):
        keep(number, f"v{number}", answers(3 * number))
    first, again = (ragproof(capsys, "leaderboard", "--json", "--seed", "7").out for _ in range(2))
    assert first == again
    assert json.loads(first)["seed"] == 7


def test_a_hostile_name_drives_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """On the screen it is escaped; JSON carries it as it is."""
    keep(1, "v\x1b[31m", answers(2), label="l\u202e")
    keep(2, "w", answers(3), label="m")
    assert "\x1b" not in ragproof(capsys, "leaderboard").out
    assert "v\\x1b[31m" in ragproof(capsys, "leaderboard").out
    assert "v\x1b[31m" in [run["pipeline"] for run in boards(capsys)[0]["runs"]]


def test_no_flow_is_started(capsys: pytest.CaptureFixture[str]) -> None:
    """The command never imports Prefect."""
    keep(1, "a", answers(2))
    code = (
        "import sys; from ragproof.cli.main import run; code = run(['leaderboard', '--effects']);"
        " assert not any(name.split('.')[0] == 'prefect' for name in sys.modules); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=dict(os.environ), capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
