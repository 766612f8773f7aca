"""A recorded output as one line of JSON: what a pipeline answered to a case, or how it failed.

Convention: the fields of `PipelineOutput` and `CaseFailure`, as `ragproof record` writes them. A line that
someone else wrote is read too, when it has a `case_id` (or `id`); its answer and chunks may have any of their
usual names, and without a `latency_ms` its latency is not known.
"""

from __future__ import annotations

import json
from contextlib import suppress

from pydantic import ValidationError

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.reading.notes import Notes
from ragproof.adapters.reading.results import read_result
from ragproof.adapters.reading.values import identifier, number
from ragproof.adapters.recorded.json_lines import Row
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput

CASE_ID = ("case_id", "id")
_OWN_NAMES = ("answer", "retrieved", "context")
"""A line with none of them may say what it says under other names; read as our own, it would say nothing."""


class NotAnOutput(ValueError):
    """The line cannot be read as an output; the message says why."""


def written(outcome: Outcome) -> bytes:
    """Write an outcome as one line; half a surrogate pair, which no file can hold, as JSON's escape of it."""
    line = json.dumps(outcome.model_dump(mode="json"), ensure_ascii=False, allow_nan=False)
    return line.encode("utf-8", "backslashreplace") + b"\n"


def case_id(row: Row) -> str | None:
    """Return the id of the case that a line is about; None when it has none.

    Raises:
        NotAnOutput: it is no id.
    """
    given = next((row[name] for name in CASE_ID if row.get(name) not in (None, "")), None)
    try:
        return identifier(given, CASE_ID[0], Notes())
    except CallFailed as failed:
        raise NotAnOutput(failed.message) from failed


def read(row: Row) -> Outcome:
    """Read a line with a case's id.

    Raises:
        NotAnOutput: what is wrong with it.
    """
    if "kind" in row and "message" in row:
        return _failure(row)
    if not row.keys().isdisjoint(_OWN_NAMES):
        with suppress(ValidationError):
            return PipelineOutput.model_validate(row)
    return _by_usual_names(row)


def _failure(row: Row) -> CaseFailure:
    try:
        return CaseFailure.model_validate(row)
    except ValidationError as error:
        raise NotAnOutput(_first(error)) from error


def _by_usual_names(row: Row) -> PipelineOutput:
    notes = Notes()
    try:
        reading = read_result({name: value for name, value in row.items() if name not in CASE_ID}, "the line")
        latency_ms = number(row.get("latency_ms"), "latency_ms", notes)
    except CallFailed as failed:
        raise NotAnOutput(failed.message) from failed
    if latency_ms is not None and latency_ms < 0:
        raise NotAnOutput(
            f"latency_ms is {latency_ms:g}, expected the milliseconds that the pipeline took, at least 0"
        )
    return reading.output(case_id(row) or "", latency_ms)


def _first(error: ValidationError) -> str:
    detail = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, detail['loc']))}: {detail['msg'][:1].lower()}{detail['msg'][1:]}"
