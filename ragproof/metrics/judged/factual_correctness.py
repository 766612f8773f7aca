"""Factual correctness: F1 of the answer's claims against the reference's (source B).

Precision is claims of the answer that the reference entails, over claims of the answer; recall is claims of
the reference that the answer entails, over claims of the reference. Of several references the closest counts.
False friend: RAGAS's factual correctness, whose recall mixes claims of both sides, so that ten right details
outweigh the half of a reference that is missing; its number is in the details as `ragas_f1`, and nowhere
else.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.metric import ANSWERABLE, Cost, Explained, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.answer_claims import PROMPT as GROUNDEDNESS
from ragproof.metrics.judged.answer_claims import claims_in
from ragproof.metrics.judged.correctness import FScore, both_ways, f_score, mixed_f1
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, worth_of_declining
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.references import NO_CLAIMS, Reference, references
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.metrics.judged.splitting import PROMPT as CLAIMS
from ragproof.metrics.judged.support import PROMPT as CLAIM_SUPPORT
from ragproof.metrics.judged.support import Checked


@dataclass(frozen=True)
class _Held:
    """The answer, held against one reference."""

    reference: str
    answer_claims: tuple[Checked, ...]
    reference_claims: tuple[Checked, ...]

    @property
    def true(self) -> tuple[int, int]:
        """How many claims are entailed, of the answer and of the reference."""
        return _count(self.answer_claims), _count(self.reference_claims)

    @property
    def score(self) -> FScore:
        """Both ways in one number."""
        ours, theirs = self.true
        return f_score(ours, len(self.answer_claims), theirs, len(self.reference_claims))

    def details(self) -> dict[str, JsonValue]:
        """Return what explains the score."""
        ours, theirs = self.true
        missed = len(self.reference_claims) - theirs
        return {
            "precision": self.score.precision,
            "recall": self.score.recall,
            "ragas_f1": mixed_f1(ours, len(self.answer_claims), missed),
            "reference": self.reference,
            "claims": [claim.told() for claim in self.answer_claims],
            "reference_claims": [claim.told() for claim in self.reference_claims],
        }


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for the claims of both sides, then hold each against the other.

    An answer that declines, or that makes no claim where the reference does, scores 0.0; a reference without
    claims is not applicable.
    """
    found = await declined(evidence, ask)
    if found.declined:
        return worth_of_declining(evidence, found)
    known = await references(evidence.case, ask)
    if not known:
        return Explained(NO_CLAIMS)
    claims = await claims_in(evidence, ask)
    if not claims:
        return Measurement(0.0, {"rule": "the answer makes no factual claim and the reference does"})
    held = await side_by_side(_held(claims, reference, evidence, ask) for reference in known)
    closest = max(held, key=lambda each: each.score.value)
    return Measurement(closest.score.value, closest.details())


async def _held(claims: tuple[str, ...], reference: Reference, evidence: Evidence, ask: Ask) -> _Held:
    ours, theirs = await both_ways(claims, reference.claims, reference.text, evidence, ask)
    return _Held(reference.text, ours, theirs)


def _count(claims: tuple[Checked, ...]) -> int:
    return sum(claim.supported for claim in claims)


METRIC = Metric(
    key="factual_correctness",
    summary="F1 of claims: those of the answer that the reference entails, and the other way round.",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(measure),
    prompts=(REFUSAL, GROUNDEDNESS, CLAIM_SUPPORT, CLAIMS),
    needs=(Need.JUDGE, Need.ANSWER, Need.EXPECTED_ANSWER),
    kinds=ANSWERABLE,
)
