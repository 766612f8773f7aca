"""What labels of both runs' answers make of the judged difference between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from ragproof.comparing.pairing import pair
from ragproof.labels.correction import NOT_DRAWN, CorrectedDifference
from ragproof.labels.differences import DESCRIBES, NO_BOTH, differences_of
from ragproof.labels.estimates import ALL_LABELLED, GROUPED
from ragproof.labels.served import Served
from ragproof.metric import Direction
from ragproof.runs import RunStatus
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.prediction_powered import prediction_powered_mean
from ragproof.statistics.student import paired_t
from tests.fakes.scored_runs import ERROR, Cell, scored_run

KEY = "generation.groundedness"
PLACES = np.arange(300)
BEFORE = (PLACES * 7 % 10 < 7).astype(float)
JUDGED_BEFORE = np.where(PLACES * 13 % 17 < 2, 1 - BEFORE, BEFORE)
AFTER = np.where(PLACES * 11 % 13 < 2, 1 - BEFORE, BEFORE)
JUDGED_AFTER = np.where(PLACES * 17 % 19 < 2, 1 - AFTER, AFTER)


def labels(values: Sequence[float], places: range, *, at_random: bool = True) -> tuple[Served, ...]:
    """Return labels of some cases."""
    return tuple(Served(f"c{at}", 0, "", float(values[at]), at_random) for at in places)


def difference(
    judged: tuple[Sequence[Cell], Sequence[Cell]] = (JUDGED_BEFORE.tolist(), JUDGED_AFTER.tolist()),
    people: tuple[Sequence[Served], Sequence[Served]] | None = None,
    statuses: tuple[RunStatus, RunStatus] = (RunStatus.COMPLETED, RunStatus.COMPLETED),
    **fields: Any,
) -> CorrectedDifference:
    """Correct the difference of one metric; without `people`, 150 cases of both runs are labelled."""
    given = people or (labels(BEFORE, range(150)), labels(AFTER, range(150)))
    first, second = (
        scored_run({KEY: [*cells]}, id=id, status=status, **fields)
        for cells, id, status in zip(judged, ("a" * 12, "b" * 12), statuses, strict=True)
    )
    served: tuple[Mapping[str, tuple[Served, ...]], ...] = tuple({KEY: tuple(each)} for each in given)
    (found,) = differences_of(pair(first, second), served[0], served[1])
    return found


def test_a_difference_is_corrected_as_one_sample_of_differences() -> None:
    """Candidate minus baseline, with the raw one and people's own beside it."""
    found = difference()
    human, judge = AFTER - BEFORE, JUDGED_AFTER - JUDGED_BEFORE
    powered = prediction_powered_mean(human[:150], judge[:150], judge[150:])
    assert found.corrected is not None
    assert (found.corrected.mean, found.corrected.low, found.corrected.high) == pytest.approx(
        (powered.estimate, powered.interval.low, powered.interval.high)
    )
    assert (found.reason, found.weight) == (None, pytest.approx(powered.lam))
    assert found.raw == pytest.approx(judge.mean())
    alone = paired_t(human[:150], lowest=-1, highest=1)
    assert found.people is not None
    assert (found.people.mean, found.people.low, found.people.high) == pytest.approx(
        (alone.mean, alone.interval.low, alone.interval.high)
    )
    assert found.people.method == "Student's t"
    assert (found.labelled, found.basis, found.cases) == (150, 150, 300)
    assert found.rarer == min(int((BEFORE[:150] == 0).sum()), int((AFTER[:150] == 0).sum()))


def test_where_lower_is_better_a_fall_is_a_gain() -> None:
    """And the rarer class is still counted: the metric is of 0 and 1 whichever way it points."""
    higher, lower = difference(), difference(directions={KEY: Direction.LOWER})
    assert higher.raw is not None
    assert higher.corrected is not None
    assert lower.corrected is not None
    assert lower.people is not None
    assert higher.people is not None
    assert lower.raw == pytest.approx(-higher.raw)
    assert lower.corrected.mean == pytest.approx(-higher.corrected.mean)
    assert lower.corrected.low == pytest.approx(-(higher.corrected.high or 0))
    assert lower.people.mean == pytest.approx(-higher.people.mean)
    assert lower.rarer == higher.rarer


