"""Situations about gates: a rule that could never fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fakes.configs import BASE, faults

NO_THRESHOLD = (
    "eval.yaml:8:7: gate.rules[0]: no threshold, so it could never fail; expected one or more of min, max,"
    " max_drop and max_error_rate"
)


def a_rule_without_a_threshold_is_a_fault(given: Any, folder: Path) -> None:
    """It is told with its line, whatever metric it names; nothing is compared with 0 in its place."""
    named = [each["type"].replace("-", "_") for each in given["assert"]]
    for metric in (*named, "retrieval.recall_at_k"):
        assert NO_THRESHOLD in faults(folder, f"{BASE}gate:\n  rules:\n    - {{metric: {metric}}}\n")
