"""A user's own labelled cases: JSON Lines, a case of a dataset with its answer and what people say of it.

`{"id", "question", "contexts": [{"id", "text"} or text], "answer", "expected_answer", "citations": [id],
"labels": {METRIC: number from 0 to 1, or a list with one for each annotator}}`, and what else a case may
have. Contexts left out are unknown, an empty list is "nothing was found"; a text alone is named by its place,
from 1. `expected_answers` are a case's; what was answered is `answer`, and a dataset has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets.fields import FIELDS, Refused
from ragproof.datasets.jsonl import rows
from ragproof.datasets.rows import MOST_FAULTS_TOLD, Row, cases_from
from ragproof.datasets.wording import shown
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.evidence import Evidence, Settings
from ragproof.judge.calibration import label_fields
from ragproof.judge.calibration.label_fields import ANSWER, CITATIONS, CONTEXTS, LABELS, READ
from ragproof.judge.calibration.labelled import Labelled
from ragproof.metric import Metric
from ragproof.outputs import PipelineOutput
from ragproof.scoring import unmeasurable

_OURS = (*READ, LABELS)
_JUDGED = Settings(judge_configured=True)


def read(path: Path, metrics: Mapping[str, Metric]) -> tuple[Labelled, ...]:
    """Read every line of a label file.

    Args:
        path: UTF-8; blank lines are passed over.
        metrics: those that may be labelled, by key.

    Returns:
        The labelled cases in file order; never empty.

    Raises:
        ConfigurationError: the file is not there, or all that is wrong in it, each with its line.
    """
    try:
        given = list(rows(path, path.name))
    except OSError as error:
        told = (error.strerror or type(error).__name__).lower()
        raise ConfigurationError(f"labels '{path}' cannot be read: {told}; expected a JSONL file") from error
    found: list[Labelled] = []
    faults: list[Fault] = []
    places: dict[str, str] = {}
    for row in given:
        try:
            found.append(_labelled(row, metrics, places))
        except ConfigurationError as error:
            faults += error.faults
    if not given:
        faults.append(Fault("no labelled answers; expected at least one", path.name))
    if len(faults) > MOST_FAULTS_TOLD:
        rest = len(faults) - MOST_FAULTS_TOLD
        faults[MOST_FAULTS_TOLD:] = [Fault(f"and {rest:,} more faults", path.name)]
    if faults:
        raise ConfigurationError(faults)
    return tuple(found)


def _labelled(row: Row | Fault, metrics: Mapping[str, Metric], places: dict[str, str]) -> Labelled:
    if isinstance(row, Fault):
        raise ConfigurationError([row])
    faults = [Fault(told, row.place) for told in _strangers(row)]
    own: dict[str, object] = {}
    for name, told in _read_own(row, metrics, own):
        faults.append(Fault(f"{name}{told}", row.place))
    case: Case | None = None
    try:
        (case,) = cases_from([_case_row(row)], row.place)
    except ConfigurationError as error:
        faults += error.faults
    if case is not None:
        first = places.setdefault(case.id, row.place)
        if first != row.place:
            faults.append(
                Fault(f"id: {shown(case.id)} is already used at {first}; expected another", row.place)
            )
    if faults or case is None:
        raise ConfigurationError(faults)
    return _measurable(_made(case, own), metrics, row.place)


def _strangers(row: Row) -> Iterator[str]:
    known = (*FIELDS, *_OURS)
    for name in row.fields:
        if name not in known:
            hint = nearest(name, known) or "; move it under 'metadata' or 'tags'"
            yield f"{shown(name)} is not a field of a labelled answer{hint}"


def _read_own(row: Row, metrics: Mapping[str, Metric], own: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Read the fields that a case does not have into `own`; yield name and fault of what cannot be read."""
    for name in _OURS:
        value = row.fields.get(name)
        if value is None:
            if name in label_fields.NEEDED:
                yield name, ": missing; expected " + ("text" if name == ANSWER else "numbers by metric")
            continue
        try:
            own[name] = label_fields.labels_of(value, metrics) if name == LABELS else READ[name](value)
        except Refused as refused:
            yield name, str(refused)


def _case_row(row: Row) -> Row:
    return Row(row.place, {name: value for name, value in row.fields.items() if name in FIELDS})


def _made(case: Case, own: Mapping[str, object]) -> Labelled:
    output = PipelineOutput.model_validate(
        {
            "case_id": case.id,
            "answer": own[ANSWER],
            "context": own.get(CONTEXTS),
            "citations": own.get(CITATIONS),
        }
    )
    told = {name: own[name] for name in own if name in Labelled.model_fields}
    return Labelled.model_validate({"case": case, "output": output, **told})


def _measurable(labelled: Labelled, metrics: Mapping[str, Metric], place: str) -> Labelled:
    """Return the same; a label on a metric that cannot measure this answer at all is a fault."""
    evidence = Evidence(labelled.case, labelled.output, _JUDGED)
    unmet = {key: unmeasurable(metrics[key], evidence) for key in labelled.labels}
    faults = [
        Fault(f"labels['{key}']: it cannot be measured here: {skipped.reason}", place)
        for key, skipped in unmet.items()
        if skipped is not None
    ]
    if faults:
        raise ConfigurationError(faults)
    return labelled
