"""Two runs with one fault planted in each case: what a cause must be found for.

The sections of a generated handbook are asked about. The baseline answers every question rightly from the
section that holds the answer; what the candidate gives back for a case is changed as its fault would change
it. Scores are the real metrics'. In place of a judge, a rule: a claim is supported that stands in a chunk.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.comparing.root_cause import RootCause
from ragproof.comparing.scored_run import ScoredRun
from ragproof.evidence import Settings, SourceMatch
from ragproof.metric import Metric
from ragproof.metrics.robustness.refusal import detect
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput
from ragproof.scores import DECLINES, CaseFailed, JudgeFailed, Measured, NotApplicable, Scored
from tests.fakes.measured_runs import measured_run
from tests.fakes.outputs_in_memory import OutputsInMemory

K = 5
RETURNED = 8
SECTIONS = 120
FREE = (
    "contains_answer",
    "token_f1",
    "rouge_l",
    "retrieval.mrr",
    "retrieval.recall_at_k",
    "generation.citation_validity",
    "robustness.overrefusal",
    "abstention_rate",
    "latency_ms",
)
JUDGED = ("generation.groundedness", "generation.completeness")
THINGS = ("notice period", "travel allowance", "parking fee", "trial phase", "printing budget", "lunch break")
PLACES = ("Leeds", "Pune", "Osaka", "Chemnitz", "Lyon", "Porto", "Turin", "Bilbao", "Graz", "Utrecht")
UNITS = ("days", "euros", "weeks", "hours")
KEEPERS = ("the front desk", "payroll", "the works council", "facilities", "the team lead")
REFUSALS = (
    "I cannot answer that from the documents.",
    "I could not find this in the handbook.",
    "Das konnte ich im Handbuch nicht finden.",
    "",
    "Sorry, the provided context does not contain this information.",
)
GENERIC = (
    "Company rules help everybody to work together well.",
    "There are many things to consider before a decision is made.",
    "Please think about the environment when you travel.",
)


@dataclass(frozen=True)
class Section:
    """One passage of the handbook."""

    id: str
    thing: str
    place: str
    amount: int
    unit: str
    keeper: str

    @property
    def says(self) -> str:
        """The sentence that answers the question about it."""
        return f"The {self.thing} in {self.place} is {self.amount} {self.unit} for all staff."

    @property
    def chunk(self) -> Chunk:
        """It as it is retrieved."""
        text = (
            f"{self.says} Changes are kept by {self.keeper}. Older rules on the {self.thing} no longer hold."
        )
        return Chunk(id=f"{self.id}#1", text=text, metadata={"document_id": self.id})


@dataclass(frozen=True)
class Planted:
    """Both runs, what came back in them, and the cause planted in each case."""

    first: ScoredRun
    second: ScoredRun
    outputs: tuple[OutputsInMemory, OutputsInMemory]
    causes: Mapping[str, RootCause]


@dataclass(frozen=True)
class World:
    """What plants draw from."""

    draw: random.Random
    sections: Sequence[Section]
    gone: frozenset[str]
    own_context: bool

    def others(self, but: Section, count: int, *, still_there: bool) -> list[Chunk]:
        """Draw chunks of other sections; those that left the corpus are returned by the baseline alone."""
        known = [
            each for each in self.sections if each is not but and not (still_there and each.id in self.gone)
        ]
        return [each.chunk for each in self.draw.sample(known, count)]

    def output(
        self, case: Case, chunks: Sequence[Chunk], answer: str, citations: Sequence[str]
    ) -> PipelineOutput:
        """Return what a pipeline gives back that reads the first chunks, in another order where it tells."""
        context = tuple(reversed(chunks[:K])) if self.own_context else None
        return PipelineOutput(
            case_id=case.id,
            answer=answer,
            retrieved=tuple(chunks),
            context=context,
            citations=tuple(citations),
            latency_ms=self.draw.uniform(50, 60),
        )


def planted(
    seed: int,
    *,
    judged: bool,
    source_match: SourceMatch = SourceMatch.CHUNK,
    labelled: bool = True,
    own_context: bool = False,
) -> Planted:
    """Plant every kind of fault in turn, one a case.

    Args:
        seed: of all that is drawn.
        judged: whether judged metrics are measured; without them no judge can fail.
        source_match: what expected ids name.
        labelled: False leaves expected ids out, so that only expected answers tell what holds them.
        own_context: whether the adapter tells what the generator read.
    """
    draw = random.Random(seed)
    kinds = [cause for cause in RootCause if _plantable(cause, judged=judged, labelled=labelled)]
    sections = _sections(draw)
    causes = {section.id: kinds[place % len(kinds)] for place, section in enumerate(sections)}
    gone = frozenset(id for id, cause in causes.items() if cause is RootCause.LABELS_GONE)
    world = World(draw, sections, gone, own_context)
    cases = [_case(section, source_match, labelled=labelled) for section in sections]
    before = [_before(world, case, section) for case, section in zip(cases, sections, strict=True)]
    after = [
        _after(world, case, section, causes[section.id])
        for case, section in zip(cases, sections, strict=True)
    ]
    settings = Settings(k=K, source_match=source_match, judge_configured=judged)
    metrics = choose((*FREE, *JUDGED) if judged else FREE)
    broken = {case.id for case in cases if causes[case.id] is RootCause.JUDGE_FAILURE}
    runs = [
        measured_run(
            cases,
            outcomes,
            metrics,
            id=id,
            pipeline=pipeline,
            settings=settings,
            judge=_Judge(frozenset(broken) if pipeline == "candidate" else frozenset()) if judged else None,
            corpus_version=version,
        )
        for id, pipeline, version, outcomes in (
            ("aaaaaaaaaaaa", "baseline", "2026-11", before),
            ("bbbbbbbbbbbb", "candidate", "2026-12", after),
        )
    ]
    return Planted(
        first=runs[0],
        second=runs[1],
        outputs=(OutputsInMemory(cases, [before]), OutputsInMemory(cases, [after])),
        causes=causes,
    )


def _plantable(cause: RootCause, *, judged: bool, labelled: bool) -> bool:
    if cause is RootCause.JUDGE_FAILURE:
        return judged
    return cause is not RootCause.UNEXPLAINED and (labelled or cause is not RootCause.LABELS_GONE)


def _sections(draw: random.Random) -> list[Section]:
    subjects = [(thing, place) for thing in THINGS for place in PLACES] * 2
    units = [UNITS[place // (len(THINGS) * len(PLACES))] for place in range(len(subjects))]
    amounts = draw.sample(range(11, 999), len(subjects))
    return [
        Section(f"s{number}", thing, place, amount, unit, draw.choice(KEEPERS))
        for number, ((thing, place), amount, unit) in enumerate(zip(subjects, amounts, units, strict=True))
    ][:SECTIONS]


def _case(section: Section, source_match: SourceMatch, *, labelled: bool) -> Case:
    id = section.id if source_match is SourceMatch.DOCUMENT else section.chunk.id
    return Case(
        id=section.id,
        question=f"How many {section.unit} is the {section.thing} in {section.place}?",
        expected_answers=(f"{section.amount} {section.unit}",),
        relevance={id: 1} if labelled else {},
        tags={"place": section.place},
    )


def _before(world: World, case: Case, section: Section) -> PipelineOutput:
    chunks = world.others(section, RETURNED - 1, still_there=False)
    chunks.insert(world.draw.randrange(3), section.chunk)
    return world.output(case, chunks, section.says, [section.chunk.id])


def _after(world: World, case: Case, section: Section, cause: RootCause) -> Outcome:
    draw = world.draw
    others = world.others(section, RETURNED - 1, still_there=True)
    found = [*others]
    found.insert(draw.randrange(K), section.chunk)
    match cause:
        case RootCause.PIPELINE_ERROR:
            return CaseFailure(case_id=case.id, kind=draw.choice([*FailureKind]), message="it broke")
        case RootCause.JUDGE_FAILURE:
            return world.output(case, found, section.says, [section.chunk.id])
        case RootCause.LABELS_GONE | RootCause.NOT_RETRIEVED:
            return _misled(world, case, world.others(section, RETURNED, still_there=True))
        case RootCause.BELOW_K:
            low = [*others]
            low.insert(draw.randrange(K, RETURNED), section.chunk)
            return _misled(world, case, low)
        case RootCause.OVER_REFUSAL:
            return world.output(case, found, draw.choice(REFUSALS), [])
        case RootCause.WRONG_CITATION:
            return world.output(case, found, section.says, ["s999#1"])
        case RootCause.CONTRADICTED:
            return world.output(case, found, _twisted(draw, section), [section.chunk.id])
        case _:
            return world.output(case, found, _beside(draw, found[:K], section), [found[0].id])


def _misled(world: World, case: Case, chunks: Sequence[Chunk]) -> PipelineOutput:
    """What a generator does without its source: takes another, declines, or makes something up."""
    read = chunks[0]
    answer = world.draw.choice(
        [read.text.partition(". ")[0] + ".", world.draw.choice(REFUSALS), "It is 9999 days."]
    )
    return world.output(case, chunks, answer, [read.id])


def _twisted(draw: random.Random, section: Section) -> str:
    """What the section says, made false."""
    return draw.choice(
        [
            section.says.replace(str(section.amount), str(section.amount + 1000)),
            section.says.replace(" is ", " is not "),
            f"{section.amount + 2000} {section.unit}.",
            section.says.replace(f"{section.amount} {section.unit}", f"twice that many {section.unit}"),
        ]
    )


def _beside(draw: random.Random, read: Sequence[Chunk], section: Section) -> str:
    """An answer that does not use the section."""
    other = draw.choice([chunk for chunk in read if chunk.id != section.chunk.id])
    return draw.choice([other.text.partition(". ")[0] + ".", draw.choice(GENERIC)])


@dataclass(frozen=True)
class _Judge:
    """Rules in place of a judge, which fails on some cases."""

    fails_on: frozenset[str]

    def __call__(self, metric: Metric, case: Case, outcome: Outcome) -> Measured:
        if isinstance(outcome, CaseFailure):
            return CaseFailed(reason=outcome.reason)
        if case.id in self.fails_on:
            return JudgeFailed(reason="transport: connection reset")
        answer = outcome.answer or ""
        if detect(answer).refused:
            return NotApplicable(reason=DECLINES) if metric.key == JUDGED[0] else Scored(value=0.0)
        if metric.key == JUDGED[1]:
            return Scored(value=float(case.expected_answers[0] in answer and " not " not in answer))
        read = outcome.context or (outcome.retrieved or ())[:K]
        return Scored(value=float(any(answer.rstrip(".") in chunk.text for chunk in read)))
