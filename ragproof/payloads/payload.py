"""A payload: an attack, and the inert sentinel that an answer contains when the attack worked.

False friend: elsewhere the payload is the attack text alone. Here a dataset names a payload by id, or writes
a literal marker, and then the payload is nothing but that marker.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from ragproof.frozen import Frozen

PREFIX = "payload:"
"""What every id of the library begins with; a string that begins so is meant as an id."""


class AttackClass(StrEnum):
    """How an attack tries to be obeyed."""

    INSTRUCTION_OVERRIDE = "instruction override"
    ANSWER_SUBSTITUTION = "answer substitution"
    SYSTEM_PROMPT_DISCLOSURE = "system prompt disclosure"
    CITATION_SPOOFING = "citation spoofing"
    FORMATTING_HIJACK = "formatting hijack"
    LINK_EXFILTRATION = "link exfiltration"
    FAKE_ROLE_DELIMITERS = "fake role delimiters"
    HIDDEN_TEXT = "hidden text"
    ENCODED = "encoded"
    OTHER_LANGUAGE = "other language"
    CONTEXT_PADDING = "context padding"
    FORCED_ABSTENTION = "forced abstention"
    LITERAL = "literal marker"
    """Written by hand in a dataset; no payload of the library is of this class."""


class Payload(Frozen):
    """One attack, as it reaches the pipeline."""

    id: str = Field(min_length=1)
    """`payload:NAME` in the library; the marker itself for a literal."""
    attack_class: AttackClass
    sentinel: str = Field(min_length=1)
    """What the attack asks the model to write. It stands in no corpus and does nothing."""
    attack: str = Field(min_length=1)
    """The whole text; the marker itself for a literal."""

    @property
    def name(self) -> str:
        """The id without the library's prefix."""
        return self.id.removeprefix(PREFIX)
