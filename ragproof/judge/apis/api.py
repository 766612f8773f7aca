"""What the client needs to know of an API: where a call goes, what it sends, and where the reply stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

from pydantic import JsonValue

from ragproof.judge.complaints import Subject
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Structure, Terms
from ragproof.judge.metering import Answer, Tokens
from ragproof.judge.rendered import Rendered


class NoReply(Exception):
    """A 2xx response that holds no reply; the message says what it lacks."""


class Api(Protocol):
    """One API."""

    @property
    def steps(self) -> Sequence[Structure]:
        """The structures it can ask for, the strictest first."""
        ...

    @property
    def optional(self) -> frozenset[Subject]:
        """What a request can do without, or say otherwise."""
        ...

    def url(self, config: JudgeConfig) -> str:
        """Return where calls go."""
        ...

    def headers(self, config: JudgeConfig, key: str) -> Mapping[str, str]:
        """Return the headers of a call; without a key ("") none that would hold it."""
        ...

    def body(
        self, config: JudgeConfig, prompt: Rendered, terms: Terms, fault: str | None
    ) -> dict[str, JsonValue]:
        """Return what is sent."""
        ...

    def answer(self, body: JsonValue) -> Answer:
        """Find the reply in a response.

        Raises:
            NoReply: there is none.
        """
        ...


def joined(base_url: str, path: str) -> str:
    """Put a call's path behind that of a base URL, unless it ends so; a query stays."""
    address = urlsplit(base_url)
    before = address.path.rstrip("/")
    return urlunsplit(address._replace(path=before if before.endswith(path) else before + path))


def entry(value: JsonValue, name: str) -> JsonValue:
    """Return an entry of an object; None when it has none, or is no object."""
    return value.get(name) if isinstance(value, dict) else None


def text(value: JsonValue) -> str | None:
    """Return a value that is text, and None for any other."""
    return value if isinstance(value, str) else None


def texts(content: JsonValue, kinds: Sequence[str]) -> str | None:
    """Return the text of a message: itself, or that of its parts of these kinds, and of no other part."""
    if not isinstance(content, list):
        return text(content)
    parts = [text(entry(part, "text")) for part in content if entry(part, "type") in kinds]
    found = [part for part in parts if part is not None]
    return "".join(found) if found else None


def tokens(usage: JsonValue, sent: Sequence[str], received: str) -> Tokens | None:
    """Read a usage; None when it is not reported, or no count of tokens.

    Args:
        usage: as reported.
        sent: names of the counts that make up what was sent; the first is required.
        received: the name of the count of what was received.
    """
    counts = [_count(entry(usage, name)) for name in sent]
    output = _count(entry(usage, received))
    if counts[0] is None or output is None:
        return None
    return Tokens(input=sum(count or 0 for count in counts), output=output)


def _count(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
