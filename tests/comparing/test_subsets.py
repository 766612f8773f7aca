"""Where a difference sits: by tag, tested from ten cases on and adjusted; by group, never tested."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from ragproof.cases import CaseKind
from ragproof.comparing.clustering import clusters_of
from ragproof.comparing.flipping import flips_of
from ragproof.comparing.metric_comparison import Verdict
from ragproof.comparing.scored_run import CaseFacts
from ragproof.comparing.subsets import MIN_CASES, GroupMean, Subset, by_group, by_tag, tag_columns
from ragproof.statistics.clusters import cluster_sign_flip
from ragproof.statistics.multiplicity import holm
from ragproof.statistics.sign_flip import sign_flip
from ragproof.summaries import Tag


def cases(tags: str, groups: str | None = None) -> list[CaseFacts]:
    """One case a letter: its tag `of`, and its group; a blank is none."""
    return [
        CaseFacts(
            f"c{place}",
            f"c{place}",
            CaseKind.QA,
            group=None if groups is None or groups[place] == " " else groups[place],
            tags={} if tag == " " else {"of": tag},
        )
        for place, tag in enumerate(tags)
    ]


def subsets(facts: list[CaseFacts], differences: list[float]) -> dict[str, Subset]:
    """Cut one measure by tag."""
    columns = tag_columns(facts, {"m": np.array(differences)})
    tested = {each.key: each.differences for each in columns if each.n >= MIN_CASES}
    found = by_tag(columns, flips_of(tested, clusters_of(facts)))
    assert all(each.measure == "m" for each in found)
    return {each.tag.value: each for each in found}


def test_a_tag_has_the_mean_difference_of_its_pairs() -> None:
    """A case without a pair, or without the tag, is not among them."""
    found = subsets(cases("aaaa bbb"), [0.1, nan, 0.2, 0.3, 9.0, -0.1, -0.1, -0.4])
    assert found["a"].difference == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert (found["a"].n, found["b"].n) == (3, 3)
    assert found["b"].difference == pytest.approx((-0.1 - 0.1 - 0.4) / 3)


def test_a_tag_of_few_cases_is_not_tested_and_one_of_fewer_not_shown() -> None:
    """A mean of two cases is two cases."""
    letters = "a" * 10 + "b" * 9 + "c" * 3 + "d" * 2
    found = subsets(cases(letters), [0.5] * len(letters))
    assert {tag: each.verdict is not None for tag, each in found.items()} == {
        "a": True,
        "b": False,
        "c": False,
    }
    assert (found["b"].p, found["b"].p_holm) == (None, None)


def test_the_tags_tested_are_adjusted_together() -> None:
    """Holm over those of one measure; the untested do not count."""
    drawn = np.random.default_rng(0)
    moved, still = drawn.normal(0.3, 0.1, 12).tolist(), drawn.normal(0.0, 0.1, 12).tolist()
    found = subsets(cases("a" * 12 + "b" * 12 + "c" * 4), [*moved, *still, *[0.5] * 4])
    p = [sign_flip(each).p for each in (moved, still)]
    assert [found[tag].p for tag in "ab"] == pytest.approx(p)
    assert [found[tag].p_holm for tag in "ab"] == pytest.approx(holm(p))
    assert (found["a"].verdict, found["b"].verdict) == (Verdict.BETTER, Verdict.NO_DIFFERENCE_SHOWN)


@pytest.mark.parametrize(
    ("why", "differences", "verdict"),
    [
        ("six falls", [-0.5] * 6 + [0.0] * 6, Verdict.WORSE),
        ("five falls could never show", [-0.5] * 5 + [0.0] * 7, Verdict.UNRESOLVABLE),
        ("nothing moved", [0.0] * 12, Verdict.UNRESOLVABLE),
    ],
)
def test_a_tested_tag_has_a_verdict(why: str, differences: list[float], verdict: Verdict) -> None:
    """The same four words as a metric."""
    assert subsets(cases("a" * 12), differences)["a"].verdict is verdict, why


def test_a_tag_whose_cases_come_in_groups_is_tested_by_group() -> None:
    """As a metric is."""
    groups = "aabbccddeeffgg"
    differences = [0.1, 0.3, 0.2, 0.2, 0.4, 0.1, 0.3, 0.3, 0.2, 0.1, 0.5, 0.1, 0.2, 0.3]
    found = subsets(cases("x" * 14, groups), differences)["x"]
    assert found.p == cluster_sign_flip(differences, groups).p


def test_a_tag_with_many_values_is_no_flood() -> None:
    """An id as a tag has a value a case."""
    facts = [
        CaseFacts(f"c{place}", f"c{place}", CaseKind.QA, tags={"id": str(place), "": "x"})
        for place in range(50)
    ]
    assert tag_columns(facts, {None: np.zeros(50)}) == ()


def test_tags_stand_by_name_and_value_a_measure_after_the_other() -> None:
    """The same order whatever the order of cases."""
    columns = tag_columns(cases("bbbaaa"), {None: np.zeros(6), "m": np.zeros(6)})
    assert [column.key for column in columns] == [
        (measure, Tag(name="of", value=value)) for measure in (None, "m") for value in "ab"
    ]


def test_groups_are_averaged_and_the_largest_fall_comes_first() -> None:
    """One that did not move, or is one case, is left out."""
    facts = cases("x" * 10, "aabbccdeee")
    found = by_group(facts, {"m": np.array([0.5, 0.1, -0.2, -0.4, 0.2, -0.2, 9.0, -0.1, nan, -0.1])})
    assert found == (
        GroupMean("m", "b", 2, pytest.approx(-0.3)),
        GroupMean("m", "e", 2, pytest.approx(-0.1)),
        GroupMean("m", "a", 2, pytest.approx(0.3)),
    )


def test_cases_without_groups_have_none() -> None:
    """Nothing stands together."""
    assert by_group(cases("xxx"), {"m": np.ones(3)}) == ()
