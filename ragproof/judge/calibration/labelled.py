"""A labelled case: an answer, what people say each metric should give it, and why."""

from __future__ import annotations

from statistics import median
from typing import Annotated

from pydantic import Field

from ragproof.cases import Case
from ragproof.frozen import Frozen
from ragproof.outputs import PipelineOutput

Unit = Annotated[float, Field(ge=0, le=1)]


class Label(Frozen):
    """What a metric should give, as one or more people see it."""

    scores: tuple[Unit, ...] = Field(min_length=1)
    """One for each annotator, in the same order in every case as far as they are the same people."""

    @property
    def consensus(self) -> float:
        """The median: one annotator of three who disagrees does not move it, as he would the mean."""
        return float(median(self.scores))


class Labelled(Frozen):
    """One answer with its labels."""

    case: Case
    output: PipelineOutput
    labels: dict[str, Label] = Field(min_length=1)
    """By the key of the metric they are held against."""
    scored_by: str = "annotators"
    """Who gave the labels; `authors` wrote the case to have them."""
    hard: bool = False
    """Made to mislead a judge."""
    why: str = ""
    """One sentence that says why the labels are what they are."""
