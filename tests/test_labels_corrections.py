"""What labels make of a run's judged means: known answers, and every reason for none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragproof.labels.correction import NOT_DRAWN, Correction
from ragproof.labels.corrections import corrections_of
from ragproof.labels.estimates import ALL_LABELLED, GROUPED, NO_NUMBER
from ragproof.labels.prevalence import NOT_BINARY, ONE_VALUE
from ragproof.labels.served import Served
from ragproof.runs import RunStatus
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.interval import Flag
from ragproof.statistics.judge_correction import corrected_mean
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.student import paired_t
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run

KEY = "generation.groundedness"
PLACES = np.arange(300)
HUMAN = (PLACES * 7 % 10 < 7).astype(float)
JUDGE = np.where(PLACES * 13 % 17 < 2, 1 - HUMAN, HUMAN)
GRADES = (PLACES * 7 % 11) / 10
GRADED_JUDGE = np.clip(GRADES + (PLACES * 5 % 7 - 3) / 20, 0, 1)
REFERENCE = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parent / "data" / "statistics_reference.json").read_text(encoding="utf-8")
    )["cases"]
}


def given(values: Mapping[int, float], *, at_random: bool = True, **fields: Any) -> tuple[Served, ...]:
    """Return a label for some of the cases, by place."""
    whole: dict[str, Any] = {"trial": 0, "labeller": "", "at_random": at_random}
    return tuple(Served(case_id=f"c{at}", value=value, **{**whole, **fields}) for at, value in values.items())


def first(values: Sequence[float], n: int) -> dict[int, float]:
    """Return the values of the first cases, by place."""
    return {at: float(values[at]) for at in range(n)}


def correction(judge: Sequence[Cell], labels: Sequence[Served], **fields: Any) -> Correction:
    """Correct one metric."""
    (found,) = corrections_of(scored_run({KEY: [*judge]}, **fields), {KEY: tuple(labels)})
    return found


# Intervals of ppi_mean_ci, ppi-python 0.2.3; its mean is their middle.
ORACLE = [
    ("of 0 and 1, 120 labels", HUMAN, JUDGE, 120, 0.6283188913649158, 0.7648236469003902),
    ("a judge that is wrong way round", GRADES, 1 - GRADED_JUDGE, 100, 0.43256507, 0.55743493),
]


@pytest.mark.parametrize(
    ("why", "human", "judge", "n", "low", "high"), ORACLE, ids=[row[0] for row in ORACLE]
)
def test_the_corrected_mean_is_ppi_python_s(
    why: str, human: Any, judge: Any, n: int, low: float, high: float
) -> None:
    """With the raw judge's and people's own beside it."""
    found = correction(judge.tolist(), given(first(human, n)))
    assert found.corrected is not None
    assert (found.corrected.low, found.corrected.high) == pytest.approx((low, high), abs=1e-8)
    assert (found.corrected.method, found.reason) == ("PPI++", None)
    assert found.weight is not None
    assert 0 <= found.weight <= 1
    assert found.raw == pytest.approx(judge.mean())
    assert found.people is not None
    assert found.people.mean == pytest.approx(human[:n].mean())
    assert (found.labelled, found.basis, found.cases) == (n, n, 300)
    assert found.disagreements == int((human[:n] != judge[:n]).sum())


def test_labels_of_0_and_1_alone_have_wilson_s_interval() -> None:
    """And the rarer of the two is counted."""
    found, ones = correction(JUDGE.tolist(), given(first(HUMAN, 120))), int(HUMAN[:120].sum())
    alone = wilson_interval(ones, 120)
    assert found.people is not None
    assert (found.people.low, found.people.high, found.people.method) == (alone.low, alone.high, "Wilson")
    assert found.rarer == 120 - ones == 36


def test_graded_labels_alone_have_students_t() -> None:
    """And no rarer class."""
    found = correction(GRADED_JUDGE.tolist(), given(first(GRADES, 120)))
    alone = paired_t(GRADES[:120], lowest=0, highest=1).interval
    assert found.people is not None
    assert (found.people.low, found.people.high, found.people.method) == (
        alone.low,
        alone.high,
        "Student's t",
    )
    assert found.rarer is None
    expected = corrected_mean(
        GRADES[:120], GRADED_JUDGE[:120], GRADED_JUDGE[120:], labels_are_random=True, lowest=0, highest=1
    )
    assert found.corrected is not None
    assert found.corrected.mean == pytest.approx(expected.estimate)


def rare(n: int, zeros: int, errors: int) -> tuple[list[float], dict[int, float]]:
    """A judge of `n` labelled cases and 30 others, wrong on `errors` of the labelled ones."""
    human = {at: float(at >= zeros) for at in range(n)}
    judge = [1 - human[at] if at >= n - errors else human[at] for at in range(n)]
    return [*judge, *[1.0] * 20, *[0.0] * 10], human


REASONS = [
    ("99 labels", *rare(99, 40, 20), "99 labels, a correction needs at least 100"),
    ("9 disagreements", *rare(100, 40, 9), "9 disagreements, a correction needs at least 10"),
    (
        "9 of the rarer class",
        *rare(100, 9, 20),
        "9 labels of the rarer class, a correction needs at least 10",
    ),
    ("just enough", *rare(100, 10, 10), None),
]


@pytest.mark.parametrize(("why", "judge", "human", "reason"), REASONS, ids=[row[0] for row in REASONS])
def test_labels_that_do_not_suffice_stand_alone(
    why: str, judge: list[float], human: dict[int, float], reason: str | None
) -> None:
    """With the reason, at the edge of each threshold."""
    found = correction(judge, given(human))
    assert found.reason == reason, why
    assert (found.corrected is None) == (reason is not None)
    assert (found.weight is None) == (reason is not None)
    assert found.people is not None
    assert found.people.mean == pytest.approx(np.mean([*human.values()]))


def test_labels_that_nobody_claims_to_be_random_correct_nothing() -> None:
    """However many; neither by PPI++ nor by Rogan and Gladen."""
    found = correction(JUDGE.tolist(), given(first(HUMAN, 120), at_random=False))
    assert (found.reason, found.corrected) == (NOT_DRAWN, None)
    assert (found.not_adjusted, found.adjusted) == (NOT_DRAWN, None)
    assert found.people is not None
    assert found.not_at_random == 120


def test_picked_labels_beside_drawn_ones_are_left_out_of_the_correction() -> None:
    """A picked case is one of the others, for which the judge speaks."""
    drawn = given(first(HUMAN, 120))
    picked = given({at: 1 - HUMAN[at] for at in range(120, 140)}, at_random=False)
    alone, both = correction(JUDGE.tolist(), drawn), correction(JUDGE.tolist(), [*drawn, *picked])
    assert (both.corrected, both.people) == (alone.corrected, alone.people)
    assert (both.labelled, both.basis, both.not_at_random) == (140, 120, 20)
    assert both.agreement is not None
    assert both.agreement.exact.of == 140


def test_when_every_case_is_labelled_the_judge_is_not_needed() -> None:
    """There is nothing left that it could speak for."""
    found = correction(JUDGE.tolist(), given(first(HUMAN, 300)))
    assert (found.reason, found.corrected) == (ALL_LABELLED, None)
    assert (found.not_adjusted, found.adjusted) == (ALL_LABELLED, None)
    assert found.people is not None
    assert found.people.mean == pytest.approx(HUMAN.mean())
    assert found.people.method == "Wilson"


def test_cases_without_a_judge_s_number_are_left_out_and_counted() -> None:
    """Whether it erred or had nothing to say: its mean is not over them either."""
    judge: list[Cell] = [ERROR, NONE, *JUDGE.tolist()]
    labels = [*given({0: 0.0, 1: 0.0}), *given({at + 2: float(HUMAN[at]) for at in range(120)})]
    found, without = correction(judge, labels), correction(JUDGE.tolist(), given(first(HUMAN, 120)))
    assert found.corrected == without.corrected
    assert (found.without_number, found.labelled, found.cases) == (2, 120, 300)


def test_labels_where_the_judge_gave_no_number_at_all_stand_alone() -> None:
    """Of a run without a judge, say."""
    found = correction([NONE] * 20, given(first(HUMAN, 12)))
    assert (found.reason, found.raw, found.cases) == (NO_NUMBER, None, 0)
    alone = wilson_interval(int(HUMAN[:12].sum()), 12)
    assert found.people is not None
    assert (found.people.low, found.people.high) == (alone.low, alone.high)
    assert found.basis == 12
    assert found.agreement is None


def test_cases_that_come_several_to_a_group_are_not_corrected() -> None:
    """PPI++ takes cases for independent; the labels alone have the interval of the groups."""
    groups = [f"g{at // 3}" for at in range(300)]
    found = correction(JUDGE.tolist(), given(first(HUMAN, 120)), groups=groups)
    assert (found.reason, found.not_adjusted) == (GROUPED, GROUPED)
    alone = cluster_interval(HUMAN[:120], groups[:120], lowest=0, highest=1).interval
    assert found.people is not None
    assert (found.people.low, found.people.high) == (alone.low, alone.high)
    lonely = [f"g{at}" for at in range(300)]
    assert correction(JUDGE.tolist(), given(first(HUMAN, 120)), groups=lonely).corrected is not None


@pytest.mark.parametrize(
    "status", [RunStatus.STOPPED_EARLY, RunStatus.FAILED_JUDGE, RunStatus.ABORTED_BUDGET, RunStatus.CANCELLED]
)
def test_a_run_that_is_not_complete_has_no_mean_to_correct(status: RunStatus) -> None:
    """The agreement with its labels is what it is."""
    found = correction(JUDGE.tolist(), given(first(HUMAN, 120)), status=status)
    assert found.reason == f"the run is {status.value}, and the cases that it scored stand for no others"
    assert (found.raw, found.corrected, found.people, found.adjusted) == (None, None, None, None)
    assert found.agreement is not None


def test_several_labellers_of_one_case_are_averaged() -> None:
    """And a case counts once."""
    labels = [
        *given(first(np.ones(120), 120), labeller="a"),
        *given(first(HUMAN, 120), labeller="b"),
    ]
    found = correction(JUDGE.tolist(), labels)
    human = (1 + HUMAN[:120]) / 2
    expected = corrected_mean(human, JUDGE[:120], JUDGE[120:], labels_are_random=True, lowest=0, highest=1)
    assert found.corrected is not None
    assert found.corrected.mean == pytest.approx(expected.estimate)
    assert (found.labelled, found.labellers) == (120, 2)


def test_equal_labels_have_an_interval_of_some_width_and_say_why() -> None:
    """Never a zero-width one."""
    found = correction([0.5] * 30, given(dict.fromkeys(range(20), 0.5)))
    assert found.people is not None
    assert found.people.note == Flag.ALL_EQUAL.value
    assert found.people.low is not None
    assert found.people.high is not None
    assert found.people.low < 0.5 < found.people.high


def test_a_label_is_held_against_the_answer_it_was_given_to() -> None:
    """Of a repeated case the trial that was labelled, and not the mean over trials."""
    trials: list[Cell] = [[1.0, 0.0]] * 30
    labelled_first = correction(trials, given(dict.fromkeys(range(20), 1.0)))
    labelled_second = correction(trials, given(dict.fromkeys(range(20), 1.0), trial=1))
    both = correction(
        trials,
        [*given(dict.fromkeys(range(20), 1.0)), *given(dict.fromkeys(range(20), 0.0), trial=1)],
    )
    assert (labelled_first.disagreements, labelled_second.disagreements, both.disagreements) == (0, 20, 0)
    assert both.people is not None
    assert both.people.mean == 0.5
    assert labelled_first.raw == 0.5


# inputs of data/statistics_reference.json: the judge's share is of those nobody labelled
@pytest.mark.parametrize("name", ["rogan_gladen_1000_100_100", "rogan_gladen_200_30_20"])
def test_a_share_is_corrected_by_sensitivity_and_specificity(name: str) -> None:
    """The worked values of the reference."""
    case = REFERENCE[name]
    counts, expected = case["inputs"], case["expected"]
    ones, zeros = counts["human_pos"], counts["human_neg"]
    labelled_judge = [
        *[1.0] * counts["tp"],
        *[0.0] * (ones - counts["tp"]),
        *[0.0] * counts["tn"],
        *[1.0] * (zeros - counts["tn"]),
    ]
    rest = [1.0] * counts["judge_pos"] + [0.0] * (counts["n"] - counts["judge_pos"])
    human = [1.0] * ones + [0.0] * zeros
    found = correction([*labelled_judge, *rest], given(first(human, len(human))))
    assert found.adjusted is not None
    assert found.adjusted.sensitivity == pytest.approx(expected["sens"], rel=1e-9)
    assert found.adjusted.specificity == pytest.approx(expected["spec"], rel=1e-9)
    assert found.adjusted.share.mean == pytest.approx(expected["theta"], rel=1e-9)
    interval = (found.adjusted.share.low, found.adjusted.share.high)
    assert interval == pytest.approx(tuple(expected["ci95_lang_reiczigel"]), rel=1e-9)


UNADJUSTED = [
    ("graded labels", [1.0, 0.0, 1.0, 1.0], {0: 0.5, 1: 1.0}, NOT_BINARY),
    ("a graded judge", [1.0, 0.0, 0.5, 1.0], {0: 0.0, 1: 1.0}, NOT_BINARY),
    ("labels of one value", [1.0, 0.0, 1.0, 0.0], {0: 1.0, 1: 1.0}, ONE_VALUE),
    ("a judge that guesses", [0.0, 1.0, 1.0, 0.0], {0: 1.0, 1: 0.0}, Flag.NO_BETTER_THAN_CHANCE.value),
]


@pytest.mark.parametrize(("why", "judge", "human", "reason"), UNADJUSTED, ids=[row[0] for row in UNADJUSTED])
def test_what_cannot_be_adjusted_says_why(
    why: str, judge: list[float], human: dict[int, float], reason: str
) -> None:
    """Sensitivity and specificity cannot be told."""
    found = correction(judge, given(human))
    assert (found.adjusted, found.not_adjusted) == (None, reason), why


def test_a_metric_without_labels_is_not_among_them() -> None:
    """Nor is a label on what the run did not measure."""
    run = scored_run({KEY: [1.0], "other": [1.0]})
    assert corrections_of(run, {}) == ()
    assert [each.metric for each in corrections_of(run, {"other": given({0: 1.0}), "third": ()})] == ["other"]
