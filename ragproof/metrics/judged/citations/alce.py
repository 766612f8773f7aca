"""Citation recall and citation precision (source B), as ALCE defines them.

Recall is the share of sentences that their citations entail; precision the share of citations that are
needed: a citation is not when it does not support the sentence alone and the rest suffices without it.
Departures from the published code, each counted in the details: all lines are read and not the first alone; a
citation of nothing (`[0]`, a place past the end) stays in the denominator and never wraps, and its sentence
is held against the others; a source cited twice in a sentence counts once; the cap of three citations can be
lifted. False friend: `generation.citation_support`, which counts sources and not sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.metric import (
    ANSWERABLE,
    Cost,
    Explained,
    JudgedMeasure,
    Measured,
    Measurement,
    Metric,
    Need,
)
from ragproof.metrics.judged.citations.checks import PROMPT, readable, verdicts_on
from ragproof.metrics.judged.citations.entailment import needed
from ragproof.metrics.judged.citations.sentences import Sentence
from ragproof.metrics.judged.citations.sources import Sources, cited_sentences, sources_of
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, nothing_to_judge
from ragproof.metrics.judged.overheard import overheard
from ragproof.scores import Skipped


@dataclass(frozen=True)
class JudgedSentence:
    """A sentence with what its citations make of it."""

    sentence: Sentence
    entailed: bool
    needed: Mapping[int, bool]
    """By place; what points at nothing, or at no text, is in none."""

    @property
    def needless(self) -> int:
        """Citations of texts that an entailed sentence does not need."""
        return sum(not each for each in self.needed.values()) if self.entailed else 0

    def told(self, sources: Sources) -> dict[str, JsonValue]:
        """Return it as details of a score."""
        return {
            "text": self.sentence.text,
            "entailed": self.entailed,
            "citations": [
                {
                    "id": sources.id_of(citation),
                    "valid": citation.place is not None,
                    "needed": self.needed.get(citation.place or 0, False),
                }
                for citation in self.sentence.citations
            ],
        }


def recall(sentences: Sequence[JudgedSentence]) -> float:
    """Return entailed sentences over sentences, of which there is at least one."""
    return sum(each.entailed for each in sentences) / len(sentences)


def precision(sentences: Sequence[JudgedSentence]) -> float:
    """Return needed citations over citations, those of nothing included; there is at least one."""
    cited = sum(len(each.sentence.citations) for each in sentences)
    return sum(sum(each.needed.values()) for each in sentences) / cited


async def judged(evidence: Evidence, ask: Ask) -> tuple[list[JudgedSentence], Sources] | Explained | Skipped:
    """Ask about the sentences of an answer, or say why there is nothing to ask.

    Raises:
        Unjudged: some check has no verdict.
    """
    if evidence.read_chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    sources = sources_of(evidence)
    sentences = cited_sentences(evidence, sources)
    if not any(sentence.citations for sentence in sentences):
        return Skipped(reason=Need.CITATIONS.value)
    found = await declined(evidence, ask)
    if found.declined:
        return nothing_to_judge(found)
    verdicts = (await verdicts_on(sentences, sources, evidence, ask)).whole()
    told = []
    for place, sentence in enumerate(sentences):
        cited = readable(sentence, sources)
        told.append(
            JudgedSentence(
                sentence,
                verdicts.of(place, frozenset(cited)),
                needed(cited, lambda places, place=place: verdicts.of(place, places)),  # type: ignore[misc]
            )
        )
    return told, sources


def _measure(formula: Callable[[Sequence[JudgedSentence]], float]) -> JudgedMeasure:
    async def measure(evidence: Evidence, ask: Ask) -> Measured:
        found = await judged(evidence, ask)
        if not isinstance(found, tuple):
            return found
        sentences, sources = found
        return Measurement(formula(sentences), _details(sentences, sources))

    return measure


def _details(sentences: Sequence[JudgedSentence], sources: Sources) -> dict[str, JsonValue]:
    citations = [citation for each in sentences for citation in each.sentence.citations]
    return {
        "sentences": [each.told(sources) for each in sentences],
        "invalid_citations": sum(citation.place is None for citation in citations),
        "uncited_sentences": sum(not each.sentence.citations for each in sentences),
        "overcited": sum(each.needless for each in sentences),
        "citations_past_cap": sum(each.sentence.left_out for each in sentences),
    }


RECALL = Metric(
    key="citation_recall",
    summary="The share of the answer's sentences that the sources they cite entail (ALCE).",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(_measure(recall)),
    prompts=(REFUSAL, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER),
    kinds=ANSWERABLE,
)
PRECISION = Metric(
    key="citation_precision",
    summary="The share of citations that are needed for the sentence that cites them (ALCE).",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(_measure(precision)),
    prompts=(REFUSAL, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER),
    kinds=ANSWERABLE,
    beside="citation_recall",
)
METRICS = (RECALL, PRECISION)