def test_a_case_counts_where_both_of_its_answers_are_labelled() -> None:
    """Any other is one of those the judge speaks for."""
    found = difference(people=(labels(BEFORE, range(160)), labels(AFTER, range(10, 170))))
    human, judge = AFTER - BEFORE, JUDGED_AFTER - JUDGED_BEFORE
    powered = prediction_powered_mean(human[10:160], judge[10:160], np.concatenate([judge[:10], judge[160:]]))
    assert found.labelled == 150
    assert found.corrected is not None
    assert found.corrected.mean == pytest.approx(powered.estimate)


REASONS = [
    # why, the labels of both, other fields, the reason
    ("one run alone is labelled", (labels(BEFORE, range(150)), ()), {}, NO_BOTH),
    ("other cases are", (labels(BEFORE, range(99)), labels(AFTER, range(100, 199))), {}, NO_BOTH),
    (
        "99 of both",
        (labels(BEFORE, range(99)), labels(AFTER, range(120))),
        {},
        "99 labels, a correction needs at least 100",
    ),
    (
        "one of the two draws was none",
        (labels(BEFORE, range(150)), labels(AFTER, range(150), at_random=False)),
        {},
        NOT_DRAWN,
    ),
    ("all of both", (labels(BEFORE, range(300)), labels(AFTER, range(300))), {}, ALL_LABELLED),
    ("cases of one group", None, {"groups": [f"g{at // 2}" for at in range(300)]}, GROUPED),
    ("a metric that describes", None, {"directions": {KEY: Direction.NONE}}, DESCRIBES),
    (
        "a baseline that was stopped",
        None,
        {"statuses": (RunStatus.STOPPED_EARLY, RunStatus.COMPLETED)},
        "the baseline is stopped:early, and the cases that it scored stand for no others",
    ),
    (
        "a run that failed",
        None,
        {"statuses": (RunStatus.COMPLETED, RunStatus.FAILED_JUDGE)},
        "the run is failed:judge, and the cases that it scored stand for no others",
    ),
]


@pytest.mark.parametrize(("why", "people", "fields", "reason"), REASONS, ids=[row[0] for row in REASONS])
def test_a_difference_that_cannot_be_corrected_says_why(
    why: str, people: Any, fields: dict[str, Any], reason: str
) -> None:
    """And the labels of both stand alone where there are some."""
    found = difference(people=people, **fields)
    assert (found.reason, found.corrected, found.weight) == (reason, None, None), why
    assert (found.people is None) == (reason in (NO_BOTH, DESCRIBES) or "stand for no others" in reason)


def test_people_s_own_difference_over_groups_has_the_interval_of_the_groups() -> None:
    """Cases of one group are not independent."""
    groups = [f"g{at // 2}" for at in range(300)]
    found = difference(groups=groups)
    alone = cluster_interval((AFTER - BEFORE)[:150], groups[:150], lowest=-1, highest=1)
    assert found.people is not None
    assert (found.people.low, found.people.high) == pytest.approx((alone.interval.low, alone.interval.high))


def test_a_case_that_one_run_lacks_a_number_for_is_no_pair() -> None:
    """Labelled or not."""
    judged: list[Cell] = JUDGED_AFTER.tolist()
    judged[0] = judged[299] = ERROR
    found = difference((JUDGED_BEFORE.tolist(), judged))
    human, judge = (AFTER - BEFORE)[1:299], (JUDGED_AFTER - JUDGED_BEFORE)[1:299]
    powered = prediction_powered_mean(human[:149], judge[:149], judge[149:])
    assert (found.labelled, found.cases) == (149, 298)
    assert found.corrected is not None
    assert found.corrected.mean == pytest.approx(powered.estimate)
    assert found.raw == pytest.approx(judge.mean())


def test_a_metric_that_neither_has_labels_of_is_not_among_them() -> None:
    """There is nothing to say of it."""
    runs = [scored_run({KEY: [1.0], "other": [1.0]}, id=id) for id in ("a" * 12, "b" * 12)]
    found = differences_of(pair(runs[0], runs[1]), {"other": labels([1.0], range(1))}, {})
    assert [each.metric for each in found] == ["other"]
