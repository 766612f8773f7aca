"""The four kinds of reply a judge can be asked for, and the JSON schema of each.

The schemas keep to what every provider's strict mode takes: all keys required, no other keys, closed lists of
words, and nothing else. No kind has a free score: the judge returns ids and closed words, our code counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pydantic import JsonValue

from ragproof.cases import canonical_hash


class ReplyKind(StrEnum):
    """What a reply is made of."""

    VERDICTS = "verdicts"
    """Yes or no for each id that was asked about."""
    CLAIMS = "claims"
    """The factual claims of a text."""
    CLAIMS_WITH_VERDICTS = "claims_with_verdicts"
    """The claims, each with a verdict and the contexts that support it."""
    RATING = "rating"
    """One of three bands: 0, 1 or 2."""

    @property
    def key(self) -> str:
        """The one key that makes an object a reply of this kind."""
        return "claims" if self is ReplyKind.CLAIMS_WITH_VERDICTS else self.value


SUPPORT_WORDS = ("supported", "unsupported")
"""The verdict words a schema offers unless a prompt names others, the affirmative one first."""

_TEXT: JsonValue = {"type": "string"}


def json_schema(
    kind: ReplyKind, ids: Sequence[str], words: Sequence[str] = SUPPORT_WORDS
) -> dict[str, JsonValue]:
    """Return the schema that a judge is asked to keep to.

    Args:
        kind: of the reply.
        ids: those asked about, or the contexts that may be named; empty leaves ids open.
        words: the verdict words, the affirmative one first; ratings and claims have none.

    Returns:
        A JSON schema. Texts that explain stand before what they explain, so that a model writes them first.
    """
    named: JsonValue = {"type": "string", "enum": list(ids)} if ids else _TEXT
    verdict: JsonValue = {"type": "string", "enum": list(words)}
    match kind:
        case ReplyKind.VERDICTS:
            return _object(verdicts=_list(_object(id=named, quote=_TEXT, verdict=verdict)))
        case ReplyKind.CLAIMS:
            return _object(claims=_list(_TEXT))
        case ReplyKind.CLAIMS_WITH_VERDICTS:
            return _object(
                claims=_list(_object(text=_TEXT, quote=_TEXT, contexts=_list(named), verdict=verdict))
            )
        case ReplyKind.RATING:
            return _object(reason=_TEXT, rating={"type": "integer", "enum": [0, 1, 2]})


def schema_hash(kind: ReplyKind, words: Sequence[str] = SUPPORT_WORDS) -> str:
    """Return the sha256 of a kind's schema with its ids left open, which the input's hash covers."""
    return canonical_hash(json_schema(kind, (), words))


def _object(**properties: JsonValue) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: JsonValue) -> JsonValue:
    return {"type": "array", "items": items}
