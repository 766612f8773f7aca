"""From rows to cases: the part of reading that every format shares.

A format turns a file into rows of field names and values, each with its place; here the rows become cases,
or every fault of the file is told at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ragproof.cases import Case
from ragproof.datasets.fields import FIELDS, REQUIRED, SPELLED_ELSEWHERE, Refused
from ragproof.datasets.wording import named, shown
from ragproof.errors import ConfigurationError, Fault, nearest

MOST_FAULTS_TOLD = 50
"""A file of 10,000 rows with one misspelt column would otherwise fill a terminal's history."""


@dataclass(frozen=True)
class Row:
    """One row of a dataset file, not yet checked."""

    place: str
    """Where it stands, as `cases.jsonl:12`."""
    fields: Mapping[str, object]
    spelled: Mapping[str, str] = field(default_factory=dict)
    """What the file calls a field, where it calls it otherwise than we do."""
    wrong: Mapping[str, str] = field(default_factory=dict)
    """What the format itself found wrong, by the file's name for it; all else is checked all the same."""


def cases_from(rows: Iterable[Row | Fault], source: str) -> tuple[Case, ...]:
    """Read rows as cases, one at a time.

    Args:
        rows: in file order; a fault stands where no row could be made.
        source: the file's name, the place of faults that belong to no row.

    Returns:
        The cases in the order of their rows; never empty.

    Raises:
        ConfigurationError: anything is wrong; the first faults in full and the number of the others.
    """
    cases: list[Case] = []
    faults: list[Fault] = []
    untold = 0
    places: dict[str, str] = {}
    for row in rows:
        found = [row] if isinstance(row, Fault) else _read(row, cases, places)
        room = max(0, MOST_FAULTS_TOLD - len(faults))
        faults.extend(found[:room])
        untold += len(found[room:])
    if untold:
        faults.append(Fault(f"and {untold:,} more faults", source))
    if not faults and not cases:
        faults.append(Fault("no cases; expected at least one", source))
    if faults:
        raise ConfigurationError(faults)
    return tuple(cases)


def _read(row: Row, cases: list[Case], places: dict[str, str]) -> list[Fault]:
    values, messages = _values(row)
    case_id = values.get("id")
    if isinstance(case_id, str):
        first = places.setdefault(case_id, row.place)
        if first != row.place:
            name = _spelled(row, "id")
            messages.append(f"{name}: {shown(case_id)} is already used at {first}; expected a different one")
    if messages:
        return [Fault(message, row.place) for message in messages]
    cases.append(Case.model_validate(values))
    return []


def _values(row: Row) -> tuple[dict[str, object], list[str]]:
    values: dict[str, object] = {}
    messages = [f"{named(name)}{message}" for name, message in row.wrong.items()]
    absent = [name for name in REQUIRED if row.fields.get(name) is None]
    missing = [name for name in absent if row.spelled.get(name, name) not in row.wrong]
    messages += [f"{_spelled(row, name)}: missing; expected text" for name in missing]
    for name, value in row.fields.items():
        if name not in FIELDS:
            messages.append(unknown(name))
        elif value is not None:
            try:
                values[name] = FIELDS[name](value)
            except Refused as refused:
                messages.append(f"{_spelled(row, name)}{refused}")
    _join(values, "expected_answer", "expected_answers", messages)
    _join(values, "expected_source_ids", "relevance", messages)
    return values, messages


def _spelled(row: Row, name: str) -> str:
    return named(row.spelled.get(name, name))


def _join(values: dict[str, object], plain: str, full: str, messages: list[str]) -> None:
    """Let source A's spelling of a field stand for ours, unless both are there and say different things."""
    if plain not in values:
        return
    given = values.pop(plain)
    if values.setdefault(full, given) != given and _positive(values[full]) != given:
        messages.append(f"{plain}: disagrees with '{full}'; expected one of the two, or the same in both")


def _positive(value: object) -> object:
    """Relevance as a list of ids could have said it: whatever is relevant, with gain 1."""
    return {source: 1 for source, gain in value.items() if gain > 0} if isinstance(value, dict) else value


def unknown(name: str) -> str:
    """Say that a name is no field of ours, and which one may have been meant."""
    ours = SPELLED_ELSEWHERE.get(name.casefold())
    hint = f"; did you mean '{ours}'?" if ours else nearest(name, FIELDS)
    return f"{shown(name)} is not a field of a case" + (hint or "; move it under 'metadata' or 'tags'")
