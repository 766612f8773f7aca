"""Abstention and overrefusal: one detection, two case kinds, to be read side by side."""

from __future__ import annotations

import pytest

from ragproof.cases import CaseKind
from ragproof.metric import Direction, Measurement, Metric
from ragproof.metrics.robustness import abstention, overrefusal
from ragproof.scoring import score
from tests.fakes.evidence import case, evidence, output

DECLINES = "I don't know."
ANSWERS = "The capital of France is Paris."

ROWS = [
    # why, answer, tags, value or reason
    ("a refusal declines", DECLINES, {"language": "en"}, 1.0),
    ("an answer does not", ANSWERS, {"language": "en"}, 0.0),
    ("an empty answer declines", "", {"language": "en"}, 1.0),
    ("a blank answer declines", " \n", {}, 1.0),
    ("no answer is no abstention", None, {}, "adapter produced no answer"),
    ("the language may be left to the heuristic", DECLINES, {}, 1.0),
    ("a language it does not speak", "jISovbe'", {"language": "tlh"}, "refusal language not supported"),
]


@pytest.mark.parametrize(("why", "answer", "tags", "expected"), ROWS)
@pytest.mark.parametrize(
    ("metric", "kind"),
    [(abstention.METRIC, CaseKind.UNANSWERABLE), (overrefusal.METRIC, CaseKind.QA)],
    ids=["abstention", "overrefusal"],
)
def test_an_answer_that_declines_is_one(
    metric: Metric,
    kind: CaseKind,
    why: str,
    answer: str | None,
    tags: dict[str, str],
    expected: float | str,
) -> None:
    """Both metrics are 1.0 when the answer declined, 0.0 when it did not, and skip what they cannot read."""
    asked = evidence(case(kind, tags=tags), output(answer=answer))
    result = score(metric, asked.case, asked.output, asked.settings)
    assert (result.reason if isinstance(expected, str) else result.value) == expected, why


def test_refusing_everything_is_perfect_on_one_and_worst_on_the_other() -> None:
    """The pair shows the trade-off: abstention is better high, overrefusal better low."""
    assert abstention.METRIC.direction is Direction.HIGHER
    assert overrefusal.METRIC.direction is Direction.LOWER
    assert overrefusal.METRIC.beside == abstention.METRIC.key


def test_each_skips_the_other_kinds_by_name() -> None:
    """Abstention asks unanswerable cases, overrefusal answerable ones."""
    asked = evidence(case(CaseKind.INJECTION))
    reasons = [
        score(metric, asked.case, asked.output, asked.settings).reason
        for metric in (abstention.METRIC, overrefusal.METRIC)
    ]
    assert reasons == ["applies to unanswerable cases only", "applies to qa cases only"]


def test_details_say_which_rule_decided_in_which_language() -> None:
    """A reader who doubts the verdict sees what it rests on."""
    measured = abstention.measure(evidence(case(CaseKind.UNANSWERABLE), output(answer=DECLINES)))
    assert isinstance(measured, Measurement)
    assert measured.details["language"] == "en"
    assert measured.details["rule"]
