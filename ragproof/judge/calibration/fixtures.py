"""Our own labelled cases, one JSON Lines file a prompt: written with their labels, half or more to mislead.

They show whether a judge can do the task at all. False friend: a sample of real answers scored by annotators,
which says how well a judge does it on yours; for that there are label files (`labels`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import Field

from ragproof.cases import Case
from ragproof.frozen import Frozen
from ragproof.judge.calibration.labelled import Label, Labelled, Unit
from ragproof.judge.calibration.metrics import metric_of
from ragproof.judge.prompting import names
from ragproof.metric import Metric
from ragproof.outputs import PipelineOutput


class Fixture(Frozen):
    """One row; `case` and `output` hold fields of a case and an output, without the id they share."""

    id: str = Field(min_length=1)
    case: dict[str, Any]
    output: dict[str, Any]
    score: Unit
    """What the metric should give."""
    scored_by: Literal["authors"]
    hard: bool
    why: str = Field(min_length=1)

    def labelled(self, metric: str) -> Labelled:
        """Return the row as a case labelled for one metric."""
        return Labelled(
            case=Case.model_validate({**self.case, "id": self.id}),
            output=PipelineOutput.model_validate({**self.output, "case_id": self.id}),
            labels={metric: Label(scores=(self.score,))},
            scored_by=self.scored_by,
            hard=self.hard,
            why=self.why,
        )


def fixtures(metrics: Mapping[str, Metric], prompts: Sequence[str] | None = None) -> tuple[Labelled, ...]:
    """Return our labelled cases.

    Args:
        metrics: those that may be labelled, by key.
        prompts: names of prompts; None is every prompt, empty is none.
    """
    chosen = names() if prompts is None else prompts
    return tuple(row.labelled(metric_of(prompt, metrics).key) for prompt in chosen for row in rows_of(prompt))


@cache
def rows_of(prompt: str) -> tuple[Fixture, ...]:
    """Return the rows of one prompt's file."""
    return tuple(Fixture.model_validate_json(line) for line in _text(prompt).split("\n") if line)


def fixture_hash(prompt: str) -> str:
    """Return the sha256 of one prompt's file, the same whatever the line ends of the checkout are."""
    return hashlib.sha256(_text(prompt).encode()).hexdigest()


def _text(prompt: str) -> str:
    file = files("ragproof.judge").joinpath("fixtures", f"{prompt}.jsonl")
    return file.read_text(encoding="utf-8").replace("\r\n", "\n")
