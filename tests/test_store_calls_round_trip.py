"""Outcomes come back from the ledger as they were: every field, any text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.outputs import CaseFailure, Chunk, FailureKind, PipelineOutput, Usage
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import ANY_TEXT, call, do, started

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
METADATA = st.dictionaries(
    ANY_TEXT,
    st.none() | st.booleans() | st.integers() | NUMBERS | ANY_TEXT | st.lists(ANY_TEXT, max_size=2),
    max_size=3,
)
CHUNKS = st.lists(
    st.builds(Chunk, id=ANY_TEXT, text=ANY_TEXT, score=st.none() | NUMBERS, metadata=METADATA), max_size=3
).map(tuple)
COUNTS = st.none() | st.integers(0)
OUTPUTS = st.builds(
    PipelineOutput,
    case_id=ANY_TEXT,
    answer=st.none() | ANY_TEXT,
    retrieved=st.none() | CHUNKS,
    context=st.none() | CHUNKS,
    citations=st.none() | st.lists(ANY_TEXT, max_size=3).map(tuple),
    usage=st.none() | st.builds(Usage, input_tokens=COUNTS, llm_calls=COUNTS),
    latency_ms=st.none() | st.floats(0, 1e12),
    notes=st.lists(ANY_TEXT, max_size=2).map(tuple),
)
FAILURES = st.builds(
    CaseFailure,
    case_id=ANY_TEXT,
    kind=st.sampled_from(FailureKind),
    message=ANY_TEXT,
    latency_ms=st.none() | st.floats(0, 1e12),
)


@pytest.fixture(scope="module", params=KINDS)
def shared(request: pytest.FixtureRequest) -> Iterator[Store]:
    """One store for all examples; each takes a run of its own."""
    with store_url(request.param) as url, open_store(url) as store:
        yield store


@settings(max_examples=60, deadline=None)
@given(outcome=OUTPUTS | FAILURES)
def test_an_outcome_comes_back_as_it_was(shared: Store, outcome: PipelineOutput | CaseFailure) -> None:
    """Half characters, NUL, floats to the last bit, integers of any size, keys in their order."""
    one = call(started(shared), outcome.case_id)
    shared.calls.reserve([one])
    if isinstance(outcome, PipelineOutput):
        do(shared.calls.settle(one, outcome))
        assert repr(shared.calls.reserve([one])[one.identity]) == repr(outcome)
    else:
        do(shared.calls.fail(one, outcome))
    assert repr(shared.calls.outcomes(one.run_id)[outcome.case_id]) == repr(outcome)
