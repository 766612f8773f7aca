"""The fields of a case as files spell them: one function a field, each refusing what it cannot read right.

Nothing is guessed: a whole number where an id is expected is text without loss and becomes it; a fraction
is not, and is refused. False friend: a lone text where a list is expected is one entry, never its letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ragproof.cases import CaseKind
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import ConfigurationError, nearest
from ragproof.payloads.library import resolve

DEEPEST_METADATA = 50
"""Levels of lists and objects; far beyond any use, far below what breaks a JSON writer."""

_LARGEST_GAIN = 2**31 - 1
_ROLES = ("user", "assistant", "system")


Inside = tuple[str | int, ...]
"""The way from a field to the part of it that is meant: keys and positions; empty for the field itself."""


class Refused(Exception):
    """A value that its field cannot hold; the message follows the field's name."""


class Wrong(Refused):
    """The common refusal: the value, and what was expected instead."""

    def __init__(self, value: object, expected: str, inside: Inside = ()) -> None:
        steps = "".join(f"[{shown(step)}]" for step in inside)
        super().__init__(f"{steps}: {shown(value)} is not allowed; expected {expected}")


def _text(value: object, inside: Inside = ()) -> str:
    if not isinstance(value, str):
        quotable = isinstance(value, int | float)
        raise Wrong(value, "text: write it in quotes" if quotable else "text", inside)
    return value


def _filled_text(value: object, inside: Inside = ()) -> str:
    text = _text(value, inside)
    if not text.strip():
        raise Wrong(value, "text that is not blank", inside)
    return text


def _id(value: object, inside: Inside = ()) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _filled_text(value, inside)


def _kind(value: object) -> CaseKind:
    kinds = tuple(kind.value for kind in CaseKind)
    if value not in kinds:
        hint = nearest(value, kinds) if isinstance(value, str) else ""
        raise Wrong(value, one_of(kinds) + hint)
    return CaseKind(value)


def _expected_answer(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        raise Wrong(value, "one text; several references go into 'expected_answers'")
    return _expected_answers(_text(value))


def _expected_answers(value: object) -> tuple[str, ...]:
    """A blank reference is none: exporters write `""` for "no answer known"."""
    if not isinstance(value, str | list):
        raise Wrong(value, "a list of texts")
    given = [value] if isinstance(value, str) else value
    answers = [_text(answer, (index,)) for index, answer in enumerate(given)]
    return tuple(answer for answer in answers if answer.strip())


def _source_ids(value: object) -> dict[str, int]:
    if isinstance(value, dict):
        raise Wrong(value, "a list of ids; ids with gains go into 'relevance'")
    given = value if isinstance(value, list) else [value]
    return {_id(source, (index,)): 1 for index, source in enumerate(given)}


def _relevance(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise Wrong(value, "an object of ids and gains; a plain list of ids goes into 'expected_source_ids'")
    return {_id(source, (source,)): whole_gain(gain, (source,)) for source, gain in value.items()}


def whole_gain(value: object, inside: Inside = ()) -> int:
    """Read a gain: a whole number, 0 or less for what was judged and is not relevant."""
    gain = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(gain, bool) or not isinstance(gain, int) or abs(gain) > _LARGEST_GAIN:
        raise Wrong(value, "a whole number as gain (0 or less is judged not relevant)", inside)
    return gain


def _payload(value: object) -> str:
    payload = _text(value)
    try:
        resolve(payload)
    except ConfigurationError as error:
        raise Refused(f": {'; '.join(fault.message for fault in error.faults)}") from error
    return payload


def _tags(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise Wrong(value, 'an object of names and values, such as {"topic": "returns"}')
    return {_filled_text(name, (name,)): _tag(tag, (name,)) for name, tag in value.items() if tag is not None}


def _tag(value: object, inside: Inside) -> str:
    if isinstance(value, list | dict):
        raise Wrong(value, "one value; move what has parts under 'metadata'", inside)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _metadata(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Wrong(value, "an object of names and values")
    level: list[object] = [value]
    for _ in range(DEEPEST_METADATA):
        level = [part for outer in level for part in _parts(outer) if isinstance(part, list | dict)]
        if not level:
            return value
    raise Wrong(value, f"at most {DEEPEST_METADATA} levels of lists and objects")


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _history(value: object) -> list[dict[str, str]]:
    if not isinstance(value, list):
        raise Wrong(value, "a list of earlier turns")
    return [_turn(turn, (index,)) for index, turn in enumerate(value)]


def _turn(value: object, inside: Inside) -> dict[str, str]:
    if not isinstance(value, dict) or set(value) != {"role", "content"}:
        raise Wrong(value, "an object of 'role' and 'content' alone", inside)
    role = value["role"]
    if role not in _ROLES:
        hint = nearest(role, _ROLES) if isinstance(role, str) else ""
        raise Wrong(role, one_of(_ROLES) + hint, (*inside, "role"))
    return {"role": role, "content": _text(value["content"], (*inside, "content"))}


REQUIRED: Mapping[str, Callable[[object], object]] = {"id": _id, "question": _filled_text}

FIELDS: Mapping[str, Callable[[object], object]] = {
    **REQUIRED,
    "kind": _kind,
    "expected_answer": _expected_answer,
    "expected_answers": _expected_answers,
    "expected_source_ids": _source_ids,
    "relevance": _relevance,
    "adversarial_payload": _payload,
    "group": _id,
    "tags": _tags,
    "metadata": _metadata,
    "history": _history,
}
"""Every key a row may have, and how its value is read; `null` in an optional one is the same as no key."""

SPELLED_ELSEWHERE: Mapping[str, str] = {
    "_id": "id",
    "query": "question",
    "input": "question",
    "answer": "expected_answer",
    "reference": "expected_answer",
    "ground_truth": "expected_answer",
    "answers": "expected_answers",
    "references": "expected_answers",
    "qrels": "relevance",
    "type": "kind",
}
"""What other tools call our fields: no similarity of letters would find these."""
