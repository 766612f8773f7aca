"""A judge without a network: it answers each question as `obliging_judge` does, or as its script says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from ragproof.cases import Case
from ragproof.evidence import Settings
from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgeFailureKind, JudgingEnds, Transcript, Verdict
from ragproof.judge.replies import ReplyOutcome, read
from ragproof.judging import judge_case
from ragproof.metric import Metric
from ragproof.outputs import CaseFailure, PipelineOutput
from ragproof.scores import Score
from ragproof.scoring import score
from tests.fakes.obliging_judge import refusal_reply, reply_to

Say = Callable[[JudgeCall, dict[str, Any]], Any]
"""A reply as JSON from a call and its data; None is the obliging one."""


class ScriptedJudge:
    """Answers at once, and keeps what it was asked."""

    def __init__(self, say: Say = lambda _call, _data: None) -> None:
        self._say = say
        self.calls: list[JudgeCall] = []

    def asked(self, prompt: str) -> list[dict[str, Any]]:
        """Return the data of every question of one prompt."""
        return [json.loads(call.prompt.data) for call in self.calls if call.prompt.prompt == prompt]

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Return the verdict that a judge with this reply would have given."""
        self.calls.append(call)
        data = json.loads(call.prompt.data)
        said = self._say(call, data)
        if isinstance(said, JudgingEnds):
            raise said
        if said is None:
            said = refusal_reply(data) if call.prompt.prompt == "refusal" else reply_to(data)
        text = said if isinstance(said, str) else json.dumps(said)
        transcript = Transcript(
            prompt=call.prompt.prompt,
            prompt_hash=call.prompt.prompt_hash,
            model="scripted",
            base_url="http://judge",
            replies=(text,),
            attempts=1,
            neutralised=call.prompt.neutralised,
            suspected_injection=call.prompt.suspected_injection,
        )
        reading = read(text, kind=call.prompt.kind, ids=call.prompt.ids, partial=call.partial)
        if reading.outcome is not ReplyOutcome.OK:
            return JudgeFailure(
                case_id=call.case_id,
                kind=JudgeFailureKind.INVALID_REPLY,
                message=reading.reason,
                transcript=transcript,
            )
        return Verdict(
            case_id=call.case_id,
            value=reading.value,
            quotes=reading.quotes,
            invented=reading.invented,
            missing=reading.missing,
            transcript=transcript,
        )


def measured(
    metric: Metric,
    case: Case,
    outcome: PipelineOutput | CaseFailure,
    settings: Settings,
    judge: ScriptedJudge | None = None,
) -> Score:
    """Score a case as a run would: with the judge where it decides the metric."""
    if not metric.asks_judge(settings.judge_configured):
        return score(metric, case, outcome, settings)
    (only,) = asyncio.run(judge_case([metric], case, outcome, settings, judge or ScriptedJudge()))
    return only
