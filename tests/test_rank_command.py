"""`ragproof rank`: rankings in files, on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

from ragproof.cli import main
from ragproof.cli.rank import rank
from ragproof.metrics.retrieval import evaluate
from tests.command_line import Done

IR = Path(__file__).parent / "data" / "ir"
QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\nmissing 0 a 1\n"
RUN = "q1 Q0 a 1 2.0 t\nq1 Q0 x 2 1.0 t\nq2 Q0 x 1 1.0 t\nunjudged Q0 a 1 1 t\n"
KEYS = [
    *(
        "ndcg",
        "precision",
        "recall",
        "f1",
        "mrr",
        "map",
        "hit_rate",
        "r_precision",
        "complete_recall",
        "judged",
    ),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with judgments and two runs."""
    for name, text in (("qrels", QRELS), ("a.run", RUN), ("b & c_d.run", RUN.replace("x", "b"))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ragproof_rank(capsys: pytest.CaptureFixture[str]) -> Any:
    """The command alone, with the errors and exit codes of the whole."""
    app = typer.Typer()
    app.command("rank")(rank)
    app.callback()(lambda: None)

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        code = main.run(["rank", *map(str, arguments)], app)
        streams = capsys.readouterr()
        return Done(code, streams.out, streams.err)

    return run


def test_the_means_are_printed_with_what_they_are_over(folder: Path, ragproof_rank: Any) -> None:
    """Runs side by side, four digits as trec_eval has them, and queries that are missing by name."""
    done = ragproof_rank(folder / "qrels", folder / "a.run", folder / "b & c_d.run", "-k", 2)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split() == ["measure", "a.run", "b", "&", "c_d.run"]
    assert [line.split()[0] for line in lines[1:11]] == [f"{key}@2" for key in KEYS]
    assert lines[2].split() == ["precision@2", "0.2500", "0.5000"]
    assert "a.run: means over the queries that are both judged and in the run: 2" in lines
    assert "a.run: judged and not in the run (left out; --complete counts them as 0): 1, 'missing'" in lines
    assert "a.run: in the run and not judged (left out): 1, 'unjudged'" in lines
    assert lines[-1].endswith("trec_eval 9.0.8")


def test_json_has_the_promised_shape(folder: Path, ragproof_rank: Any) -> None:
    """Nothing else is on stdout, and numbers are whole."""
    done = ragproof_rank(folder / "qrels", folder / "a.run", "--json", "--per-query", "--metrics", "RR@3,P@2")
    assert (done.code, done.err) == (0, "")
    values = {
        "q1": {"mrr@3": 1.0, "precision@2": 0.5, "judged@3": 0.5},
        "q2": dict.fromkeys(("mrr@3", "precision@2", "judged@3"), 0.0),
    }
    assert done.json == {
        "runs": [
            {
                "name": "a.run",
                "queries": 2,
                "missing_in_run": ["missing"],
                "unjudged_queries": ["unjudged"],
                "means": {"mrr@3": 0.5, "precision@2": 0.25, "judged@3": 0.25},
                "per_query": values,
            }
        ]
    }
    without = ragproof_rank(folder / "qrels", folder / "a.run", "--json").json["runs"][0]
    assert "per_query" not in without
    assert list(without["means"]) == [f"{key}@10" for key in KEYS]


def test_complete_counts_every_judged_query(folder: Path, ragproof_rank: Any) -> None:
    """The one that is missing is there, as 0; its judged share is null."""
    (run,) = ragproof_rank(folder / "qrels", folder / "a.run", "--complete", "--json", "--per-query").json[
        "runs"
    ]
    assert run["queries"] == 3
    assert run["means"]["mrr@10"] == 1 / 3
    assert run["per_query"]["missing"]["mrr@10"] == 0.0
    assert run["per_query"]["missing"]["judged@10"] is None


def test_options_reach_the_evaluation(folder: Path, ragproof_rank: Any) -> None:
    """The same as from Python."""
    judged, ranked = IR / "syn_ties.qrels", IR / "syn_ties.run"
    options = [
        "-k",
        "5",
        "--level",
        "2",
        "--metrics",
        "ndcg@3 P@3",
        "--metrics",
        "AP",
        "--ignore-identical-ids",
    ]
    (run,) = ragproof_rank(judged, ranked, *options, "--json").json["runs"]
    expected = evaluate(
        judged, ranked, k=5, metrics=["ndcg@3", "P@3", "AP"], level=2, ignore_identical_ids=True
    )
    assert run["means"] == expected.means


def test_duplicates_are_counted(folder: Path, ragproof_rank: Any) -> None:
    """An error without --dedupe; with it a note, and beside JSON on stderr."""
    (folder / "twice.run").write_text(RUN + RUN, encoding="utf-8")
    refused = ragproof_rank(folder / "qrels", folder / "twice.run")
    assert refused.code == 3
    assert "twice.run:5: document 'a' comes again for query 'q1'" in refused.err
    done = ragproof_rank(folder / "qrels", folder / "twice.run", "--dedupe")
    assert "twice.run: 4 duplicates dropped, the best score of each document kept" in done.out
    as_json = ragproof_rank(folder / "qrels", folder / "twice.run", "--dedupe", "--json")
    assert as_json.json["runs"][0]["queries"] == 2
    assert as_json.err == "twice.run: 4 duplicates dropped\n"


def test_markdown_and_latex_can_be_pasted(folder: Path, ragproof_rank: Any) -> None:
    """A row a run; stdout holds the table alone, and names cannot break out of it."""
    files = folder / "qrels", folder / "a.run", folder / "b & c_d.run"
    done = ragproof_rank(*files, "--metrics", "P(rel=2)@1", "--format", "markdown")
    assert done.out == (
        "| run | precision(rel=2)@1 | judged@1 |\n"
        "| --- | --- | --- |\n"
        "| `a.run` | 0.5000 | 0.5000 |\n"
        "| `b & c_d.run` | 0.5000 | 0.5000 |\n"
    )
    assert "means over the queries" in done.err
    done = ragproof_rank(*files, "--metrics", "hit_rate@1", "--format", "latex")
    assert done.out == (
        "\\begin{tabular}{lrr}\n\\toprule\nrun & hit\\_rate@1 & judged@1 \\\\\n\\midrule\n"
        "a.run & 0.5000 & 0.5000 \\\\\nb \\& c\\_d.run & 0.5000 & 0.5000 \\\\\n\\bottomrule\n\\end{tabular}\n"
    )


def test_every_query_is_printed_on_demand(folder: Path, ragproof_rank: Any) -> None:
    """Run by run, before the means."""
    out = ragproof_rank(folder / "qrels", folder / "a.run", "--metrics", "RR@3", "--per-query").out
    assert out.startswith(
        "a.run, by query\nquery  mrr@3   judged@3\nq1     1.0000  0.5000\nq2     0.0000  0.0000\n\n"
    )


def test_runs_of_one_name_are_told_by_their_paths(folder: Path, ragproof_rank: Any) -> None:
    """And the same file twice is counted."""
    (folder / "other").mkdir()
    (folder / "other" / "a.run").write_text(RUN, encoding="utf-8")
    runs = folder / "a.run", folder / "other" / "a.run", folder / "a.run"
    names = [run["name"] for run in ragproof_rank(folder / "qrels", *runs, "--json").json["runs"]]
    assert names == [str(runs[0]), str(runs[1]), f"{runs[0]} (2)"]


def test_all_faults_are_told_at_once(folder: Path, ragproof_rank: Any) -> None:
    """Of the command line, the judgments and every run; nothing is on stdout."""
    (folder / "bad.qrels").write_text("q1 0 a 0.9\n", encoding="utf-8")
    (folder / "bad.run").write_text("q1 Q0 a 1 1,5 t\n", encoding="utf-8")
    done = ragproof_rank(
        *(folder / "bad.qrels", folder / "bad.run", folder / "a.run", folder / "no.run"),
        *("--metrics", "ndgc@3,precision", "--level", "0", "--json", "--format", "latex"),
    )
    assert (done.code, done.out) == (3, "")
    expected = [
        "--json and --format latex are two formats, expected one of them",
        "no ranking measure is named 'ndgc@3'; did you mean 'ndcg@3'?",
        "measure 'precision' needs a cutoff; did you mean 'precision@10'?",
        "level is '0', expected a whole number of at least 1",
        "bad.qrels:1: relevance '0.9' is no whole number",
        "bad.run:1: score '1,5' is no number; write decimals with a point: '1.5'",
        "no.run: there is no such file",
    ]
    lines = done.err.splitlines()
    assert len(lines) == len(expected), lines
    for line, told in zip(lines, expected, strict=True):
        assert told in line


@pytest.mark.parametrize(
    ("why", "judged", "ranked", "told"),
    [
        (
            "another collection",
            "q 0 a 1\n",
            "x Q0 a 1 1 t\n",
            "run: judgments and run have no query in common",
        ),
        (
            "another form of ids",
            "7 0 a 1\n",
            "7.0 Q0 a 1 1 t\n",
            "have '7' where the run has '7.0'; write both alike",
        ),
        ("the two exchanged", RUN, QRELS, "6 columns look like a run"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(
    why: str, judged: str, ranked: str, told: str, tmp_path: Path, ragproof_rank: Any
) -> None:
    """With exit code 3 and a hint."""
    for name, text in (("qrels", judged), ("run", ranked)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = ragproof_rank(tmp_path / "qrels", tmp_path / "run")
    assert done.code == 3, why
    assert told in done.err


def test_labels_that_judge_nothing_are_noticed(tmp_path: Path, ragproof_rank: Any) -> None:
    """All is 0, and one line says that it may not be the ranker's fault."""
    (tmp_path / "qrels").write_text("q 0 a 1\n", encoding="utf-8")
    (tmp_path / "run").write_text("q Q0 b 1 1 t\n", encoding="utf-8")
    done = ragproof_rank(tmp_path / "qrels", tmp_path / "run")
    assert done.code == 0
    assert "none of the first documents is judged, for any query" in done.out


def test_trec_eval_s_own_digits_are_printed(ragproof_rank: Any) -> None:
    """Of a pair of files with ties."""
    done = ragproof_rank(IR / "syn_ties.qrels", IR / "syn_ties.run", "--metrics", "ndcg@10,AP,RR")
    lines = [line.split() for line in done.out.splitlines()[1:4]]
    rows = (IR / "expected_trec_eval_9.0.8.tsv").read_text(encoding="utf-8").splitlines()
    printed = {
        measure: value
        for qrels, _, flags, query, measure, value in (row.split("\t") for row in rows)
        if (qrels, flags, query) == ("syn_ties.qrels", "", "all")
    }
    assert lines == [
        ["ndcg@10", printed["ndcg_cut_10"]],
        ["map", printed["map"]],
        ["mrr", printed["recip_rank"]],
    ]


def test_ids_cannot_drive_a_terminal(tmp_path: Path, ragproof_rank: Any) -> None:
    """They are escaped, in tables and in errors."""
    (tmp_path / "qrels").write_text("\x1b[31mq 0 a 1\n", encoding="utf-8")
    (tmp_path / "run").write_text("\x1b[31mq Q0 a 1 1 t\n", encoding="utf-8")
    done = ragproof_rank(tmp_path / "qrels", tmp_path / "run", "--per-query")
    assert done.code == 0
    assert "\x1b" not in done.out
    (tmp_path / "run").write_text("\x1b[31mx Q0 a 1 1 t\n", encoding="utf-8")
    assert "\x1b" not in ragproof_rank(tmp_path / "qrels", tmp_path / "run").err
