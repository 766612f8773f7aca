"""What the evaluation itself took, as rows of a report's metrics: `eval_llm_calls` and its kin (source B).

They say what the judge did over the whole run, lower being better, and rank no pipeline: no case has a share
in them, so they count none. False friends: `llm_calls` and its kin, which the system under test reports.
"""

from __future__ import annotations

from collections.abc import Mapping

from ragproof.metric import Direction
from ragproof.runs import RunRecord
from ragproof.summaries import Summary

JUDGE_SPEND: Mapping[str, str] = {
    "eval_input_tokens": "Tokens that were sent to the judge, over the whole run.",
    "eval_output_tokens": "Tokens that the judge wrote, over the whole run.",
    "eval_llm_calls": "Calls that were made to the judge, over the whole run; 0 without one.",
    "eval_cost_usd": "Dollars that judging cost; no number when the judge's price is not known.",
}
"""What each key says, in reading order."""


def judge_spend(run: RunRecord) -> tuple[Summary, ...]:
    """Return a row for each key, its value as the mean.

    Args:
        run: whose spend is known once it ended.

    Returns:
        Four rows; none while the run goes on, for what it spent so far is not what it costs.
    """
    if run.finished_at is None:
        return ()
    return tuple(
        Summary(metric=key, direction=Direction.LOWER, mean=getattr(run.spend, key)) for key in JUDGE_SPEND
    )
