"""Two runs compared: the story of `ragproof compare`, from two runs to everything a page says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.case_changes import CaseChanges, case_changes
from ragproof.comparing.case_stories import CaseStory, Sources, tell
from ragproof.comparing.clustering import clusters_of
from ragproof.comparing.finished import refuse_unfinished
from ragproof.comparing.flipping import flips_of
from ragproof.comparing.metric_comparison import MetricComparison, Unit, Verdict
from ragproof.comparing.metric_roles import family_of
from ragproof.comparing.paired_scores import PairedScores, paired_scores
from ragproof.comparing.pairing import MIN_COVERAGE, Pair, pair
from ragproof.comparing.root_cause import RootCause
from ragproof.comparing.run_outputs import RunOutputs
from ragproof.comparing.scored_run import CaseFacts, ScoredRun
from ragproof.comparing.subsets import (
    MIN_CASES,
    GroupMean,
    Subset,
    TagColumn,
    TagKey,
    by_group,
    by_tag,
    tag_columns,
)
from ragproof.comparing.testing import columns_to_test, compare_metrics
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.reports.order import known_metrics
from ragproof.statistics.samples import FloatArray
from ragproof.statistics.sign_flip import SignFlip

CASES_TOLD = 5
IN_FILE, IN_STORE = "not in the file", "not in the store"
"""What is said of an answer that was not kept."""


@dataclass(frozen=True)
class Comparison:
    """A candidate held against a baseline.

    Attributes:
        pair: both runs over their shared cases.
        asked: metrics that were named; empty when all are compared.
        metrics: one a metric, in reading order.
        changes: what became of each case.
        worse: every case that got worse, the worst first, with its cause.
        better: of the cases that got better the first few.
        told: how many of either a page tells whole.
        tags: where the difference sits, by tag.
        groups: the same by group; empty when cases have none in common.
        n_groups: groups among the shared cases, a case without one counted as its own; None when each is.
        absent: what is said of an output that the baseline, and the candidate, did not keep.
    """

    pair: Pair
    asked: tuple[str, ...]
    metrics: tuple[MetricComparison, ...]
    changes: CaseChanges
    worse: tuple[CaseStory, ...]
    better: tuple[CaseStory, ...]
    told: int
    tags: tuple[Subset, ...]
    groups: tuple[GroupMean, ...]
    n_groups: int | None = None
    absent: tuple[str, str] = (IN_STORE, IN_STORE)

    @property
    def n_better(self) -> int:
        """How many cases got better."""
        return int(self.changes.is_better.sum())

    @property
    def same_run(self) -> bool:
        """Whether both are one run, which shows nothing."""
        return self.pair.first.record.id == self.pair.second.record.id

    @property
    def by_group(self) -> bool:
        """Whether any metric was tested by group."""
        return any(each.unit is Unit.GROUP for each in self.metrics)

    def of(self, verdict: Verdict) -> tuple[MetricComparison, ...]:
        """Return the metrics of one verdict, in reading order."""
        return tuple(each for each in self.metrics if each.verdict is verdict)

    def causes(self) -> dict[RootCause, int]:
        """Count the cases that got worse by cause, the most frequent first."""
        counts = Counter(story.finding.cause for story in self.worse if story.finding)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], [*RootCause].index(item[0]))))


def compare(
    first: ScoredRun,
    second: ScoredRun,
    outputs: tuple[RunOutputs, RunOutputs],
    *,
    metrics: Sequence[str] = (),
    allow_mixed_judges: bool = False,
    min_coverage: float = MIN_COVERAGE,
    told: int = CASES_TOLD,
    seed: int = 0,
) -> Comparison:
    """Hold a candidate against a baseline.

    Args:
        first: the baseline.
        second: the candidate.
        outputs: what came back in both, for answers and causes.
        metrics: keys of those that the question is about, in any spelling; empty is every metric of both.
        allow_mixed_judges: let the judge differ, and only the judge.
        min_coverage: the least share of the smaller run's cases that both have, from 0 to 1.
        told: how many cases that got better are told, and how many of either a page shows, at least 0.
        seed: of random signs and resamples, at least 0.

    Returns:
        The comparison.

    Raises:
        Unfinished: a run is not completed.
        Incomparable: their numbers do not mean the same, or they share too few cases.
        ConfigurationError: a metric is unknown, or one run alone measured it.
    """
    for run in (first, second):
        refuse_unfinished(run)
    both = pair(first, second, allow_mixed_judges=allow_mixed_judges, min_coverage=min_coverage)
    asked = asked_metrics(both, metrics)
    scores = [paired_scores(both, key) for key in asked or both.metrics]
    changes = case_changes(scores, family_of)
    sources = Sources(both, (first, second), outputs)
    measures = _measures(scores, changes, asked)
    tags = tag_columns(both.cases, measures)
    of_metrics, of_tags = _flipped(scores, tags, both.cases, seed)
    worse, better = tell(sources, changes, told)
    groups = len(np.unique(clusters_of(both.cases)))
    return Comparison(
        pair=both,
        asked=asked,
        metrics=compare_metrics(scores, both.cases, of_metrics, seed=seed),
        changes=changes,
        worse=worse,
        better=better,
        told=told,
        tags=by_tag(tags, of_tags),
        groups=by_group(both.cases, measures),
        n_groups=groups if groups < len(both.cases) else None,
        absent=(_absent(outputs[0]), _absent(outputs[1])),
    )


def asked_metrics(both: Pair, names: Sequence[str]) -> tuple[str, ...]:
    """Find the metrics that were named.

    Args:
        both: the runs.
        names: keys in any spelling; one named twice counts once; empty is none.

    Returns:
        Keys that both measured, in the order named.

    Raises:
        ConfigurationError: a name is not among them, with the nearest that is; all faults at once.
    """
    found: dict[str, None] = {}
    faults: list[Fault] = []
    for name in names:
        known = known_metrics().find(name)
        key = name if name in both.metrics or known is None else known.key
        if key in both.metrics:
            found[key] = None
        elif key in both.unshared_metrics:
            one = both.first if key in both.first.scores else both.second
            faults.append(Fault(f"metric '{name}' was measured by run '{one.source}' alone; name another"))
        else:
            hint = nearest(name, both.metrics) or "; without --metric all are compared"
            faults.append(Fault(f"no metric of both runs is named '{name}'{hint}"))
    if faults:
        raise ConfigurationError(faults)
    return tuple(found)


def _measures(
    scores: Sequence[PairedScores], changes: CaseChanges, asked: Sequence[str]
) -> dict[str | None, FloatArray]:
    """What subsets are compared on: the metrics that were named, or all together."""
    if asked:
        return {each.key: each.differences for each in scores if each.ranks}
    return {} if np.isnan(changes.change).all() else {None: changes.change}


def _flipped(
    scores: Sequence[PairedScores], tags: Sequence[TagColumn], cases: Sequence[CaseFacts], seed: int
) -> tuple[dict[str, SignFlip], dict[TagKey, SignFlip]]:
    """Flip metrics and tags together: drawing the signs costs more than using them."""
    columns: dict[str | TagKey, FloatArray] = dict(columns_to_test(scores).items())
    columns |= {each.key: each.differences for each in tags if each.n >= MIN_CASES}
    flips = flips_of(columns, clusters_of(cases), seed=seed)
    return (
        {key: flip for key, flip in flips.items() if isinstance(key, str)},
        {key: flip for key, flip in flips.items() if not isinstance(key, str)},
    )


def _absent(outputs: RunOutputs) -> str:
    return IN_STORE if outputs.kept else IN_FILE
