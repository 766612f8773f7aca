"""The promises of every ranking measure, and of every form in which judgments and runs may come."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragproof.metrics.retrieval import evaluate
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.measures import NAMES
from tests.fakes.rankings import FORMS, QRELS, RUNS, Qrels, Run

KS = (1, 3, 10, 100)
AT_K = [f"{name}@{k}" for name in NAMES for k in KS]
ALL = [*AT_K, "ndcg", "map", "mrr", "r_precision"]
RISING = [
    name for name in NAMES if name in ("recall", "map", "mrr", "hit_rate", "r_precision", "complete_recall")
]
"""Measures that a deeper cutoff can not lower."""

LEVELS = st.integers(1, 3)


def measured(qrels: Any, run: Any, level: int = 1, **options: Any) -> Evaluation:
    """Evaluate every measure at every cutoff."""
    return evaluate(qrels, run, metrics=ALL, level=level, **options)


def same(one: Evaluation, other: Evaluation) -> bool:
    """Say whether two evaluations give the same, to the last bit."""
    return (one.by_query(), one.means, one.missing_in_run, one.unjudged_queries) == (
        other.by_query(),
        other.means,
        other.missing_in_run,
        other.unjudged_queries,
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@settings(max_examples=20, deadline=None)
@given(qrels=QRELS, run=RUNS, level=LEVELS, complete=st.booleans(), ignored=st.booleans())
def test_every_form_gives_what_dictionaries_give(
    form: Callable[[Qrels, Run, Path], tuple[Any, Any]],
    qrels: Qrels,
    run: Run,
    level: int,
    complete: bool,
    ignored: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """To the last bit, with the same queries missing."""
    assume(qrels.keys() & run.keys())
    options = {"level": level, "complete": complete, "ignore_identical_ids": ignored}
    formed = form(qrels, run, tmp_path_factory.mktemp("form"))
    assert same(measured(*formed, **options), measured(qrels, run, **options))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@settings(max_examples=10, deadline=None)
@given(qrels=QRELS, run=RUNS, seed=st.integers(0, 99))
def test_the_order_of_rows_changes_nothing(
    form: Callable[[Qrels, Run, Path], tuple[Any, Any]],
    qrels: Qrels,
    run: Run,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Neither that of queries nor that of documents."""
    assume(qrels.keys() & run.keys())
    draw = random.Random(seed)

    def shuffled(given_values: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        items = [
            (query, dict(draw.sample(list(each.items()), len(each)))) for query, each in given_values.items()
        ]
        return dict(draw.sample(items, len(items)))

    formed = form(shuffled(qrels), shuffled(run), tmp_path_factory.mktemp("form"))
    assert same(measured(*formed), measured(qrels, run))


@settings(max_examples=100, deadline=None)
@given(qrels=QRELS, run=RUNS, level=LEVELS)
def test_every_value_is_from_0_to_1(qrels: Qrels, run: Run, level: int) -> None:
    """And is there, as every ranking has a document."""
    assume(qrels.keys() & run.keys())
    for values in measured(qrels, run, level).by_query().values():
        for key, value in values.items():
            assert value is not None, key
            assert 0.0 <= value <= 1.0, key


@settings(max_examples=100, deadline=None)
@given(qrels=QRELS, run=RUNS, level=LEVELS)
def test_a_deeper_cutoff_finds_no_less(qrels: Qrels, run: Run, level: int) -> None:
    """For those measures whose divisor does not grow with k."""
    assume(qrels.keys() & run.keys())
    for values in measured(qrels, run, level).by_query().values():
        for name in RISING:
            rising = [values[f"{name}@{k}"] or 0.0 for k in KS]
            assert rising == sorted(rising), name


@settings(max_examples=100, deadline=None)
@given(qrels=QRELS, seed=st.integers(0, 99))
def test_the_best_order_of_all_judged_documents_is_1(qrels: Qrels, seed: int) -> None:
    """At every cutoff that can be: with something relevant, and places for it."""
    assume(qrels)
    draw = random.Random(seed)
    run: Run = {
        query: {document: float(gain) for document, gain in draw.sample(sorted(gains.items()), len(gains))}
        for query, gains in qrels.items()
    }
    for query, values in measured(qrels, run).by_query().items():
        found = sum(gain > 0 for gain in qrels[query].values())
        for k in KS:
            best = 1.0 if found else 0.0
            for name in ("ndcg", "mrr", "hit_rate"):
                assert values[f"{name}@{k}"] == best, (name, k)
            for name in ("recall", "map", "r_precision", "complete_recall"):
                if found <= k:
                    assert values[f"{name}@{k}"] == pytest.approx(best), (name, k)


@settings(max_examples=60, deadline=None)
@given(qrels=QRELS, run=RUNS)
def test_an_unjudged_document_behind_all_others_changes_no_score(qrels: Qrels, run: Run) -> None:
    """Only the judged share, which is about the labels."""
    assume(qrels.keys() & run.keys())
    # Ties go to the higher id, and none is lower than the empty one.
    longer = {query: {"": -float("inf"), **scores} for query, scores in run.items()}
    before, after = measured(qrels, run).by_query(), measured(qrels, longer).by_query()
    for query, values in before.items():
        for key, value in values.items():
            if not key.startswith("judged"):
                assert after[query][key] == value, key


@settings(max_examples=60, deadline=None)
@given(qrels=QRELS, run=RUNS, power=st.integers(-3, 3))
def test_scores_may_be_scaled(qrels: Qrels, run: Run, power: int) -> None:
    """By a power of two, which loses no bit of what is not tiny or huge; the order is all that counts."""
    tame = {
        query: {
            document: score for document, score in scores.items() if 1e-9 < abs(score) < 1e9 or score == 0
        }
        for query, scores in run.items()
    }
    assume(qrels.keys() & tame.keys())
    scaled = {
        query: {document: score * 2.0**power for document, score in each.items()}
        for query, each in tame.items()
    }
    assert same(measured(qrels, scaled), measured(qrels, tame))


def test_measures_added_later_are_tested_here() -> None:
    """This list is the measures' own."""
    assert {key.partition("@")[0] for key in AT_K} == set(NAMES)
