"""The samples of ragas: `user_input`, `reference` and what a pipeline gave, in JSON Lines, CSV or Parquet.

Convention (ragas 0.2 and later; `question`, `contexts`, `answer` and `ground_truth` are its older names): the
reference is the expected answer, `reference_context_ids` are the relevant sources. Samples have no id: a hash
of the question is one, which survives another order, and a question asked again gets `-2`. The recorded
response and contexts are kept as metadata, and so is every column that is neither ragas's nor ours.
False friend: `retrieved_contexts` are a pipeline's, not those of whoever wrote the reference.
"""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets import csv, jsonl, parquet
from ragproof.datasets.cells import list_or_text, object_or_text
from ragproof.datasets.columns import Table
from ragproof.datasets.fields import FIELDS, Refused, Wrong
from ragproof.datasets.foreign import as_ours
from ragproof.datasets.reader import Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.wording import shown
from ragproof.errors import ConfigurationError, Fault

_NAMES = {
    "user_input": "question",
    "reference": "expected_answer",
    "ground_truth": "expected_answer",
    "ground_truths": "expected_answers",
    "reference_context_ids": "expected_source_ids",
}
_CURRENT = {"contexts": "retrieved_contexts", "answer": "response"}
_LISTS = ("retrieved_contexts", "reference_contexts", "retrieved_context_ids", "multi_responses")
_OTHERS = ("response", "rubrics", "persona_name", "query_style", "query_length", "synthesizer_name")
_KNOWN = (*_NAMES, *_CURRENT, *_LISTS, *_OTHERS, *FIELDS)
_ALIKE = 0.85
"""Names at least this much alike are one misspelt, and not a column of its own."""
_ID_DIGITS = 12


def sniff(path: Path, head: bytes) -> bool:
    """Recognise the format by its columns, in whichever container."""
    if head.startswith(parquet.MAGIC):
        try:
            return _looks(parquet.header(path))
        except ConfigurationError:
            return False
    return _looks(jsonl.first_object(head)) or _looks(csv.header(head))


def read(path: Path) -> tuple[Case, ...]:
    """Read every sample of a file.

    Args:
        path: JSON Lines, CSV or Parquet, told by the first bytes.

    Returns:
        The cases in file order; never empty.

    Raises:
        ConfigurationError: all that is wrong, each with its line or row.
        OSError: the file cannot be opened.
    """
    return cases_from(_with_ids(_samples(_rows(path))), path.name)


def _looks(names: Collection[str]) -> bool:
    older = "question" in names and any(
        name in names for name in ("contexts", "ground_truth", "ground_truths")
    )
    return "user_input" in names or older


def _rows(path: Path) -> Iterator[Row | Fault]:
    with path.open("rb") as file:
        head = file.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] in (b"{", b"["):
        yield from jsonl.rows(path, path.name)
    else:
        yield from _of_table(parquet.table(path) if head.startswith(parquet.MAGIC) else csv.table(path))


def _of_table(table: Table) -> Iterator[Row | Fault]:
    if table.names and not {"user_input", "question"} & {*table.names}:
        yield Fault("there is no column 'user_input'; expected one in the header", table.place)
    else:
        yield from table.rows


def _samples(rows: Iterable[Row | Fault]) -> Iterator[Row | Fault]:
    told: set[str] = set()
    for row in rows:
        if isinstance(row, Fault):
            yield row
            continue
        for name in (name for name in row.fields if name not in _KNOWN and name not in told):
            told.add(name)
            near = difflib.get_close_matches(name, _KNOWN, n=1, cutoff=_ALIKE)
            if near:
                yield Fault(f"{shown(name)} is no column of ragas; did you mean '{near[0]}'?", row.place)
        yield as_ours(_as_recorded(row), _NAMES)


def _as_recorded(row: Row) -> Row:
    """Read what a pipeline gave, under its names of today."""
    fields: dict[str, object] = {}
    wrong = dict(row.wrong)
    for name, value in row.fields.items():
        today = _CURRENT.get(name, name)
        kept = name if row.fields.get(today) is not None else today
        try:
            fields[kept] = _recorded(today, value)
        except Refused as refused:
            wrong[name] = str(refused)
    return Row(row.place, fields, wrong=wrong)


def _recorded(name: str, value: object) -> object:
    match name, value:
        case ("user_input", list()):
            cure = "write its last question here and the turns before it under 'history'"
            raise Refused(f": a conversation is not one question; {cure}")
        case ("rubrics", str()):
            return object_or_text(value)
        case (_, str() | list()) if name in _LISTS:
            return _texts(list_or_text(value) if isinstance(value, str) else value)
    return value


def _texts(value: object) -> list[str]:
    """Read a list of texts or ids; a lone text is one entry, never its letters."""
    entries = value if isinstance(value, list) else [value]
    for index, entry in enumerate(entries):
        if isinstance(entry, bool) or not isinstance(entry, str | int):
            raise Wrong(entry, "text", (index,))
    return [str(entry) for entry in entries]


def _with_ids(rows: Iterable[Row | Fault]) -> Iterator[Row | Fault]:
    counts: Counter[str] = Counter()
    for row in rows:
        if isinstance(row, Fault) or "id" in row.fields or "id" in row.wrong:
            yield row
            continue
        digest = hashlib.sha256(str(row.fields.get("question")).encode()).hexdigest()[:_ID_DIGITS]
        counts[digest] += 1
        case_id = digest if counts[digest] == 1 else f"{digest}-{counts[digest]}"
        yield Row(row.place, {**row.fields, "id": case_id}, row.spelled, row.wrong)


READER = Reader(name="ragas", version=1, sniff=sniff, read=read, refines=("jsonl", "csv", "parquet"))
