"""Which claims contexts support: the one check of claims, whatever the claims and the contexts are.

Claims of an answer by the contexts or by the reference, claims of the reference by the answer or by the
contexts: one prompt, the contexts before the claims, so that checks by the same contexts begin alike and a
server's prefix cache serves them. At most ten claims a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from pydantic import JsonValue

from ragproof.evidence import Evidence, PerContext
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metrics.judged.batches import batches
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.metrics.judged.readable import Context
from ragproof.metrics.judged.side_by_side import side_by_side

PROMPT = "claim_support"


@dataclass(frozen=True)
class Checked:
    """One claim with its verdict."""

    text: str
    supported: bool
    """What counts: where quotes are required, only with one that stands in a context."""
    quote: str
    quote_found: bool
    contexts: tuple[str, ...] = ()
    """Names of the contexts that support it, as far as the judge was asked for them."""

    def told(self) -> dict[str, JsonValue]:
        """Return it as details of a score."""
        return {"text": self.text, "supported": self.supported, "quote": self.quote}


def premise(question: str, text: str) -> Context:
    """Return an answer or a reference as what claims are held against; it may be one word, so it has its
    question."""
    return Context("k1", f"Question: {question}\nAnswer: {text}", "")


async def supported(
    claims: Sequence[str], contexts: Sequence[Context], ask: Ask, *, quotes_required: bool
) -> tuple[Checked, ...]:
    """Ask which claims the contexts, all read together, support.

    Args:
        claims: in any number; empty asks nothing.
        contexts: the premise; empty supports nothing and asks nothing.
        ask: the judge.
        quotes_required: count a verdict only with a quote that stands in a context.

    Returns:
        As many verdicts as claims, in their order.

    Raises:
        Unjudged: some claim has no verdict.
    """
    if not contexts:
        return tuple(Checked(claim, False, "", False) for claim in claims)
    asked = (_asked(batch, contexts, ask, quotes_required) for batch in batches(claims))
    return tuple(chain.from_iterable(await side_by_side(asked)))


async def supported_by_each(
    claims: Sequence[str], contexts: Sequence[Context], ask: Ask, *, quotes_required: bool
) -> tuple[tuple[bool, ...], ...]:
    """Ask for each context by itself which claims it supports; as many questions as contexts.

    Returns:
        A row for each claim with a verdict for each context, in their order.

    Raises:
        Unjudged: some claim has no verdict by some context.
    """
    columns = await side_by_side(
        supported(claims, [context], ask, quotes_required=quotes_required) for context in contexts
    )
    return tuple(tuple(column[place].supported for column in columns) for place in range(len(claims)))


def is_exact(evidence: Evidence) -> bool:
    """Say whether each context is asked about in a question of its own."""
    return evidence.settings.per_context is PerContext.EXACT


async def _asked(
    claims: Sequence[str], contexts: Iterable[Context], ask: Ask, quotes_required: bool
) -> list[Checked]:
    shown = list(contexts)
    verdict = await ask(
        load(PROMPT).render(
            {
                "contexts": [context.shown() for context in shown],
                "claims": [{"id": f"c{n}", "text": claim} for n, claim in enumerate(claims, 1)],
            }
        )
    )
    assert isinstance(verdict.value, dict)
    checked = []
    for claim, given, quote in zip(claims, verdict.value.values(), verdict.quotes, strict=True):
        there = is_quoted(quote, (context.text for context in shown))
        checked.append(Checked(claim, bool(given) and (there or not quotes_required), quote, there))
    return checked
