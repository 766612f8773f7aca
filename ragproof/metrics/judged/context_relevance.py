"""Context relevance: how far the contexts, read together, hold what is asked for; without a reference (source
B).

Two gradings of 0, 1 or 2 in different words, each halved, and their mean. Both count or none does: one that
has no verdict makes a judge error, where RAGAS goes on with the other alone. False friend: `judged@k` and
`precision@k`, which ask the labels and not a reader.
"""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metric import ANSWERABLE, Cost, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.bands import HIGHEST_RATING
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.readable import contexts
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.scores import Skipped

WORDINGS = ("context_sufficiency", "context_relevance")


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for both gradings at once; the details hold each by its wording. No context scores 0.0."""
    if evidence.read_chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    shown: list[JsonValue] = [context.shown() for context in contexts(evidence.read_chunks)]
    if not shown:
        return Measurement(0.0, {"rule": "the context is empty"})
    data: dict[str, JsonValue] = {"question": evidence.case.question, "contexts": shown}
    verdicts = await side_by_side(ask(load(wording).render(data)) for wording in WORDINGS)
    ratings: dict[str, int] = {}
    for wording, verdict in zip(WORDINGS, verdicts, strict=True):
        assert isinstance(verdict.value, int)
        ratings[wording] = verdict.value
    value = sum(ratings.values()) / (HIGHEST_RATING * len(WORDINGS))
    return Measurement(value, {"ratings": {**ratings}})


METRIC = Metric(
    key="context_relevance",
    summary="How far the retrieved context holds what is asked for, by two gradings without a reference.",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(measure),
    prompts=WORDINGS,
    needs=(Need.JUDGE,),
    kinds=ANSWERABLE,
    opt_in=True,
)
