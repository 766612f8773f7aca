"""What a server was found to take: how structure is asked for, and which parameters it knows.

The ladder goes down: a JSON schema, any JSON object, the schema in the prompt. What was learnt is remembered
for the base URL and model for as long as this object lives, so that it is learnt once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ragproof.judge.complaints import Complaint, Subject


class Structure(StrEnum):
    """How a reply's form is asked for, the strictest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


RAISED_TIMES = 4
"""How much more room a reply gets that was cut off."""


@dataclass(frozen=True)
class Terms:
    """The form of one request."""

    structure: Structure = Structure.JSON_SCHEMA
    temperature: bool = True
    """Whether the parameter is sent."""
    renamed_limit: bool = False
    """Whether the token limit is called `max_completion_tokens`."""
    raised: bool = False
    """Whether it is the larger one."""

    def limit(self, max_tokens: int, room: int | None = None) -> int:
        """Return the token limit of a request.

        Args:
            max_tokens: the judge's own.
            room: what the reply should take, at most the judge's own; None is just that.
        """
        if self.raised:
            return max_tokens * RAISED_TIMES
        return max_tokens if room is None else room


class Ladder:
    """The terms by (base URL, model). One is shared by all calls of a run."""

    def __init__(self) -> None:
        self._terms: dict[tuple[str, str], Terms] = {}

    def terms(self, base_url: str, model: str) -> Terms:
        """Return what to begin with."""
        return self._terms.get((base_url, model), Terms())

    def refused(
        self, base_url: str, model: str, used: Terms, complaint: Complaint, steps: Sequence[Structure]
    ) -> Terms | None:
        """Learn from a refused request.

        Args:
            base_url: of the server.
            model: as asked for.
            used: the terms of that request.
            complaint: what the server said.
            steps: the structures this API knows, the strictest first.

        Returns:
            What to ask in next; None when nothing about the terms would help. What other calls have learnt
            meanwhile is part of it.
        """
        learnt = _without(used, complaint.subject, steps)
        if learnt is None:
            return None
        known = self.terms(base_url, model)
        order = list(Structure)
        merged = Terms(
            structure=max(learnt.structure, known.structure, key=order.index),
            temperature=learnt.temperature and known.temperature,
            renamed_limit=learnt.renamed_limit or known.renamed_limit,
            raised=known.raised,
        )
        self._terms[base_url, model] = merged
        return replace(merged, raised=used.raised)

    def keep_raised(self, base_url: str, model: str) -> None:
        """Learn that replies need the larger limit, and that the server takes it."""
        self._terms[base_url, model] = replace(self.terms(base_url, model), raised=True)


def _without(used: Terms, subject: Subject | None, steps: Sequence[Structure]) -> Terms | None:
    match subject:
        case Subject.TEMPERATURE if used.temperature:
            return replace(used, temperature=False)
        case Subject.TOKEN_LIMIT_NAME if not used.renamed_limit:
            return replace(used, renamed_limit=True)
        case Subject.STRUCTURE if used.structure is not steps[-1]:
            return replace(used, structure=steps[steps.index(used.structure) + 1])
        case _:
            return None
