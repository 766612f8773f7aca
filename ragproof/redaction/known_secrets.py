"""Secrets whose values are known: found in every spelling, and cut off where a text was cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ragproof.redaction.exemptions import Exemptions, mark
from ragproof.redaction.fragments import ELLIPSIS, SHORTEST_WORD
from ragproof.redaction.spellings import spellings

_SHORTEST_STUMP = 6
_SHORTEST_IN_IDS = 8
"""In characters; a shorter value is part of too many honest ids."""
_ENDINGS = ("...", ELLIPSIS)
Secrets = tuple[tuple[str, str], ...]
"""Names and values; the first name of a value is the one that replaces it."""


class KnownSecrets:
    """Values by name. Nothing is worked out before it is needed, and then once for the process."""

    def __init__(self, secrets: Iterable[tuple[str, str]], exemptions: Exemptions) -> None:
        """Take names and values, and what stays although it equals one."""
        self._secrets = tuple(secrets)
        self._exemptions = exemptions

    def __repr__(self) -> str:
        return f"KnownSecrets({', '.join(name for name, _ in self._secrets)})"

    def may_be_in(self, text: str, words: str | None = None) -> bool:
        """Say whether a text could hold one; far quicker than looking, and nearly always no.

        Args:
            text: the text.
            words: the `fragments` of it; None looks through the whole text.
        """
        tells = _tells(self._secrets)
        inside = text if words is None else words
        return any(tell in inside for tell in tells.in_words) or any(tell in text for tell in tells.anywhere)

    def replaced(self, text: str) -> str:
        """Return a text without them."""
        names = _names(self._secrets)
        text = self._pattern.sub(lambda m: mark(names[m[0]]) if m[0] in self._forms else m[0], text)
        for name, secret in self._secrets:
            if len(secret) > _SHORTEST_STUMP and secret[:_SHORTEST_STUMP] in text:
                text = "".join(_without_stumps(text, name, secret, self._exemptions.texts))
        return text

    def replaced_in_id(self, text: str) -> str:
        """Return an id without them; one of fewer than 8 characters stays."""
        forms = {form: name for form, name in _names(self._secrets).items() if len(form) >= _SHORTEST_IN_IDS}
        for form, name in forms.items():
            text = text.replace(form, mark(name))
        return text

    @cached_property
    def _forms(self) -> frozenset[str]:
        return frozenset(_names(self._secrets)) - frozenset(self._exemptions.texts)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Match forms and exempt texts alike: whatever begins first and is longest decides."""
        texts = sorted({*self._forms, *self._exemptions.texts}, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, texts)))


@lru_cache(maxsize=16)
def _names(secrets: Secrets) -> dict[str, str]:
    """Return the name of every spelling, the longest first."""
    names: dict[str, str] = {}
    for name, value in secrets:
        for form in spellings(value):
            names.setdefault(form, name)
    return dict(sorted(names.items(), key=lambda entry: -len(entry[0])))


@dataclass(frozen=True)
class _Tells:
    """Short texts, one of which is in every text that holds a spelling, or the beginning of a secret."""

    in_words: tuple[str, ...]
    anywhere: tuple[str, ...]


@lru_cache(maxsize=16)
def _tells(secrets: Secrets) -> _Tells:
    in_words: dict[str, None] = {}
    anywhere: dict[str, None] = {}
    for _, value in secrets:
        own = [value[:_SHORTEST_STUMP]]
        for form in sorted(set(spellings(value)), key=len):
            if not any(tell in form for tell in own):
                own.append(form)
        one_word = len(value) >= SHORTEST_WORD and len(value.split()) == 1 and value == value.strip()
        (in_words if one_word else anywhere).update(dict.fromkeys(own))
    return _Tells(tuple(in_words), tuple(anywhere))


def _without_stumps(text: str, name: str, secret: str, exempt: tuple[str, ...]) -> Iterator[str]:
    """Replace the beginning of a secret where a text was cut: at its end, or before an ellipsis."""
    done = 0
    start = text.find(secret[:_SHORTEST_STUMP])
    while start >= 0:
        end = start + _shared(secret, text[start : start + len(secret)])
        is_cut = end == len(text) or text.startswith(_ENDINGS, end)
        if is_cut and not text.startswith(exempt, start):
            yield text[done:start]
            yield mark(name)
            done = end
        start = text.find(secret[:_SHORTEST_STUMP], max(start + 1, done))
    yield text[done:]


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
