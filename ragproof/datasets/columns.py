"""Cases in a table: which columns there may be, and how a row of cells becomes a row of fields.

Convention: a column is a field of a case; `tags.NAME` and `metadata.NAME` are entries of those two, so that a
table needs no JSON; a cell that is empty or null is no value. Text in a column of lists or objects is read as
`cells` reads it, and a list of ids is allowed under `relevance`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ragproof.datasets.cells import list_or_text, object_or_text, text_alone
from ragproof.datasets.fields import FIELDS, REQUIRED, Refused
from ragproof.datasets.rows import Row, unknown
from ragproof.datasets.wording import shown
from ragproof.errors import Fault

SPREAD = ("tags", "metadata")
"""Fields whose entries may have columns of their own."""

_AS_TEXT: Mapping[str, Callable[[str], object]] = {
    "expected_answer": text_alone,
    "expected_answers": list_or_text,
    "expected_source_ids": list_or_text,
    "relevance": object_or_text,
    "tags": object_or_text,
    "metadata": object_or_text,
    "history": list_or_text,
}
"""How text in a column is read, where it is not the value itself."""


@dataclass(frozen=True)
class Table:
    """The columns of a file and its rows, by column name; what is wrong with either stands among the rows."""

    names: tuple[str, ...]
    place: str
    """Of the header."""
    rows: Iterable[Row | Fault]


def name_faults(names: Iterable[str], place: str) -> Iterator[Fault]:
    """Yield a fault for each column without a name, and for each name that several have."""
    columns = list(names)
    for number in (number for number, name in enumerate(columns, start=1) if not name):
        yield Fault(f"column {number} has no name; name it, or take the column out", place)
    for name in (name for name, count in Counter(columns).items() if name and count > 1):
        places = [str(number) for number, each in enumerate(columns, start=1) if each == name]
        yield Fault(f"{shown(name)} names columns {' and '.join(places)}; expected each name once", place)


def case_rows(table: Table) -> Iterator[Row | Fault]:
    """Yield the rows of a table as rows of fields.

    Args:
        table: of any file; an unknown column is told once, and a missing one instead of every row.
    """
    known = {name: name for name in table.names if is_ours(name)}
    for name in table.names:
        if name and name not in known:
            yield Fault(unknown(name), table.place)
    missing = [name for name in REQUIRED if name not in known and table.names]
    for name in missing:
        yield Fault(f"there is no column '{name}'; expected one in the header", table.place)
    for row in table.rows:
        if isinstance(row, Fault):
            yield row
        elif not missing:
            yield fields_of(row, known)


def is_ours(name: str) -> bool:
    """Tell whether a column is a field of a case, or an entry of one."""
    field, _, entry = name.partition(".")
    return name in FIELDS or (field in SPREAD and bool(entry))


def fields_of(row: Row, names: Mapping[str, str]) -> Row:
    """Read the cells of a row as fields of ours.

    Args:
        row: cells by column.
        names: what each column is to us, a field or an entry of one; other columns are passed over.

    Returns:
        The row of fields, with a fault for each cell that cannot be read or says what another one has said.
    """
    fields: dict[str, object] = {}
    spelled: dict[str, str] = {}
    wrong = {name: message for name, message in row.wrong.items() if name in names}
    given = {name: value for name in names if (value := row.fields.get(name)) is not None}
    for name in (name for name in given if names[name] in FIELDS):
        ours = names[name]
        if ours in spelled:
            wrong[name] = f": '{spelled[ours]}' says it already; expected one of the two"
            continue
        spelled[ours] = name
        try:
            fields[ours] = _value(ours, given[name])
        except Refused as refused:
            wrong[name] = str(refused)
    for name in (name for name in given if names[name] not in FIELDS):
        if not _enter(fields, names[name], given[name]):
            wrong[name] = f": disagrees with '{names[name].partition('.')[0]}'; expected one of the two"
    return Row(row.place, fields, spelled, wrong)


def _value(name: str, value: object) -> object:
    if isinstance(value, str):
        value = _AS_TEXT.get(name, str)(value)
    if name == "relevance" and isinstance(value, list):
        return FIELDS["expected_source_ids"](value)
    return value


def _enter(fields: dict[str, object], name: str, value: object) -> bool:
    """Put `tags.language` into `tags`; False when that holds another one already."""
    field, _, entry = name.partition(".")
    whole = fields.setdefault(field, {})
    return not isinstance(whole, dict) or bool(whole.setdefault(entry, value) == value)
