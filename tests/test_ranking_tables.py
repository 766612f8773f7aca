"""Tables of evaluations: aligned, in Markdown and in LaTeX, with foreign names in them."""

from __future__ import annotations

import pytest

from ragproof.metrics.retrieval import evaluate
from ragproof.ranking.tables import Grid, latex, markdown, means, notes, queries, turned

ONE = evaluate({"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}, metrics=["RR@2"])
NOTHING = evaluate({"q": {"a": 1}}, {"q": {}}, metrics=["RR@2"])


def test_runs_stand_side_by_side() -> None:
    """A row a run and a column a measure, four digits as trec_eval has them; no number is a dash."""
    grid = means({"one": ONE, "nothing": NOTHING})
    assert grid == Grid(
        ["run", "mrr@2", "judged@2"], [["one", "0.5000", "1.0000"], ["nothing", "0.0000", "-"]]
    )
    assert turned(grid) == Grid(
        ["measure", "one", "nothing"], [("mrr@2", "0.5000", "0.0000"), ("judged@2", "1.0000", "-")]
    )
    assert queries(ONE) == Grid(["query", "mrr@2", "judged@2"], [["q", "0.5000", "1.0000"]])


@pytest.mark.parametrize(
    ("why", "name", "written"),
    [
        (
            "what LaTeX obeys",
            r"a_b & 50%$#{}~^\x",
            r"a\_b \& 50\%\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}x",
        ),
        ("what a terminal obeys, escaped first", "a\x1b[31m", r"a\textbackslash{}x1b[31m"),
        ("a line break", "a\nb", "a b"),
    ],
)
def test_a_name_cannot_break_out_of_latex(why: str, name: str, written: str) -> None:
    """Every character with a meaning is written as itself."""
    lines = latex(Grid(["run", "f1@5"], [[name, "0.5000"]])).splitlines()
    assert lines[4] == f"{written} & 0.5000 \\\\", why


def test_a_name_cannot_break_out_of_markdown() -> None:
    """It stands in a code span."""
    assert (
        markdown(Grid(["run", "f1@5"], [["<b>|[x](y)", "0.5000"]])).splitlines()[2]
        == r"| `<b>\|[x](y)` | 0.5000 |"
    )


def test_what_the_means_are_over_is_said() -> None:
    """And what is not in them; nothing is said of nothing."""
    assert list(notes(ONE)) == ["means over the queries that are both judged and in the run: 1"]
    qrels = {"a": {"x": 1}, "b": {"x": 1}}
    run = {"a": ["x"], "c": ["x"]}
    assert list(notes(evaluate(qrels, run, complete=True))) == [
        "means over all judged queries: 2",
        "judged and not in the run (counted as 0): 1, 'b'",
        "in the run and not judged (left out): 1, 'c'",
    ]
