"""The JSON objects in a judge's reply: whole ones, at the top level, outside of reasoning; in linear time.

Undone is only what loses nothing: fences and chatter around an object, a byte order mark, a comma before a
closing bracket, raw control characters in strings, a reply encoded twice. A bracket is never closed. An
object inside another text's braces (a wrapper, a list, a Python dict) is part of that text and no candidate:
an answer under judgment that holds `{"rating": 2}` must not speak for the judge that quotes it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ragproof.datasets.wording import shown

JsonObject = dict[str, Any]

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_BRACKETS = re.compile(rf'{_STRING}|[{{}}\[\]]|"', re.DOTALL)
_LAST_COMMA = re.compile(rf'({_STRING})|(?<=["\]}}\w])\s*+,(?=\s*+[}}\]])', re.DOTALL)

_THOUGHT = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)"
_REASONING = rf"""
    (?P<thinking>
        <{_THOUGHT}> | \[THINK\] | ◁think▷ | <\|begin_of_thought\|> | <\|channel\|>analysis<\|message\|>
    )
  | (?P<thought> </{_THOUGHT}> | \[/THINK\] | ◁/think▷ | <\|end_of_thought\|> )
"""
_BEGINNING = re.compile(rf"\s*+(?:{_REASONING})", re.VERBOSE | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(
    rf"""
    </{_THOUGHT}> | \[/THINK\] | ◁/think▷ | <\|end_of_thought\|> | <\|end\|> | <\|channel\|>final<\|message\|>
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TOP_LEVEL = re.compile(
    rf"""
    (?P<value> \{{\s*+["}}] | \[\s*+[\[{{] )
  | (?P<opening> \{{ )
  | (?P<closing> \}} )
  | {_REASONING}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FENCE = re.compile(r"```[\w-]*")


class RepeatedKey(ValueError):
    """An object has a key twice; which of the two counts is anybody's guess."""


@dataclass(frozen=True)
class Found:
    """What a reply holds."""

    objects: tuple[JsonObject, ...]
    """In the order they stand in."""
    faults: tuple[str, ...]
    """What is wrong with objects that could not be read."""
    outside: str
    """All else, reasoning left out: prose, and what looked like an object and cannot be read."""


def find(reply: str) -> Found:
    """Find the objects in a reply.

    Args:
        reply: as the judge gave it, of any length.
    """
    return _Scan(_decoded_once(reply)).found()


def _decoded_once(reply: str) -> str:
    """Undo one encoding too many: a reply that as a whole is one JSON string."""
    body = reply[_end_of_leading_reasoning(reply) :].strip().strip("\ufeff").strip()
    opened = _FENCE.match(body)
    body = body[opened.end() if opened else 0 :].removesuffix("```").strip()
    if not body.startswith('"') or not body.endswith('"'):
        return reply
    try:
        inner = json.loads(body, strict=False)
    except ValueError:
        return reply
    return inner if isinstance(inner, str) else reply


def _end_of_leading_reasoning(reply: str) -> int:
    place = 0
    while (tag := _BEGINNING.match(reply, place)) and tag["thinking"]:
        ended = _END_OF_THOUGHT.search(reply, tag.end())
        if ended is None:
            return len(reply)
        place = ended.end()
    return place


class _Scan:
    """One pass over a reply; every character is looked at a fixed number of times."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._objects: list[JsonObject] = []
        self._faults: list[str] = []
        self._outside: list[str] = []
        self._braces = 0
        """How many braces of prose are open."""
        self._begun = False
        """Whether anything has begun as JSON does."""

    def found(self) -> Found:
        """Scan to the end."""
        place = 0
        while (token := _TOP_LEVEL.search(self._text, place)) is not None:
            self._outside.append(self._text[place : token.start()])
            place = self._take(token)
        self._outside.append(self._text[place:])
        return Found(tuple(self._objects), tuple(self._faults), "".join(self._outside))

    def _take(self, token: re.Match[str]) -> int:
        """Deal with one token; return where to go on."""
        if token["thinking"]:
            return self._take_reasoning(token)
        if token["thought"]:
            if not self._begun and not self._braces:  # reasoning whose beginning the server cut off
                self._outside.clear()
            return token.end()
        if token["value"]:
            self._begun = True
            return self._take_value(token.start())
        self._braces += 1 if token["opening"] else -1 if self._braces else 0
        self._outside.append(token[0])
        return token.end()

    def _take_reasoning(self, token: re.Match[str]) -> int:
        """Leave out a block of reasoning; one after an object, or without an end, may be no such thing."""
        ended = _END_OF_THOUGHT.search(self._text, token.end())
        end = len(self._text) if ended is None else ended.end()
        if self._begun or ended is None:
            self._outside.append(self._text[token.start() : end])
        return end

    def _take_value(self, start: int) -> int:
        end = _end_of_value(self._text, start)
        if end is None:
            self._faults.append("the JSON ends before its last bracket is closed")
            self._outside.append(self._text[start:])
            return len(self._text)
        written = self._text[start:end]
        try:
            value = _loads(written)
        except RepeatedKey as fault:
            self._faults.append(str(fault))
            return end
        except (ValueError, RecursionError) as error:
            self._faults.append(f"the JSON cannot be read: {_why(error)}")
            self._outside.append(written)
            return end
        if isinstance(value, dict) and not self._braces:
            self._objects.append(value)
        else:
            self._outside.append(written)
        return end


def _end_of_value(text: str, start: int) -> int | None:
    """Return where the bracket at `start` is closed, brackets in strings not counted; None when it is not."""
    depth = 0
    for token in _BRACKETS.finditer(text, start):
        match token[0]:
            case "{" | "[":
                depth += 1
            case "}" | "]":
                depth -= 1
                if depth == 0:
                    return token.end()
            case '"':
                return None
    return None


def _loads(written: str) -> Any:
    try:
        return _DECODER.decode(written)
    except json.JSONDecodeError:
        repaired = _LAST_COMMA.sub(lambda found: found[1] or "", written)
        if repaired == written:
            raise
        return _DECODER.decode(repaired)


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
    read: JsonObject = {}
    for name, value in pairs:
        if name in read:
            raise RepeatedKey(f"the key {shown(name)} stands twice in an object")
        read[name] = value
    return read


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _why(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return error.msg.lower()
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error).partition(";")[0].lower()


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_unique, parse_constant=_no_constant)
