"""Measuring a case with the judge: the metrics of one case ask side by side, and share what they ask.

What the judge does not answer is a `judge_error` of the metric that asked, never a number; what the budget no
longer allowed is skipped, and asked when the run is resumed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ragproof.cases import Case
from ragproof.errors import StoreError
from ragproof.evidence import Evidence, Settings
from ragproof.judge.ask import Ask, Judge, Unjudged
from ragproof.judge.calls import BudgetExhausted, JudgingEnds
from ragproof.metric import Metric
from ragproof.outputs import CaseFailure, PipelineOutput
from ragproof.scores import BUDGET_EXHAUSTED, JudgeFailed, Score
from ragproof.scoring import broke, failed, score_of, unmeasurable


async def judge_case(
    metrics: Sequence[Metric],
    case: Case,
    outcome: PipelineOutput | CaseFailure,
    settings: Settings,
    judge: Judge,
    *,
    chunk_level: bool = False,
    trial: int = 0,
) -> tuple[Score, ...]:
    """Measure one case on metrics that ask the judge.

    Args:
        metrics: each with a `judged`; what two of them ask alike is asked once.
        case: the case.
        outcome: the pipeline's output, or its failure, which is `case_failed` for every metric.
        settings: what gives the score its meaning.
        judge: who is asked; one that ends leaves `skipped` or `judge_error`, and nothing is raised here.
        chunk_level: the expected ids of the run name chunks.
        trial: repeat index of the questions; the scores are those of the first.

    Returns:
        A score for each metric, in their order.

    Raises:
        StoreError: a reply could not be kept.
    """
    if isinstance(outcome, CaseFailure):
        return tuple(failed(metric, case, outcome.reason) for metric in metrics)
    evidence, ask = Evidence(case, outcome, settings, chunk_level), Ask(judge, case.id, trial)
    return tuple(await asyncio.gather(*(_judged(metric, evidence, ask) for metric in metrics)))


async def _judged(metric: Metric, evidence: Evidence, ask: Ask) -> Score:
    if metric.judged is None:
        raise ValueError(f"metric '{metric.key}' asks no judge; expected 'score_case'")
    case_id = evidence.case.id
    unmet = unmeasurable(metric, evidence)
    if unmet is not None:
        return Score(case_id=case_id, metric=metric.key, result=unmet)
    try:
        return score_of(metric, evidence, await metric.judged(evidence, ask))
    except Unjudged as error:
        result = JudgeFailed(reason=error.failure.reason)
        return Score(
            case_id=case_id, metric=metric.key, result=result, details=error.failure.transcript.told()
        )
    except BudgetExhausted:
        return Score(case_id=case_id, metric=metric.key, result=BUDGET_EXHAUSTED)
    except JudgingEnds as error:
        return Score(case_id=case_id, metric=metric.key, result=JudgeFailed(reason=str(error)))
    except StoreError:  # a reply that could not be kept is no fault of the case
        raise
    except Exception as error:  # a user's metric may raise anything; the run must go on
        return broke(metric, evidence, error)
