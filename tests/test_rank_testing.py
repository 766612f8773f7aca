"""`ragproof rank --test`: runs in files told apart, or not, as a reader sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import ragproof
from tests.fakes.six_queries import QUERIES, RUNS, ranking, write_all, write_run

IR = Path(__file__).parent / "data" / "ir"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgments of six queries, and three runs."""
    return write_all(tmp_path)


@pytest.fixture
def rank(capsys: pytest.CaptureFixture[str], folder: Path) -> Any:
    """The command on them."""
    return ranking(capsys, folder)


def test_all_pairs_on_a_screen(rank: Any) -> None:
    """Letters beside the means, a line a pair, and sentences that say what both mean."""
    done = rank(*RUNS, "--test", "--metrics", "RR")
    assert (done.code, done.err) == (0, "")
    assert [line.rstrip() for line in done.out.splitlines()] == [
        "measure    half.run  best_1.run  most & more.run",
        "mrr        0.5000 b  1.0000 a    0.8750 ab",
        "judged@10  0.2500    0.2500      0.2500",
        "",
        "means and tests are over the queries that all 3 runs are scored on: 6",
        "of each measure, runs that share a letter are not told apart"
        " (p above 0.05, sign flip, max-T over 3 pairs)",
        "",
        f"{'measure  run              against     difference  95 % interval       p             p raw':<92}"
        "won/tied/lost  note",
        f"{'mrr      best_1.run       half.run    +0.5000     -0.0896 to +0.6965  0.0312        0.0312':<92}"
        "6/0/0          differs by the same amount on every query",
        f"{'mrr      most & more.run  half.run    +0.3750     +0.0537 to +0.6963  0.0625        0.0625':<92}"
        "5/0/1          Student's t interval, too little varies to resample",
        f"{'mrr      most & more.run  best_1.run  -0.1250     -0.4463 to +0.1963  unresolvable  -':<92}"
        "0/5/1          Student's t interval, too little varies to resample",
        "",
        "differences are means of run minus against over the queries, and more is better",
        "each interval is of its contrast alone",
        "all p are of sign flips, p adjusted over the 3 contrasts of a measure and p raw not, exact",
        "unresolvable: the two differ on at most 5 queries, too few for any p under 0.05",
        "",
        "scores as float32, ties by document id descending: trec_eval 9.0.8",
    ]


def test_a_baseline_in_markdown(rank: Any) -> None:
    """Both tables stand on stdout with what explains their marks; the rest is on stderr."""
    done = rank(*RUNS, "--test", "--baseline", "half", "--metrics", "RR", "--format", "markdown")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:8] == [
        "| run | mrr | judged@10 |",
        "| --- | --- | --- |",
        "| `half.run` | 0.5000 | 0.2500 |",
        "| `best_1.run` | 1.0000 † | 0.2500 |",
        "| `most & more.run` | 0.8750 | 0.2500 |",
        "",
        "- means and tests are over the queries that all 3 runs are scored on: 6",
        "- † differs from the baseline `half.run` on this measure"
        " (p at most 0.05, sign flip, max-T over 2 contrasts)",
    ]
    assert lines[9].startswith("| measure | run | against |")
    assert lines[11].startswith("| `mrr` | `best_1.run` | `half.run` | +0.5000 |")
    assert done.err.splitlines()[-1].endswith("trec_eval 9.0.8")


def test_a_baseline_in_latex(rank: Any) -> None:
    """Two tables with captions, marks as superscripts, names escaped."""
    done = rank(*RUNS, "--test", "--baseline", "half.run", "--metrics", "RR", "--format", "latex")
    assert done.code == 0
    lines = done.out.splitlines()
    assert "best\\_1.run & 1.0000\\textsuperscript{\\dag{}} & 0.2500 \\\\" in lines
    assert "most \\& more.run & 0.8750 & 0.2500 \\\\" in lines
    assert lines.count("\\begin{table}") == lines.count("\\end{table}") == 2
    (caption,) = (line for line in lines if "the baseline" in line)
    assert caption.startswith(
        "\\caption{Means and tests are over the queries that all 3 runs are scored on: 6."
    )
    assert "\\dag{} differs from the baseline 'half.run' on this measure" in caption
    letters = rank(*RUNS, "--test", "--metrics", "RR", "--format", "latex").out
    assert "most \\& more.run & 0.8750\\textsuperscript{ab}" in letters


