"""Rubrics: judged metrics of a user's own, made of a question and two or three verdicts with their values.

The judge is asked for one of the verdicts, never for a number; a rubric is a metric like any other, and its
prompt has a hash of its own. False friend: a free score from 1 to 10, which no two judges mean alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, JsonValue, field_validator

from ragproof.cases import CaseKind, canonical_hash
from ragproof.evidence import Evidence
from ragproof.frozen import Frozen
from ragproof.judge.ask import Ask
from ragproof.judge.kinds import ReplyKind
from ragproof.judge.prompting import Prompt, load
from ragproof.metric import Cost, Direction, Measured, Measurement, Metric, Need, Range
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.rubric_wording import rules, system
from ragproof.scores import Skipped

PREFIX = "rubric:"
"""What the name of a rubric begins with in a configuration's `metrics`, and its key too."""
YES, NO = "true", "false"

Reads = Literal["question", "answer", "contexts", "expected_answers"]
Text = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"\S")]
Word = Annotated[str, Field(pattern=r"^\p{L}[\w -]{0,39}$")]

_NEEDS: Mapping[str, Need] = {"answer": Need.ANSWER, "expected_answers": Need.EXPECTED_ANSWER}


class RubricVerdict(Frozen):
    """What a verdict is worth, and when it is the right one."""

    value: Annotated[float, Field(ge=0, le=1, strict=True)]
    when: Text


class Rubric(Frozen):
    """A question to the judge, as its author wrote it."""

    question: Text
    reads: Annotated[tuple[Reads, ...], Field(min_length=1)]
    """What the judge is shown, in this order."""
    verdicts: Annotated[dict[Word, RubricVerdict], Field(min_length=2, max_length=3)]
    """By word, the one with the highest value first."""
    summary: Text | None = None
    """What readers are told it measures; None is the question."""
    direction: Literal["higher", "lower"] = "higher"
    """Which way is better."""
    kinds: Annotated[tuple[CaseKind, ...], Field(min_length=1)] = tuple(CaseKind)
    version: Annotated[int, Field(ge=1, strict=True)] = 1

    @field_validator("reads")
    @classmethod
    def _each_once(cls, reads: tuple[Reads, ...]) -> tuple[Reads, ...]:
        if len(set(reads)) < len(reads):
            raise ValueError("something stands twice; expected each once")
        return reads

    @field_validator("verdicts")
    @classmethod
    def _in_order(cls, verdicts: dict[Word, RubricVerdict]) -> dict[Word, RubricVerdict]:
        values = [verdict.value for verdict in verdicts.values()]
        if any(value <= after for value, after in pairwise(values)):
            told = ", ".join(f"{value:g}" for value in values)
            raise ValueError(f"the values are {told}; expected each lower than the one before")
        return verdicts

    def metric(self, name: str) -> Metric:
        """Return the metric.

        Args:
            name: its key, which is that of its prompt too.
        """
        values = [verdict.value for verdict in self.verdicts.values()]
        needs = (_NEEDS[each] for each in self.reads if each in _NEEDS)
        return Metric(
            key=name,
            summary=" ".join((self.summary or self.question).split()),
            family="judged",
            cost=Cost.JUDGE,
            judged=RubricMeasure(prompt=self.prompt(name), values=self._values()),
            prompts=(name,),
            direction=Direction(self.direction),
            range=Range(min(values), max(values)),
            needs=(Need.JUDGE, *needs),
            kinds=frozenset(self.kinds),
            version=self.version,
        )

    def prompt(self, name: str) -> Prompt:
        """Return the question as the judge is asked it; its hash covers all of that, and not the values."""
        bands = {word: verdict.when for word, verdict in self.verdicts.items()}
        two = len(bands) == len((YES, NO))
        asked = {
            "kind": ReplyKind.VERDICTS if two else ReplyKind.RATING,
            "data": self.reads,
            "ids": (next(iter(bands)),) if two else (),
            "words": (YES, NO),
            "system": system(self.question, self.reads, bands),
            "rules": rules(self.question, bands),
        }
        return Prompt.model_validate({**asked, "name": name, "prompt_hash": canonical_hash(asked)})

    def _values(self) -> tuple[tuple[str, float], ...]:
        return tuple((word, verdict.value) for word, verdict in self.verdicts.items())


class RubricMeasure(Frozen):
    """What a rubric's metric does with a case: it asks, and looks up what the verdict is worth."""

    prompt: Prompt
    values: tuple[tuple[str, float], ...]
    """Each verdict's word and value, the highest first."""

    async def __call__(self, evidence: Evidence, ask: Ask) -> Measured:
        """Ask for a verdict; the details hold it with the judge's quote or reason.

        Contexts that the adapter does not expose skip the case; none at all are shown as an empty list.
        """
        if "contexts" in self.prompt.data and evidence.read_chunks is None:
            return Skipped(reason=Need.RETRIEVAL.value)
        data = _data(evidence)
        shown = {key: data[key] for key in self.prompt.data}
        verdict = await ask(self.prompt.render(shown))
        if isinstance(verdict.value, int):
            word, value = self.values[len(self.values) - 1 - verdict.value]
            told: dict[str, JsonValue] = {"verdict": word, "rating": verdict.value}
        else:
            yes = isinstance(verdict.value, dict) and all(verdict.value.values())
            word, value = self.values[0 if yes else 1]
            quote = verdict.quotes[0]
            told = {"verdict": word, "quote": quote, "quote_found": is_quoted(quote, _texts(shown))}
        return Measurement(value, {**told, **verdict.transcript.told()})


def prompt_hashes(metrics: Iterable[Metric]) -> dict[str, str]:
    """Return the sha256 of each prompt that metrics may ask, a rubric's own included, by name in order."""
    known = tuple(metrics)
    own = {measure.prompt.name: measure.prompt.prompt_hash for measure in _measures(known).values()}
    names = sorted({prompt for each in known for prompt in each.prompts})
    return {name: own[name] if name in own else load(name).prompt_hash for name in names}


def verdict_values(metrics: Iterable[Metric]) -> dict[str, dict[str, float]]:
    """Return what each verdict of each rubric among metrics is worth, by key; empty without rubrics."""
    return {key: dict(measure.values) for key, measure in _measures(metrics).items()}


def _measures(metrics: Iterable[Metric]) -> dict[str, RubricMeasure]:
    return {each.key: each.judged for each in metrics if isinstance(each.judged, RubricMeasure)}


def _data(evidence: Evidence) -> dict[str, JsonValue]:
    readable = (chunk for chunk in evidence.read_chunks or () if chunk.text.strip())
    return {
        "question": evidence.case.question,
        "answer": evidence.output.answer,
        "contexts": [{"id": f"k{n}", "text": chunk.text} for n, chunk in enumerate(readable, 1)],
        "expected_answers": list(evidence.case.expected_answers),
    }


def _texts(data: JsonValue) -> Iterable[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _texts(each)
