"""Reading what a judge replied: a value that was proven, or what to do instead. It never guesses.

The order: how the reply ended, then the one whole object that fits the kind and the ids asked about
(`candidates`, `checking`). Two objects that fit and differ are no answer, nor is one beside an object of the
same kind that cannot be read: neither place nor order shows which the judge meant. False friends: taking the
first or last object, repairing what was cut off, and dividing by the verdicts that came back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import JsonValue

from ragproof.cases import canonical_json
from ragproof.frozen import Frozen
from ragproof.judge.candidates import JsonObject, find
from ragproof.judge.checking import Checked, Unfit, check
from ragproof.judge.kinds import ReplyKind


class ReplyOutcome(StrEnum):
    """What a reply comes to."""

    OK = "ok"
    REPAIR = "repair"
    """Ask once more, and say what was wrong."""
    RAISE_TOKENS_RETRY = "raise_tokens_retry"
    """It was cut off: ask once more with room for more tokens."""
    JUDGE_ERROR = "judge_error"
    """Asking again would not help."""


class Reading(Frozen):
    """A reply, read."""

    outcome: ReplyOutcome
    value: JsonValue = None
    """`{id: bool}`, `[claim]`, `[[claim, supported, [context id]]]` or 0, 1, 2, by kind; None unless ok."""
    reason: str = ""
    """Why there is no value; empty when there is one."""
    quotes: tuple[str, ...] = ()
    """The evidence given for each entry of the value, "" where there is none; not checked."""
    invented: int = 0
    """Ids in the reply that were never asked about, and were passed over."""
    missing: tuple[str, ...] = ()
    """Ids without a verdict in a partial reading."""


_CUT = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_WITHHELD: Mapping[str, str] = {
    "content_filter": "the provider's content filter withheld the reply",
    "safety": "the provider's content filter withheld the reply",
    "recitation": "the provider's content filter withheld the reply",
    "prohibited_content": "the provider's content filter withheld the reply",
    "blocklist": "the provider's content filter withheld the reply",
    "refusal": "the model declined to judge",
    "model_context_window_exceeded": "the prompt and reply do not fit the model's context window",
}


def read(
    reply: str | None,
    *,
    kind: ReplyKind | str,
    ids: Sequence[str] | None = (),
    finish_reason: str | None = None,
    partial: bool = False,
) -> Reading:
    """Read one reply of a judge.

    Args:
        reply: its text; None and "" are a reply without text.
        kind: what was asked for: `verdicts`, `claims`, `claims_with_verdicts` or `rating`.
        ids: those asked about; for claims with verdicts, the contexts that may be named; None is none.
        finish_reason: as the provider says it, in any case of letters; None is not said.
        partial: take the verdicts that did come and say which are missing; for citation support alone.

    Returns:
        The value, or the outcome with its reason. The reason quotes the reply; it is foreign text.

    Raises:
        ValueError: no kind has this name.
    """
    wanted = ReplyKind(kind)
    ended = (finish_reason or "").casefold()
    if ended in _CUT:
        return Reading(
            outcome=ReplyOutcome.RAISE_TOKENS_RETRY, reason="the reply was cut off at its token limit"
        )
    if ended in _WITHHELD:
        return Reading(outcome=ReplyOutcome.JUDGE_ERROR, reason=_WITHHELD[ended])
    if reply is None or not reply.strip():
        return _repair("the reply is empty")
    found = find(reply)
    fitting, unfit, others = _checked(found.objects, wanted, tuple(ids or ()), partial)
    if len(fitting) > 1:
        return _repair("the reply holds several objects that fit and differ; expected one")
    if not fitting:
        faults = (*unfit, *found.faults, *others)
        return _repair(faults[0] if faults else f"the reply holds no JSON object with the key '{wanted.key}'")
    if _claimed(wanted.key).search(found.outside):
        return _repair(
            f"beside the object stands another '{wanted.key}' that cannot be read; expected one object"
        )
    checked = fitting[0]
    return Reading(
        outcome=ReplyOutcome.OK,
        value=checked.value,
        quotes=checked.quotes,
        invented=checked.invented,
        missing=checked.missing,
    )


def _checked(
    objects: Sequence[JsonObject], kind: ReplyKind, ids: tuple[str, ...], partial: bool
) -> tuple[list[Checked], list[str], list[str]]:
    """Return the distinct replies among objects, the faults of others with the key, and of those without."""
    fitting: dict[str, Checked] = {}
    faults: dict[bool, list[str]] = {True: [], False: []}
    for content in objects:
        try:
            checked = check(content, kind, ids, partial)
        except Unfit as fault:
            faults[kind.key in content].append(str(fault))
        else:
            fitting.setdefault(canonical_json(checked.value), checked)
    return list(fitting.values()), faults[True], faults[False]


def _claimed(key: str) -> re.Pattern[str]:
    """Return what an object of the kind looks like in text that could not be read as one."""
    return re.compile(rf"""(?<!\\)["'“”‘’]{key}["'“”‘’]\s*+:""")


def _repair(reason: str) -> Reading:
    return Reading(outcome=ReplyOutcome.REPAIR, reason=reason)
