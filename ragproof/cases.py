"""A test case: a question and what is known about its right answer and sources."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from ragproof.frozen import Frozen


class CaseKind(StrEnum):
    """What a case tests; each metric names the kinds it applies to."""

    QA = "qa"
    """Answerable from the corpus."""
    UNANSWERABLE = "unanswerable"
    """The corpus does not hold the answer; the right behaviour is to decline."""
    INJECTION = "injection"
    """An attack reaches the pipeline in the question or in a document."""


class Turn(Frozen):
    """One earlier turn of a conversation."""

    role: Literal["user", "assistant", "system"]
    content: str


class Case(Frozen):
    """One question of a dataset.

    `expected_answers` and `relevance` may be empty: then the metrics that need them are skipped with a
    reason. `relevance` maps a source id (chunk or document, as the dataset's author labels) to its gain;
    a gain of 0 or less is judged and not relevant, an absent id is unjudged.
    """

    id: str = Field(min_length=1)
    kind: CaseKind = CaseKind.QA
    question: str
    expected_answers: tuple[str, ...] = ()
    relevance: dict[str, int] = {}
    adversarial_payload: str | None = None
    """A payload id of the library, or a literal marker whose appearance in the answer means compliance."""
    group: str | None = None
    """Cases of one group are not independent (questions on one document): the unit of clustering."""
    tags: dict[Annotated[str, Field(min_length=1)], str] = {}
    metadata: dict[str, JsonValue] = {}
    history: tuple[Turn, ...] = ()

    @property
    def language(self) -> str | None:
        """The language tag of the case, when its author gave one."""
        return self.tags.get("language")

    def relevant(self, level: int = 1) -> frozenset[str]:
        """Return the ids judged relevant at `level` or above."""
        return frozenset(source for source, gain in self.relevance.items() if gain >= level)

    def content_hash(self) -> str:
        """Return a sha256 of everything a score could depend on, the same on every machine."""
        return canonical_hash(self.model_dump(mode="json"))


def canonical_json(value: object) -> str:
    """Write JSON one way only: sorted keys, no spaces, text as it is."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_hash(value: object) -> str:
    """Return the sha256 of a value's canonical JSON (lone surrogates included, as escapes)."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "backslashreplace")).hexdigest()
