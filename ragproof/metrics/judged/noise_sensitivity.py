"""Noise sensitivity: wrong claims that some retrieved context supports, over claims of the answer (source B).

A claim is wrong when no reference entails it. The details part the number: `relevant` are wrong claims that a
context useful for the reference supports, `irrelevant` those that other contexts alone support; the two are
RAGAS's two modes and add up. Batched, a context is relevant when it is useful for arriving at the reference,
a verdict that context precision has asked for; with `judge.per_context: exact` it is when it supports a claim
of the reference by itself, RAGAS's definition, at 2K + 3 calls. False friend: a lower number from longer
answers, whose true claims dilute the wrong ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from ragproof.evidence import ClaimSplit, Evidence
from ragproof.judge.ask import Ask
from ragproof.metric import ANSWERABLE, Cost, Direction, Explained, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.answer_claims import NO_CLAIMS, answer_claims, claims_in
from ragproof.metrics.judged.answer_claims import PROMPT as GROUNDEDNESS
from ragproof.metrics.judged.correctness import entailed_by
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, nothing_to_judge
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.readable import contexts
from ragproof.metrics.judged.references import NO_CLAIMS as NO_REFERENCE_CLAIMS
from ragproof.metrics.judged.references import distinct_answers, references
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.metrics.judged.splitting import PROMPT as CLAIMS
from ragproof.metrics.judged.support import PROMPT as CLAIM_SUPPORT
from ragproof.metrics.judged.support import is_exact, supported_by_each
from ragproof.metrics.judged.usefulness import PROMPT as USEFULNESS
from ragproof.metrics.judged.usefulness import ranked_contexts
from ragproof.scores import Skipped

Row = tuple[bool, ...]


@dataclass(frozen=True)
class Noise:
    """Shares of an answer's claims, each from 0 to 1."""

    value: float
    relevant: float
    irrelevant: float


@dataclass(frozen=True)
class _Support:
    """What supports the claims of an answer."""

    claims: tuple[str, ...]
    rows: tuple[Row, ...]
    relevant: Row
    unattributed: int = 0
    """Claims that are supported by contexts the judge did not name; they count as supported by an irrelevant
    one."""


def noise(wrong: Sequence[bool], supported: Sequence[Row], relevant: Row) -> Noise:
    """Count the wrong claims that contexts support.

    Args:
        wrong: of each claim, whether no reference entails it; at least one claim.
        supported: of each claim, a row of verdicts, one for each context; rows may be empty.
        relevant: of each context, whether it is relevant.

    Returns:
        The share, and its two parts, which add up to it.
    """
    by_relevant = by_others = 0
    for is_wrong, row in zip(wrong, supported, strict=True):
        if not is_wrong or not any(row):
            continue
        if any(given and counts for given, counts in zip(row, relevant, strict=True)):
            by_relevant += 1
        else:
            by_others += 1
    claims = len(wrong)
    return Noise((by_relevant + by_others) / claims, by_relevant / claims, by_others / claims)


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask which claims no reference entails and which contexts support them, and count.

    An answer that declines, or makes no claim, is not applicable; nothing to read supports nothing, so that
    an answer without any text to go by scores 0.0 without a call for claims.
    """
    if evidence.read_chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    found = await declined(evidence, ask)
    if found.declined:
        return nothing_to_judge(found)
    if not distinct_answers(evidence.case):
        return NO_REFERENCE_CLAIMS
    if not contexts(evidence.read_chunks):
        return Measurement(0.0, {"rule": "the context is empty"})
    by_itself = is_exact(evidence) or evidence.settings.claims is ClaimSplit.TWO_STEP
    support = await (_of_each(evidence, ask) if by_itself else _as_named(evidence, ask))
    if not support.claims:
        return Explained(NO_CLAIMS, {"claims": []})
    wrong = await _wrong(support.claims, evidence, ask)
    counted = noise(wrong, support.rows, support.relevant)
    return Measurement(
        counted.value,
        {
            "relevant": counted.relevant,
            "irrelevant": counted.irrelevant,
            "unattributed": support.unattributed,
            "claims": [
                {"text": text, "wrong": is_wrong, "supported": any(row)}
                for text, is_wrong, row in zip(support.claims, wrong, support.rows, strict=True)
            ],
        },
    )


async def _wrong(claims: tuple[str, ...], evidence: Evidence, ask: Ask) -> list[bool]:
    checks = await side_by_side(
        entailed_by(text, claims, evidence, ask) for text in distinct_answers(evidence.case)
    )
    return [not any(check[place].supported for check in checks) for place in range(len(claims))]


async def _as_named(evidence: Evidence, ask: Ask) -> _Support:
    """Return the support that the verdicts on the claims name."""
    answer = await answer_claims(evidence, ask)
    useful = {(each.chunk_id, each.text): each.useful for each in await ranked_contexts(evidence, ask)}
    names = [context.name for context in answer.contexts]
    rows, unattributed = list[Row](), 0
    for claim in answer.claims:
        row = tuple(claim.supported and name in claim.contexts for name in names)
        unknown = claim.supported and not any(row)
        unattributed += unknown
        rows.append((*row, unknown))
    relevant = tuple(useful[context.chunk_id, context.text] for context in answer.contexts)
    return _Support(answer.texts, tuple(rows), (*relevant, False), unattributed)


async def _of_each(evidence: Evidence, ask: Ask) -> _Support:
    """Return the support of each context by itself, of the claims of the answer and of the references."""
    shown, required = contexts(evidence.read_chunks or ()), evidence.settings.require_quotes
    known = await references(evidence.case, ask)
    truths = tuple(dict.fromkeys(chain.from_iterable(reference.claims for reference in known)))
    claims = await claims_in(evidence, ask)
    rows, facts = await side_by_side(
        supported_by_each(each, shown, ask, quotes_required=required) for each in (claims, truths)
    )
    relevant = tuple(any(row[place] for row in facts) for place in range(len(shown)))
    return _Support(claims, rows, relevant)


METRIC = Metric(
    key="noise_sensitivity",
    summary="The share of the answer's claims that are wrong and yet supported by a retrieved context.",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(measure),
    direction=Direction.LOWER,
    prompts=(REFUSAL, GROUNDEDNESS, CLAIMS, USEFULNESS, CLAIM_SUPPORT),
    needs=(Need.JUDGE, Need.ANSWER, Need.EXPECTED_ANSWER),
    kinds=ANSWERABLE,
    opt_in=True,
)
