"""Usage: what the system under test reports, and what its silence means."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.catalogue import catalogue
from ragproof.metric import Direction
from ragproof.outputs import Usage
from ragproof.scoring import score
from tests.fakes.evidence import evidence, output

ONLY_RETRIEVES: dict[str, Any] = {"answer": None, "citations": None}

ROWS: list[tuple[str, str, dict[str, Any], float | str]] = [
    # why, key, output, value or reason
    ("reported tokens", "input_tokens", {"usage": Usage(input_tokens=900)}, 900.0),
    ("a reported 0 is a number", "output_tokens", {"usage": Usage(output_tokens=0)}, 0.0),
    ("no report", "input_tokens", {"usage": None}, "adapter reports no usage"),
    (
        "a field left out",
        "output_tokens",
        {"usage": Usage(input_tokens=1)},
        "adapter reports no output_tokens",
    ),
    ("cache hits", "llm_cache_hits", {"usage": Usage(llm_cache_hits=3)}, 3.0),
    ("cache misses left out", "llm_cache_misses", {"usage": Usage()}, "adapter reports no llm_cache_misses"),
    ("reported calls", "llm_calls", {"usage": Usage(llm_calls=2)}, 2.0),
    ("no call seen", "llm_calls", {"usage": Usage(llm_calls=0)}, 0.0),
    ("an answer without a report", "llm_calls", {"usage": None}, "adapter reports no usage"),
    ("a report without calls", "llm_calls", {"usage": Usage(input_tokens=1)}, "adapter reports no llm_calls"),
    ("it only retrieves, and reports nothing", "llm_calls", {"usage": None, **ONLY_RETRIEVES}, 0.0),
    ("it only retrieves, and its report is empty", "llm_calls", {"usage": Usage(), **ONLY_RETRIEVES}, 0.0),
    (
        "it only retrieves, and rewrites the query with a model",
        "llm_calls",
        {"usage": Usage(llm_calls=1), **ONLY_RETRIEVES},
        1.0,
    ),
    (
        "it only retrieves, and spent tokens: calls were made and not counted",
        "llm_calls",
        {"usage": Usage(input_tokens=40), **ONLY_RETRIEVES},
        "adapter reports no llm_calls",
    ),
    (
        "it only retrieves: tokens are absent, not 0",
        "input_tokens",
        {"usage": None, **ONLY_RETRIEVES},
        "adapter reports no usage",
    ),
    (
        "it gave back nothing at all",
        "llm_calls",
        {"usage": None, "retrieved": None, **ONLY_RETRIEVES},
        "adapter reports no usage",
    ),
]


@pytest.mark.parametrize(("why", "key", "changes", "expected"), ROWS)
def test_each_report_has_its_value_or_its_reason(
    why: str, key: str, changes: dict[str, Any], expected: float | str
) -> None:
    """What is not reported is absent; only a pipeline that cannot have called a model has 0 calls."""
    spent = evidence(None, output(**changes))
    result = score(catalogue().by_key[key], spent.case, spent.output, spent.settings)
    assert (result.reason if isinstance(expected, str) else result.value) == expected, why


def test_costs_are_better_low_and_cache_counts_rank_nothing() -> None:
    """Fewer tokens and calls are better; hits and misses describe the run."""
    by_key = catalogue().by_key
    assert {by_key[key].direction for key in ("input_tokens", "output_tokens", "llm_calls")} == {
        Direction.LOWER
    }
    assert {by_key[key].direction for key in ("llm_cache_hits", "llm_cache_misses")} == {Direction.NONE}
