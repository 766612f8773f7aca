"""One run that a file labels: its cases, its answers and its metrics, to hold rows against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.cases import Case
from ragproof.datasets.wording import shown
from ragproof.errors import nearest
from ragproof.evidence import Evidence, Settings
from ragproof.labels.fields import ANSWER, CASE_ID, METRIC, QUESTION, TRIAL, VALUE, LabelRow
from ragproof.labels.human_label import UNNAMED, HumanLabel
from ragproof.labels.measured import Measured, measured
from ragproof.metric import Metric
from ragproof.outputs import Outcome, PipelineOutput
from ragproof.runs import RunRecord
from ragproof.scoring import unmeasurable

if TYPE_CHECKING:
    from ragproof.store.store import Store

_JUDGED = Settings(judge_configured=True)


@dataclass(frozen=True)
class LabelledRun:
    """A run with what its labels are checked against.

    Attributes:
        run: the run.
        metrics: what it measured.
        cases: that it asked, by id.
        there: its labels by what they are of, in the store already.
        outcomes: of the labelled cases, by trial and case id.
    """

    run: RunRecord
    metrics: Measured
    cases: Mapping[str, Case]
    there: Mapping[tuple[str, str, str, int, str], HumanLabel]
    outcomes: Mapping[int, Mapping[str, Outcome]]

    def label(self, row: LabelRow, *, at_random: bool) -> HumanLabel | list[str]:
        """Make a label of a row, or say all that is wrong with it.

        Args:
            row: of this run.
            at_random: the claim that the cases were drawn at random.
        """
        metric = self.metrics.named(row.metric)
        wrong = [f"{METRIC}: {metric}"] if isinstance(metric, str) else [*_outside(row, metric)]
        wrong += self._unanswered(row, None if isinstance(metric, str) else metric)
        if wrong or isinstance(metric, str):
            return wrong
        label = HumanLabel(
            run_id=self.run.id,
            case_id=row.case_id,
            metric=metric.key,
            trial=row.trial,
            labeller=row.labeller or UNNAMED,
            value=row.value,
            at_random=at_random,
        )
        before = self.there.get(label.of)
        if before is not None and before.value != label.value:
            return [
                f"{VALUE}: the store holds {before.value:g} by the same labeller, and this is {row.value:g};"
                " 'ragproof labels remove' takes the old ones out"
            ]
        return label

    def _unanswered(self, row: LabelRow, metric: Metric | None) -> Iterator[str]:
        case = self.cases.get(row.case_id)
        if case is None:
            yield (
                f"{CASE_ID}: {shown(row.case_id)} is no case of run '{self.run.id}'"
                + (nearest(row.case_id, self.cases) or "; 'ragproof show RUN' names some")
            )
            return
        outcome = self.outcomes.get(row.trial, {}).get(row.case_id)
        if not isinstance(outcome, PipelineOutput):
            yield f"{TRIAL if row.trial else CASE_ID}: {self._nothing(row, outcome)}"
            return
        if _other(row.question, case.question):
            yield f"{QUESTION}: it is another than the case's; expected {shown(case.question)}"
        if _other(row.answer, outcome.answer or ""):
            yield (
                f"{ANSWER}: it is another than the one that run '{self.run.id}' gave, which is"
                f" {shown(outcome.answer)}; a label holds for the answer it was given to"
            )
        unmet = None if metric is None else unmeasurable(metric, Evidence(case, outcome, _JUDGED))
        if unmet is not None:
            yield f"{METRIC}: '{row.metric}' says nothing of case {shown(row.case_id)}: {unmet.reason}"

    def _nothing(self, row: LabelRow, outcome: Outcome | None) -> str:
        case = f"run '{self.run.id}' has no answer to case {shown(row.case_id)}"
        if row.trial:
            return f"{case} in trial {row.trial}, counted from 0"
        return f"{case}: " + ("it was not reached" if outcome is None else "its call failed")


def _outside(row: LabelRow, metric: Metric) -> Iterator[str]:
    low, high = metric.range.low, metric.range.high
    if (low is None or low <= row.value) and (high is None or row.value <= high):
        return
    ends = f"at least {low:g}" if high is None else f"from {low:g} to {high:g}"
    if low is None:
        ends = f"at most {high:g}"
    yield (
        f"{VALUE}: {row.value:g} is outside of '{metric.key}'; expected a number {ends}:"
        " bring another scale to it"
    )


def _other(said: str | None, is_so: str) -> bool:
    """Say whether two texts differ in more than white space, which sheets do not keep."""
    return said is not None and said.split() != is_so.split()


def labelled_run(store: Store, run: RunRecord, rows: Iterable[LabelRow]) -> LabelledRun:
    """Read what the labels of a run are checked against.

    Args:
        store: an open store.
        run: the run.
        rows: those of the file that label it.

    Raises:
        StoreError: the store cannot be read.
    """
    by_trial: dict[int, list[str]] = {}
    for row in rows:
        by_trial.setdefault(row.trial, []).append(row.case_id)
    portions = store.datasets.portions(run.dataset_hash, run.cases.total) if run.dataset_hash else ()
    return LabelledRun(
        run=run,
        metrics=measured(run),
        cases={case.id: case for portion in portions for case in portion},
        there={label.of: label for label in store.labels.get(run.id)},
        outcomes={trial: store.calls.outcomes(run.id, {*ids}, trial) for trial, ids in by_trial.items()},
    )
