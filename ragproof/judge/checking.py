"""Holding an object against the kind of reply that was asked for and the ids that were asked about.

The denominator is what was asked: an id that is missing or repeated is a fault, one that was invented is
passed over and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from ragproof.datasets.wording import shown
from ragproof.judge import vocabulary
from ragproof.judge.candidates import JsonObject
from ragproof.judge.kinds import ReplyKind


class Unfit(Exception):
    """An object is no reply of the kind; the message says why, in words a judge can mend it by."""


@dataclass(frozen=True)
class Checked:
    """What a reply says."""

    value: JsonValue
    quotes: tuple[str, ...] = ()
    """One for each entry of the value, "" where none was given."""
    invented: int = 0
    """Ids that were never asked about."""
    missing: tuple[str, ...] = ()
    """Ids without a verdict; only where that is allowed."""


def check(content: JsonObject, kind: ReplyKind, ids: Sequence[str], partial: bool) -> Checked:
    """Read an object as a reply.

    Args:
        content: as it stands in the reply; keys that the kind has no use for are passed over.
        kind: of reply.
        ids: asked about; for claims with verdicts, the contexts that may be named.
        partial: whether ids may be missing; of verdicts alone.

    Raises:
        Unfit: it is none.
    """
    if kind.key not in content:
        raise Unfit(f"the object has no key '{kind.key}'")
    body = content[kind.key]
    match kind:
        case ReplyKind.VERDICTS:
            return _verdicts(body, ids, partial)
        case ReplyKind.CLAIMS:
            return Checked([text for text in map(_claim, _list(body, "claims")) if text.strip()])
        case ReplyKind.CLAIMS_WITH_VERDICTS:
            return _claims_with_verdicts(body, frozenset(ids))
        case ReplyKind.RATING:
            return _rating(body)


def _rating(body: object) -> Checked:
    read = vocabulary.rating(body)
    if read is None:
        raise Unfit(f"'rating' is {shown(body)}; expected 0, 1 or 2")
    return Checked(read)


def _verdicts(body: object, ids: Sequence[str], partial: bool) -> Checked:
    asked, verdicts, quotes, invented = frozenset(ids), dict[str, bool](), dict[str, str](), 0
    for id, entry in _entries(body):
        if id not in asked:
            invented += 1
            continue
        if id in verdicts:
            raise Unfit(f"id {shown(id)} stands twice; expected each id once")
        verdicts[id] = _verdict(entry, f"of {shown(id)}")
        quotes[id] = _quote(entry)
    missing = tuple(id for id in ids if id not in verdicts)
    if missing and not partial:
        raise Unfit(f"no verdict for {', '.join(map(shown, missing[:20]))}; expected one for each id")
    given = [id for id in ids if id in verdicts]
    return Checked({id: verdicts[id] for id in given}, tuple(quotes[id] for id in given), invented, missing)


def _entries(body: object) -> list[tuple[str, Mapping[str, Any]]]:
    """Return ids with their entries, from a list of objects or a map from id to verdict."""
    if isinstance(body, dict):
        return [(id, {"verdict": verdict}) for id, verdict in body.items()]
    entries = list[tuple[str, Mapping[str, Any]]]()
    for entry in _list(body, "verdicts"):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            raise Unfit('an entry of \'verdicts\' has no id; expected {"id": ..., "verdict": ...}')
        entries.append((entry["id"], entry))
    return entries


def _claims_with_verdicts(body: object, ids: frozenset[str]) -> Checked:
    claims: list[JsonValue] = []
    quotes: list[str] = []
    said: dict[str, bool] = {}
    invented = 0
    for entry in _list(body, "claims"):
        if not isinstance(entry, dict):
            raise Unfit(f"an entry of 'claims' is {shown(entry)}; expected an object with text and verdict")
        text = _claim(entry.get("text"))
        if not text.strip():
            continue
        supported = _verdict(entry, f"of the claim {shown(text)}")
        if said.setdefault(text.strip(), supported) is not supported:
            raise Unfit(f"the claim {shown(text)} has both verdicts; expected one")
        named = _contexts(entry)
        known = [id for id in dict.fromkeys(named) if id in ids]
        invented += len(set(named) - ids)
        claims.append([text, supported, list[JsonValue](known)])
        quotes.append(_quote(entry))
    return Checked(claims, tuple(quotes), invented)


def _contexts(entry: Mapping[str, Any]) -> list[str]:
    named = entry.get("contexts")
    if not isinstance(named, list) or not all(isinstance(id, str) for id in named):
        raise Unfit("a claim has no list of context ids under 'contexts'; write [] when none supports it")
    return named


def _verdict(entry: Mapping[str, Any], whose: str) -> bool:
    read = vocabulary.verdict(entry.get("verdict"))
    if read is None:
        given = shown(entry["verdict"]) if "verdict" in entry else "missing"
        raise Unfit(f"the verdict {whose} is {given}; expected one of the two words that were asked for")
    return read


def _claim(value: object) -> str:
    if not isinstance(value, str):
        raise Unfit(f"a claim is {shown(value)}; expected text")
    if not _storable(value):
        raise Unfit("a claim holds NUL or half a character; expected text")
    return value


def _quote(entry: Mapping[str, Any]) -> str:
    quote = entry.get("quote")
    return quote if isinstance(quote, str) and _storable(quote) else ""


def _storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _list(body: object, key: str) -> list[Any]:
    if not isinstance(body, list):
        raise Unfit(f"'{key}' is {shown(body)}; expected a list")
    return body
