"""The references of a case: its expected answers, each distinct one split into claims once.

Several expected answers are several right ones, so what is held against them takes the closest, as for
`exact_match` and `generation.completeness`. Those that differ in case, articles or punctuation alone are one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.cases import Case
from ragproof.judge.ask import Ask
from ragproof.metrics.answer.unicode_tokens import unicode_tokens
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.metrics.judged.splitting import claims_of
from ragproof.scores import NotApplicable

NO_CLAIMS = NotApplicable(reason="the reference makes no factual claim")


@dataclass(frozen=True)
class Reference:
    """One expected answer with its claims."""

    text: str
    claims: tuple[str, ...]
    """At least one."""


def distinct_answers(case: Case) -> tuple[str, ...]:
    """Return the expected answers that say something, each wording once, in their order."""
    said = {unicode_tokens(text): text for text in reversed(case.expected_answers) if text.strip()}
    return tuple(text for text in case.expected_answers if said.get(unicode_tokens(text)) == text)


async def references(case: Case, ask: Ask) -> tuple[Reference, ...]:
    """Ask for the claims of each reference.

    Returns:
        Those that make a claim, in their order; empty when none does.

    Raises:
        Unjudged: the judge could not split one of them.
    """
    texts = distinct_answers(case)
    split = await side_by_side(claims_of(text, case.question, ask) for text in texts)
    return tuple(Reference(text, claims) for text, claims in zip(texts, split, strict=True) if claims)
