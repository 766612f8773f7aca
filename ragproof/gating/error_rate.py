"""`max_error_rate`: the share of cases without a value that should have one, counted and not estimated.

What failed in this run is known, so there is no bound and no doubt: the verdict is PASS or FAIL.
"""

from __future__ import annotations

from ragproof.gating.outcome import Outcome
from ragproof.gating.sample import Sample
from ragproof.gating.verdict import Verdict


def judge_error_rate(sample: Sample, most: float, confidence: float) -> Outcome:
    """Judge the share of missing values.

    Args:
        sample: at least one case.
        most: the largest share allowed, from 0 to 1.
        confidence: passed on; nothing is estimated.

    Returns:
        The outcome; its value is the share of cases that have a value.
    """
    missing = sample.expected - sample.n
    # Divided and not multiplied: 29 / 100 is the very number that 0.29 is read as, and 0.29 * 100 is not 29.
    verdict = Verdict.PASS if missing / sample.expected <= most else Verdict.FAIL
    return Outcome(verdict, "", sample.coverage, None, None, confidence)
