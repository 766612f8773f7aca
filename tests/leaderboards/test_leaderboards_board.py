"""A leaderboard as a whole: what stands beside each rank, and what is said where no rank can be."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.comparing.scored_run import ScoredRun
from ragproof.leaderboards.board import Board, board
from ragproof.leaderboards.divisions import Division
from ragproof.leaderboards.expenses import COST, LATENCY
from ragproof.leaderboards.json import as_json
from ragproof.leaderboards.leaderboard import Asked, Leaderboard
from ragproof.leaderboards.pieces import joined, listed, markdown
from ragproof.leaderboards.wording import pages
from ragproof.metric import Direction
from ragproof.reports.strict_json import strict_json
from ragproof.reports.visible import visible
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run


def run(name: str, values: list[Cell], **fields: object) -> ScoredRun:
    """A run of one metric, named by its variant."""
    fields = {"dataset": "cases.jsonl", "dataset_hash": "d" * 64, "pipeline": name, **fields}
    return scored_run({"m": values}, id=f"id-of-{name}", **fields)  # type: ignore[arg-type]


def of(*runs: ScoredRun, metric: str | None = "m", tag: str | None = None) -> Board:
    """Their leaderboard."""
    return board(Division(runs), metric, tag=tag)


def told(found: Board, **asked: object) -> str:
    """What a reader sees of it, without layout."""
    answer = Leaderboard(Asked(**asked), (found,), {}, 0, ("handbook",))  # type: ignore[arg-type]
    assert strict_json(as_json(answer))
    return markdown(pages(answer)).replace("`", "")


def test_each_run_stands_with_what_a_reader_needs() -> None:
    """Rank, mean over the complete cases, coverage over all, bounds of what is missing, letters."""
    found = of(run("weak", [0.0] * 8 + [NONE, 1.0]), run("good", [1.0] * 8 + [1.0, ERROR]))
    assert (found.cases, found.complete, found.documents) == (10, 8, None)
    good, weak = found.ranked
    assert [each.run.pipeline for each in found.ranked] == ["good", "weak"]
    assert (good.rank, good.mean, good.letters, good.scored, good.missing) == (1, 1.0, "a", 9, 1)
    assert good.bounds == pytest.approx((8 / 9, 9 / 9))
    assert (weak.rank, weak.mean, weak.letters, weak.scored, weak.missing) == (2, 0.0, "b", 9, 0)
    assert weak.bounds is None
    page = told(found)
    assert "2 runs on the 8 of 10 cases that all have scored" in page
    assert "left out, 1 case: the answer declines (weak (id-of-weak))" in page
    assert "missing, 1 case: timeout: no answer in time (good (id-of-good))" in page
    assert "| 1 | good | 1.000 | 0.676 to 1.000 | a | 9 of 10 | 0.889 to 1.000 |" in page
    assert "| weak | -1.000 |" in page
    assert "| 0.008 | worse |" in page


@pytest.mark.parametrize(
    ("why", "found", "expected"),
    [
        ("one run", of(run("a", [1.0, 0.0])), "one run: there is nothing to rank it against"),
        (
            "all equal on every case",
            of(run("a", [1.0, 0.0]), run("b", [1.0, 0.0])),
            "no case tells these runs apart: all have the same score on each",
        ),
        (
            "five differing cases",
            of(run("a", [0.0] * 9), run("b", [1.0] * 5 + [0.0] * 4)),
            "unresolvable: no two runs differ on more than 5 cases",
        ),
        (
            "no case that all have scored",
            of(run("a", [1.0, ERROR]), run("b", [ERROR, 1.0])),
            "no case is scored by all, so there is no rank",
        ),
        (
            "no metric in common",
            of(run("a", [1.0]), run("b", [1.0]), metric=None),
            "no metric with a direction has a score in every run here",
        ),
        ("a metric that nobody scored", of(run("a", [ERROR])), "no run here has a score by it: a (id-of-a)"),
        (
            "a run without a single score",
            of(run("a", [1.0]), run("b", [ERROR])),
            "b (id-of-b) has no score by m and no rank",
        ),
        ("an unknown cost", of(run("a", [1.0]), run("b", [0.0])), "the cost of no run is known"),
        (
            "few documents",
            of(run("a", [1.0, 0.0, 1.0], groups=["x", "x", "y"])),
            "documents are what is tested, and under 6 say little",
        ),
        (
            "an interval that rests on equal values",
            of(run("a", [0.5, 0.5])),
            "interval: all values are equal, so their spread is unknown",
        ),
    ],
)
def test_what_cannot_be_ranked_is_told_in_words(why: str, found: Board, expected: str) -> None:
    """Never by a number that was made up."""
    assert expected in told(found), why


def test_unresolvable_pairs_have_no_p() -> None:
    """In the page a word, in JSON null."""
    found = of(run("a", [0.0] * 9), run("b", [1.0] * 5 + [0.0] * 4))
    assert "| unresolvable | 5 cases differ |" in told(found)
    (pair,) = as_json(Leaderboard(Asked(), (found,), {}, 0, ()))["boards"][0]["pairs"]  # type: ignore
    assert (pair["p"], pair["p_raw"], pair["unresolvable"], pair["separated"]) == (None, None, True, False)


def test_a_price_that_one_run_lacks_is_said() -> None:
    """It is compared on the rest, and is not 0: nobody's front but its own quality's."""
    priced = {"m": [0.5, 0.5], COST: [0.1, 0.1], LATENCY: [10.0, 10.0]}
    spans = {COST: (0.0, None), LATENCY: (0.0, None)}
    one = scored_run(priced, id="one", pipeline="one", spans=spans)
    other = scored_run({"m": [0.4, 0.4], LATENCY: [10.0, 10.0]}, id="other", pipeline="other", spans=spans)
    found = of(one, other)
    assert [each.on_front for each in found.ranked] == [True, False]
    page = told(found)
    assert "the cost of other (other) is not known: compared on the rest" in page
    assert "front: no other run is as good in quality, cost and p50 latency, and better in one" in page
    assert "| other | 0.400 |" in page


def test_a_lower_metric_is_ranked_from_below() -> None:
    """And its leader has the lower mean."""
    directions = {"m": Direction.LOWER}
    found = of(run("slow", [0.9] * 8, directions=directions), run("fast", [0.1] * 8, directions=directions))
    assert [each.run.pipeline for each in found.ranked] == ["fast", "slow"]
    assert "by m: lower is better" in told(found)


def test_tags_are_averaged_over_the_complete_cases() -> None:
    """Cases without the tag come last; a tag that no complete case has is told."""
    tags = [{"topic": "hr"}, {"topic": "it"}, {}, {"topic": "hr"}]
    found = of(
        run("a", [1.0, 0.0, 0.5, ERROR], tags=tags), run("b", [0.5, 1.0, 0.5, 1.0], tags=tags), tag="topic"
    )
    assert [(each.value, each.cases, each.means) for each in found.tags] == [
        ("hr", 1, (1.0, 0.5)),
        ("it", 1, (0.0, 1.0)),
        (None, 1, (0.5, 0.5)),
    ]
    assert "| (without) | 1 | 0.500 | 0.500 |" in told(found, tag="topic")
    assert "no complete case has this tag" in told(of(run("a", [1.0]), tag="topic"), tag="topic")


def test_only_the_first_of_many_boards_and_runs_are_shown() -> None:
    """The rest is counted; JSON has all."""
    runs = [run(f"v{n:02}", [float(n % 2)] * 8) for n in range(13)]
    found = of(*runs)
    page = told(found)
    assert "and 2 more; --json has all pairs" in page
    answer = Leaderboard(Asked(), (found,) * 7, {"cancelled": 2}, 3, ())
    page = markdown(pages(answer))
    assert "and 2 more; --project, --dataset and --group narrow them down" in page
    assert "3 earlier left out; --runs all has them" in page
    assert "did not complete: 2 cancelled" in page
    assert len(as_json(answer)["boards"]) == 7  # type: ignore[arg-type]


HOSTILE = "a|b`c\x1b[31m</td><script>\u202e"


def test_foreign_text_is_shown_and_never_obeyed() -> None:
    """Names, reasons, tags, datasets and levels come from outside."""
    cell = {"cell": {"sweep": "s", "sweep_name": HOSTILE, "factors": {HOSTILE: HOSTILE}}}
    names = {"pipeline": HOSTILE, "project": HOSTILE, "dataset": HOSTILE, "config": cell, "label": HOSTILE}
    tags = [{HOSTILE: HOSTILE}] * 3
    runs = [
        scored_run({HOSTILE: [1.0, 0.0, ERROR]}, id=f"{HOSTILE}{n}", tags=tags, **{**names, "label": f"{n}"})
        for n in range(2)
    ]
    found = board(Division(tuple(runs)), HOSTILE, tag=HOSTILE, with_effects=True)
    answer = Leaderboard(Asked(tag=HOSTILE), (found,), {}, 0, ())
    page = markdown(pages(answer))
    assert "\x1b" not in page
    assert "\u202e" not in page
    # Outside code spans, whose fence is longer than any run of backticks inside, nothing foreign is left.
    assert "script" not in re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", page)
    widths = [
        {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines() if line.startswith("|")}
        for block in page.split("\n\n")
    ]
    assert all(len(each) <= 1 for each in widths)


@pytest.mark.parametrize(
    ("why", "texts", "expected"),
    [
        ("none", [], ""),
        ("one", ["a"], "a"),
        ("as many as are shown", ["a", "b"], "a, b"),
        ("more", ["a", "b", "c", "d"], "a, b, and 2 more"),
    ],
)
def test_a_long_list_is_cut_and_counted(why: str, texts: list[str], expected: str) -> None:
    """At two."""
    assert joined(listed(texts, 2), visible) == expected, why


@given(
    st.lists(
        st.lists(st.sampled_from([0.0, 0.5, 1.0, ERROR, NONE]), min_size=7, max_size=7),
        min_size=1,
        max_size=4,
    )
)
def test_no_scores_whatsoever_break_a_leaderboard(values: list[list[Cell]]) -> None:
    """There is a page, strict JSON, and a mean inside its interval."""
    found = of(*(run(f"v{n}", each) for n, each in enumerate(values)))
    assert told(found)
    for ranked in found.ranked:
        assert ranked.interval.low is None or ranked.interval.low <= ranked.mean + 1e-9
        assert ranked.interval.high is None or ranked.interval.high >= ranked.mean - 1e-9
