"""Which part of a pipeline made a repeated case score differently, told by holding its outputs together.

Of two trials with different scores: another retrieval is the index's doing, another answer on the same
retrieval the generator's, and the same answer with another verdict the judge's. False friend: blaming the
generator for an answer that had other chunks to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations

from ragproof.outputs import CaseFailure, Outcome, PipelineOutput


class Cause(StrEnum):
    """Where trials part; the value is what a report says."""

    PIPELINE = "pipeline: one trial failed"
    INDEX = "index: another retrieval"
    GENERATOR = "generator: another answer on the same retrieval"
    UNSEEN = "index or generator: another answer, and the retrieval is not exposed"
    JUDGE = "judge: another verdict on the same answer"


def causes(values: Sequence[float | None], outcomes: Sequence[Outcome]) -> tuple[Cause, ...]:
    """Say why the trials of a case differ on a metric.

    Args:
        values: one a trial; None is a trial without a number, which differs from every number.
        outcomes: of the same trials; as many.

    Returns:
        Every cause that two trials with different values show, in the order of `Cause`; empty when all are
        equal.
    """
    pairs = combinations(zip(values, outcomes, strict=True), 2)
    found = {_parting(first, second) for (a, first), (b, second) in pairs if a != b}
    return tuple(cause for cause in Cause if cause in found)


def _parting(first: Outcome, second: Outcome) -> Cause:
    if isinstance(first, CaseFailure) or isinstance(second, CaseFailure):
        return Cause.PIPELINE
    if _read(first) != _read(second):
        return Cause.INDEX
    if (first.answer, first.citations) == (second.answer, second.citations):
        return Cause.JUDGE
    return Cause.GENERATOR if first.retrieved is not None else Cause.UNSEEN


def _read(output: PipelineOutput) -> tuple[tuple[tuple[str, str | None], ...] | None, ...]:
    """Return what was retrieved and what the generator read, in rank order; scores may wobble in a digit."""
    return tuple(
        None if chunks is None else tuple((chunk.id, chunk.text) for chunk in chunks)
        for chunks in (output.retrieved, output.context)
    )


def varying(trials: Mapping[str, Sequence[float | None]]) -> tuple[str, ...]:
    """Return the keys whose trials are not all the same; a number and no number are not the same."""
    return tuple(key for key, values in trials.items() if len(set(values)) > 1)
