"""Carrying labels from one run to another that gave the very same answer to the same case.

By the case's content, the answer's text, and what else the metric judges it by; the metric must ask people
the same in both runs. Of several runs the one that was labelled last lends its labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.comparing.scored_run import ScoredRun
from ragproof.labels.judged_text import judged_text
from ragproof.labels.measured import measured
from ragproof.labels.served import Served
from ragproof.metric import Metric
from ragproof.outputs import Outcome, PipelineOutput
from ragproof.rubrics import PREFIX
from ragproof.runs import RunRecord

if TYPE_CHECKING:
    from ragproof.store.labels import Elsewhere
    from ragproof.store.store import Store


def carried(
    store: Store,
    run: ScoredRun,
    own: Mapping[str, Sequence[Served]],
    elsewhere: Sequence[Elsewhere],
) -> Mapping[str, list[Served]]:
    """Find the labels of other runs that hold for a run's answers.

    Args:
        store: where all of them lie.
        run: that the labels are to serve.
        own: its own labels by metric; a case that has some is lent none.
        elsewhere: labels on the same cases, the latest import first.

    Returns:
        Labels by metric, each with the claim about its drawing as it was made for the run it was given to.
    """
    names = {case.content_hash: case.id for case in run.cases}
    metrics = measured(run.record).loaded
    found: dict[str, list[Served]] = defaultdict(list)
    taken = {(key, each.case_id) for key, served in own.items() for each in served}
    for source, labels in _by_run(elsewhere).items():
        lender = store.runs.find(source)
        free = [
            each
            for each in labels
            if lender is not None
            and each.content_hash in names
            and (each.label.metric, names[each.content_hash]) not in taken
            and _meaning(each.label.metric, lender) == _meaning(each.label.metric, run.record)
        ]
        lent = [*_of_same_answers(store, run.record, free, names, metrics)] if free else []
        for key, served in lent:
            found[key].append(served)
        taken |= {(key, served.case_id) for key, served in lent}
    return found


def trials_of(run: RunRecord) -> int:
    """Return how often a run asks each case."""
    section = run.config.get("run")
    trials = section.get("repeats", 1) if isinstance(section, dict) else 1
    return trials if isinstance(trials, int) else 1


def _by_run(elsewhere: Iterable[Elsewhere]) -> Mapping[str, list[Elsewhere]]:
    found: dict[str, list[Elsewhere]] = defaultdict(list)
    for each in elsewhere:
        found[each.label.run_id].append(each)
    return found


def _meaning(key: str, run: RunRecord) -> tuple[object, ...]:
    """Return what a metric asks people in a run: its version, and of a rubric its words and their values."""
    fields = run.comparability
    versions, judge = fields.get("metrics"), fields.get("judge")
    version = versions.get(key) if isinstance(versions, dict) else None
    if not key.startswith(PREFIX) or not isinstance(judge, dict):
        return (version,)
    parts = (judge.get("prompts"), judge.get("rubrics"))
    return (version, *(part.get(key) if isinstance(part, dict) else None for part in parts))


def _of_same_answers(
    store: Store,
    run: RunRecord,
    labels: Sequence[Elsewhere],
    names: Mapping[str, str],
    metrics: Mapping[str, Metric],
) -> Iterator[tuple[str, Served]]:
    """Yield those of one other run whose answer is the run's as well, each with its metric."""
    theirs = _Answers(store, labels[0].label.run_id, {each.label.case_id for each in labels})
    ours = _Answers(store, run.id, {names[each.content_hash] for each in labels})
    for label, case_id in ((each.label, names[each.content_hash]) for each in labels):
        metric, judged = metrics.get(label.metric), theirs.output(label.case_id, label.trial)
        for trial in range(trials_of(run)):
            output = ours.output(case_id, trial)
            if judged and output and judged_text(metric, output) == judged_text(metric, judged):
                served = Served(case_id, trial, label.labeller, label.value, label.at_random, label.run_id)
                yield label.metric, served


class _Answers:
    """Outputs of some of a run's cases, read once a trial."""

    def __init__(self, store: Store, run_id: str, case_ids: set[str]) -> None:
        self._store, self._run_id, self._case_ids = store, run_id, case_ids
        self._read: dict[int, Mapping[str, Outcome]] = {}

    def output(self, case_id: str, trial: int) -> PipelineOutput | None:
        if trial not in self._read:
            self._read[trial] = self._store.calls.outcomes(self._run_id, self._case_ids, trial)
        outcome = self._read[trial].get(case_id)
        return outcome if isinstance(outcome, PipelineOutput) else None
