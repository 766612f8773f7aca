"""Metrics as a user would write them, good ones and bad ones."""

from __future__ import annotations

from collections.abc import Callable

from ragproof.cases import CaseKind
from ragproof.evidence import Evidence
from ragproof.metric import Direction, Need, Range, metric

LIMIT = 40


def answer_length(evidence: Evidence) -> float:
    """Count the characters of the answer."""
    return len(evidence.output.answer or "")


@metric(
    key="politeness",
    needs=[Need.ANSWER],
    kinds=[CaseKind.QA],
    range=Range(0.0, 1.0),
    direction=Direction.LOWER,
    version=3,
)
def politeness(evidence: Evidence) -> float:
    """Say whether the answer says please."""
    return float("please" in (evidence.output.answer or ""))


@metric()
def keyless(evidence: Evidence) -> float:
    """Return nothing of note."""
    return 0.0


@metric(key="retrieval.mrr")
def impostor(evidence: Evidence) -> float:
    """Pretend to be another metric."""
    return 1.0


eval_llm_calls = metric(key="eval_llm_calls")(answer_length)

SEVERAL = (metric(key="first")(answer_length), metric(key="second")(answer_length))


class Shelf:
    """A class, which is no metric, with a function, which is one."""

    @staticmethod
    def shortest(evidence: Evidence) -> float:
        """Return the length of the shortest expected answer."""
        return min(map(len, evidence.case.expected_answers), default=0)


def within(limit: int) -> Callable[[Evidence], float]:
    """Return a metric that is not at the top of a module."""

    def measure(evidence: Evidence) -> float:
        return float(answer_length(evidence) <= limit)

    return measure


limit_of_40 = within(LIMIT)


def nullary() -> float:
    """Take no evidence."""
    return 1.0


async def later(evidence: Evidence) -> float:
    """Return a promise of a number."""
    return 1.0
