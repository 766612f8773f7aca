"""How many questions to the judge a metric costs on a case of a usual size: counted, and nobody is asked.

The case has five contexts and an answer of five sentences, each with its citation. Metrics share what they
ask alike, so that several cost less than their sum; `ragproof estimate` counts a run's own cases.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ragproof.cases import Case, CaseKind
from ragproof.evidence import Settings
from ragproof.judge.config import JudgeConfig
from ragproof.judge.dry_judge import DryJudge
from ragproof.judging import judge_case
from ragproof.metric import Metric
from ragproof.outputs import Chunk, PipelineOutput

CONTEXTS = 5
_CASE = Case(id="usual", question="What is it like?", expected_answers=("It is red and old.",))
_OUTPUT = PipelineOutput(
    case_id="usual",
    answer=" ".join(f"Sentence {n} [{n}]." for n in range(1, CONTEXTS + 1)),
    retrieved=tuple(Chunk(id=f"c{n}", text=f"Text {n}.") for n in range(1, CONTEXTS + 1)),
    citations=tuple(f"c{n}" for n in range(1, CONTEXTS + 1)),
)


def calls_a_case(metrics: Iterable[Metric]) -> int:
    """Return how many questions metrics cost together; 0 for those that ask no judge, and for none."""
    asking = [metric for metric in metrics if metric.asks_judge(True)]
    dry = DryJudge(JudgeConfig(model="nobody"))
    settings = Settings(judge_configured=True)
    for kind in {_kind(metric) for metric in asking}:
        alike = [metric for metric in asking if _kind(metric) is kind]
        case = _CASE.model_copy(update={"kind": kind})
        asyncio.run(judge_case(alike, case, _OUTPUT, settings, dry))
    return len(dry.calls)


def _kind(metric: Metric) -> CaseKind:
    return CaseKind.QA if CaseKind.QA in metric.kinds else min(metric.kinds)
