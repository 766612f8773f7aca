"""Why a case got worse: planted faults are found, and each rule says no where its cause does not hold."""

from __future__ import annotations

from collections import Counter

import pytest

from ragproof.comparing.comparison import compare
from ragproof.comparing.root_cause import RootCause
from ragproof.evidence import SourceMatch
from tests.fakes.planted_faults import Planted, planted

ENOUGH = 0.95


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("why", "setup"),
    [
        ("without a judge", {"judged": False}),
        ("with a judge", {"judged": True}),
        ("labels name documents", {"judged": False, "source_match": SourceMatch.DOCUMENT}),
        ("the adapter tells what was read", {"judged": True, "own_context": True}),
        ("no expected ids", {"judged": False, "labelled": False}),
        ("no expected ids, with a judge", {"judged": True, "labelled": False}),
    ],
)
def test_planted_faults_are_found(why: str, setup: dict[str, bool | SourceMatch], seed: int) -> None:
    """In at least 95 of 100 cases, every kind of fault among them."""
    plants = planted(seed, **setup)  # type: ignore[arg-type]
    found = causes(plants)
    table = Counter((plant.value, found.get(id, "not worse")) for id, plant in plants.causes.items())
    right = sum(count for (plant, cause), count in table.items() if plant == cause)
    wrong = {pair: count for pair, count in sorted(table.items()) if pair[0] != pair[1]}
    assert right >= ENOUGH * len(plants.causes), (why, right, len(plants.causes), wrong)
    assert {plant for plant, _ in table} >= present(setup), why


def present(setup: dict[str, bool | SourceMatch]) -> set[str]:
    """The faults that a set-up can show."""
    hidden = {RootCause.UNEXPLAINED}
    hidden |= {RootCause.JUDGE_FAILURE} if not setup["judged"] else set()
    hidden |= {RootCause.LABELS_GONE} if setup.get("labelled") is False else set()
    return {cause.value for cause in RootCause if cause not in hidden}


def causes(plants: Planted) -> dict[str, str]:
    """Compare the runs and return the causes found, by case."""
    comparison = compare(plants.first, plants.second, plants.outputs)
    return {story.case_id: story.finding.cause.value for story in comparison.worse if story.finding}
