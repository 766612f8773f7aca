"""When judgments and run have no id in common, and whether their ids differ in nothing but their form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ragproof.errors import ConfigurationError
from ragproof.ranking.quoting import some

_NUMBER = re.compile(r"0*(\d+)(?:\.0+)?", re.ASCII)


def no_common_query(
    judged: Iterable[object], ranked: Iterable[object], documents: Iterable[object] = ()
) -> ConfigurationError:
    """Return the error for judgments and a run that share no query.

    Args:
        judged: the judged query ids; empty when nothing is judged.
        ranked: the run's.
        documents: the judged document ids; empty when nobody looked.
    """
    judged, ranked = list(judged), list(ranked)
    if not judged:
        return ConfigurationError("the judgments hold no query, expected at least one judged document")
    if not ranked:
        return ConfigurationError("the run holds no query, expected at least one ranked document")
    hint = _columns_exchanged(ranked, documents) or _same_but_for_form(judged, ranked)
    told = (
        f"; {hint}" if hint else "; these are files of two different collections, or one of them is cut short"
    )
    return ConfigurationError(
        f"judgments and run have no query in common: the judgments have {some(judged)}, the run has"
        f" {some(ranked)}{told}"
    )


def documents_of_another_type(
    judged: Iterable[object], ranked: Iterable[object]
) -> ConfigurationError | None:
    """Return the error for documents that differ in nothing but their type, and so can never be the same.

    Args:
        judged: judged document ids.
        ranked: document ids of the run.

    Returns:
        The error, or None when that is not why nothing is judged.
    """
    types = {str(each): each for each in judged}
    for each in ranked:
        other = types.get(str(each), each)
        if isinstance(other, str) != isinstance(each, str):
            return ConfigurationError(f"no document of the run is judged; {_alike(other, each)}")
    return None


def _columns_exchanged(ranked: Sequence[object], documents: Iterable[object]) -> str | None:
    known = set(documents)
    found = known.intersection(ranked)
    # Of a few ids that are both, nothing follows; and a deep run ranks more documents than were judged.
    if not found or len(found) < min(len(ranked), len(known)) / 2:
        return None
    return (
        "the queries of the run are documents of the judgments: are the columns of query and document"
        " exchanged in one of the two files?"
    )


def _same_but_for_form(judged: Iterable[object], ranked: Iterable[object]) -> str | None:
    forms = {_form(each): each for each in judged}
    for each in ranked:
        other = forms.get(_form(each))
        if other is not None:
            return _alike(other, each)
    return None


def _alike(judged: object, ranked: object) -> str:
    return (
        f"ids are compared as they are written: the judgments have {_written(judged)} where the run has"
        f" {_written(ranked)}; write both alike"
    )


def _form(found: object) -> str:
    text = str(found).strip().casefold()
    number = _NUMBER.fullmatch(text)
    return number[1] if number else text


def _written(found: object) -> str:
    return f"'{found}'" if isinstance(found, str) else f"{found!r} of type {type(found).__name__}"
