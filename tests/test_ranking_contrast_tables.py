"""Tests of runs in words: marks beside the means, a row a contrast, and the sentences under both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ragproof.ranking import contrast_tables
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.significance import RunTest, compare_runs
from ragproof.ranking.tables import Grid, Marked, latex, markdown, means, turned

HALF, WHOLE, MOST = (0.5,) * 6, (1.0,) * 6, (1.0,) * 5 + (0.25,)


def scored(*columns: Sequence[float], complete: bool = False) -> Evaluation:
    """A run with a column of values for each of three measures at most."""
    keys = ("mrr@10", "hit_rate@10", "map")[: len(columns)]
    values = {key: np.array(column) for key, column in zip(keys, columns, strict=True)}
    queries = tuple(f"q{at}" for at in range(len(columns[0])))
    return Evaluation(queries, values, 1, complete, (), ())


THREE = {"half": scored(HALF), "whole": scored(WHOLE), "most": scored(MOST)}


def quoted(name: str) -> str:
    """A name as the tests read it."""
    return f"<{name}>"


def test_letters_stand_beside_the_means() -> None:
    """`whole` is told from `half`, and `most` from neither."""
    test = compare_runs(THREE)
    assert contrast_tables.marks(test) == {"mrr@10": ("b", "a", "ab")}
    assert list(contrast_tables.about_means(test, quoted)) == [
        "means and tests are over the queries that all 3 runs are scored on: 6",
        "of each measure, runs that share a letter are not told apart"
        " (p above 0.05, sign flip, max-T over 3 pairs)",
    ]
    grid = turned(means(THREE, contrast_tables.marks(test)))
    assert grid.rows == [("mrr@10", "0.5000 b", "1.0000 a", "0.8750 ab")]


def test_daggers_stand_beside_those_that_differ_from_the_baseline() -> None:
    """And the sentence names it."""
    test = compare_runs(THREE, baseline="half")
    assert contrast_tables.marks(test) == {"mrr@10": ("", "†", "")}
    assert list(contrast_tables.about_means(test, quoted))[1:] == [
        "† differs from the baseline <half> on this measure"
        " (p at most 0.05, sign flip, max-T over 2 contrasts)"
    ]
    none = compare_runs({"half": THREE["half"], "most": THREE["most"]}, baseline="half")
    assert list(contrast_tables.about_means(none, quoted)) == [
        "means and tests are over the queries that both runs are scored on: 6",
        "no run is told apart from the baseline <half> on any measure (p above 0.05, sign flip)",
    ]


def test_a_contrast_is_a_row() -> None:
    """The difference first, then its interval, p of all, p alone, and the queries won, tied and lost."""
    grid = contrast_tables.contrasts(compare_runs(THREE, baseline="half"))
    assert grid.headings == [
        *("measure", "run", "against", "difference", "95 % interval", "p", "p raw", "won/tied/lost", "note")
    ]
    assert grid.names == 3
    first, second = grid.rows
    assert first[:4] == ["mrr@10", "whole", "half", "+0.5000"]
    assert first[5:] == ["0.0312", "0.0312", "6/0/0", "differs by the same amount on every query"]
    assert second[1:4] == ["most", "half", "+0.3750"]
    assert second[5:] == ["0.0625", "0.0625", "5/0/1", "Student's t interval, too little varies to resample"]


def spread(lift: float, queries: int) -> list[float]:
    """Values of which no two differ alike."""
    return [0.2 + lift * (1 + at / queries) for at in range(queries)]


def sentences(test: RunTest) -> list[str]:
    """What stands under the contrasts, without what always does."""
    return list(contrast_tables.about_contrasts(test))[1:]


@pytest.mark.parametrize(
    ("why", "runs", "told"),
    [
        (
            "one contrast of one measure, listed",
            {"a": scored(spread(0.0, 8)), "b": scored(spread(0.1, 8))},
            [
                "each interval is of its contrast alone, studentised bootstrap",
                "all p are of sign flips, exact",
            ],
        ),
        (
            "random signs",
            {"a": scored(spread(0.0, 20)), "b": scored(spread(0.1, 20))},
            [
                "each interval is of its contrast alone, studentised bootstrap",
                "all p are of sign flips, of 9,999 random signs with seed 0",
            ],
        ),
        (
            "several measures, one of 0 and 1, listed where few differ",
            {
                "a": scored(spread(0.0, 20), [0.0] * 20),
                "b": scored(spread(0.1, 20), [1.0] * 7 + [0.0] * 13),
            },
            [
                "each interval is of its contrast alone, studentised bootstrap, Newcombe's where all"
                " values are 0 or 1",
                "all p are of sign flips, exact where at most 16 queries differ and else of 9,999 random"
                " signs with seed 0",
                "the first measure, mrr@10, decides; a claim about another takes p over measures, adjusted"
                " over the 2 measures of its contrast as well (Holm)",
            ],
        ),
        (
            "one query differs: the row itself says that its interval is Student's",
            {"a": scored(HALF), "b": scored((0.5,) * 5 + (1.0,))},
            [
                "each interval is of its contrast alone",
                "all p are of sign flips, exact",
                "unresolvable: the two differ on at most 5 queries, too few for any p under 0.05",
            ],
        ),
        (
            "no interval at all, and nothing to resolve",
            {"a": scored([0.2]), "b": scored([0.3])},
            [
                "all p are of sign flips, exact",
                "unresolvable: the two differ on at most 5 queries, too few for any p under 0.05",
            ],
        ),
    ],
)
def test_what_was_done_is_said(why: str, runs: dict[str, Evaluation], told: list[str]) -> None:
    """No more than was."""
    assert sentences(compare_runs(runs)) == told, why


def test_unresolvable_stands_in_place_of_every_p() -> None:
    """A p of nothing is never printed; one query has no interval."""
    several = compare_runs({"a": scored(HALF, HALF), "b": scored(HALF, HALF)})
    row = contrast_tables.contrasts(several).rows[0]
    assert row[5:] == ["unresolvable", "-", "-", "0/6/0", "the same on every query"]
    (row,) = contrast_tables.contrasts(compare_runs({"a": scored([0.2]), "b": scored([0.3])})).rows
    assert row[3:] == ["+0.1000", "-", "unresolvable", "-", "1/0/0", "one query"]


def test_a_p_under_the_last_digit_is_not_printed_as_0() -> None:
    """Listed signs can give one: 2 of 65,536."""
    test = compare_runs({"a": scored(spread(0.0, 16)), "b": scored(spread(0.1, 16))})
    assert test.measures[0].contrasts[0].p == 2 / 2**16
    assert contrast_tables.contrasts(test).rows[0][5:7] == ["< 0.0001", "< 0.0001"]


def test_few_differing_queries_have_student_s_interval() -> None:
    """Too few to be resampled; the row says so."""
    runs = {"a": scored([0.5] * 60), "b": scored([0.5] * 58 + [0.6, 0.9])}
    assert (
        contrast_tables.contrasts(compare_runs(runs)).rows[0][-1]
        == "Student's t interval, too little varies to resample"
    )


def test_queries_that_are_left_out_are_counted() -> None:
    """By --complete none is, and the sentence is another."""
    runs = {"a": scored(HALF), "b": scored((0.5,) * 4)}
    assert list(contrast_tables.about_means(compare_runs(runs), quoted))[:2] == [
        "means and tests are over the queries that both runs are scored on: 4",
        "queries that only some of the runs are scored on are left out: 2",
    ]
    complete = {"a": scored(HALF, complete=True), "b": scored(WHOLE, complete=True)}
    first = next(contrast_tables.about_means(compare_runs(complete), quoted))
    assert first == "means and tests are over all judged queries: 6"


def test_marks_are_superscripts_in_latex_and_a_caption_makes_a_table() -> None:
    """Names and sentences are escaped; a minus is no hyphen."""
    grid = Grid(["run", "map", "difference"], [["a-1_<b>", Marked("0.5000", "ab"), "-0.1000 to +0.1000"]])
    assert latex(grid, ["† differs from 'a_b' (p > 0.05)", "all p"]) == (
        "\\begin{table}\n\\centering\n\\begin{tabular}{lrr}\n\\toprule\n"
        "run & map & difference \\\\\n\\midrule\n"
        "a-1\\_\\textless{}b\\textgreater{} & 0.5000\\textsuperscript{ab} & $-$0.1000 to +0.1000 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
        "\\caption{\\dag{} differs from 'a\\_b' (p \\textgreater{} 0.05). All p.}\n\\end{table}\n"
    )
    assert markdown(grid).splitlines()[2] == "| `a-1_<b>` | 0.5000 ab | -0.1000 to +0.1000 |"
