"""JSONPath into a response: compiled when the configuration is read, and a miss that says what was there.

Paths are those of jsonpath-ng with its filters (`$.hits[?(@.kind == 'doc')]`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import jsonpath_ng
from jsonpath_ng.exceptions import JSONPathError
from jsonpath_ng.ext.filter import Filter
from jsonpath_ng.ext.parser import parse
from pydantic import AfterValidator, JsonValue

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.reading.fields import names_of
from ragproof.adapters.reading.values import nature
from ragproof.outputs import FailureKind

_OVER_A_LIST = (jsonpath_ng.Slice, jsonpath_ng.Wildcard, Filter)


@lru_cache(maxsize=256)
def _compiled(path: str) -> Any:
    return parse(path)


def _checked(path: str) -> str:
    try:
        _compiled(path)
    except (JSONPathError, ValueError, AttributeError) as error:
        raise ValueError(f"'{path}' is not a JSONPath: {str(error).rstrip('.!')}") from None
    return path


JsonPath = Annotated[str, AfterValidator(_checked)]
"""A JSONPath as text, known to be one."""


def matches(path: str, data: JsonValue) -> list[JsonValue] | None:
    """Return what a path finds, in order.

    Returns:
        The values; [] when a list on the way or a filter's choice is empty; None when it leads nowhere.
    """
    found = [match.value for match in _compiled(path).find(data)]
    return found if found or _found_empty(_compiled(path), data) else None


def match(path: str, data: JsonValue) -> tuple[JsonValue] | None:
    """Return the one value a path finds, in a tuple because it may be null; None when it leads nowhere.

    Raises:
        CallFailed: it finds several.
    """
    found = matches(path, data)
    if found is not None and len(found) > 1:
        message = f"JSONPath '{path}' matches {len(found)} values in the response, expected one"
        raise CallFailed(FailureKind.BAD_OUTPUT, message)
    return (found[0],) if found else None


def miss(path: str, data: JsonValue, what: str) -> CallFailed:
    """Return the failure that says what a path was held against."""
    there = f"its keys are {names_of(data)}" if isinstance(data, dict) else f"it is {nature(data)}"
    return CallFailed(FailureKind.BAD_OUTPUT, f"JSONPath '{path}' matches nothing in {what}; {there}")


def _found_empty(path: Any, data: JsonValue) -> bool:
    """Say whether a path found nothing because something it goes through is an empty list."""
    if not isinstance(path, jsonpath_ng.Child):
        return False
    reached = [match.value for match in path.left.find(data)]
    if not reached:
        return _found_empty(path.left, data)
    return isinstance(path.right, _OVER_A_LIST) and all(isinstance(value, list) for value in reached)
