"""What every summary keeps, whatever the scores: the counts add up, and losing a number never looks surer."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.cases import Case
from ragproof.evidence import Evidence, Settings
from ragproof.metric import Metric
from ragproof.scores import CaseFailed, JudgeFailed, Measured, NotApplicable, Score, Scored, Skipped
from ragproof.summaries import Summary
from ragproof.summarising import summarise

TIMEOUT = CaseFailed(reason="timeout: no reply in 2 s")
NO_JSON = JudgeFailed(reason="no JSON in the reply")
NO_CLAIM = NotApplicable(reason="answer makes no factual claim")
NO_LABELS = Skipped(reason="case has no expected_source_ids")


def never(evidence: Evidence) -> float:
    """Stand in for a formula: summaries are made of scores and measure nothing."""
    raise AssertionError(evidence)


METRIC = Metric(key="m", summary="M.", family="user", measure=never)

RESULTS = st.one_of(
    st.integers(0, 8).map(lambda eighths: Scored(value=eighths / 8)),
    st.sampled_from([NO_LABELS, NO_CLAIM, NO_JSON, TIMEOUT]),
)
RUNS = st.lists(st.lists(RESULTS, min_size=1, max_size=3), min_size=1, max_size=12)


def run(trials: Sequence[Sequence[Measured]], order: int = 0) -> Summary:
    """Summarise a run of several trials a case, its scores shuffled."""
    cases = [Case(id=f"case-{position}", question="?") for position in range(len(trials))]
    scores = [
        Score(case_id=each.id, metric="m", trial=number, result=result)
        for each, results in zip(cases, trials, strict=True)
        for number, result in enumerate(results)
    ]
    (summary,) = summarise([METRIC], random.Random(order).sample(scores, len(scores)), cases, Settings())
    return summary


@settings(max_examples=150, deadline=None)
@given(trials=RUNS, order=st.integers(0, 99))
def test_every_case_is_counted_once_and_the_mean_lies_between_its_bounds(
    trials: list[list[Measured]], order: int
) -> None:
    """Counts add up to the cases, reasons to the cases without a number, and lowest <= mean <= highest."""
    summary = run(trials, order)
    assert summary.cases == len(trials)
    assert sum(summary.reasons.values()) == len(trials) - summary.scored
    assert (summary.mean is None) is (summary.scored == 0)
    if summary.mean is not None:
        assert summary.lowest_mean is not None
        assert summary.highest_mean is not None
        assert 0.0 <= summary.lowest_mean <= summary.mean <= summary.highest_mean <= 1.0
        assert (
            summary.errored
            or any(len(each) > 1 for each in trials)
            or (summary.lowest_mean == summary.mean == summary.highest_mean)
        )
    assert summary == run(trials, order + 1)


@settings(max_examples=150, deadline=None)
@given(trials=RUNS, data=st.data())
def test_turning_a_score_into_an_error_widens_the_bounds(
    trials: list[list[Measured]], data: st.DataObject
) -> None:
    """Whoever loses a number can not look surer: the new bounds hold the old ones."""
    places = [
        (row, column)
        for row, results in enumerate(trials)
        for column, result in enumerate(results)
        if isinstance(result, Scored)
    ]
    if not places:
        return
    row, column = data.draw(st.sampled_from(places))
    before = run(trials)
    lost = [list(results) for results in trials]
    lost[row][column] = TIMEOUT if data.draw(st.booleans()) else NO_JSON
    after = run(lost)
    assert before.lowest_mean is not None
    assert before.highest_mean is not None
    assert after.lowest_mean is not None
    assert after.highest_mean is not None
    assert after.lowest_mean <= before.lowest_mean + 1e-12
    assert after.highest_mean >= before.highest_mean - 1e-12
