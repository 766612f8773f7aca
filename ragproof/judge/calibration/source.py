"""Where labels come from, and whether all of them were asked about."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.cases import canonical_hash
from ragproof.frozen import Frozen
from ragproof.judge.calibration.labelled import Labelled

FIXTURES = "fixtures"
"""The name of our own."""


class Source(Frozen):
    """Labels of one origin; a label is what one metric should give one answer."""

    name: str
    """`fixtures` for our own, else the file's name."""
    content_hash: str
    """sha256 of the answers that were asked about, with their labels."""
    labels: int
    """Labels that were asked about."""
    of: int
    """Labels there are, on the prompts that were chosen."""
    scored_by: tuple[str, ...]
    """Who gave them; `authors` are ours, and no annotators."""

    @property
    def is_sample(self) -> bool:
        """Whether only some of the labels were asked about."""
        return self.labels < self.of


def source_of(name: str, asked: Sequence[Labelled], there: Sequence[Labelled]) -> Source:
    """Describe labels.

    Args:
        name: `fixtures`, or the file's.
        asked: the answers that are asked about, with the labels that are.
        there: all answers on the chosen prompts, with all their labels.
    """
    return Source(
        name=name,
        content_hash=canonical_hash([each.model_dump(mode="json") for each in asked]),
        labels=sum(len(each.labels) for each in asked),
        of=sum(len(each.labels) for each in there),
        scored_by=tuple(dict.fromkeys(each.scored_by for each in asked)),
    )
