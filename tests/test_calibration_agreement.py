"""Agreement of a judge with labels, and of people with one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.judge.calibration.agreement import Agreement, Compared, agreement, reasons
from ragproof.judge.calibration.ceiling import ceiling
from ragproof.judge.calibration.labelled import Label
from ragproof.scores import CaseFailed, JudgeFailed, NotApplicable, Score, Scored

KEY = "generation.groundedness"
Given = float | None
"""What the judge's score is; None is a judge error."""


def compared(label: float | tuple[float, ...], judge: Given, case_id: str = "q", why: str = "") -> Compared:
    """Return one case."""
    scores = label if isinstance(label, tuple) else (label,)
    result = JudgeFailed(reason="invalid reply: no JSON") if judge is None else Scored(value=judge)
    return Compared(Label(scores=scores), Score(case_id=case_id, metric=KEY, result=result), why)


def found(*cases: tuple[float, Given]) -> Agreement:
    """Compare (label, judge) pairs."""
    return agreement(KEY, "groundedness", [compared(label, judge) for label, judge in cases])


SHARES = [
    # why, (label, judge)..., exact, within band, sensitivity, specificity
    ("the same number", [(1, 1), (0, 0)], (2, 2), (2, 2), (1, 1), (1, 1)),
    ("another number in the same band", [(1, 0.8), (0.5, 2 / 3)], (2, 2), (2, 2), (1, 1), (1, 1)),
    ("one band away", [(1, 0.5), (0, 0.5)], (0, 2), (2, 2), (0, 1), (1, 1)),
    ("two bands away", [(1, 0), (0, 1)], (0, 2), (0, 2), (0, 1), (0, 1)),
    ("full where half is right is a false positive", [(0.5, 1)], (0, 1), (1, 1), (0, 0), (0, 1)),
    ("half where none is right is still a true negative", [(0, 0.5)], (0, 1), (1, 1), (0, 0), (1, 1)),
    ("a judge error agrees with nobody", [(1, 1), (1, None)], (1, 2), (1, 2), (1, 1), (0, 0)),
    ("nothing but judge errors", [(1, None), (0, None)], (0, 2), (0, 2), (0, 0), (0, 0)),
]


@pytest.mark.parametrize(
    ("why", "cases", "exact", "within", "sensitivity", "specificity"), SHARES, ids=[row[0] for row in SHARES]
)
def test_shares_of_agreement(
    why: str,
    cases: list[tuple[float, Given]],
    exact: tuple[int, int],
    within: tuple[int, int],
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
) -> None:
    """Counts and what they are counts of."""
    given = found(*cases)
    shares = (given.exact, given.within_band, given.sensitivity, given.specificity)
    assert [(each.count, each.of) for each in shares] == [exact, within, sensitivity, specificity]


def test_the_confusion_has_labels_in_rows() -> None:
    """Only cases with a number are in it."""
    given = found((0, 0.5), (0, 0.5), (1, 0), (0.5, 0.5), (1, None))
    assert given.confusion == ((0, 2, 0), (0, 1, 0), (1, 0, 0))
    assert (given.cases, given.scored, given.judge_errors, given.without_number) == (5, 4, 1, 0)


def test_no_number_for_another_reason_is_no_judge_error_and_no_agreement() -> None:
    """The judge took an answer for a refusal: the metric has no number, as in a run."""
    scores = [
        Score(case_id="a", metric=KEY, result=NotApplicable(reason="the answer declines")),
        Score(case_id="b", metric=KEY, result=CaseFailed(reason="metric raised")),
        Score(case_id="c", metric=KEY, result=Scored(value=1)),
    ]
    given = agreement(KEY, "groundedness", [Compared(Label(scores=(1.0,)), score) for score in scores])
    assert (given.exact.count, given.exact.of) == (1, 3)
    assert (given.scored, given.judge_errors, given.without_number) == (1, 0, 2)
    assert reasons(given) == {"the answer declines": 1, "metric raised": 1}


def test_the_worst_disagreements_come_first() -> None:
    """No number, then by distance, then as they stand in the file; with the labeller's reason."""
    cases = [
        compared(1, 1, "agrees"),
        compared(1, 0.6, "near", "half a claim"),
        compared(0, 1, "far"),
        compared(1, 0, "as far"),
        compared(1, None, "silent"),
    ]
    given = agreement(KEY, "groundedness", cases).disagreements
    assert [each.case_id for each in given] == ["silent", "far", "as far", "near"]
    assert (given[0].judge, given[0].reason) == (None, "invalid reply: no JSON")
    assert (given[3].label, given[3].judge, given[3].why) == (1, 0.6, "half a claim")


