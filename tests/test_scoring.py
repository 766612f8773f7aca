"""Scoring: one of five outcomes for whatever a pipeline or a metric does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ragproof.cases import CaseKind
from ragproof.evidence import Evidence, Settings
from ragproof.metric import ALL_KINDS, Measurement, Metric, Need, Range
from ragproof.outputs import CaseFailure, FailureKind
from ragproof.scores import CaseFailed, NotApplicable, Scored, Skipped
from ragproof.scoring import applies_to, out_of_reach, score
from tests.fakes.evidence import case, output


def returning(value: Any, **changes: Any) -> Metric:
    """Return a metric that gives back a value, or raises it."""

    def measure(evidence: Evidence) -> Any:
        if isinstance(value, Exception):
            raise value
        return value

    return Metric(**{"key": "mine", "summary": "Mine.", "family": "user", "measure": measure, **changes})


RETURNED = [
    # why, what it returns, the outcome
    ("a number in range", 0.25, Scored(value=0.25)),
    ("an integer", 1, Scored(value=1.0)),
    ("another kind of real number", Fraction(1, 4), Scored(value=0.25)),
    ("a number with its details", Measurement(0.5, {"hits": [1, None]}), Scored(value=0.5)),
    ("a reason to skip", Skipped(reason="no gold"), Skipped(reason="no gold")),
    ("a question that does not arise", NotApplicable(reason="no claim"), NotApplicable(reason="no claim")),
    (
        "not a number",
        float("nan"),
        CaseFailed(reason="metric 'mine' returned nan, expected a finite number"),
    ),
    ("infinite", float("inf"), CaseFailed(reason="metric 'mine' returned inf, expected a finite number")),
    (
        "too large to be finite",
        10**400,
        CaseFailed(reason="metric 'mine' returned inf, expected a finite number"),
    ),
    ("nothing", None, CaseFailed(reason="metric 'mine' returned NoneType, expected a number")),
    ("yes or no", True, CaseFailed(reason="metric 'mine' returned bool, expected a number")),
    ("text", "1.0", CaseFailed(reason="metric 'mine' returned str, expected a number")),
    (
        "below its range",
        -0.5,
        CaseFailed(reason="metric 'mine' returned -0.5, outside its declared range 0.0 to 1.0"),
    ),
    (
        "above its range",
        1.5,
        CaseFailed(reason="metric 'mine' returned 1.5, outside its declared range 0.0 to 1.0"),
    ),
    (
        "details that are not JSON",
        Measurement(0.5, {"chunk": object()}),  # type: ignore[dict-item]
        CaseFailed(
            reason="metric 'mine' returned details that are not JSON,"
            " expected texts, finite numbers, lists and objects"
        ),
    ),
    (
        "details with a number that is none",
        Measurement(0.5, {"ratio": float("nan")}),
        CaseFailed(
            reason="metric 'mine' returned details that are not JSON,"
            " expected texts, finite numbers, lists and objects"
        ),
    ),
    ("it raises", KeyError("gold"), CaseFailed(reason="metric 'mine' raised KeyError: 'gold'")),
    (
        "it raises what is no text",
        ValueError("half \ud800"),
        CaseFailed(reason="metric 'mine' raised ValueError: half \\ud800"),
    ),
]


@pytest.mark.parametrize(("why", "returned", "expected"), RETURNED, ids=[row[0] for row in RETURNED])
def test_what_a_metric_does_has_one_outcome(why: str, returned: Any, expected: Any) -> None:
    """A user's metric may do anything, and the run goes on; only a finite number in range is a score."""
    assert score(returning(returned), case(), output(), Settings()).result == expected


def test_details_are_kept_beside_a_number() -> None:
    """What explains a value is stored with it."""
    kept = score(returning(Measurement(0.5, {"hits": ["c1"]})), case(), output(), Settings())
    assert kept.details == {"hits": ["c1"]}


def test_the_ends_of_the_range_belong_to_it() -> None:
    """The interval is closed, and None is no end."""
    assert score(returning(0.0), case(), output(), Settings()).value == 0.0
    assert score(returning(1.0), case(), output(), Settings()).value == 1.0
    assert score(returning(1e300, range=Range(0.0, None)), case(), output(), Settings()).value == 1e300
    assert score(returning(-1e300, range=Range(None, 0.0)), case(), output(), Settings()).value == -1e300


def test_a_failed_case_is_failed_whatever_its_kind_and_needs() -> None:
    """The failure is told before the kind or a missing need, on every metric alike."""
    failure = CaseFailure(case_id="case-1", kind=FailureKind.TIMEOUT, message="no reply in 2 s")
    metric = returning(1.0, kinds=frozenset({CaseKind.INJECTION}), needs=(Need.RELEVANCE,))
    failed = score(metric, case(relevance={}), failure, Settings())
    assert failed.result == CaseFailed(reason="timeout: no reply in 2 s")


def test_a_failure_that_is_no_text_still_has_a_reason() -> None:
    """Half a character in a message stops one case and not the run."""
    failure = CaseFailure(case_id="case-1", kind=FailureKind.EXCEPTION, message="half \ud800")
    failed = score(returning(1.0), case(), failure, Settings())
    assert failed.result == CaseFailed(reason="exception: half \\ud800")


def test_the_kind_is_told_before_a_missing_need() -> None:
    """A case of another kind is skipped for its kind."""
    metric = returning(1.0, kinds=frozenset({CaseKind.INJECTION}), needs=(Need.RELEVANCE,))
    skipped = score(metric, case(relevance={}), output(), Settings())
    assert skipped.result == Skipped(reason="applies to injection cases only")


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        ({CaseKind.QA}, "applies to qa cases only"),
        ({CaseKind.UNANSWERABLE, CaseKind.QA}, "applies to qa and unanswerable cases only"),
    ],
)
def test_the_kinds_are_named_in_one_order(kinds: set[CaseKind], sentence: str) -> None:
    """The sentence is the same however the set was written."""
    assert applies_to(kinds) == sentence


REACH: list[tuple[str, tuple[Need, ...], Any, dict[str, Any], bool, str | None]] = [
    # why, needs, kinds, case, judge configured, reason
    ("nothing needed", (), ALL_KINDS, {}, False, None),
    ("another kind", (), {CaseKind.INJECTION}, {}, False, "applies to injection cases only"),
    ("no labels", (Need.RELEVANCE,), ALL_KINDS, {"relevance": {}}, False, Need.RELEVANCE.value),
    ("no judge", (Need.JUDGE,), ALL_KINDS, {}, False, Need.JUDGE.value),
    ("a judge", (Need.JUDGE,), ALL_KINDS, {}, True, None),
    ("only the output can tell", (Need.RETRIEVAL, Need.ANSWER), ALL_KINDS, {}, False, None),
    (
        "the case's own need behind the output's",
        (Need.RETRIEVAL, Need.RELEVANCE),
        ALL_KINDS,
        {"relevance": {}},
        False,
        Need.RELEVANCE.value,
    ),
]


@pytest.mark.parametrize(("why", "needs", "kinds", "changes", "judge", "reason"), REACH)
def test_what_no_output_could_score_is_out_of_reach(
    why: str,
    needs: tuple[Need, ...],
    kinds: set[CaseKind],
    changes: dict[str, Any],
    judge: bool,
    reason: str | None,
) -> None:
    """Kind, labels and judge are known before the call; retrieval, answer and usage are not."""
    metric = returning(1.0, needs=needs, kinds=frozenset(kinds))
    assert out_of_reach(metric, case(**changes), Settings(judge_configured=judge)) == reason, why
