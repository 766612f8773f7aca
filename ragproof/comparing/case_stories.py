"""What became of single cases, told: which scores changed, what both runs answered, and why it got worse."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragproof.cases import Case
from ragproof.comparing.case_changes import CaseChanges
from ragproof.comparing.case_sides import read_sides
from ragproof.comparing.lost_labels import Ran, lost_labels
from ragproof.comparing.metric_roles import Role, describes, role_of
from ragproof.comparing.pairing import Pair
from ragproof.comparing.root_cause import Finding, root_cause
from ragproof.comparing.run_outputs import RunOutputs
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.worsened_case import Side, WorsenedCase
from ragproof.evidence import Settings, SourceMatch

_DUST = 1e-9


@dataclass(frozen=True)
class ScoreChange:
    """One metric of one case.

    Attributes:
        metric: its key.
        before: the baseline's number; None when it has none.
        after: the candidate's.
        share: the oriented difference as a share of the range; None unless both have one.
    """

    metric: str
    before: float | None
    after: float | None
    share: float | None


@dataclass(frozen=True)
class CaseStory:
    """A case that changed.

    Attributes:
        place: among the shared cases.
        case_id: its id.
        change: how much, as `CaseChanges` counts it; None when no score of it is paired.
        falls: by how much of its range each metric got worse, over 0.
        lost: why scores of the baseline have no counterpart, by metric.
        gained: metrics that the baseline had lost and the candidate has.
        before: the baseline's part.
        after: the candidate's.
        case: what was asked; None when it was not kept.
        finding: why it got worse; None of a case that got better.
    """

    place: int
    case_id: str
    change: float | None
    falls: Mapping[str, float]
    lost: Mapping[str, str]
    gained: tuple[str, ...]
    before: Side
    after: Side
    case: Case | None = None
    finding: Finding | None = None


@dataclass(frozen=True)
class Sources:
    """Where stories are told from.

    Attributes:
        pair: both runs over their shared cases.
        whole: both runs with all their cases.
        outputs: what came back in them.
    """

    pair: Pair
    whole: tuple[ScoredRun, ScoredRun]
    outputs: tuple[RunOutputs, RunOutputs]


def tell(
    sources: Sources, changes: CaseChanges, better: int
) -> tuple[tuple[CaseStory, ...], tuple[CaseStory, ...]]:
    """Tell what became of the cases that changed.

    Args:
        sources: both runs, and what came back in them.
        changes: what became of each case, in numbers.
        better: at most how many of those that got better are told, at least 0.

    Returns:
        Every case that got worse, the worst first, each with its cause; and the cases that got better most.
    """
    fallen, risen = changes.worse(), changes.better()[:better]
    stories = _told(sources, changes, [*fallen, *risen])
    worse, rest = stories[: len(fallen)], stories[len(fallen) :]
    findings = _findings(sources, worse)
    return tuple(replace(story, finding=found) for story, found in zip(worse, findings, strict=True)), rest


def settings_of(run: ScoredRun) -> Settings:
    """Return what of a run's settings a cause is told by; what it does not say is as by default."""
    fields, usual = run.record.comparability, Settings()
    k = fields.get("k")
    by_document = fields.get("source_match") == SourceMatch.DOCUMENT.value
    return Settings(
        k=k if isinstance(k, int) and k > 0 else usual.k,
        source_match=SourceMatch.DOCUMENT if by_document else SourceMatch.CHUNK,
    )


def score_changes(changes: CaseChanges, story: CaseStory) -> tuple[ScoreChange, ...]:
    """Return the metrics that changed on a case, the largest share first."""
    at = story.place
    columns = (changes.before[at].tolist(), changes.after[at].tolist(), changes.shares[at].tolist())
    found = [
        ScoreChange(key, _number(before), _number(after), _number(share))
        for key, before, after, share in zip(changes.metrics, *columns, strict=True)
        if not abs(share) <= _DUST and not (math.isnan(before) and math.isnan(after))
    ]
    return tuple(sorted(found, key=lambda each: -abs(each.share or 0.0)))


def _findings(sources: Sources, stories: Sequence[CaseStory]) -> list[Finding]:
    settings = settings_of(sources.whole[1])
    worsened = [_worsened(sources, story, settings) for story in stories]
    before, after = (_ran(run, found) for run, found in zip(sources.whole, sources.outputs, strict=True))
    gone = lost_labels(worsened, before, after)
    return [root_cause(replace(each, gone=gone.get(each.id, {}))) for each in worsened]


def _told(sources: Sources, changes: CaseChanges, places: Sequence[int]) -> tuple[CaseStory, ...]:
    pair = sources.pair
    ids = [pair.cases[at].id for at in places]
    cases = sources.outputs[1].cases(ids) or sources.outputs[0].cases(ids)
    before = read_sides(pair.first, sources.outputs[0], changes, places, candidate=False)
    after = read_sides(pair.second, sources.outputs[1], changes, places, candidate=True)
    return tuple(
        CaseStory(
            place=at,
            case_id=case_id,
            change=_number(changes.change[at]),
            falls=_falls(changes, at),
            lost={
                key: pair.second.scores[key].reasons[at] or "" for key in _where(changes, changes.lost[at])
            },
            gained=_where(changes, changes.gained[at]),
            before=was,
            after=now,
            case=cases.get(case_id),
        )
        for case_id, at, was, now in zip(ids, places, before, after, strict=True)
    )


def _falls(changes: CaseChanges, at: int) -> dict[str, float]:
    shares = zip(changes.metrics, changes.shares[at].tolist(), strict=True)
    return {key: -share for key, share in shares if share < -_DUST}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _where(changes: CaseChanges, which: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(changes.metrics[column] for column in np.flatnonzero(which).tolist())


def _worsened(sources: Sources, story: CaseStory, settings: Settings) -> WorsenedCase:
    return WorsenedCase(
        id=story.case_id,
        kind=sources.pair.cases[story.place].kind,
        before=story.before,
        after=story.after,
        falls=story.falls,
        lost=story.lost,
        case=story.case,
        settings=settings,
    )


def _ran(run: ScoredRun, outputs: RunOutputs) -> Ran:
    hits = [
        (np.nan_to_num(scores.trials) > 0.0).any(axis=1)
        for key, scores in run.scores.items()
        if role_of(key) is Role.RETRIEVAL and not describes(key)
    ]
    found = int(np.logical_or.reduce(hits).sum()) if hits else None
    return Ran(outputs, [case.id for case in run.cases], run.record.corpus_version, found)
