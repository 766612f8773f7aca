"""Scores come back as they were, and the database itself refuses a number without a measurement."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.errors import StoreError
from ragproof.scores import CaseFailed, JudgeFailed, NotApplicable, Score, Scored, Skipped
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import SCORE
from ragproof.store.upserts import ROWS_A_STATEMENT
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import ANY_TEXT, WHOLE_TEXT, started

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
REASONS = WHOLE_TEXT.filter(bool)
DETAILS = st.dictionaries(
    ANY_TEXT,
    st.recursive(
        st.none() | st.booleans() | st.integers() | NUMBERS | ANY_TEXT,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
        max_leaves=4,
    ),
    max_size=3,
)
SCORES = st.builds(
    Score,
    case_id=ANY_TEXT,
    metric=ANY_TEXT,
    trial=st.integers(0, 9),
    result=st.builds(Scored, value=NUMBERS)
    | st.one_of(
        *(st.builds(kind, reason=REASONS) for kind in (Skipped, NotApplicable, JudgeFailed, CaseFailed))
    ),
    details=DETAILS,
)


@pytest.fixture(scope="module", params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """One store for all tests here; each test takes a run of its own."""
    with store_url(request.param) as url, open_store(url) as store:
        yield store


def bits(score: Score) -> bytes | None:
    """Return the value's eight bytes; SQLite keeps no sign of zero."""
    return None if score.value is None else struct.pack(">d", score.value or 0.0)


@settings(max_examples=60, deadline=None)
@given(
    scores=st.lists(SCORES, max_size=8, unique_by=lambda score: (score.case_id, score.metric, score.trial))
)
def test_scores_come_back_as_they_were(store: Store, scores: list[Score]) -> None:
    """Every outcome, any text, floats to the last bit; in an order that does not depend on the writing."""
    run = started(store)
    store.scores.put(run, scores)
    read = store.scores.get(run)
    assert len(read) == len(scores)
    by_key = {(score.case_id, score.metric, score.trial): score for score in scores}
    for score in read:
        written = by_key[score.case_id, score.metric, score.trial]
        assert score == written
        assert type(score.result) is type(written.result)
        assert bits(score) == bits(written)
        assert Score.model_validate(score.model_dump()) == written
    backwards = started(store)
    store.scores.put(backwards, reversed(scores))
    assert store.scores.get(backwards) == read


def test_the_last_score_of_a_case_metric_and_trial_is_kept(store: Store) -> None:
    """A shard that is scored again replaces its rows, in every column."""
    run = started(store)
    before = Score(case_id="c", metric="m", result=Skipped(reason="no judge"), details={"claims": 3})
    after = Score(case_id="c", metric="m", result=Scored(value=1.0))
    second_trial = Score(case_id="c", metric="m", trial=1, result=Scored(value=0.0))
    store.scores.put(run, [before])
    store.scores.put(run, [after, second_trial])
    assert store.scores.get(run) == (after, second_trial)


def test_any_number_of_scores_is_put_at_once(store: Store) -> None:
    """More than one statement takes, and not a round number; of two with one key the later is kept."""
    run = started(store)
    scores = [
        Score(case_id=f"{n:03}", metric="m", result=Scored(value=float(n)))
        for n in range(2 * ROWS_A_STATEMENT + 7)
    ]
    store.scores.put(run, [Score(case_id="001", metric="m", result=Skipped(reason="early")), *scores])
    assert store.scores.get(run) == tuple(scores)
    store.scores.put(run, scores[:ROWS_A_STATEMENT])
    assert store.scores.get(run) == tuple(scores)


def test_scores_are_read_by_case_and_by_metric(store: Store) -> None:
    """Together or apart; what is not there is empty."""
    run = started(store)
    store.scores.put(
        run, [Score(case_id=case, metric=m, result=Scored(value=1.0)) for case in "ab" for m in "xy"]
    )
    keys = {(score.case_id, score.metric) for score in store.scores.get(run)}
    assert keys == {("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")}
    assert [score.metric for score in store.scores.get(run, case_id="a")] == ["x", "y"]
    assert [score.case_id for score in store.scores.get(run, metric="y")] == ["a", "b"]
    assert [(score.case_id, score.metric) for score in store.scores.get(run, "b", "x")] == [("b", "x")]
    assert store.scores.get(run, "c") == ()


def test_results_are_read_by_case_without_details(store: Store) -> None:
    """Every trial by itself, any text in the keys; a case without any is absent."""
    run = started(store)
    half = "\ud800"
    scores = [
        Score(case_id=half, metric="m", result=Scored(value=0.1 + 0.2), details={"hits": 3}),
        Score(case_id="a", metric=half, result=Scored(value=5e-324)),
        Score(case_id="a", metric=half, trial=1, result=Scored(value=0.0)),
        Score(case_id="b", metric="m", result=Skipped(reason="no judge")),
        Score(case_id="c", metric="m", result=Scored(value=1.0)),
    ]
    store.scores.put(run, scores)
    found = store.scores.results(run, ["a", half, "b", "nobody"])
    assert {case: sorted(results, key=str) for case, results in found.items()} == {
        half: [("m", Scored(value=0.1 + 0.2))],
        "a": [(half, Scored(value=0.0)), (half, Scored(value=5e-324))],
        "b": [("m", Skipped(reason="no judge"))],
    }
    numbers = store.scores.values(run, ["a", half, "b", "nobody"])
    assert {case: sorted(values) for case, values in numbers.items()} == {
        half: [("m", 0.1 + 0.2)],
        "a": [(half, 0.0), (half, 5e-324)],
    }
    assert store.scores.results("nobody", ["a"]) == {}
    assert store.scores.values("nobody", ["a"]) == {}


@pytest.mark.parametrize(
    ("why", "outcome", "value", "reason"),
    [
        ("a skipped metric has no number", "skipped", 0.0, "no judge is configured"),
        ("nor has a failed case", "case_failed", 0.0, "timeout: after 30 s"),
        ("a scored metric has a number", "scored", None, None),
        ("and is not excused", "scored", 1.0, "because"),
        ("what has no number says why", "skipped", None, None),
        ("not a number is none", "scored", nan, None),
        ("there are five outcomes", "unknown", None, "because"),
    ],
)
def test_the_database_refuses_a_number_that_is_no_measurement(
    why: str, outcome: str, value: float | None, reason: str | None, store: Store
) -> None:
    """Whoever writes it: this row does not come from ragproof."""
    run = started(store)
    key = {"run_id": run, "case_id": "case-1", "metric": "faithfulness", "trial": 0, "details": {}}

    def insert(outcome: str, value: float | None, reason: str | None) -> None:
        with store.database.write() as connection:
            row = {"outcome": outcome, "value": value, "reason": reason}
            connection.execute(SCORE.insert(), {**key, **row})

    with pytest.raises(StoreError, match=r"refused a row: .*(?i:check constraint)"):
        insert(outcome, value, reason)
    insert("scored", 1.0, None)
    assert len(store.scores.get(run)) == 1, why
