"""The factual claims of a text by itself: of a reference, and of an answer whose contexts are not in sight.

One question a text, whoever asks it. Where the contexts are in sight, `answer_claims` has the claims of an
answer from the same call as their verdicts.
"""

from __future__ import annotations

from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load

PROMPT = "claims"


async def claims_of(text: str, question: str, ask: Ask) -> tuple[str, ...]:
    """Ask for the claims of a text.

    Args:
        text: an answer or a reference; not blank.
        question: what it answers, by which a single word is understood.
        ask: the judge.

    Returns:
        Claims in the order of the text, each once; empty when it makes none.

    Raises:
        Unjudged: the judge gave no usable reply.
    """
    verdict = await ask(load(PROMPT).render({"question": question, "text": text}))
    assert isinstance(verdict.value, list)
    return tuple(dict.fromkeys(str(claim).strip() for claim in verdict.value))
