"""Spans of invented traces, written as different exporters write them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TRACE = "5b8efff798038103d269b633813fc60c"
OTHER = "0af7651916cd43dd8448eb211c80319c"


@dataclass(frozen=True)
class Made:
    """A span before it is written."""

    span_id: str
    attributes: Mapping[str, Any]
    parent_id: str | None = None
    start_ms: int = 0
    end_ms: int = 1000
    trace_id: str = TRACE
    error: str | None = None
    events: tuple[Mapping[str, Any], ...] = field(default_factory=tuple)


Written = Callable[[Made], dict[str, Any]]


def sdk(made: Made) -> dict[str, Any]:
    """As OpenTelemetry's Python SDK does in `to_json`."""
    return {
        "name": "step",
        "context": {"trace_id": f"0x{made.trace_id}", "span_id": f"0x{made.span_id}", "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": made.parent_id and f"0x{made.parent_id}",
        "start_time": _iso(made.start_ms),
        "end_time": _iso(made.end_ms),
        "status": {"status_code": "ERROR", "description": made.error}
        if made.error
        else {"status_code": "OK"},
        "attributes": dict(made.attributes),
        "events": list(made.events),
        "links": [],
        "resource": {"attributes": {"service.name": "rag"}},
    }


def otlp(made: Made) -> dict[str, Any]:
    """As OTLP's JSON encoding does, for one span."""
    return {
        "traceId": made.trace_id.upper(),
        "spanId": made.span_id,
        "parentSpanId": made.parent_id or "",
        "name": "step",
        "kind": 1,
        "startTimeUnixNano": str(_nanoseconds(made.start_ms)),
        "endTimeUnixNano": str(_nanoseconds(made.end_ms)),
        "attributes": _pairs(made.attributes),
        "status": {"code": 2, "message": made.error} if made.error else {},
        "events": [
            {"name": event["name"], "attributes": _pairs(event["attributes"])} for event in made.events
        ],
    }


def request(made: Made) -> dict[str, Any]:
    """As a collector writes what it was sent."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [otlp(made)]}]}]}


def table(made: Made) -> dict[str, Any]:
    """As a table of spans with a column for each attribute, times in milliseconds."""
    return {
        "context.trace_id": made.trace_id,
        "context.span_id": made.span_id,
        "parent_id": made.parent_id,
        "start_time": _nanoseconds(made.start_ms) // 10**6,
        "end_time": _nanoseconds(made.end_ms) // 10**6,
        "status_code": "ERROR" if made.error else "OK",
        "status_message": made.error or "",
        **{f"attributes.{name}": value for name, value in made.attributes.items()},
    }


def nested(made: Made) -> dict[str, Any]:
    """As plain objects with objects and lists in them."""
    attributes: dict[str, Any] = {}
    for name, value in made.attributes.items():
        inner = attributes
        *outer, last = name.split(".")
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return {
        "trace_id": made.trace_id,
        "span_id": made.span_id,
        "parent_id": made.parent_id,
        "start_time": _nanoseconds(made.start_ms),
        "end_time": _nanoseconds(made.end_ms),
        "status": "error" if made.error else "ok",
        "status_message": made.error,
        "attributes": _with_lists(attributes),
    }


SPELLINGS: tuple[Written, ...] = (sdk, otlp, request, table, nested)


def write(path: Path, *made: Made, spelled: Written = sdk) -> Path:
    """Write spans, one on each line."""
    lines = [json.dumps(spelled(span)) for span in made]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def documents(name: str, *found: tuple[str, str, float]) -> dict[str, Any]:
    """Return the attributes of a ranking: ids, texts and scores."""
    return {
        f"{name}.{rank}.document.{field}": value
        for rank, (id, content, score) in enumerate(found)
        for field, value in (("id", id), ("content", content), ("score", score))
    }


def _nanoseconds(milliseconds: int) -> int:
    return (
        (NOON + timedelta(milliseconds=milliseconds) - datetime(1970, 1, 1, tzinfo=UTC))
        // timedelta(microseconds=1)
        * 1000
    )


def _iso(milliseconds: int) -> str:
    return (
        (NOON + timedelta(milliseconds=milliseconds))
        .isoformat(timespec="microseconds")
        .replace("+00:00", "Z")
    )


def _pairs(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _typed(value)} for name, value in attributes.items()]


def _typed(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_typed(entry) for entry in value]}}
        case dict():
            return {"kvlistValue": {"values": _pairs(value)}}
        case _:
            return {"stringValue": value}


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _with_lists(entry) for key, entry in value.items()}
    return [*inner.values()] if inner and all(key.isdecimal() for key in inner) else inner
