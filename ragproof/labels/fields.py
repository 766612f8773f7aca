"""The fields of a file of labels: one function a field, each refusing what it cannot read right.

False friend: `label`, which some sheets call the verdict and others the person; here they are `value` and
`labeller`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ragproof.datasets.fields import FIELDS as CASE_FIELDS
from ragproof.datasets.fields import Refused, Wrong
from ragproof.datasets.rows import Row
from ragproof.datasets.wording import shown
from ragproof.errors import nearest

CASE_ID, METRIC, VALUE, LABELLER = "case_id", "metric", "value", "labeller"
RUN_ID, TRIAL, QUESTION, ANSWER = "run_id", "trial", "question", "answer"

_LARGEST = 2.0**1000
"""Far beyond any range, and a whole number below it fits a float."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")


@dataclass(frozen=True)
class LabelRow:
    """One row, every field of its kind and none yet held against the store.

    Attributes:
        place: where it stands, as `labels.csv:12`.
        case_id: of the case whose answer is judged.
        metric: what it is judged by, in any spelling.
        value: the verdict.
        labeller: who gave it; None is nobody named.
        run_id: whose answer, by id, the beginning of one or a label; None leaves it to the command.
        trial: which of a repeated case's answers, from 0.
        question: what the labeller was shown; None where the file does not say.
        answer: likewise.
    """

    place: str
    case_id: str
    metric: str
    value: float
    labeller: str | None = None
    run_id: str | None = None
    trial: int = 0
    question: str | None = None
    answer: str | None = None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Wrong(value, "text")
    return value


def _filled(value: object) -> str:
    text = _text(value)
    if not text.strip():
        raise Wrong(value, "text that is not blank")
    return text.strip()


def _value(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        quoted = isinstance(value, str) and _NUMBER.fullmatch(value.strip())
        raise Wrong(value, "a number: write it without quotes" if quoted else "a number")
    if not -_LARGEST < value < _LARGEST:
        raise Wrong(value, "a finite number")
    return float(value)


def _trial(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Wrong(value, "a whole number, 0 for the first answer")
    return value


FIELDS: Mapping[str, Callable[[object], object]] = {
    CASE_ID: CASE_FIELDS["id"],
    METRIC: _filled,
    VALUE: _value,
    LABELLER: _filled,
    RUN_ID: _filled,
    TRIAL: _trial,
    QUESTION: _text,
    ANSWER: _text,
}
"""Every field a row may have; `null` and an empty cell are the same as no field."""
REQUIRED = (CASE_ID, METRIC, VALUE)

SPELLED_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("case", "id", "item"), CASE_ID),
    **dict.fromkeys(("score", "label", "rating", "verdict"), VALUE),
    **dict.fromkeys(("annotator", "labeler", "rater", "scored_by", "user"), LABELLER),
    "run": RUN_ID,
    "key": METRIC,
    "repeat": TRIAL,
}
"""What sheets call our fields: no similarity of letters would find these."""


def unknown(name: str) -> str:
    """Say that a name is no field of a label, and which one may have been meant."""
    ours = SPELLED_ELSEWHERE.get(name.casefold())
    hint = f"; did you mean '{ours}'?" if ours else nearest(name, FIELDS)
    return f"{shown(name)} is not a field of a label" + (hint or f"; expected some of {', '.join(FIELDS)}")


def number_in(cell: object) -> object:
    """Return the number that a table's cell of text spells; what spells none is for its field to refuse."""
    text = cell.strip() if isinstance(cell, str) else ""
    if not _NUMBER.fullmatch(text):
        return cell
    return int(text) if text.isdecimal() and text.isascii() else float(text)


def read(row: Row) -> tuple[LabelRow | None, list[str]]:
    """Read a row's fields.

    Args:
        row: names of ours alone, with their values.

    Returns:
        The row, or None with everything that is wrong with it.
    """
    values: dict[str, object] = {}
    wrong = [
        f"{name}: missing; expected {_EXPECTED[name]}" for name in REQUIRED if row.fields.get(name) is None
    ]
    for name, value in row.fields.items():
        if value is not None:
            try:
                values[name] = FIELDS[name](value)
            except Refused as refused:
                wrong.append(f"{name}{refused}")
    return (None, wrong) if wrong else (_made(row.place, values), [])


_EXPECTED = {CASE_ID: "the id of a case", METRIC: "the key of a metric", VALUE: "a number"}


def _made(place: str, values: Mapping[str, object]) -> LabelRow:
    trial, value = values.get(TRIAL, 0), values[VALUE]
    assert isinstance(trial, int)
    assert isinstance(value, float)
    return LabelRow(
        place=place,
        case_id=str(values[CASE_ID]),
        metric=str(values[METRIC]),
        value=value,
        labeller=_maybe(values, LABELLER),
        run_id=_maybe(values, RUN_ID),
        trial=trial,
        question=_maybe(values, QUESTION),
        answer=_maybe(values, ANSWER),
    )


def _maybe(values: Mapping[str, object], name: str) -> str | None:
    return str(values[name]) if name in values else None
