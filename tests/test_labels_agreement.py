"""How the judge agrees with labels, and people with one another, paired by name."""

from __future__ import annotations

import pytest

from ragproof.labels.agreeing import agreement
from ragproof.labels.correction import Agreement
from ragproof.labels.labelled_scores import labelled_scores
from ragproof.labels.served import Served
from tests.fakes.scored_runs import Cell, scored_run

KEY = "generation.groundedness"


def found(
    judge: list[Cell],
    people: dict[str, list[float | None]],
    span: tuple[float | None, float | None] = (0.0, 1.0),
) -> Agreement | None:
    """Hold a judge against what each person says of each case; None is nothing."""
    labels = [
        Served(f"c{at}", 0, who, value, at_random=False)
        for who, values in people.items()
        for at, value in enumerate(values)
        if value is not None
    ]
    return agreement(labelled_scores(scored_run({KEY: judge}, span=span), KEY, labels))


AGREEING = [
    # why, judge, labels, cases in the same band, within one band, kappa
    ("all the same", [0.0, 1.0, 0.5], [0.0, 1.0, 0.5], 3, 3, 1.0),
    ("one band apart", [0.0, 1.0, 1.0], [0.0, 1.0, 0.5], 2, 3, 1 - (1 * 3) / (8 + 1 + 2 + 4)),
    ("two bands apart", [0.0, 1.0], [1.0, 0.0], 0, 0, 1 - (8 * 2) / 8),
    ("a band is no number", [0.1, 0.9], [0.0, 1.0], 2, 2, 1.0),
    ("always the same band", [1.0, 1.0], [1.0, 1.0], 2, 2, None),
]


@pytest.mark.parametrize(
    ("why", "judge", "labels", "exact", "within", "kappa"), AGREEING, ids=[row[0] for row in AGREEING]
)
def test_agreement_is_counted_in_bands(
    why: str, judge: list[Cell], labels: list[float | None], exact: int, within: int, kappa: float | None
) -> None:
    """In those of `ragproof calibrate`."""
    told = found(judge, {"": labels})
    assert told is not None
    assert (told.exact.count, told.within_band.count, told.exact.of) == (exact, within, len(judge)), why
    assert told.kappa == (None if kappa is None else pytest.approx(kappa))
    assert told.ceiling is None


def test_the_bands_are_of_the_metric_s_range() -> None:
    """3 of 1 to 5 is the middle."""
    told = found([3.0, 1.0], {"": [3.4, 5.0]}, span=(1.0, 5.0))
    assert told is not None
    assert (told.exact.count, told.within_band.count) == (1, 1)


def test_an_open_range_has_no_bands_and_no_agreement() -> None:
    """There is nothing to cut."""
    assert found([3.0], {"": [3.0]}, span=(0.0, None)) is None


def test_a_case_without_a_judge_s_number_is_not_compared() -> None:
    """It agrees with nobody and disagrees with nobody."""
    told = found([None, 1.0], {"": [1.0, 1.0]})
    assert told is not None
    assert told.exact.of == 1
    assert found([None], {"": [1.0]}) is None


def test_people_are_paired_by_name_on_the_cases_both_have_labelled() -> None:
    """Not by their place among a case's labels: B is first where A is silent."""
    a, b, c = [1.0, 0.0, 1.0, None], [1.0, 0.0, None, 0.0], [None, None, None, 0.5]
    told = found([1.0, 0.0, 0.0, 0.0], {"a": a, "b": b, "c": c})
    assert told is not None
    assert told.ceiling is not None
    assert (told.ceiling.cases, told.ceiling.annotators) == (3, 2)
    assert told.ceiling.exact == pytest.approx((1.0 + 0.0) / 2)  # a with b twice of twice, b with c never
    assert told.ceiling.kappa == pytest.approx((1.0 + 0.0) / 2)
    assert told.ceiling.judge_exact == pytest.approx((2 / 2 + 3 / 3 + 0 / 1) / 3)


def test_what_people_say_of_a_case_is_their_mean() -> None:
    """1 and 0 are the middle."""
    told = found([0.5, 0.5], {"a": [1.0, 1.0], "b": [0.0, 1.0]})
    assert told is not None
    assert told.exact.count == 1
