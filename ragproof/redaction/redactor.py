"""Redaction of what a pipeline returns: known values, then key formats, then rules of the caller.

Ids are compared with the dataset's: what merely looks like a key is left in them, since a changed id would
match nothing. The value of a known secret is replaced even there, with a note. The case's own id is the
dataset's and stays.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pydantic import JsonValue

from ragproof.outputs import CaseFailure, Chunk, PipelineOutput
from ragproof.redaction import key_formats
from ragproof.redaction.environment import secret_values
from ragproof.redaction.exemptions import Exemptions
from ragproof.redaction.fragments import ELLIPSIS, fragments
from ragproof.redaction.key_formats import KeyFormat
from ragproof.redaction.known_secrets import KnownSecrets
from ragproof.redaction.spellings import SHORTEST_SECRET

Rule = Callable[[str], str]
"""Returns the text with what it forbids replaced; the same text, when there is nothing."""

ID_NOTE = "an id held the value of a secret, which was replaced; such an id matches no expected source"
_BETWEEN = f"{ELLIPSIS} "
"""Between texts that are looked through as one; the end of each counts as the end of a text."""


class Redactor:
    """Replaces secrets in everything that is kept."""

    def __init__(
        self,
        secrets: Mapping[str, str],
        rules: Sequence[Rule] = (),
        *,
        environ: Mapping[str, str] | None = None,
        exempt: Iterable[str] = (),
    ) -> None:
        """Prepare; nothing is compiled before the first text that may hold a secret.

        Args:
            secrets: values that are secret whatever they look like, by the name that replaces each; those
                below 4 characters stay.
            rules: applied to every text but ids after everything else.
            environ: the variables among which secrets are looked for; None is this process's own.
            exempt: the dataset's literal markers, which stay as sentinels of the payload library do; those
                below 4 characters are no exemption.
        """
        found = secret_values(os.environ if environ is None else environ)
        known = tuple(dict.fromkeys(pair for pair in (*secrets.items(), *found) if _is_long_enough(pair[1])))
        self._exemptions = Exemptions((*(name for name, _ in known), *key_formats.KINDS), exempt)
        self._known = KnownSecrets(known, self._exemptions)
        self._rules = tuple(rules)

    def __repr__(self) -> str:
        return f"Redactor({self._known!r})"

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        words = fragments(text)
        known = self._known.may_be_in(text, words)
        return self._clean(text, key_formats.possible(text, words), known=known)

    def json(self, value: JsonValue) -> JsonValue:
        """Return a JSON value without secrets: in texts, in keys, and in numbers, which become text."""
        return _rewritten(value, self.text)

    def failure(self, failure: CaseFailure) -> CaseFailure:
        """Return a failure whose message has no secrets."""
        return failure.model_copy(update={"message": self.text(failure.message)})

    def output(self, output: PipelineOutput) -> PipelineOutput:
        """Return an output without secrets; its ids are free of known values alone."""
        everything = _BETWEEN.join(_texts(output))
        words = fragments(everything)
        possible = key_formats.possible(everything, words)
        formats = tuple(format for format in possible if format.is_in(everything))
        known = self._known.may_be_in(everything, words)
        if not (formats or known or self._rules):
            return output

        def clean(text: str) -> str:
            return self._clean(text, formats, known=known)

        def chunks(given: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
            return None if given is None else tuple(self._chunk(chunk, clean) for chunk in given)

        citations = output.citations
        cleaned = output.model_copy(
            update={
                "answer": None if output.answer is None else clean(output.answer),
                "retrieved": chunks(output.retrieved),
                "context": chunks(output.context),
                "citations": None if citations is None else tuple(map(self._id, citations)),
                "notes": tuple(map(clean, output.notes)),
            }
        )
        if _ids(cleaned) != _ids(output) and ID_NOTE not in cleaned.notes:
            return cleaned.model_copy(update={"notes": (*cleaned.notes, ID_NOTE)})
        return cleaned

    def _chunk(self, chunk: Chunk, clean: Rule) -> Chunk:
        metadata = {
            clean(key): _rewritten(entry, self._id if key == "document_id" else clean)
            for key, entry in chunk.metadata.items()
        }
        cleaned = {"id": self._id(chunk.id), "text": clean(chunk.text), "metadata": metadata}
        changed = any(getattr(chunk, field) != value for field, value in cleaned.items())
        return chunk.model_copy(update=cleaned) if changed else chunk

    def _clean(self, text: str, formats: Sequence[KeyFormat], *, known: bool) -> str:
        if known and self._known.may_be_in(text):
            text = self._known.replaced(text)
        text = key_formats.replaced(text, formats, self._exemptions)
        for rule in self._rules:
            text = rule(text)
        return text

    def _id(self, text: str) -> str:
        return self._known.replaced_in_id(text) if self._known.may_be_in(text) else text


def _is_long_enough(value: str) -> bool:
    return len(value) >= SHORTEST_SECRET


def _rewritten(value: JsonValue, clean: Rule) -> JsonValue:
    match value:
        case str():
            return clean(value)
        case dict():
            return {clean(key): _rewritten(entry, clean) for key, entry in value.items()}
        case list():
            return [_rewritten(entry, clean) for entry in value]
        case None | bool():
            return value
        case _:
            written = json.dumps(value)
            return value if (cleaned := clean(written)) == written else cleaned


def _chunks(output: PipelineOutput) -> tuple[Chunk, ...]:
    return (*(output.retrieved or ()), *(output.context or ()))


def _ids(output: PipelineOutput) -> list[str]:
    ids = [part for chunk in _chunks(output) for part in (chunk.id, chunk.document_id)]
    return [*ids, *(output.citations or ())]


def _texts(output: PipelineOutput) -> Iterator[str]:
    """Yield every text of an output; numbers as they are written."""
    yield output.answer or ""
    yield from output.notes
    yield from output.citations or ()
    for chunk in _chunks(output):
        yield chunk.id
        yield chunk.text
        yield from _leaves(chunk.metadata)


def _leaves(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from value
            for entry in value.values():
                yield from _leaves(entry)
        case list():
            for entry in value:
                yield from _leaves(entry)
        case None | bool():
            return
        case _:
            yield json.dumps(value)
