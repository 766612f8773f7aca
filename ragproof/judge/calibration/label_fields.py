"""The fields of a label file that a dataset does not have: what was answered, and what people say of it.

One function a field, each refusing what it cannot read right, as `datasets.fields` does for a case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ragproof.datasets.fields import Refused, Wrong
from ragproof.errors import nearest
from ragproof.judge.calibration.labelled import Label
from ragproof.metric import Metric
from ragproof.outputs import Chunk

CONTEXTS, ANSWER, CITATIONS = "contexts", "answer", "citations"
LABELS, HARD, WHY, SCORED_BY = "labels", "hard", "why", "scored_by"


def labels_of(value: object, metrics: Mapping[str, Metric]) -> dict[str, Label]:
    """Read the labels of one answer.

    Args:
        value: an object from metric keys to a number, or to a list of numbers, one for each annotator.
        metrics: those that may be labelled, by key.

    Raises:
        Refused: it is something else.
    """
    if not isinstance(value, dict) or not value:
        raise Wrong(value, 'an object of metrics and numbers, such as {"generation.groundedness": 0.5}')
    unknown = next((key for key in value if key not in metrics), None)
    if unknown is not None:
        hint = nearest(unknown, metrics) or f"; expected one of {', '.join(metrics)}"
        raise Refused(f": '{unknown}' is no metric that a judge decides{hint}")
    return {key: Label(scores=_scores(key, given)) for key, given in value.items()}


def _scores(key: str, given: object) -> tuple[float, ...]:
    if given == []:
        raise Wrong(given, "a number from 0 to 1 for each annotator", (key,))
    if not isinstance(given, list):
        return (_score(given, (key,)),)
    return tuple(_score(each, (key, place)) for place, each in enumerate(given))


def _score(value: object, inside: tuple[str | int, ...]) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Wrong(value, "a number from 0 to 1", inside)
    if not 0 <= value <= 1:
        raise Wrong(value, "a number from 0 to 1: bring another scale to it, lowest 0 and highest 1", inside)
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Wrong(value, "text")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Wrong(value, "true or false")
    return value


def _contexts(value: object) -> tuple[Chunk, ...]:
    if not isinstance(value, list):
        raise Wrong(value, "a list of what the answer was given to go by")
    chunks = tuple(_context(each, place) for place, each in enumerate(value))
    seen: set[str] = set()
    for place, chunk in enumerate(chunks):
        if chunk.id in seen:
            raise Wrong(chunk.id, "a different id for each context", (place, "id"))
        seen.add(chunk.id)
    return chunks


def _context(value: object, place: int) -> Chunk:
    if isinstance(value, str):
        return Chunk(id=str(place + 1), text=value)
    if isinstance(value, dict) and set(value) == {"id", "text"}:
        id, text = value["id"], value["text"]
        if isinstance(text, str) and isinstance(id, str | int) and not isinstance(id, bool) and str(id):
            return Chunk(id=str(id), text=text)
    raise Wrong(value, "text, or an object of 'id' and 'text'", (place,))


def _citations(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Wrong(value, "a list of ids of contexts")
    for place, each in enumerate(value):
        if isinstance(each, bool) or not isinstance(each, str | int):
            raise Wrong(each, "the id of a context", (place,))
    return tuple(map(str, value))


READ: Mapping[str, Callable[[object], object]] = {
    CONTEXTS: _contexts,
    ANSWER: _text,
    CITATIONS: _citations,
    HARD: _flag,
    WHY: _text,
    SCORED_BY: _text,
}
"""How each is read, the labels apart, which depend on the metrics there are."""
NEEDED = (ANSWER, LABELS)
