"""Evidence in which nothing is missing, to take things away from."""

from __future__ import annotations

from typing import Any

from ragproof.cases import Case, CaseKind
from ragproof.evidence import Evidence, Prices, Settings, SourceMatch
from ragproof.outputs import Chunk, PipelineOutput, Usage
from tests.fakes.similarity import LetterModel

PRICES = Prices(input_usd_per_mtok=0.5, output_usd_per_mtok=2.0)


def chunks(*ids: str, document: str | None = None) -> tuple[Chunk, ...]:
    """Return a ranking of chunks, all of one document where one is named."""
    metadata: dict[str, Any] = {} if document is None else {"document_id": document}
    return tuple(Chunk(id=each, text=f"The text of {each}.", metadata=metadata) for each in ids)


def case(kind: CaseKind = CaseKind.QA, **changes: Any) -> Case:
    """Return a case with everything a metric could need."""
    whole: dict[str, Any] = {
        "id": "case-1",
        "kind": kind,
        "question": "What is the capital of France?",
        "expected_answers": ("Paris",),
        "relevance": {"c1": 1, "c2": 1},
        "adversarial_payload": "a literal marker",
        "tags": {"language": "en"},
    }
    return Case(**{**whole, **changes})


def output(**changes: Any) -> PipelineOutput:
    """Return an output with everything a metric could need."""
    whole: dict[str, Any] = {
        "case_id": "case-1",
        "answer": "The capital of France is Paris.",
        "retrieved": chunks("c1", "c3"),
        "citations": ("c1",),
        "usage": Usage(input_tokens=900, output_tokens=12, llm_calls=1, llm_cache_hits=0, llm_cache_misses=1),
        "latency_ms": 250.0,
    }
    return PipelineOutput(**{**whole, **changes})


def evidence(
    the_case: Case | None = None,
    the_output: PipelineOutput | None = None,
    *,
    k: int = 5,
    source_match: SourceMatch = SourceMatch.CHUNK,
) -> Evidence:
    """Return evidence; what is not given is whole."""
    settings = Settings(
        k=k,
        source_match=source_match,
        judge_configured=True,
        prices=PRICES,
        similarity_model=LetterModel(),
    )
    return Evidence(the_case or case(), the_output or output(), settings)
