"""What a report says of a run, gathered once from the store; every renderer prints the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ragproof.frozen import Frozen
from ragproof.metric import Metric
from ragproof.outputs import CaseFailure, PipelineOutput
from ragproof.reports.judge_spend import judge_spend
from ragproof.reports.judged_by import JudgedBy, judged_by
from ragproof.reports.labels import Labels, labels
from ragproof.reports.order import known_metrics, summaries_in_order
from ragproof.reports.repeats import Repeats, repeats
from ragproof.reports.worst import BadScore, rank
from ragproof.runs import RunRecord
from ragproof.summaries import Summary, Tag

if TYPE_CHECKING:
    from ragproof.store.store import Store

EXCERPT_CHARACTERS = 2_000
"""How much of a question or an answer a report keeps; renderers show less."""


class WorstCase(Frozen):
    """A case that went badly, with the scores that say so."""

    case_id: str
    question: str | None = None
    """None when it is withheld."""
    answer: str | None = None
    """Its beginning; None when there is none, or when it is withheld."""
    bad: tuple[BadScore, ...]
    """The worst value first; never empty."""

    def values(self) -> dict[str, float]:
        """Return the bad values by metric key."""
        return {score.metric: score.value for score in self.bad}


class RunReport(Frozen):
    """A run, its numbers and its worst; `gather` puts the summaries in reading order."""

    run: RunRecord
    summaries: tuple[Summary, ...] = ()
    """Over all cases and then by tag; metrics that mislead alone stand beside their partner."""
    failures: tuple[CaseFailure, ...] = ()
    """Cases without an output, by id."""
    worst: tuple[WorstCase, ...] = ()
    """By the rule of `worst.py`."""
    uncertain: tuple[str, ...] = ()
    """Cases with a call in flight when a process ended: pipeline or judge may have been asked once more."""
    judge: JudgedBy | None = None
    """Who judged; None when nobody did."""
    repeats: Repeats | None = None
    """What its trials showed; None when each case was asked once."""
    labels: Labels | None = None
    """What people's labels say of the judge's means; None without labels."""

    @property
    def overall(self) -> tuple[Summary, ...]:
        """The summaries over all cases."""
        return tuple(summary for summary in self.summaries if summary.tag is None)

    @property
    def rows(self) -> tuple[Summary, ...]:
        """What a table of metrics shows: the summaries over all cases, and beside them what judging took."""
        return (*self.overall, *judge_spend(self.run)) if self.overall else ()

    @property
    def tagged(self) -> dict[Tag, tuple[Summary, ...]]:
        """The summaries of each tag."""
        tags = dict.fromkeys(summary.tag for summary in self.summaries if summary.tag is not None)
        return {tag: tuple(summary for summary in self.summaries if summary.tag == tag) for tag in tags}


def gather(store: Store, run_id: str, worst: int = 20) -> RunReport:
    """Collect what a report says of a run.

    Args:
        store: an open store.
        run_id: a full run id.
        worst: at most so many worst cases; 0 lists none and reads no scores.

    Returns:
        The report; a run that has not come to its end is reported as far as it came.

    Raises:
        StoreError: there is no such run, or the store cannot be read.
    """
    run = store.runs.get(run_id)
    known = known_metrics()
    summaries = summaries_in_order(store.summaries.get(run.id), known.by_key)
    overall = [summary for summary in summaries if summary.tag is None]
    measured = (known.find(summary.metric) for summary in overall)
    means = {summary.metric: summary.mean for summary in overall if summary.mean is not None}
    return RunReport(
        run=run,
        summaries=summaries,
        failures=store.calls.failures(run.id),
        uncertain=tuple(dict.fromkeys(call.case_id for call in store.calls.uncertain(run.id))),
        judge=judged_by(store, run),
        repeats=repeats(store, run) if worst else None,
        labels=labels(store, run) if worst else None,
        worst=_worst(store, run, {metric.key: metric for metric in measured if metric}, means, worst),
    )


def _worst(
    store: Store, run: RunRecord, metrics: Mapping[str, Metric], means: Mapping[str, float], limit: int
) -> tuple[WorstCase, ...]:
    if limit == 0 or not metrics:
        return ()
    ranked = rank(_values(store, run), metrics, means, limit)
    outcomes = store.calls.outcomes(run.id, [case_id for case_id, _ in ranked])
    cases = []
    for case_id, bad in ranked:
        outcome = outcomes.get(case_id)
        answer = outcome.answer if isinstance(outcome, PipelineOutput) else None
        cases.append(
            WorstCase(
                case_id=case_id,
                question=store.datasets.case(run.dataset_hash or "", case_id).question[:EXCERPT_CHARACTERS],
                answer=None if answer is None else answer[:EXCERPT_CHARACTERS],
                bad=bad,
            )
        )
    return tuple(cases)


def _values(store: Store, run: RunRecord) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Yield each case's id and its values, a few hundred cases in memory at once."""
    for cases in store.datasets.portions(run.dataset_hash or "", run.cases.total):
        yield from store.scores.values(run.id, [case.id for case in cases]).items()
