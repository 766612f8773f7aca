"""Rows of other tools' formats: their names for our fields, and what they hold beside them.

Convention: what the format calls a field becomes that field, our own names mean what they always mean, and
any other key is kept under `metadata`, so that nothing a row holds is lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from ragproof.datasets.columns import fields_of, is_ours
from ragproof.datasets.rows import Row


def as_ours(row: Row, names: Mapping[str, str]) -> Row:
    """Read a row of another format as a row of our fields.

    Args:
        row: as it stands in the file; null is the same as no key.
        names: our field for each of the format's own names, the usual name of a field first.

    Returns:
        The row, with a fault for each key whose place another one has already taken.
    """
    known = {name: names.get(name, name) for name in row.fields if name in names or is_ours(name)}
    read = fields_of(row, known)
    beside = {name: value for name, value in row.fields.items() if name not in known and value is not None}
    wrong = {**row.wrong, **read.wrong}
    metadata = read.fields.get("metadata", {})
    if isinstance(metadata, dict):
        twice = [name for name in beside if name in metadata]
        wrong |= dict.fromkeys(twice, ": 'metadata' holds it too; expected one of the two")
        metadata = {**beside, **metadata}
    usual = {ours: name for name, ours in reversed(list(names.items()))}
    return Row(row.place, {**read.fields, "metadata": metadata}, {**usual, **read.spelled}, wrong)
