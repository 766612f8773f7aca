"""Stopping at a sure regression: what counts, what does not, and what is refused before a call."""

from __future__ import annotations

import dataclasses
import random

import pytest

from ragproof.cases import Case
from ragproof.config.early_stop_section import EarlyStopSection
from ragproof.early_stopping import Watch, random_order
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from tests.fakes.scored_runs import NONE, Cell, scored_run

N = 300
CASES = [Case(id=f"c{n}", question=f"q{n}") for n in range(N)]
HASHES = [case.content_hash() for case in CASES]
SECTION = EarlyStopSection(baseline="base", metric="m", max_drop=0.1)


def watch(values: list[Cell], section: EarlyStopSection = SECTION, **more: object) -> Watch:
    """Watch a run against a baseline with these values on the first of the cases."""
    contents = {case.id: hash for case, hash in zip(CASES, HASHES, strict=True)}
    ids = [case.id for case in CASES[: len(values)]]
    baseline = scored_run({"m": values}, cases=ids, contents=contents, **more)  # type: ignore[arg-type]
    return Watch.of(section, baseline, scored_run({"m": [1.0]}).record)


def seen(values: list[float | None], start: int = 0) -> list[tuple[Case, float | None]]:
    """The cases in order with these values."""
    return [*zip(CASES[start:], values, strict=False)]


def test_a_collapse_is_sure_long_before_the_end() -> None:
    """From 1 to 0 on every case: 1/alpha = 100 is reached within a few dozen bets, and the same later."""
    against = watch([1.0] * N)
    sure = against.sure_after(seen([0.0] * 200), HASHES)
    assert sure is not None
    assert 5 < sure < 60
    assert against.sure_after(seen([0.0] * (sure - 1)), HASHES) is None
    assert against.sure_after(seen([0.0] * sure), HASHES) == sure
    assert "dropped by more than 0.1 against run 'aaaaaaaaaaaa'" in against.reason(sure, N)
    assert f"{sure} of {N} cases, in random order" in against.reason(sure, N)


@pytest.mark.parametrize(
    ("why", "values"),
    [
        ("nothing was asked yet", []),
        ("the same as before", [1.0] * N),
        ("a drop inside the margin", [0.95] * N),
        ("every case erred: an outage is no regression", [None] * N),
    ],
)
def test_nothing_is_sure_without_a_drop(why: str, values: list[float | None]) -> None:
    """Never, wherever one looks."""
    assert watch([1.0] * N).sure_after(seen(values), HASHES) is None, why


def test_a_rise_is_the_regression_where_lower_is_better() -> None:
    """Over-refusal going from 0 to 1 stops a run; from 1 to 0 it does not, and errors count as 0."""
    lower = {"directions": {"m": Direction.LOWER}}
    assert watch([0.0] * N, **lower).sure_after(seen([1.0] * N), HASHES) is not None
    assert watch([1.0] * N, **lower).sure_after(seen([0.0] * N), HASHES) is None
    assert watch([0.0] * N, **lower).sure_after(seen([None] * N), HASHES) is None


def test_cases_that_the_baseline_does_not_have_are_passed_over() -> None:
    """They are counted among those that were asked, and bet nothing."""
    against = watch([1.0] * 150 + [NONE] * 50)
    assert against.sure_after(seen([0.0] * 100, start=150), HASHES) is None
    first = watch([1.0] * N).sure_after(seen([0.0] * N), HASHES)
    assert first is not None
    late = against.sure_after([*seen([0.0] * 100, start=200), *seen([0.0] * 100)], HASHES)
    assert late is not None
    assert late > 100


def test_false_stops_are_as_rare_as_promised() -> None:
    """Under a drop of just the margin, looked at after every case: at most 1 % (400 runs, so 12 or fewer)."""
    rng, stops = random.Random(7), 0
    against = watch([1.0] * N)
    for _ in range(400):
        values = [float(rng.random() >= 0.1) for _ in range(N)]
        stops += against.sure_after(seen([*values]), HASHES) is not None
    assert stops <= 12


def test_the_order_is_random_and_the_seed_s() -> None:
    """Every position once; the same seed gives the same order, another one another."""
    assert sorted(random_order(50, 1)) == [*range(50)]
    assert random_order(50, 1) == random_order(50, 1) != random_order(50, 2)
    assert random_order(0, 1) == ()


@pytest.mark.parametrize(
    ("why", "section", "more", "told"),
    [
        ("a metric nobody measures", {"metric": "n"}, {}, "'n' is no metric of this run"),
        ("no range", {}, {"span": (0.0, None)}, "'m' has no range"),
        ("no direction", {}, {"directions": {"m": Direction.NONE}}, "'m' ranks nothing"),
        ("more than the range", {"max_drop": 1.0}, {}, "expected less than the whole range, 1"),
        ("another meaning", {}, {"fields": {"k": 9}}, "cannot be the baseline: k: 9 against 5"),
    ],
)
def test_what_cannot_be_watched_is_refused(
    why: str, section: dict[str, object], more: dict[str, object], told: str
) -> None:
    """Before the first case is asked."""
    with pytest.raises(ConfigurationError) as refused:
        watch([1.0] * 5, SECTION.model_copy(update=section), **more)
    assert told in str(refused.value), why


def test_a_baseline_without_a_value_is_refused() -> None:
    """There would be nothing to bet on."""
    with pytest.raises(ConfigurationError, match="has no value of 'm'"):
        watch([NONE, NONE])
    assert dataclasses.is_dataclass(Watch)
