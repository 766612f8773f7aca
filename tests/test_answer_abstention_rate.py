"""Abstention rate: the share of answers that decline, over every kind of case."""

from __future__ import annotations

import pytest

from ragproof.cases import CaseKind
from ragproof.metric import Cost, Direction
from ragproof.metrics.answer.abstention_rate import METRIC
from ragproof.scoring import score
from tests.fakes.evidence import case, evidence, output

ROWS = [
    # why, answer, tags, value or reason
    ("a refusal declines", "I don't know.", {"language": "en"}, 1.0),
    ("an answer does not", "Paris", {"language": "en"}, 0.0),
    ("an empty answer declines", "", {"language": "en"}, 1.0),
    ("no answer is no abstention", None, {}, "adapter produced no answer"),
    ("a language it does not speak", "jISovbe'", {"language": "tlh"}, "refusal language not supported"),
]


@pytest.mark.parametrize("kind", CaseKind)
@pytest.mark.parametrize(("why", "answer", "tags", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_every_kind_of_case_counts(
    kind: CaseKind, why: str, answer: str | None, tags: dict[str, str], expected: float | str
) -> None:
    """Whether the case could be answered does not matter; what cannot be told is left out with its reason."""
    asked = evidence(case(kind, tags=tags), output(answer=answer))
    result = score(METRIC, asked.case, asked.output, asked.settings)
    assert (result.reason if isinstance(expected, str) else result.value) == expected, why


def test_it_describes_and_ranks_nothing_and_costs_nothing() -> None:
    """Declining is right on one case and wrong on the next, and no judge is asked."""
    assert METRIC.direction is Direction.NONE
    assert METRIC.cost is Cost.FREE
