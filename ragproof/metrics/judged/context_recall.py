"""Context recall: reference claims that the contexts support, over reference claims (source B).

The contexts are those the generator read, all of them read together. Of several references the one with the
highest share counts. As in RAGAS, except that the denominator is what was asked, and that no context scores
0.0 without a call. False friend: `recall@k`, which counts documents.
"""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.metric import ANSWERABLE, Cost, Explained, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.readable import contexts
from ragproof.metrics.judged.references import NO_CLAIMS, references
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.metrics.judged.splitting import PROMPT as CLAIMS
from ragproof.metrics.judged.support import PROMPT as CLAIM_SUPPORT
from ragproof.metrics.judged.support import supported
from ragproof.scores import Skipped


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for the claims of each reference, then which of them the contexts support.

    The details hold each claim of the reference that counts with its verdict and quote.
    """
    if evidence.read_chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    shown = contexts(evidence.read_chunks)
    if not shown:
        return Measurement(0.0, {"rule": "the context is empty"})
    known = await references(evidence.case, ask)
    if not known:
        return Explained(NO_CLAIMS)
    required = evidence.settings.require_quotes
    checks = await side_by_side(
        supported(reference.claims, shown, ask, quotes_required=required) for reference in known
    )
    shares = [sum(claim.supported for claim in claims) / len(claims) for claims in checks]
    best = max(range(len(shares)), key=shares.__getitem__)
    told: list[JsonValue] = [claim.told() for claim in checks[best]]
    return Measurement(shares[best], {"reference": known[best].text, "reference_claims": told})


METRIC = Metric(
    key="context_recall",
    summary="The share of the reference's claims that the retrieved context supports.",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(measure),
    prompts=(CLAIMS, CLAIM_SUPPORT),
    needs=(Need.JUDGE, Need.EXPECTED_ANSWER),
    kinds=ANSWERABLE,
)
