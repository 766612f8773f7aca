"""Which contexts are useful for arriving at the reference: one verdict for each, asked once a retrieval.

In rank order, ten contexts a question; with `judge.per_context: exact` each in a question of its own, as
RAGAS asks. A context without text is not useful and not sent.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metrics.judged.batches import MOST, batches
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.metrics.judged.readable import Context, by_rank, contexts
from ragproof.metrics.judged.references import distinct_answers
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.metrics.judged.support import is_exact

PROMPT = "context_usefulness"


@dataclass(frozen=True)
class RankedContext:
    """One retrieved chunk, at its rank."""

    chunk_id: str
    text: str
    useful: bool
    quote: str = ""

    def told(self) -> dict[str, JsonValue]:
        """Return it as details of a score."""
        return {"id": self.chunk_id, "useful": self.useful, "quote": self.quote}


async def ranked_contexts(evidence: Evidence, ask: Ask) -> tuple[RankedContext, ...]:
    """Ask which of the chunks that the generator read are useful.

    Returns:
        A verdict for each distinct chunk, in rank order; empty when nothing was retrieved.

    Raises:
        Unjudged: some context has no verdict.
    """
    ranking = by_rank(evidence) or ()
    shown = contexts(ranking)
    most = 1 if is_exact(evidence) else MOST
    asked = await side_by_side(_asked(evidence, tuple(batch), ask) for batch in batches(shown, most))
    verdicts = {(each.chunk_id, each.text): each for batch in asked for each in batch}
    return tuple(
        verdicts.get((chunk.id, chunk.text), RankedContext(chunk.id, chunk.text, False)) for chunk in ranking
    )


async def _asked(evidence: Evidence, shown: tuple[Context, ...], ask: Ask) -> list[RankedContext]:
    answers: list[JsonValue] = list(distinct_answers(evidence.case))
    verdict = await ask(
        load(PROMPT).render(
            {
                "question": evidence.case.question,
                "expected_answers": answers,
                "contexts": [context.shown() for context in shown],
            }
        )
    )
    assert isinstance(verdict.value, dict)
    required = evidence.settings.require_quotes
    return [
        RankedContext(
            context.chunk_id,
            context.text,
            bool(given) and (not required or is_quoted(quote, [context.text])),
            quote,
        )
        for context, given, quote in zip(shown, verdict.value.values(), verdict.quotes, strict=True)
    ]