def test_json_has_the_means_as_ever_and_the_test_beside_them(rank: Any) -> None:
    """Whole numbers; what has no p has null, never a p of nothing."""
    plain = rank(*RUNS, "--metrics", "RR", "--json")
    done = rank(*RUNS, "--test", "--metrics", "RR", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["runs"] == plain.json["runs"]
    assert "test" not in plain.json
    test = done.json["test"]
    measure = test.pop("measures")
    assert test == {
        "queries": 6,
        "left_out": [],
        "complete": False,
        "baseline": None,
        "seed": 0,
        "draws": 9999,
        "alpha": 0.05,
        "confidence": 0.95,
        "primary": "mrr",
    }
    assert list(measure) == ["mrr"]
    assert measure["mrr"]["runs"] == [
        {"name": name, "mean": mean, "letters": letters, "differs_from_baseline": None}
        for name, mean, letters in zip(RUNS, (0.5, 1.0, 5.25 / 6), ("b", "a", "ab"), strict=True)
    ]
    assert (measure["mrr"]["exact"], measure["mrr"]["assignments"]) == (True, 64)
    first, _, last = measure["mrr"]["contrasts"]
    interval = first.pop("interval")
    assert first == {
        "run": "best_1.run",
        "against": "half.run",
        "difference": 0.5,
        "p": 2 / 64,
        "p_raw": 2 / 64,
        "p_over_measures": None,
        "unresolvable": False,
        "separated": True,
        "wins": 6,
        "ties": 0,
        "losses": 0,
        "d_z": None,
        "g_z": None,
        "rank_biserial": 1.0,
        "degenerate": "differs by the same amount on every query",
    }
    assert interval["low"] < 0.5 < interval["high"]
    assert interval["flag"] == "all values are equal, so their spread is unknown"
    assert (last["p"], last["p_raw"], last["unresolvable"], last["separated"]) == (None, None, True, False)


def test_json_says_which_runs_differ_from_the_baseline(rank: Any) -> None:
    """The baseline itself does neither; several measures have a p over all of them."""
    test = rank(*RUNS, "--test", "--baseline", "half", "--metrics", "RR,hit_rate@1", "--json").json["test"]
    assert (test["baseline"], test["primary"], list(test["measures"])) == (
        *("half.run", "mrr"),
        ["mrr", "hit_rate@1"],
    )
    told = test["measures"]["mrr"]
    assert [each["differs_from_baseline"] for each in told["runs"]] == [None, True, False]
    assert [each["letters"] for each in told["runs"]] == [None] * 3
    assert told["contrasts"][0]["p_over_measures"] == 2 * 2 / 64


def test_a_run_against_itself_is_the_same_on_every_query(rank: Any) -> None:
    """A verdict, an interval with width, and one letter for both."""
    done = rank("half.run", "half.run", "--test", "--metrics", "RR")
    assert done.code == 0
    row = done.out.splitlines()[8]
    assert "unresolvable" in row
    assert row.endswith("the same on every query")
    assert done.out.splitlines()[1].split() == ["mrr", "0.5000", "a", "0.5000", "a"]
    (found,) = rank("half.run", "half.run", "--test", "--metrics", "RR", "--json").json["test"]["measures"][
        "mrr"
    ]["contrasts"]
    assert found["interval"]["low"] < 0.0 < found["interval"]["high"]


def test_means_are_over_the_queries_that_are_tested(rank: Any, folder: Path) -> None:
    """What a run lacks is left out of all, or counted as 0 in it by --complete."""
    write_run(folder / "part.run", dict.fromkeys(QUERIES[:5], 1))
    done = rank("most & more.run", "part.run", "--test", "--metrics", "RR")
    assert "mrr        1.0000 a         1.0000 a" in done.out
    assert "means and tests are over the queries that both runs are scored on: 5" in done.out
    assert "queries that only some of the runs are scored on are left out: 1" in done.out
    assert "part.run: judged and not in the run (left out; --complete counts them as 0): 1, 'q6'" in done.out
    assert "means over the queries that are both judged and in the run" not in done.out
    test = rank("most & more.run", "part.run", "--test", "--metrics", "RR", "--json").json["test"]
    assert (test["queries"], test["left_out"]) == (5, ["q6"])
    complete = rank("most & more.run", "part.run", "--test", "--metrics", "RR", "--complete", "--json").json
    (found,) = complete["test"]["measures"]["mrr"]["contrasts"]
    assert found["difference"] == -0.25 / 6


def test_one_query_is_no_test(rank: Any, folder: Path) -> None:
    """The means are shown, and a verdict in place of p."""
    write_run(folder / "one.run", {"q1": 3})
    done = rank("half.run", "one.run", "--test", "--metrics", "RR")
    assert done.code == 0
    row = done.out.splitlines()[9].split()
    assert row == ["mrr", "one.run", "half.run", "-0.1667", "-", "unresolvable", "-", "0/0/1", "one", "query"]


def test_runs_without_a_query_in_common_are_refused(rank: Any, folder: Path) -> None:
    """Each has some with the judgments, and none with the other."""
    write_run(folder / "first.run", {"q1": 1})
    write_run(folder / "rest.run", {"q2": 1})
    done = rank("first.run", "rest.run", "--test")
    assert (done.code, done.out) == (3, "")
    assert "no query is scored in all 2 runs: 'first.run' is scored on 'q1'; 'rest.run' is scored" in done.err
    assert "--complete (complete=True) counts" in done.err


def test_every_measure_but_judged_is_tested_without_metrics(rank: Any) -> None:
    """The first, nDCG, decides; the others have a p over all nine."""
    test = rank(*RUNS, "--test", "--json").json["test"]
    assert test["primary"] == "ndcg@10"
    assert len(test["measures"]) == 9
    assert "judged@10" not in test["measures"]


def test_a_seed_decides_the_random_signs(capsys: pytest.CaptureFixture[str]) -> None:
    """On files of some size: the same p each time, another with another seed, few with few draws."""
    files = [str(IR / name) for name in ("syn_plain.qrels", "syn_plain.run", "syn_ties.run")]

    def p(*options: str) -> tuple[float, int]:
        done = ragproof(capsys, "rank", *files, "--metrics", "RR(rel=3)@10", "--test", "--json", *options)
        (measure,) = done.json["test"]["measures"].values()
        return measure["contrasts"][0]["p"], measure["assignments"]

    assert p() == p("--seed", "0")
    assert p("--draws", "50")[1] == 50
    assert 0.0 < p("--draws", "50", "--seed", "1")[0] <= 1.0


def test_names_cannot_drive_a_terminal_or_break_out_of_a_table(rank: Any, folder: Path) -> None:
    """In all three formats, beside means, in contrasts and in captions."""
    evil = "\x1b[31m|`$x\\.run"
    write_run(folder / evil, dict.fromkeys(QUERIES, 1))
    for format in ("table", "markdown", "latex"):
        done = rank("half.run", evil, "--test", "--baseline", evil, "--metrics", "RR", "--format", format)
        assert done.code == 0
        assert "\x1b" not in done.out + done.err
        if format == "latex":
            assert "\\textbackslash{}x1b[31m\\textbar{}`\\$x\\textbackslash{}.run" in done.out
