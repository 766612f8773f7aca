"""A prompt with its data: what is sent, in which order, and what is known about the data in it.

The system message has the rubric and the rules; the user message has the data as one line of JSON, then the
fault of an earlier reply if there was one, and the rules again. Nothing of the data stands after the rules.
"""

from __future__ import annotations

import hashlib
import json

from pydantic import JsonValue

from ragproof.frozen import Frozen
from ragproof.judge.hardening import data_line
from ragproof.judge.kinds import ReplyKind, json_schema

_TOKENS_AROUND = 256
"""Room beside the verdicts, for a model that says something first."""
_BEFORE_THE_DATA = "The data, one JSON object on one line:"


class Rendered(Frozen):
    """One question to the judge about one answer."""

    prompt: str
    prompt_hash: str
    kind: ReplyKind
    words: tuple[str, str]
    ids: tuple[str, ...]
    """Asked about, or the contexts that may be named."""
    system: str
    data: str
    """One line of JSON."""
    rules: str
    neutralised: int
    """Role tokens, closing tags and unseen characters that were escaped in the data."""
    suspected_injection: bool
    """Some text in the data addresses the judge."""
    open_ids: bool = False
    """The schema leaves ids open, so that it is the same for every question of the prompt."""
    tokens_an_id: int | None = None
    """What a verdict takes at most; None is not bounded by what was asked."""

    @property
    def reply_schema(self) -> dict[str, JsonValue]:
        """The JSON schema of the reply."""
        return json_schema(self.kind, () if self.open_ids else self.ids, self.words)

    def room(self, max_tokens: int) -> int:
        """Return the token limit of a reply: what the verdicts asked for take, at most the judge's own."""
        if self.tokens_an_id is None:
            return max_tokens
        return min(max_tokens, _TOKENS_AROUND + self.tokens_an_id * len(self.ids))

    def system_message(self, *, with_schema: bool) -> str:
        """Return the system message, with the schema where the server cannot be given one."""
        if not with_schema:
            return self.system
        return f"{self.system}\n\nThe JSON schema of the reply:\n{json.dumps(self.reply_schema)}"

    def user_message(self, fault: str | None = None) -> str:
        """Return the user message.

        Args:
            fault: what was wrong with an earlier reply, which may quote it; escaped as the data are.
        """
        told = (
            ""
            if fault is None
            else f"An earlier reply could not be used:\n{data_line({'fault': fault}).text}\n\n"
        )
        return f"{_BEFORE_THE_DATA}\n{self.data}\n\n{told}{self.rules}"

    def content_hash(self) -> str:
        """Return the sha256 of all that is sent whatever the server takes."""
        text = f"{self.system}\0{self.user_message()}\0{json.dumps(self.reply_schema)}"
        return hashlib.sha256(text.encode()).hexdigest()
