"""Summaries: means over what was scored, and an honest account of the rest."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.evidence import Evidence, Settings
from ragproof.metric import Direction, Metric, Need, Range
from ragproof.scores import CaseFailed, JudgeFailed, Measured, NotApplicable, Score, Scored, Skipped
from ragproof.summaries import Summary, Tag
from ragproof.summarising import NOT_REACHED, Summing, mean, nearest_rank, summarise

TIMEOUT = CaseFailed(reason="timeout: no reply in 2 s")
NO_JSON = JudgeFailed(reason="no JSON in the reply")
NO_CLAIM = NotApplicable(reason="answer makes no factual claim")
NO_LABELS = Skipped(reason="case has no expected_source_ids")


def never(evidence: Evidence) -> float:
    """Stand in for a formula: summaries are made of scores and measure nothing."""
    raise AssertionError(evidence)


METRIC = Metric(key="m", summary="M.", family="user", measure=never)
UNBOUNDED = Metric(
    key="m", summary="M.", family="user", measure=never, direction=Direction.LOWER, range=Range(0.0, None)
)
QA_ONLY = Metric(key="m", summary="M.", family="user", measure=never, kinds=frozenset({CaseKind.QA}))
LABELLED = Metric(key="m", summary="M.", family="user", measure=never, needs=(Need.RELEVANCE,))


def of(results: Sequence[Measured], metric: Metric = METRIC, kind: CaseKind = CaseKind.QA) -> Summary:
    """Summarise one result a case."""
    cases = [Case(id=f"case-{position}", kind=kind, question="?") for position in range(len(results))]
    scores = [
        Score(case_id=each.id, metric="m", result=result) for each, result in zip(cases, results, strict=True)
    ]
    (summary,) = summarise([metric], scores, cases, Settings())
    return summary


def numbers(*values: float) -> list[Measured]:
    """Return scored results."""
    return [Scored(value=value) for value in values]


RANKS = [
    # why, values, fraction, expected
    ("one value is every percentile", [0.3], 0.95, 0.3),
    ("position ceil(0.5 * 4) = 2", [1.0, 2.0, 3.0, 4.0], 0.50, 2.0),
    ("position ceil(0.5 * 5) = 3", [1.0, 2.0, 3.0, 4.0, 5.0], 0.50, 3.0),
    ("position ceil(0.95 * 20) = 19", [float(each) for each in range(1, 21)], 0.95, 19.0),
    ("position ceil(0.95 * 21) = 20", [float(each) for each in range(1, 22)], 0.95, 20.0),
    ("position max(1, ceil(0)) = 1", [1.0, 2.0], 0.0, 1.0),
    ("position ceil(1 * 2) = 2", [1.0, 2.0], 1.0, 2.0),
]


@pytest.mark.parametrize(("why", "values", "fraction", "expected"), RANKS)
def test_percentiles_are_nearest_rank(
    why: str, values: list[float], fraction: float, expected: float
) -> None:
    """The value at position max(1, ceil(fraction * n)): one that occurred, never one in between."""
    assert nearest_rank(values, fraction) == expected, why


def test_no_rounding_error_moves_a_percentile() -> None:
    """For every size up to 2,000, floating point gives the position that whole numbers give."""
    for size in range(1, 2_001):
        ordered = [float(position) for position in range(1, size + 1)]
        for percent in (50, 95, 99):
            assert nearest_rank(ordered, percent / 100) == -(-percent * size // 100)


def test_a_percentile_of_nothing_does_not_exist() -> None:
    """An empty list is for the caller; no number is made of it."""
    with pytest.raises(ValueError, match="expected at least one"):
        nearest_rank([], 0.5)


def test_the_mean_does_not_depend_on_order_or_size() -> None:
    """Exactly rounded sums: shuffled it is the same to the last digit, and huge values do not overflow."""
    values = [random.Random(7).uniform(0, 1) for _ in range(1_000)] + [1e16, 1.0, -1e16]
    shuffled = random.Random(8).sample(values, len(values))
    assert mean(values) == mean(shuffled)
    assert mean([1e308, 1e308, 1e308]) == pytest.approx(1e308)


MEANS = [
    # why, results, metric, mean, lowest, highest
    ("without an error the bounds are the mean", numbers(0.0, 1.0), METRIC, 1 / 2, 1 / 2, 1 / 2),
    ("skipped cases are not in the mean", [*numbers(1.0), NO_LABELS], METRIC, 1.0, 1.0, 1.0),
    ("nor are those it does not apply to", [*numbers(1.0), NO_CLAIM], METRIC, 1.0, 1.0, 1.0),
    ("an error could have been 0 or 1", [*numbers(1.0, 0.5), TIMEOUT], METRIC, 1.5 / 2, 1.5 / 3, 2.5 / 3),
    ("a judge's error too", [*numbers(1.0), NO_JSON, NO_JSON, TIMEOUT], METRIC, 1.0, 1 / 4, 4 / 4),
    ("nothing scored, all erred: anything", [TIMEOUT, NO_JSON], METRIC, None, 0.0, 1.0),
    ("nothing scored, nothing erred: nothing", [NO_LABELS, NO_CLAIM], METRIC, None, None, None),
    ("an unbounded metric has no bounds", [*numbers(5.0), TIMEOUT], UNBOUNDED, 5.0, None, None),
    ("not even without an error", numbers(5.0), UNBOUNDED, 5.0, None, None),
    ("a failed case without labels could not have scored", [*numbers(1.0), TIMEOUT], LABELLED, 1.0, 1.0, 1.0),
    ("no case", [], METRIC, None, None, None),
]


@pytest.mark.parametrize(("why", "results", "metric", "expected", "lowest", "highest"), MEANS)
def test_a_mean_comes_with_what_errors_could_have_made_of_it(
    why: str,
    results: list[Measured],
    metric: Metric,
    expected: float | None,
    lowest: float | None,
    highest: float | None,
) -> None:
    """The bounds fill each error within reach with the ends of the range."""
    summary = of(results, metric)
    assert (summary.mean, summary.lowest_mean, summary.highest_mean) == (expected, lowest, highest), why


def test_a_failed_case_of_another_kind_is_counted_and_moves_no_bound() -> None:
    """It is an error of every metric, and could never have scored on this one."""
    summary = of([TIMEOUT], QA_ONLY, CaseKind.INJECTION)
    assert (summary.case_failed, summary.lowest_mean, summary.highest_mean) == (1, None, None)


def test_every_outcome_has_its_count_and_every_reason_its_number() -> None:
    """Reasons come most frequent first, and by text where they are equally frequent."""
    summary = of([*numbers(1.0, 0.0), NO_LABELS, NO_CLAIM, NO_JSON, NO_JSON, TIMEOUT])
    assert summary == Summary(
        metric="m",
        direction=Direction.HIGHER,
        mean=1 / 2,
        p50=0.0,
        p95=1.0,
        scored=2,
        skipped=1,
        not_applicable=1,
        judge_error=2,
        case_failed=1,
        lowest_mean=1 / 5,
        highest_mean=4 / 5,
        reasons=summary.reasons,
    )
    assert [*summary.reasons.items()] == [
        ("no JSON in the reply", 2),
        ("answer makes no factual claim", 1),
        ("case has no expected_source_ids", 1),
        ("timeout: no reply in 2 s", 1),
    ]
    assert summary.errored == 3
    assert summary.cases == 7


def test_a_case_without_a_score_was_not_reached() -> None:
    """A run that stopped early still accounts for every case."""
    cases = [Case(id="a", question="?"), Case(id="b", question="?")]
    (summary,) = summarise(
        [METRIC], [Score(case_id="a", metric="m", result=Scored(value=1.0))], cases, Settings()
    )
    assert (summary.scored, summary.skipped) == (1, 1)
    assert summary.reasons == {NOT_REACHED.reason: 1}


def test_a_score_of_an_unknown_case_is_refused() -> None:
    """Scores and cases of different runs must not be mixed silently."""
    with pytest.raises(ValueError, match="score of case 'b'"):
        summarise(
            [METRIC],
            [Score(case_id="b", metric="m", result=NO_CLAIM)],
            [Case(id="a", question="?")],
            Settings(),
        )


TRIALS: list[tuple[str, list[Measured], float | None, float | None, float | None, str]] = [
    # why, trials of one case, mean, lowest, highest, outcome
    ("the mean of its trials", numbers(1.0, 0.0, 0.5), 1.5 / 3, 1.5 / 3, 1.5 / 3, "scored"),
    (
        "a trial that erred could have been 0 or 1",
        [*numbers(1.0, 0.5), TIMEOUT],
        1.5 / 2,
        1.5 / 3,
        2.5 / 3,
        "scored",
    ),
    ("a trial without a claim leaves the others", [NO_CLAIM, *numbers(0.5)], 0.5, 0.5, 0.5, "scored"),
    ("an error is told before what is no error", [NO_CLAIM, NO_JSON], None, 0.0, 1.0, "judge_error"),
    ("a failed call before a failed judgment", [NO_JSON, TIMEOUT], None, 0.0, 1.0, "case_failed"),
    ("no applicable trial", [NO_LABELS, NO_CLAIM], None, None, None, "not_applicable"),
]


@pytest.mark.parametrize(("why", "trials", "expected", "lowest", "highest", "outcome"), TRIALS)
def test_several_trials_are_one_case(
    why: str,
    trials: list[Measured],
    expected: float | None,
    lowest: float | None,
    highest: float | None,
    outcome: str,
) -> None:
    """A case asked again weighs no more than one asked once, and has one outcome."""
    scores = [
        Score(case_id="a", metric="m", trial=number, result=result) for number, result in enumerate(trials)
    ]
    (summary,) = summarise([METRIC], scores, [Case(id="a", question="?")], Settings())
    assert summary.cases == 1, why
    assert getattr(summary, outcome) == 1, why
    assert (summary.mean, summary.lowest_mean, summary.highest_mean) == (expected, lowest, highest), why


def test_each_tag_has_summaries_of_its_own() -> None:
    """Tags are sorted by name and value, after the summaries of all cases."""
    cases = [
        Case(id="a", question="?", tags={"language": "de", "topic": "x"}),
        Case(id="b", question="?", tags={"language": "de"}),
        Case(id="c", question="?", tags={"language": "ar"}),
        Case(id="d", question="?"),
    ]
    values = {"a": 1.0, "b": 0.5, "c": 0.0, "d": 0.25}
    scores = [Score(case_id=each, metric="m", result=Scored(value=value)) for each, value in values.items()]
    summaries = summarise([METRIC], scores, cases, Settings())
    assert [(summary.tag, summary.mean, summary.scored) for summary in summaries] == [
        (None, 1.75 / 4, 4),
        (Tag(name="language", value="ar"), 0.0, 1),
        (Tag(name="language", value="de"), 1.5 / 2, 2),
        (Tag(name="topic", value="x"), 1.0, 1),
    ]


def test_scores_of_metrics_not_asked_for_are_left_out() -> None:
    """A summary is made for each metric named, in that order, and for no other."""
    scores = [Score(case_id="a", metric=key, result=Scored(value=1.0)) for key in ("m", "other")]
    assert [
        each.metric for each in summarise([METRIC], scores, [Case(id="a", question="?")], Settings())
    ] == ["m"]


def test_of_a_case_its_number_is_kept_and_nothing_else() -> None:
    """A run of ten thousand cases is summed up in the memory of eight bytes a number, not of its scores."""
    summing = Summing([METRIC], Settings())
    tracemalloc.start()
    try:
        for number in range(5_000):
            summing.add(Case(id=f"{number}", question="?"), [("m", Scored(value=number / 5_000))])
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept / 5_000 < 40
    assert summing.summaries()[0].scored == 5_000


def test_cases_that_fail_alike_take_no_more_than_one() -> None:
    """A pipeline that is down fails every case: what is kept is how many."""
    summing = Summing([METRIC], Settings())
    tracemalloc.start()
    try:
        for number in range(5_000):
            summing.add(Case(id=f"{number}", question="?"), [("m", TIMEOUT)])
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept / 5_000 < 10
    (summary,) = summing.summaries()
    assert (summary.case_failed, summary.lowest_mean, summary.highest_mean) == (5_000, 0.0, 1.0)
