"""Scoring outputs that are there already, in a notebook or a script: no flow, no server, no store, no judge.

The same metrics and the same rules as in a run: what cannot be computed is a reason and never a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.evidence import Settings, SourceMatch
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput
from ragproof.scores import Score
from ragproof.scoring import score_case
from ragproof.similarity import minilm
from ragproof.summaries import Summary
from ragproof.summarising import summarise

if TYPE_CHECKING:
    import polars

Outputs = Mapping[str, object] | Iterable[Outcome | Mapping[str, object]] | str | Path
Dataset = Iterable[Case | Mapping[str, object]] | str | Path
MOST_FAULTS_TOLD = 50


@dataclass(frozen=True)
class Evaluation:
    """Scores of every case, and what they come to."""

    scores: tuple[Score, ...]
    """One for each case that has an output, and each metric."""
    summaries: tuple[Summary, ...]
    """Over all cases, then for each tag; a case without an output counts as not reached."""

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of each metric over its scored cases, by key; None where no case has a number."""
        return {summary.metric: summary.mean for summary in self.summaries if summary.tag is None}

    def frame(self) -> polars.DataFrame:
        """Return a row for each case and metric: `case_id`, `metric`, `outcome`, `value`, `reason`."""
        import polars

        rows = [
            (each.case_id, each.metric, each.result.outcome, each.value, each.reason) for each in self.scores
        ]
        text = polars.String
        schema = {"case_id": text, "metric": text, "outcome": text, "value": polars.Float64, "reason": text}
        return polars.DataFrame(rows, schema=schema, orient="row")

    def __str__(self) -> str:
        """Return a line for each metric: its mean with its coverage."""
        overall = [summary for summary in self.summaries if summary.tag is None]
        width = max((len(summary.metric) for summary in overall), default=0)
        return "\n".join(f"{each.metric:{width}}  {_mean(each)}" for each in overall)


def evaluate(
    outputs: Outputs,
    dataset: Dataset,
    metrics: Sequence[str] | None = None,
    *,
    k: int = 5,
    metric_k: int = 10,
    source_match: SourceMatch | str = SourceMatch.CHUNK,
) -> Evaluation:
    """Score recorded outputs.

    Args:
        outputs: what the pipeline returned by case id, in any form an adapter reads (text, a mapping, an
            object); or outputs with a `case_id` each; or a file that `ragproof record` wrote, or traces.
        dataset: the cases, as `Case` or as mappings with the fields of a dataset's lines; or a file or folder
            of any format `ragproof run` reads.
        metrics: keys, or `module:function`; None is every metric that is on by default.
        k: cutoff of the `retrieval.*_at_k` metrics.
        metric_k: cutoff of the metrics whose key carries one, where it is not named.
        source_match: whether expected source ids name chunks or documents.

    Returns:
        Scores and summaries. Without a judge, what only a judge can measure is skipped with that reason.

    Raises:
        ConfigurationError: a case, an output or a metric's name is wrong, or an output belongs to no case;
            all of one kind at once.
    """
    cases = _cases(dataset)
    chosen = choose(metrics, metric_k=metric_k)
    settings = Settings(
        k=k,
        metric_k=metric_k,
        source_match=SourceMatch(source_match),
        similarity_model=minilm.installed(),
    )
    outcomes = _outcomes(outputs, cases)
    scored = [case for case in cases if case.id in outcomes]
    chunk_level = _chunk_level(scored, outcomes)
    scores = tuple(
        score
        for case in scored
        for score in score_case(chosen, case, outcomes[case.id], settings, chunk_level=chunk_level)
    )
    return Evaluation(scores, summarise(chosen, scores, cases, settings))


def _mean(summary: Summary) -> str:
    told = "-" if summary.mean is None else f"{summary.mean:.4f}"
    return f"{told}  scored {summary.scored} of {summary.cases}"


def _chunk_level(cases: Sequence[Case], outcomes: Mapping[str, Outcome]) -> bool:
    from ragproof.metrics.retrieval.expected_ids import id_matches

    return id_matches((case, outcomes[case.id]) for case in cases).chunk_level


def _cases(dataset: Dataset) -> tuple[Case, ...]:
    from ragproof import datasets
    from ragproof.datasets.rows import Row, cases_from

    if isinstance(dataset, str | Path):
        return datasets.read(Path(dataset))
    given = list(dataset)
    rows = (
        Row(
            f"case {number}",
            each.model_dump(mode="json", exclude_defaults=True) if isinstance(each, Case) else each,
        )
        for number, each in enumerate(given, 1)
    )
    return cases_from(rows, "dataset")


def _outcomes(outputs: Outputs, cases: Sequence[Case]) -> dict[str, Outcome]:
    if isinstance(outputs, str | Path):
        return _recorded(Path(outputs), cases)
    found: dict[str, Outcome] = {}
    faults: list[Fault] = []
    known = {case.id for case in cases}
    for place, id, value in _named(outputs):
        try:
            outcome = _outcome(id, value)
        except ValueError as error:
            faults.append(Fault(str(error), place))
            continue
        if outcome.case_id not in known:
            hint = nearest(outcome.case_id, known)
            faults.append(Fault(f"'{outcome.case_id}' is no case of the dataset{hint}", place))
        elif outcome.case_id in found:
            faults.append(Fault(f"case '{outcome.case_id}' has an output already; expected one", place))
        else:
            found[outcome.case_id] = outcome
    if faults:
        untold = len(faults) - MOST_FAULTS_TOLD
        more = [Fault(f"and {untold:,} more faults", "outputs")] if untold > 0 else []
        raise ConfigurationError([*faults[:MOST_FAULTS_TOLD], *more])
    return found


def _named(outputs: Mapping[str, object] | Iterable[object]) -> Iterable[tuple[str, str | None, object]]:
    """Yield a place, the case's id where it stands beside the output, and the output."""
    if isinstance(outputs, Mapping):
        yield from ((f"output of '{id}'", str(id), value) for id, value in outputs.items())
    else:
        yield from ((f"output {number}", None, value) for number, value in enumerate(outputs, 1))


def _outcome(id: str | None, value: object) -> Outcome:
    from ragproof.adapters.adapter import CallFailed
    from ragproof.adapters.reading.results import read_result
    from ragproof.adapters.recorded import outputs

    if isinstance(value, PipelineOutput | CaseFailure):
        return value if id is None else value.model_copy(update={"case_id": id})
    if id is None and not isinstance(value, Mapping):
        raise ValueError(f"is {type(value).__name__} without a case; expected a mapping with a 'case_id'")
    if isinstance(value, Mapping):
        row: dict[str, Any] = {str(name): part for name, part in value.items()}
        row |= {} if id is None else {"case_id": id}
        if outputs.case_id(row) is None:
            raise ValueError("names no case; expected a 'case_id'")
        return outputs.read(row)
    try:
        return read_result(value, "the output").output(str(id), None)
    except CallFailed as failed:
        raise ValueError(failed.message) from failed


def _recorded(path: Path, cases: Sequence[Case]) -> dict[str, Outcome]:
    from ragproof.adapters.adapter import CallFailed, Question
    from ragproof.adapters.recorded.recording import Recording

    recording = Recording(path)
    found: dict[str, Outcome] = {}
    for case in cases:
        try:
            found[case.id] = recording.answer(Question.of(case, k=1, retrieve_k=1))
        except CallFailed as failed:
            found[case.id] = CaseFailure(case_id=case.id, kind=failed.kind, message=failed.message)
    return found
