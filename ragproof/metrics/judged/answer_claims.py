"""The claims of an answer, each with its verdict by the contexts read together: asked once, told under many
keys.

One call splits the answer and marks each claim, with the ids of the contexts that support it (source A). With
`judge.claims: two_step` one call splits and one for each ten claims marks (RAGAS's way); its verdicts name no
contexts, so those are told by single contexts where a metric needs them. Without any text to go by, the
answer is split by itself and nothing supports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from ragproof.evidence import ClaimSplit, Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.calls import Verdict
from ragproof.judge.prompting import load
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.metrics.judged.readable import Context, contexts
from ragproof.metrics.judged.splitting import claims_of
from ragproof.metrics.judged.support import Checked, supported
from ragproof.scores import NotApplicable

PROMPT = "groundedness"
NO_CLAIMS = NotApplicable(reason="the answer makes no factual claim")


@dataclass(frozen=True)
class AnswerClaims:
    """What an answer claims, and what the contexts make of it."""

    claims: tuple[Checked, ...]
    contexts: tuple[Context, ...]
    """What they were held against, in the order they were read."""
    details: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, ...]:
        """The claims alone."""
        return tuple(claim.text for claim in self.claims)

    def told(self) -> list[JsonValue]:
        """Return each claim as details of a score, with the ids of the chunks that support it."""
        ids = {context.name: context.chunk_id for context in self.contexts}
        return [
            {
                "text": claim.text,
                "supported": claim.supported,
                "contexts": list(dict.fromkeys(ids[name] for name in claim.contexts)),
                "quote": claim.quote,
                "quote_found": claim.quote_found,
            }
            for claim in self.claims
        ]


async def answer_claims(evidence: Evidence, ask: Ask) -> AnswerClaims:
    """Ask for the claims of an answer that does not decline, with their verdicts.

    Raises:
        Unjudged: the judge gave no usable reply.
    """
    shown = contexts(evidence.read_chunks or ())
    required = evidence.settings.require_quotes
    if shown and evidence.settings.claims is ClaimSplit.JOINT:
        return await _in_one_call(evidence, shown, ask)
    claims = await claims_in(evidence, ask)
    checked = await supported(claims, shown, ask, quotes_required=required)
    return AnswerClaims(checked, shown, {"quotes_not_found": _not_found(checked)})


async def claims_in(evidence: Evidence, ask: Ask) -> tuple[str, ...]:
    """Return the claims of an answer that does not decline, from the call that gives verdicts if one does.

    Raises:
        Unjudged: the judge gave no usable reply.
    """
    shown = contexts(evidence.read_chunks or ())
    if shown and evidence.settings.claims is ClaimSplit.JOINT:
        return (await _in_one_call(evidence, shown, ask)).texts
    return await claims_of(evidence.output.answer or "", evidence.case.question, ask)


async def _in_one_call(evidence: Evidence, shown: tuple[Context, ...], ask: Ask) -> AnswerClaims:
    verdict = await ask(
        load(PROMPT).render(
            {
                "question": evidence.case.question,
                "answer": evidence.output.answer,
                "contexts": [context.shown() for context in shown],
            }
        )
    )
    claims = _claims(verdict, shown, required=evidence.settings.require_quotes)
    details: dict[str, JsonValue] = {
        "quotes_not_found": _not_found(claims),
        "invented_contexts": verdict.invented,
        **verdict.transcript.told(),
    }
    return AnswerClaims(claims, shown, details)


def _claims(verdict: Verdict, shown: tuple[Context, ...], *, required: bool) -> tuple[Checked, ...]:
    """Return each claim with the verdict that counts; a required quote that is nowhere supports nothing."""
    claims = []
    assert isinstance(verdict.value, list)
    for entry, quote in zip(verdict.value, verdict.quotes, strict=True):
        assert isinstance(entry, list)
        text, given, named = entry
        there = is_quoted(quote, (context.text for context in shown))
        names = tuple(str(name) for name in named) if isinstance(named, list) else ()
        claims.append(Checked(str(text), bool(given) and (there or not required), quote, there, names))
    return tuple(claims)


def _not_found(claims: tuple[Checked, ...]) -> int:
    return sum(1 for claim in claims if claim.quote and not claim.quote_found)
