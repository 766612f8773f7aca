"""A run as numbers: which cases have one, which should have, and what a case's trials come to."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.comparing.scored_run import Standing, Traits
from ragproof.metric import Direction
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run

SCORED, MISSING, ABSENT = Standing.SCORED, Standing.MISSING, Standing.ABSENT


@pytest.mark.parametrize(
    ("why", "cell", "value", "standing"),
    [
        ("one trial is the case", 0.25, 0.25, SCORED),
        ("trials are averaged inside the case", [1.0, 0.0], (1.0 + 0.0) / 2, SCORED),
        ("a trial that the metric does not apply to is left out", [1.0, None], 1.0, SCORED),
        ("a number of zero is a number", 0.0, 0.0, SCORED),
        ("an error is no number", ERROR, nan, MISSING),
        ("the mean of the trials that are left would be a guess", [1.0, ERROR], nan, MISSING),
        ("what the metric has nothing to say of is not missing", NONE, nan, ABSENT),
        ("nor when it has nothing to say in any trial", [None, None], nan, ABSENT),
        ("an error outweighs a trial without anything to say", [None, ERROR], nan, MISSING),
    ],
)
def test_a_case_has_the_mean_of_its_trials_or_no_number(
    why: str, cell: Cell, value: float, standing: Standing
) -> None:
    """Missing and absent are told apart, and neither is ever 0."""
    scores = scored_run({"m": [cell]}).scores["m"]
    assert scores.values() == pytest.approx([value], nan_ok=True), why
    assert list(scores.standing) == [standing], why
    assert (list(scores.scored), list(scores.missing)) == ([standing == SCORED], [standing == MISSING]), why


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, ERROR, NONE]), min_size=1, max_size=9), st.data())
def test_taking_cases_takes_all_that_is_known_of_them(cells: list[Cell], data: st.DataObject) -> None:
    """Numbers, standings and reasons stay together, in the order asked for."""
    scores = scored_run({"m": cells}).scores["m"]
    places = np.array(data.draw(st.permutations(range(len(cells)))), dtype=np.intp)
    taken = scores.taken(places)
    assert taken.traits == scores.traits
    assert taken.reasons == tuple(scores.reasons[place] for place in places)
    assert np.array_equal(taken.values(), scores.values()[places], equal_nan=True)
    assert np.array_equal(taken.standing, scores.standing[places])


@pytest.mark.parametrize(
    ("why", "low", "high", "span"),
    [
        ("both ends", 0.0, 1.0, (0.0, 1.0)),
        ("open above, as a latency", 0.0, None, None),
        ("open below", None, 1.0, None),
        ("not known", None, None, None),
    ],
)
def test_a_range_is_known_when_both_of_its_ends_are(
    why: str, low: float | None, high: float | None, span: tuple[float, float] | None
) -> None:
    """Half a range bounds nothing."""
    assert Traits(Direction.HIGHER, low, high, 1).span == span, why


def test_a_run_is_called_by_its_variant_and_id() -> None:
    """Two variants may have one name, two runs have not one id."""
    assert scored_run({"m": [1.0]}, id="0123456789ab", pipeline="reranked").name == "reranked (0123456789ab)"
