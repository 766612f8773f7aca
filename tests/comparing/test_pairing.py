"""Two runs on the cases they share: which those are, and when two runs may not be held against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from ragproof.comparing.pairing import Incomparable, Pair, pair
from ragproof.comparing.scored_run import ScoredRun
from tests.fakes.scored_runs import scored_run

JUDGE: dict[str, JsonValue] = {"judge_configured": True, "judge": {"model": "one", "prompts": {"p": "1"}}}
OTHER: dict[str, JsonValue] = {"judge_configured": True, "judge": {"model": "two", "prompts": {"p": "2"}}}


def run(ids: str, contents: dict[str, str] | None = None, **fields: JsonValue) -> ScoredRun:
    """A run on one-letter cases, whose value is their place in the alphabet."""
    values = {"m": [float(ord(each) - ord("a")) for each in ids]}
    return scored_run(values, cases=tuple(ids), contents=contents, fields=fields, span=(0.0, 26.0))


@pytest.mark.parametrize(
    ("why", "first", "second", "shared", "only_first", "only_second", "changed"),
    [
        ("the same cases", run("abc"), run("abc"), "abc", "", "", ""),
        ("in the baseline's order", run("abc"), run("cab"), "abc", "", "", ""),
        ("one more on either side", run("abcdx"), run("abcdy"), "abcd", "x", "y", ""),
        ("a case that is another by now", run("abcde"), run("abcde", {"e": "E"}), "abcd", "", "", "e"),
        ("a smaller run inside a larger", run("ab"), run("abcdefgh"), "ab", "", "cdefgh", ""),
        (
            "one content under two ids is one case",
            run("abcde"),
            run("abcdx", {"x": "e"}),
            "abcde",
            "",
            "",
            "",
        ),
    ],
)
def test_cases_are_shared_by_their_content(
    why: str,
    first: ScoredRun,
    second: ScoredRun,
    shared: str,
    only_first: str,
    only_second: str,
    changed: str,
) -> None:
    """Both runs come back over the shared cases alone, in one order, and the others are listed."""
    found = pair(first, second)
    assert "".join(case.id for case in found.cases) == shared, why
    assert [case.content_hash for case in found.first.cases] == [
        case.content_hash for case in found.second.cases
    ], why
    assert (found.only_first, found.only_second) == (tuple(only_first), tuple(only_second)), why
    assert found.changed == tuple(changed), why
    assert list(found.first.scores["m"].values()) == [ord(each) - ord("a") for each in shared], why


@st.composite
def two_runs(draw: st.DrawFn) -> tuple[ScoredRun, ScoredRun]:
    """Two runs that share most cases, some of which changed."""
    letters = draw(st.permutations("abcdefgh"))
    other = draw(st.permutations("abcdefgh"))
    changed = draw(st.sets(st.sampled_from("abcdefgh"), max_size=3))
    return run("".join(letters)), run("".join(other), {each: each.upper() for each in changed})


@given(two_runs())
def test_pairing_is_symmetric(runs: tuple[ScoredRun, ScoredRun]) -> None:
    """Which run is called the baseline changes the order of cases, and nothing else."""
    one, other = pair(*runs, min_coverage=0.0), pair(*reversed(runs), min_coverage=0.0)
    assert (one.only_first, one.only_second) == (other.only_second, other.only_first)
    assert one.changed == other.changed
    assert set(one.metrics) == set(other.metrics)
    assert differences(one) == {case: -difference for case, difference in differences(other).items()}


def differences(found: Pair) -> dict[str, float]:
    """The second minus the first by content, of a metric that tells every case of each run apart."""
    values = found.second.scores["m"].values() - found.first.scores["m"].values()
    return dict(zip((case.content_hash for case in found.cases), np.round(values, 9).tolist(), strict=True))


def test_metrics_that_one_run_measured_alone_are_told() -> None:
    """They are no conflict, and in no comparison."""
    found = pair(scored_run({"m": [1.0], "a": [1.0]}), scored_run({"m": [1.0], "b": [1.0]}))
    assert found.metrics == ("m",)
    assert found.unshared_metrics == ("a", "b")


def test_every_field_that_differs_is_listed_with_both_values() -> None:
    """Not the first alone: a run is made again once."""
    with pytest.raises(Incomparable) as raised:
        pair(run("abc", k=5, metric_k=10, **JUDGE), run("abc", k=8, metric_k=20, **OTHER))
    assert [str(each) for each in raised.value.differences] == [
        'judge.model: "one" against "two"',
        'judge.prompts.p: "1" against "2"',
        "k: 5 against 8",
        "metric_k: 10 against 20",
    ]
    assert all(str(each) in str(raised.value) for each in raised.value.differences)
    assert raised.value.exit_code == 2


def test_a_metric_of_another_version_is_another_metric() -> None:
    """Its numbers do not mean the same, even when all else does."""
    with pytest.raises(Incomparable, match=r"metrics\.m: 1 against 2"):
        pair(run("a", metrics={"m": 1}), run("a", metrics={"m": 2}))


@pytest.mark.parametrize(
    ("why", "first", "second", "fields"),
    [
        ("a judge", JUDGE, OTHER, ["judge.model", "judge.prompts.p"]),
        (
            "a judge or none",
            {},
            JUDGE,
            ["judge.model", "judge_configured"],
        ),
        ("quotes are required", {"require_quotes": True}, {"require_quotes": False}, ["require_quotes"]),
    ],
)
def test_mixed_judges_are_lifted_only_by_the_flag(
    why: str, first: dict[str, JsonValue], second: dict[str, JsonValue], fields: list[str]
) -> None:
    """And the page says which differences were allowed."""
    with pytest.raises(Incomparable, match="--allow-mixed-judges lifts the judge's"):
        pair(run("ab", **first), run("ab", **second))
    lifted = pair(run("ab", **first), run("ab", **second), allow_mixed_judges=True).lifted
    assert [each.field for each in lifted] == fields, why


def test_the_flag_lifts_the_judge_and_nothing_else() -> None:
    """What is left is listed alone."""
    with pytest.raises(Incomparable) as raised:
        pair(run("ab", k=5, **JUDGE), run("ab", k=8, **OTHER), allow_mixed_judges=True)
    assert [each.field for each in raised.value.differences] == ["k"]
    assert "--allow-mixed-judges" not in str(raised.value)


def test_another_model_behind_the_same_name_is_another_judge() -> None:
    """What the server says it served counts, where it says so."""
    runs = [scored_run({"m": [1.0]}, fields=JUDGE, served=(each,)) for each in ("v1", "v2")]
    with pytest.raises(Incomparable, match=r"judge\.served"):
        pair(*runs)
    assert pair(runs[0], scored_run({"m": [1.0]}, fields=JUDGE)).cases, "a server that does not say"


@pytest.mark.parametrize(
    ("why", "first", "second", "min_coverage", "told"),
    [
        ("no case is shared", "abc", "xyz", 0.0, "share 0 of 3 cases; expected at least one"),
        ("too few of the smaller run", "abcde", "abcxy", 0.8, "share 3 of 5 cases; expected at least 80%"),
        ("a run without cases", "", "abc", 0.0, "share 0 of 0 cases; expected at least one"),
    ],
)
def test_too_small_an_overlap_is_refused(
    why: str, first: str, second: str, min_coverage: float, told: str
) -> None:
    """A comparison of what is left would be of another question."""
    with pytest.raises(Incomparable, match=told):
        pair(run(first), run(second), min_coverage=min_coverage)


def test_a_share_at_the_least_coverage_is_enough() -> None:
    """At least, not more than."""
    assert len(pair(run("abcde"), run("abcdx"), min_coverage=4 / 5).cases) == 4
