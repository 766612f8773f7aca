"""Hypothesis strategies for the nouns: cases, outputs, failures and settings, hostile text included."""

from __future__ import annotations

from hypothesis import strategies as st

from ragproof.cases import Case, CaseKind
from ragproof.evidence import Prices, Settings, SourceMatch
from ragproof.outputs import CaseFailure, Chunk, FailureKind, PipelineOutput, Usage
from tests.fakes.similarity import LetterModel

SOURCE_IDS = st.sampled_from(["a", "b", "c", "d", "7", "07", "A", "é", "d1#c1", "d1"])
"""Few, so that rankings and labels meet; some that only a careless reader takes for the same."""

ANSWERS = st.one_of(
    st.sampled_from(
        ["", "  ", "Paris", "I don't know.", "Das steht nicht im Dokument.", "<<answer>> {{x}} \x00"]
    ),
    st.text(max_size=30),
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)

METADATA = st.dictionaries(st.text(max_size=5), JSON, max_size=3).flatmap(
    lambda rest: st.sampled_from([rest, {**rest, "document_id": "d1"}, {**rest, "document_id": 7}])
)

CHUNKS = st.builds(
    Chunk, id=SOURCE_IDS, text=st.text(max_size=10), score=st.none() | st.floats(-1, 1), metadata=METADATA
)

RANKINGS = st.lists(CHUNKS, max_size=8).map(tuple)

COUNTS = st.none() | st.integers(0, 10**9)

USAGES = st.builds(
    Usage,
    input_tokens=COUNTS,
    output_tokens=COUNTS,
    llm_calls=COUNTS,
    llm_cache_hits=COUNTS,
    llm_cache_misses=COUNTS,
)

CASES = st.builds(
    Case,
    id=st.just("case-1"),
    kind=st.sampled_from(CaseKind),
    question=st.text(max_size=10),
    expected_answers=st.lists(ANSWERS, max_size=3).map(tuple),
    relevance=st.dictionaries(SOURCE_IDS, st.integers(-1, 3), max_size=5),
    adversarial_payload=st.sampled_from([None, "", "a literal marker", "Paris"]),
    tags=st.sampled_from([{}, {"language": "en"}, {"language": "de"}, {"language": "tlh"}, {"topic": "x"}]),
    metadata=METADATA,
)

OUTPUTS = st.builds(
    PipelineOutput,
    case_id=st.just("case-1"),
    answer=st.none() | ANSWERS,
    retrieved=st.none() | RANKINGS,
    context=st.none() | RANKINGS,
    citations=st.none() | st.lists(SOURCE_IDS, max_size=4).map(tuple),
    usage=st.none() | USAGES,
    latency_ms=st.none() | st.floats(0, 1e9),
)

FAILURES = st.builds(
    CaseFailure,
    case_id=st.just("case-1"),
    kind=st.sampled_from(FailureKind),
    message=st.text(max_size=20) | st.just("half a character \ud800"),
)

SETTINGS = st.builds(
    Settings,
    k=st.integers(1, 12),
    metric_k=st.integers(1, 12),
    source_match=st.sampled_from(SourceMatch),
    judge_configured=st.booleans(),
    prices=st.none() | st.builds(Prices, st.floats(0, 100), st.floats(0, 100)),
    similarity_model=st.sampled_from([None, LetterModel()]),
)
