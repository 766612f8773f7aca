"""A span as exporters write it on a line: its ids, its times, whether it failed, and its attributes.

Read are the JSON of OpenTelemetry's Python SDK (`ReadableSpan.to_json`), OTLP's JSON encoding (1.x, a span or
a whole `resourceSpans` request on a line), tables of spans with `attributes.` and `context.` in their columns
(Phoenix), and plain objects with `trace_id` and `attributes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.adapters.recorded.attributes import Attributes, flat
from ragproof.adapters.recorded.json_lines import Row
from ragproof.adapters.recorded.times import nanoseconds
from ragproof.datasets.wording import shown

_TRACE_ID = ("trace_id", "traceId", "context.trace_id", "context.traceId")
_SPAN_ID = ("span_id", "spanId", "context.span_id", "context.spanId", "id")
_PARENT_ID = ("parent_id", "parentId", "parent_span_id", "parentSpanId")
_START = ("start_time_unix_nano", "startTimeUnixNano", "start_time", "startTime")
_END = ("end_time_unix_nano", "endTimeUnixNano", "end_time", "endTime")
_STATUS = ("status.status_code", "status.code", "status_code", "statusCode", "status")
_MESSAGE = ("status.description", "status.message", "status_message", "statusMessage")
_FAILED = re.compile(r"2|(?:STATUS_CODE_|StatusCode\.)?ERROR", re.IGNORECASE)
_HEX_ID = re.compile(r"(?:0x)?([0-9a-f]{16,})", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:.*\.)?metadata|(?:in|out)put\.value|gen_ai\.(?:input\.messages|output\.messages|retrieval\.documents)"
)
"""What is a value of its own, however it is nested."""
_NO_ATTRIBUTES = frozenset({"attributes", "events", "links", "resource"})
_TELLING_EVENT = re.compile(r"exception$|gen_ai\.")


class NotASpan(ValueError):
    """The line cannot be read as a span; the message says why."""


@dataclass(frozen=True)
class Span:
    """One operation of a trace."""

    trace_id: str
    span_id: str
    parent_id: str | None
    start_ns: int | None
    end_ns: int | None
    error: str | None
    """What went wrong, when its status is an error."""
    attributes: Attributes


def trace_key(text: str) -> str:
    """Return the one spelling of a trace's id: hexadecimal ids in lower case and without `0x`."""
    digits = _HEX_ID.fullmatch(text.strip())
    return digits[1].lower() if digits else text.strip()


def is_about_spans(row: Row) -> bool:
    """Say whether a line holds a span, or several."""
    context = row.get("context")
    return (
        "resourceSpans" in row
        or any(name in row for name in _TRACE_ID)
        or (isinstance(context, dict) and ("trace_id" in context or "traceId" in context))
    )


def spans(row: Row) -> Iterator[Span]:
    """Yield the spans of a line.

    Raises:
        NotASpan: what is wrong with one.
    """
    for written in _requested(row) if "resourceSpans" in row else (row,):
        yield _span(written)


def _requested(request: Row) -> Iterator[Row]:
    """Yield the spans of an OTLP request, whose levels are resource, scope and span."""
    for resource in _objects(request["resourceSpans"]):
        for scope in _objects(resource.get("scopeSpans", [])):
            yield from _objects(scope.get("spans", []))


def _objects(value: JsonValue) -> Sequence[Row]:
    if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
        return [entry for entry in value if isinstance(entry, dict)]
    raise NotASpan(f"{shown(value)} stands in resourceSpans, expected lists of objects")


def _span(row: Row) -> Span:
    told = flat({name: value for name, value in row.items() if name not in _NO_ATTRIBUTES}, _WHOLE)
    trace_id = _id(_first(told, _TRACE_ID))
    if trace_id is None:
        raise NotASpan("a span has no trace_id; expected text")
    own = {name.removeprefix("attributes."): value for name, value in told.items()}
    attributes = own | _of_events(row) | flat(row.get("attributes"), _WHOLE)
    return Span(
        trace_id=trace_key(trace_id),
        span_id=trace_key(_id(_first(told, _SPAN_ID)) or ""),
        parent_id=trace_key(_id(_first(told, _PARENT_ID)) or "") or None,
        start_ns=_time(told, _START),
        end_ns=_time(told, _END),
        error=_error(told, attributes),
        attributes=attributes,
    )


def _first(told: Attributes, names: Sequence[str]) -> JsonValue:
    return next((told[name] for name in names if told.get(name) not in (None, "")), None)


def _id(value: JsonValue) -> str | None:
    if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
        return None if value is None else str(value)
    raise NotASpan(f"{shown(value)} is not an id of a trace or span; expected text")


def _time(told: Attributes, names: Sequence[str]) -> int | None:
    value = _first(told, names)
    if value is None:
        return None
    try:
        return nanoseconds(value)
    except (ValueError, OverflowError):
        name = next(name for name in names if told.get(name) == value)
        raise NotASpan(f"{name}: {shown(value)} is not a time; expected ISO 8601 or nanoseconds") from None


def _error(told: Attributes, attributes: Attributes) -> str | None:
    status = _first(told, _STATUS)
    if not _FAILED.fullmatch(str(status)):
        return None
    message = _first(told, _MESSAGE) or attributes.get("exception.message")
    return str(message) if message else "its span ended with an error"


def _of_events(row: Row) -> dict[str, JsonValue]:
    """Return the attributes of the events that say something of content or failure, of the last one first."""
    events = row.get("events")
    found: dict[str, JsonValue] = {}
    for event in events if isinstance(events, list) else ():
        name = event.get("name") if isinstance(event, dict) else None
        if isinstance(event, dict) and isinstance(name, str) and _TELLING_EVENT.match(name):
            found |= flat(event.get("attributes"), _WHOLE)
    return found
