"""Asking whether the cited sources support the sentences that cite them: one question for ten sentences.

Asked along are the sources together, each alone, and of three or more all but each, so that no second
question is needed. Citation recall, citation precision and, where the answer cites by number, citation
support are counted from the same verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask, Unjudged
from ragproof.judge.calls import JudgeFailure, JudgeFailureKind, Verdict
from ragproof.judge.prompting import load
from ragproof.metrics.judged.batches import batches
from ragproof.metrics.judged.citations.entailment import Places, to_ask
from ragproof.metrics.judged.citations.sentences import Sentence
from ragproof.metrics.judged.citations.sources import Sources
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.metrics.judged.side_by_side import side_by_side

PROMPT = "citation_check"
MOST_CHECKS = 40
"""In one question; five sentences with three citations each take 35."""


@dataclass(frozen=True)
class Check:
    """One sentence against one set of sources."""

    sentence: int
    """Its place among the sentences, from 0."""
    places: Places


@dataclass(frozen=True)
class Verdicts:
    """Every check that has a verdict; of the others, whose it was to give them."""

    given: Mapping[Check, bool]
    quotes: Mapping[Check, str]
    """The passage of each check that has a verdict, "" where the judge gave none."""
    missing: tuple[Check, ...] = ()
    incomplete: Verdict | None = None
    """The first reply that some check lacks a verdict in."""

    def of(self, sentence: int, places: Places) -> bool:
        """Say whether sources support a sentence; no sources do not, nor does a missing verdict."""
        return self.given.get(Check(sentence, places), False)

    def whole(self) -> Verdicts:
        """Return the verdicts when none is missing.

        Raises:
            Unjudged: one is.
        """
        if self.incomplete is not None:
            told = f"no verdict for {', '.join(self.incomplete.missing[:20])}"
            raise Unjudged(
                JudgeFailure(
                    case_id=self.incomplete.case_id,
                    kind=JudgeFailureKind.INVALID_REPLY,
                    message=f"{told}; expected one for each id",
                    transcript=self.incomplete.transcript,
                )
            )
        return self


def readable(sentence: Sentence, sources: Sources) -> list[int]:
    """Return the places of the sources that a sentence cites and that hold any text, in the order cited."""
    places = (citation.place for citation in sentence.citations)
    return [place for place in places if place is not None and sources.all[place - 1].text.strip()]


async def verdicts_on(
    sentences: Sequence[Sentence], sources: Sources, evidence: Evidence, ask: Ask
) -> Verdicts:
    """Ask about every sentence that cites a text; nothing is asked when none does.

    Raises:
        Unjudged: a reply could not be used at all.
    """
    cited = [(place, to_ask(readable(each, sources))) for place, each in enumerate(sentences)]
    checks = [[Check(place, places) for places in sets] for place, sets in cited if sets]
    shown = sorted({place for sentence in checks for check in sentence for place in check.places})
    asked = await side_by_side(
        _asked([check for each in few for check in each], shown, sentences, sources, evidence, ask)
        for batch in batches(checks)
        for few in _split(batch)
    )
    return Verdicts(
        {check: given for each in asked for check, given in each.given.items()},
        {check: quote for each in asked for check, quote in each.quotes.items()},
        tuple(check for each in asked for check in each.missing),
        next((each.incomplete for each in asked if each.incomplete is not None), None),
    )


def _split(sentences: Sequence[Sequence[Check]]) -> list[list[Sequence[Check]]]:
    """Part sentences so that no part has too many checks; a sentence stays whole."""
    parts: list[list[Sequence[Check]]] = [[]]
    for checks in sentences:
        if parts[-1] and sum(map(len, parts[-1])) + len(checks) > MOST_CHECKS:
            parts.append([])
        parts[-1].append(checks)
    return parts


async def _asked(
    checks: Sequence[Check],
    shown: Sequence[int],
    sentences: Sequence[Sentence],
    sources: Sources,
    evidence: Evidence,
    ask: Ask,
) -> Verdicts:
    names = {f"v{number}": check for number, check in enumerate(checks, 1)}
    written: list[JsonValue] = [
        {
            "id": name,
            "sentence": sentences[check.sentence].text,
            "sources": [sources.all[place - 1].name for place in sorted(check.places)],
        }
        for name, check in names.items()
    ]
    data: dict[str, JsonValue] = {
        "question": evidence.case.question,
        "sources": [sources.all[place - 1].shown() for place in shown],
        "checks": written,
    }
    verdict = await ask(load(PROMPT).render(data), partial=True)
    assert isinstance(verdict.value, dict)
    given, quotes = dict[Check, bool](), dict[Check, str]()
    for (name, supported), quote in zip(verdict.value.items(), verdict.quotes, strict=True):
        check = names[name]
        texts = [sources.all[place - 1].text for place in check.places]
        there = not evidence.settings.require_quotes or is_quoted(quote, texts)
        given[check], quotes[check] = bool(supported) and there, quote
    missing = tuple(names[name] for name in verdict.missing)
    return Verdicts(given, quotes, missing, verdict if missing else None)
