"""Relevance judgments (qrels) and the queries they belong to, joined: the part that BEIR and TREC share.

Convention: the judged queries are the cases, in the order of the queries' file. A query without a judgment is
of another split or was never judged; it is left out, and counted by `unjudged`. A judgment whose query is
nowhere is a fault: leaving it out would make a smaller dataset without a word.
False friend: a judged gain of 0 or less is no absent judgment; it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ragproof.datasets.fields import Refused, whole_gain
from ragproof.datasets.rows import Row
from ragproof.datasets.wording import shown
from ragproof.errors import Fault

_WHOLE = re.compile(r"[+-]?\d{1,10}(?:\.0+)?", re.ASCII)
_MOST_NAMED = 3


@dataclass(frozen=True)
class Line:
    """One judgment as it stands in a file."""

    place: str
    query: str
    document: str
    gain: str


@dataclass
class Judgments:
    """The gains of the judged documents, by query and document."""

    name: str
    """What the file is called."""
    gains: dict[str, dict[str, int]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def collect(lines: Iterable[Line | Fault], name: str) -> Judgments:
    """Gather judgments; a pair judged twice alike counts once, and two different gains are a fault.

    Args:
        lines: in file order; a fault stands where no judgment could be read.
        name: what the file is called.
    """
    judgments = Judgments(name)
    places: dict[tuple[str, str], str] = {}
    for line in lines:
        if isinstance(line, Fault):
            judgments.faults.append(line)
            continue
        try:
            gain = whole_gain(float(line.gain) if _WHOLE.fullmatch(line.gain) else line.gain)
        except Refused as refused:
            judgments.faults.append(Fault(f"gain{refused}", line.place))
            continue
        gains = judgments.gains.setdefault(line.query, {})
        first = places.setdefault((line.query, line.document), line.place)
        if gains.setdefault(line.document, gain) != gain:
            judged = f"document {shown(line.document)} of query {shown(line.query)}"
            message = f"{judged} is judged {gain} here and {gains[line.document]} at {first}"
            judgments.faults.append(Fault(f"{message}; expected one gain", line.place))
    return judgments


def cases_of(queries: Iterable[Row | Fault], judgments: Judgments, source: str) -> Iterator[Row | Fault]:
    """Yield the judged queries with their relevance, and every fault of either file.

    Args:
        queries: rows with an `id`, in file order.
        judgments: what is known to be relevant.
        source: what the queries' file is called.
    """
    yield from judgments.faults
    missing = dict.fromkeys(judgments.gains)
    for row in queries:
        if isinstance(row, Fault):
            yield row
            continue
        query = query_id(row)
        if query is None:
            yield row
        elif query in judgments.gains:
            missing.pop(query, None)
            yield _with_relevance(row, judgments.gains[query], judgments.name)
    if missing:
        named = ", ".join(shown(query) for query in list(missing)[:_MOST_NAMED])
        more = f" and {len(missing) - _MOST_NAMED:,} more" if len(missing) > _MOST_NAMED else ""
        message = f"queries that are judged are not in {source}: {named}{more}; expected each of them there"
        yield Fault(message, judgments.name)


def _with_relevance(row: Row, gains: dict[str, int], source: str) -> Row:
    wrong = dict(row.wrong)
    for name in ("relevance", "expected_source_ids"):
        if name in row.fields:
            wrong[name] = f": {source} says what is relevant; expected one of the two"
    return Row(row.place, {**row.fields, "relevance": gains}, row.spelled, wrong)


def unjudged(queries: Iterable[Row | Fault], judgments: Judgments, source: str) -> tuple[str, ...]:
    """Say how many queries are left out because nothing is judged for them; () when none is."""
    ids = [query_id(row) for row in queries if isinstance(row, Row)]
    left_out = sum(query not in judgments.gains for query in ids)
    if not left_out:
        return ()
    return (f"{left_out:,} of {len(ids):,} queries in {source} have no judgment in {judgments.name}",)


def query_id(row: Row) -> str | None:
    """Return the id of a row as judgments spell it; None when it has none."""
    given = row.fields.get("id")
    whole = isinstance(given, int) and not isinstance(given, bool)
    return given if isinstance(given, str) else str(given) if whole else None
