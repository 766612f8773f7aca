"""How numbers and their coverage are put into words."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.metric import Direction
from ragproof.reports import wording
from ragproof.reports.judged_by import JudgedBy
from ragproof.reports.report import RunReport
from ragproof.runs import CaseCounts, Spend
from ragproof.summaries import Tag
from tests.fakes.reports import record, small_report, summary

NO_ERRORS: dict[str, Any] = {"case_failed": 0, "judge_error": 0}


@pytest.mark.parametrize(
    ("why", "changes", "expected"),
    [
        ("nothing erred, so the mean is what it is", NO_ERRORS, "-"),
        ("a failed case could have been anything in range", {}, "0.444 to 0.778"),
        ("a judge error too", {"case_failed": 0, "judge_error": 1}, "0.444 to 0.778"),
        ("a metric without ends bounds nothing", {"lowest_mean": None, "highest_mean": None}, "not bounded"),
        (
            "without a mean there is nothing to bound",
            {"mean": None, "lowest_mean": None, "highest_mean": None},
            "-",
        ),
    ],
)
def test_bounds_are_told_when_cases_erred(why: str, changes: dict[str, Any], expected: str) -> None:
    """An error is not left out silently: the reader sees what it could have done."""
    assert wording.bounds(summary(**changes)) == expected, why


@pytest.mark.parametrize(
    ("direction", "expected"),
    [(Direction.HIGHER, "↑ higher"), (Direction.LOWER, "↓ lower"), (Direction.NONE, "describes")],
)
def test_which_way_is_better_is_a_word_and_an_arrow(direction: Direction, expected: str) -> None:
    """Neither colour nor memory is needed."""
    assert wording.direction(summary(direction=direction)) == expected


def test_coverage_says_scored_n_of_all() -> None:
    """Every case is in the denominator, whatever became of it."""
    counts: dict[str, Any] = {
        "scored": 5,
        "skipped": 4,
        "not_applicable": 3,
        "judge_error": 2,
        "case_failed": 1,
    }
    assert wording.coverage(summary(**counts)) == "scored 5 of 15"
    assert (
        wording.not_scored(summary(**counts)) == "4 skipped, 3 not applicable, 2 judge error, 1 case failed"
    )


def test_counts_that_are_zero_are_not_told() -> None:
    """All scored is nothing to explain."""
    assert wording.not_scored(summary(scored=4, skipped=0, case_failed=0)) == ""


def test_reasons_of_several_metrics_are_grouped_and_counted() -> None:
    """The one that costs most cases comes first; the same reason with another count stands apart."""
    found = wording.causes(
        [
            summary("a", reasons={"no answer": 2, "timeout": 1}),
            summary("b", reasons={"no answer": 2}),
            summary("c", reasons={"no answer": 5}),
        ]
    )
    assert [(cause.reason, cause.cases, cause.metrics) for cause in found] == [
        ("no answer", 5, ("c",)),
        ("no answer", 2, ("a", "b")),
        ("timeout", 1, ("a",)),
    ]


def test_the_head_tells_cases_that_were_not_reached() -> None:
    """Answered, failed and not reached make the total."""
    report = small_report(run=record(cases=CaseCounts(total=10, ok=6, failed=1)))
    facts = {fact.label: fact.value for fact in wording.facts(report)}
    assert facts["cases"] == "6 of 10 answered, 1 failed, 3 not reached"


def test_the_head_leaves_out_what_is_not_known() -> None:
    """No label, no judge, no git: no empty lines."""
    bare = record(label=None, git_revision=None, spend=Spend(), status_reason=None, pipeline_version=None)
    labels = {fact.label for fact in wording.facts(small_report(run=bare))}
    assert labels.isdisjoint(
        {"label", "git revision", "judge", "reason", "pipeline version", "corpus version"}
    )


def test_a_run_that_was_resumed_took_as_long_as_it_was_worked_on() -> None:
    """The night between its two segments is nobody's work; a run that goes on has no duration yet."""
    run = record(worked_seconds=90.0)
    assert wording.duration_seconds(run) == 90.0
    assert wording.duration_seconds(run.model_copy(update={"finished_at": None})) is None


def test_tags_are_laid_side_by_side() -> None:
    """A metric that no tag could score keeps its row, so that neighbours stay neighbours; gaps are told."""
    english, german = Tag(name="language", value="en"), Tag(name="language", value="de")
    nothing: dict[str, Any] = {"mean": None, "scored": 0, "case_failed": 0}
    laid = wording.across(
        {
            english: [summary("a", tag=english), summary("b", tag=english, **nothing)],
            german: [summary("b", tag=german, **nothing)],
        }
    )
    assert [*laid] == ["a", "b"]
    assert [wording.mean_of_some(each) for each in laid["a"]] == ["0.667 (2 of 4, 1 failed)", "-"]
    assert [wording.mean_of_some(each) for each in laid["b"]] == ["-", "-"]


def test_a_group_of_tags_is_cut_by_name_and_width() -> None:
    """Two names never share a table."""
    tags = [Tag(name="a", value=str(n)) for n in range(3)] + [Tag(name="b", value="x")]
    cut = wording.abreast(tags, 2)
    assert [(name, len(values)) for name, values in cut] == [("a", 2), ("a", 1), ("b", 1)]


@pytest.mark.parametrize(
    ("why", "words", "expected"),
    [
        ("few are all told", ["a", "b"], "a, b"),
        ("many are counted", ["a", "b", "c", "d"], "a, b, and 2 more"),
        ("none are nothing", [], ""),
    ],
)
def test_a_list_of_words_has_a_length(why: str, words: list[str], expected: str) -> None:
    """A line stays a line."""
    assert wording.some(words, 2) == expected, why


SPENT = "3 calls, 30 input and 3 output tokens, 0.500000 USD"
GUESSED = [
    (
        "all are the provider's own",
        {"reported by the provider": 3},
        "3 calls, 30 input and 3 output tokens, 0.500000 USD",
    ),
    (
        "some are not",
        {"reported by the provider": 1, "estimated at 4 characters a token": 2},
        f"{SPENT} (2 estimated at 4 characters a token)",
    ),
]


@pytest.mark.parametrize(("why", "bases", "told"), GUESSED, ids=[row[0] for row in GUESSED])
def test_a_cost_says_what_of_it_is_not_the_providers_own(why: str, bases: dict[str, int], told: str) -> None:
    """METRICS section 6: the provider's usage when reported, else an estimate, and the result says which."""
    spend = Spend(eval_cost_usd=0.5, eval_llm_calls=3, eval_input_tokens=30, eval_output_tokens=3)
    judge = JudgedBy(provider="openai", base_url="http://j", model="m", bases=bases)
    report = RunReport(run=record(spend=spend), judge=judge)
    assert next(fact.value for fact in wording.facts(report) if fact.label == "judging") == told, why