def test_the_reply_is_kept_word_for_word() -> None:
    """So that a reader sees what the judge said."""
    score = Score(
        case_id="a", metric=KEY, result=Scored(value=0), details={"judge_raw_json": '{"rating": 0}'}
    )
    (given,) = agreement(KEY, "p", [Compared(Label(scores=(1.0,)), score)]).disagreements
    assert given.judge_raw_json == '{"rating": 0}'


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.none() | st.floats(0, 1)), min_size=1))
def test_counts_add_up(cases: list[tuple[float, Given]]) -> None:
    """Every case is somewhere, and an error never raises a share."""
    given = found(*cases)
    assert given.scored + given.judge_errors + given.without_number == given.cases == len(cases)
    assert sum(map(sum, given.confusion)) == given.scored
    assert given.exact.of == given.within_band.of == len(cases)
    assert given.exact.count <= given.within_band.count <= given.scored
    assert given.sensitivity.of + given.specificity.of == given.scored
    worse = found(*((label, None) for label, _ in cases[:1]), *cases[1:])
    assert worse.exact.count <= given.exact.count
    assert worse.within_band.count <= given.within_band.count


def test_several_annotators_are_read_by_their_median() -> None:
    """One of three who disagrees does not move it; of two who do, it is halfway."""
    assert Label(scores=(1, 1, 0)).consensus == 1
    assert Label(scores=(0, 1)).consensus == 0.5
    given = agreement(KEY, "p", [compared((1, 1, 0), 1)])
    assert given.exact.count == 1


def test_the_human_ceiling_is_the_mean_over_pairs_of_annotators() -> None:
    """Three annotators make three pairs; the judge is held against each of the three."""
    cases = [((2, 2, 0), 2), ((0, 0, 0), 0), ((2, 0, 0), None), ((2, 2, 2), 2)]
    given = ceiling(cases)
    assert given is not None
    assert (given.cases, given.annotators) == (4, 3)
    assert given.exact == pytest.approx((3 / 4 + 2 / 4 + 3 / 4) / 3)
    assert given.judge_exact == pytest.approx((3 / 3 + 3 / 3 + 2 / 3) / 3)
    # full is said by 3, 2 and 1 of 4; kappa = (po - pe) / (1 - pe) of the pairs (1, 2), (1, 3), (2, 3)
    one_two = (3 / 4 - (3 * 2 + 1 * 2) / 16) / (1 - (3 * 2 + 1 * 2) / 16)
    one_three = (2 / 4 - (3 * 1 + 1 * 3) / 16) / (1 - (3 * 1 + 1 * 3) / 16)
    two_three = (3 / 4 - (2 * 1 + 2 * 3) / 16) / (1 - (2 * 1 + 2 * 3) / 16)
    assert given.kappa == pytest.approx((one_two + one_three + two_three) / 3)
    # judge and annotator 3 on three cases: po 2/3, pe (2 x 1 + 1 x 2) / 9
    assert given.judge_kappa == pytest.approx((1 + 1 + (2 / 3 - 4 / 9) / (1 - 4 / 9)) / 3)


CEILINGS = [
    # why, what each annotator and the judge say, what comes of it
    ("one annotator has nobody to agree with", [((2,), 2), ((0,), 0)], None),
    ("no case", [], None),
    ("only cases with two count", [((2,), 2), ((0, 0), 2)], (1, 2, 1.0)),
    ("some have three, some two", [((2, 2, 2), 2), ((0, 2), 2)], (2, 3, (1 / 2 + 1 + 1) / 3)),
]


@pytest.mark.parametrize(("why", "cases", "expected"), CEILINGS, ids=[row[0] for row in CEILINGS])
def test_who_counts_for_the_ceiling(
    why: str,
    cases: list[tuple[tuple[int, ...], int | None]],
    expected: tuple[int, int, float] | None,
) -> None:
    """Cases with two annotators or more."""
    given = ceiling(cases)
    if expected is None:
        assert given is None
    else:
        assert given is not None
        assert (given.cases, given.annotators) == expected[:2]
        assert given.exact == pytest.approx(expected[2])


def test_a_judge_without_numbers_has_no_agreement_with_annotators() -> None:
    """None, never 0; people keep theirs."""
    given = ceiling([((2, 2), None), ((0, 2), None)])
    assert given is not None
    assert (given.exact, given.judge_exact, given.judge_kappa) == (0.5, None, None)
