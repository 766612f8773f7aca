"""The address of the local judge: it gives every reply an end, and passes all else on as it is."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from ragproof.errors import ConfigurationError
from ragproof.judge.kinds import ReplyKind, json_schema
from ragproof.local_judge.bounds import LIST_ENTRIES, TEXT_CHARACTERS, bounded
from ragproof.local_judge.endpoint import Endpoint, with_bounds
from ragproof.local_judge.engine import HOST
from tests.fakes.http_server import Received, Reply, serving

TEXT = {"type": "string"}
SHORT = {**TEXT, "maxLength": TEXT_CHARACTERS}


@pytest.mark.parametrize(
    ("why", "schema", "expected"),
    [
        ("a text gets an end", TEXT, SHORT),
        ("one that has an end keeps it", {**TEXT, "maxLength": 9}, {**TEXT, "maxLength": 9}),
        ("a closed list of words has one", {**TEXT, "enum": ["a", "b"]}, {**TEXT, "enum": ["a", "b"]}),
        ("numbers are as they are", {"type": "integer"}, {"type": "integer"}),
        (
            "a list gets an end, and so do its entries",
            {"type": "array", "items": TEXT},
            {"type": "array", "items": SHORT, "maxItems": LIST_ENTRIES},
        ),
        (
            "a list that has an end keeps it",
            {"type": "array", "maxItems": 7},
            {"type": "array", "maxItems": 7},
        ),
        (
            "entries with ids of a closed list are as many as the ids",
            {"type": "array", "items": {"type": "object", "properties": {"id": {"enum": ["a", "b", "c"]}}}},
            {
                "type": "array",
                "items": {"type": "object", "properties": {"id": {"enum": ["a", "b", "c"]}}},
                "minItems": 3,
                "maxItems": 3,
            },
        ),
        (
            "the properties of an object are bounded, its other keys stay",
            {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
            {"type": "object", "properties": {"a": SHORT}, "required": ["a"]},
        ),
        ("what is no schema is left to the engine to refuse", ["x"], ["x"]),
        ("a type that is no word, too", {"type": 1}, {"type": 1}),
        ("an object without properties, too", {"type": "object"}, {"type": "object"}),
    ],
)
def test_a_schema_is_bounded(why: str, schema: Any, expected: Any) -> None:
    """Only what it leaves open."""
    assert bounded(schema) == expected, why
    assert bounded(expected) == expected, "bounding again changes nothing"


@pytest.mark.parametrize("kind", list(ReplyKind))
def test_every_reply_that_is_asked_for_has_an_end(kind: ReplyKind) -> None:
    """No list and no text without a bound, at any depth."""

    def open_ended(schema: Any) -> list[Any]:
        inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
        is_open = (schema["type"] == "array" and "maxItems" not in schema) or (
            schema["type"] == "string" and not schema.keys() & {"enum", "maxLength"}
        )
        return [*([schema] if is_open else []), *(found for each in inner for found in open_ended(each))]

    schema = json_schema(kind, ("k1", "k2"))
    assert open_ended(schema) or kind is ReplyKind.VERDICTS
    assert not open_ended(bounded(schema))


@pytest.mark.parametrize(
    "question",
    [
        b"",
        b"\xff",
        b"[",
        b"[]",
        b"1",
        b'{"messages": []}',
        b'{"response_format": {"type": "json_object"}}',
        b"[" * 200_000,
    ],
)
def test_a_question_without_a_schema_goes_on_as_it_is(question: bytes) -> None:
    """The engine says what is wrong with it, if anything is."""
    assert with_bounds(question) == question


@contextmanager
def listening(engine_url: str) -> Iterator[Endpoint]:
    """Serve an endpoint before an engine."""
    with Endpoint(engine_url, 0) as endpoint:
        thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.shutdown()
            thread.join()


def asked(schema: Any) -> dict[str, Any]:
    """Return a question whose reply has to keep to a schema."""
    named = {"name": "rating", "strict": True, "schema": schema}
    return {"model": "m", "response_format": {"type": "json_schema", "json_schema": named}}


def test_a_question_reaches_the_engine_with_bounds_and_nothing_else_changed() -> None:
    """Everything but the schema; and the engine's own reply comes back."""

    def engine(received: Received) -> Reply:
        return Reply({"path": received.path, "body": received.json})

    schema = json_schema(ReplyKind.RATING, ())
    with serving(engine) as server, listening(server.url.removesuffix("/ask")) as endpoint:
        response = httpx.post(f"{endpoint.base_url}/chat/completions", json=asked(schema))
    assert response.json() == {"path": "/v1/chat/completions", "body": asked(bounded(schema))}
    assert bounded(schema) != schema


def test_a_refusal_of_the_engine_comes_back_as_it_was() -> None:
    """Its status and its words; the client learns from them what the server takes."""
    refusal = {"error": {"message": "request (9031 tokens) exceeds the available context size"}}
    with serving([Reply(refusal, 400)]) as server, listening(server.url.removesuffix("/ask")) as endpoint:
        response = httpx.post(f"{endpoint.base_url}/chat/completions", json={})
    assert (response.status_code, response.json()) == (400, refusal)


def test_all_other_paths_are_the_engines_own() -> None:
    """A schema there is none of our business."""
    with serving([Reply({})]) as server, listening(server.url.removesuffix("/ask")) as endpoint:
        httpx.get(f"{endpoint.base_url}/models")
        httpx.post(f"{endpoint.base_url}/other", json=asked(TEXT))
        models, other = server.received
    assert (models.method, models.path) == ("GET", "/v1/models")
    assert other.json == asked(TEXT)


def test_an_engine_that_is_gone_is_a_bad_gateway() -> None:
    """Which a client takes for an outage, and tries again."""
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    with listening(f"http://{HOST}:{port}") as endpoint:
        assert httpx.get(f"{endpoint.base_url}/models").status_code == 502


def test_a_port_that_is_taken_is_said() -> None:
    """With its number and the way out."""
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError) as raised:
            Endpoint("http://engine", port)
    expected = (
        f"port '{port}' cannot be listened on (Address already in use); expected a free one, which 0 finds"
    )
    assert str(raised.value) == expected
