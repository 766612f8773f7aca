"""What must not be kept is replaced by its name, once, before a reply is committed.

A known secret is found as it is, percent-encoded, escaped as in JSON or HTML, in base64 (also inside a longer
base64 text, as Basic authentication has it), and cut off at the end of a text or before an ellipsis. Ids are
exempt: a changed id would match nothing. Rules for what merely looks like a secret are added as functions
from text to text.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote, quote_plus

from pydantic import JsonValue

from ragproof.outputs import CaseFailure, Chunk, PipelineOutput

Rule = Callable[[str], str]
"""Returns the text with what it forbids replaced; the same text, when there is nothing."""

SHORTEST_SECRET = 4
"""In characters; anything shorter would tear ordinary words apart."""
_SHORTEST_CORE = 8
_SHORTEST_STUMP = 6


class Redactor:
    """Replaces secrets in everything that is kept; without secrets and rules it changes nothing."""

    def __init__(self, secrets: Mapping[str, str], rules: Sequence[Rule] = ()) -> None:
        """Prepare for values of secrets, by the name that replaces each; those below 4 characters stay."""
        known = {name: value for name, value in secrets.items() if len(value) >= SHORTEST_SECRET}
        self._rules: tuple[Rule, ...] = (*((KnownSecrets(known),) if known else ()), *rules)

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        for rule in self._rules:
            text = rule(text)
        return text

    def json(self, value: JsonValue) -> JsonValue:
        """Return a JSON value without secrets: in texts, in keys, and in numbers, which become text."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(key): self.json(entry) for key, entry in value.items()}
            case list():
                return [self.json(entry) for entry in value]
            case None | bool():
                return value
            case _:
                written = json.dumps(value)
                return value if (clean := self.text(written)) == written else clean

    def output(self, output: PipelineOutput) -> PipelineOutput:
        """Return an output without secrets; ids of cases, chunks and documents, and citations, stay."""
        if not self._rules:
            return output
        return output.model_copy(
            update={
                "answer": None if output.answer is None else self.text(output.answer),
                "retrieved": self._chunks(output.retrieved),
                "context": self._chunks(output.context),
                "notes": tuple(self.text(note) for note in output.notes),
            }
        )

    def failure(self, failure: CaseFailure) -> CaseFailure:
        """Return a failure whose message has no secrets."""
        return failure.model_copy(update={"message": self.text(failure.message)})

    def _chunks(self, chunks: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
        return None if chunks is None else tuple(self._chunk(chunk) for chunk in chunks)

    def _chunk(self, chunk: Chunk) -> Chunk:
        text = self.text(chunk.text)
        metadata = {
            self.text(key): entry if key == "document_id" else self.json(entry)
            for key, entry in chunk.metadata.items()
        }
        changed = text != chunk.text or metadata != chunk.metadata
        return chunk.model_copy(update={"text": text, "metadata": metadata}) if changed else chunk


class KnownSecrets:
    """The rule for secrets whose values are known."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets = dict(secrets)
        names: dict[str, str] = {}
        for name, value in secrets.items():
            for form in _forms(value):
                names.setdefault(form, name)
        self._names = dict(sorted(names.items(), key=lambda entry: -len(entry[0])))
        self._pattern = re.compile("|".join(map(re.escape, self._names)))

    def __call__(self, text: str) -> str:
        if any(form in text for form in self._names):  # far quicker than the pattern, and nearly always false
            text = self._pattern.sub(lambda match: _mark(self._names[match[0]]), text)
        return self._without_stump(text)

    def __repr__(self) -> str:
        return f"KnownSecrets({', '.join(self._secrets)})"

    def _without_stump(self, text: str) -> str:
        """Replace the beginning of a secret where a text was cut: at its end, or before an ellipsis."""
        for name, secret in self._secrets.items():
            start = text.find(secret[:_SHORTEST_STUMP]) if len(secret) > _SHORTEST_STUMP else -1
            while start >= 0:
                end = start + _shared(secret, text[start : start + len(secret)])
                if end == len(text) or text.startswith(("...", "\u2026"), end):
                    text = text[:start] + _mark(name) + text[end:]
                start = text.find(secret[:_SHORTEST_STUMP], start + 1)
        return text


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _mark(name: str) -> str:
    return f"[redacted:{name}]"


def _forms(secret: str) -> Iterator[str]:
    """Yield every spelling under which a secret may come back."""
    for plain in (secret, *_credentials(secret)):
        yield plain
        yield json.dumps(plain)[1:-1]
        yield json.dumps(plain, ensure_ascii=False)[1:-1]
        yield html.escape(plain)
        for encoded in (
            quote(plain, safe="", errors="replace"),
            quote(plain, errors="replace"),
            quote_plus(plain, errors="replace"),
        ):
            yield encoded
            yield re.sub("%..", lambda escape: escape[0].lower(), encoded)
        for spelled in _base64(plain):
            yield spelled
            yield spelled.translate(str.maketrans("+/", "-_"))


def _credentials(secret: str) -> tuple[str, ...]:
    """Return what is inside a secret that is itself Basic authentication: both parts, and the password."""
    try:
        inside = base64.b64decode(secret, validate=True).decode()
    except (binascii.Error, ValueError):
        return ()
    password = inside.partition(":")[2]
    return (inside, password) if len(password) >= SHORTEST_SECRET else ()


def _base64(plain: str) -> Iterator[str]:
    """Yield it in base64: alone, and what is left of it inside a longer text, at each of three offsets."""
    data = plain.encode(errors="replace")
    alone = base64.b64encode(data).decode()
    yield alone
    if len(data) >= _SHORTEST_CORE:
        yield alone.rstrip("=")
    for offset, before in enumerate((0, 2, 3)):
        shifted = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        core = shifted[before : len(shifted) - (1 if (offset + len(data)) % 3 else 0)]
        if len(core) >= _SHORTEST_CORE:
            yield core
