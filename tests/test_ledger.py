"""A call's identity: the same for the same call, another for anything that could change the reply."""

from __future__ import annotations

import pytest
from pydantic import JsonValue, ValidationError

from ragproof.cases import canonical_hash
from ragproof.ledger import Call, pipeline_call_identity

ADAPTER = "python my_package.rag:Pipeline"
PAYLOAD: dict[str, JsonValue] = {"case": "c" * 64, "k": 5, "retrieve_k": 10}


@pytest.mark.parametrize(
    ("why", "adapter", "payload", "trial", "run"),
    [
        ("another pipeline may answer otherwise", "python other:Pipeline", PAYLOAD, 0, "run-1"),
        ("another question", ADAPTER, {**PAYLOAD, "case": "d" * 64}, 0, "run-1"),
        ("another k changes what the generator reads", ADAPTER, {**PAYLOAD, "k": 6}, 0, "run-1"),
        ("a field more is another request", ADAPTER, {**PAYLOAD, "history": []}, 0, "run-1"),
        ("a repeat is asked on purpose", ADAPTER, PAYLOAD, 1, "run-1"),
        ("a nightly run must ask again", ADAPTER, PAYLOAD, 0, "run-2"),
        ("text is not a number", ADAPTER, {**PAYLOAD, "k": "5"}, 0, "run-1"),
    ],
)
def test_another_call_has_another_identity(
    why: str, adapter: str, payload: dict[str, JsonValue], trial: int, run: str
) -> None:
    """Whatever could change the reply is part of the identity."""
    assert pipeline_call_identity(adapter, payload, trial, run) != pipeline_call_identity(
        ADAPTER, PAYLOAD, 0, "run-1"
    ), why


def test_the_order_of_a_payloads_fields_is_no_difference() -> None:
    """Two dicts that are equal are one request."""
    backwards = dict(reversed(PAYLOAD.items()))
    assert pipeline_call_identity(ADAPTER, backwards, 0, "run-1") == pipeline_call_identity(
        ADAPTER, PAYLOAD, 0, "run-1"
    )


def test_an_identity_is_the_hash_of_what_it_is_made_of() -> None:
    """Kept calls must be found again by a later version: the recipe does not change."""
    recipe = {"kind": "pipeline", "adapter": ADAPTER, "payload": PAYLOAD, "trial": 2, "run": "run-1"}
    identity = pipeline_call_identity(ADAPTER, PAYLOAD, 2, "run-1")
    assert identity == canonical_hash(recipe)
    assert len(identity) == 64
    assert set(identity) <= set("0123456789abcdef")


def test_half_a_character_in_a_payload_has_an_identity() -> None:
    """A lone surrogate in a question must not end the run."""
    assert len(pipeline_call_identity(ADAPTER, {"question": "\ud800"}, 0, "run-1")) == 64


def test_a_repeat_before_the_first_is_refused() -> None:
    """Trials count from 0."""
    with pytest.raises(ValidationError):
        Call(run_id="run-1", identity="a" * 64, case_id="case-1", trial=-1)
