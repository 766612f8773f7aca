"""What a metric sees of the judge: questions about one case, each put once however many metrics ask it."""

from __future__ import annotations

import asyncio
from typing import Protocol

from ragproof.errors import RagproofError
from ragproof.judge.calls import JudgeCall, JudgeFailure, Verdict
from ragproof.judge.rendered import Rendered


class Judge(Protocol):
    """Whoever answers questions to the judge: the client itself, or one that keeps and counts."""

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Ask one question.

        Raises:
            JudgingEnds: no question will be answered any more in this run.
        """
        ...


class Unjudged(RagproofError):
    """The judge gave no usable verdict on a question: a judge error of the metric that asked."""

    def __init__(self, failure: JudgeFailure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class Ask:
    """The questions about one case. Metrics that ask the same share one call and its verdict."""

    def __init__(self, judge: Judge, case_id: str, repeat: int = 0) -> None:
        """Bind to a judge.

        Args:
            judge: who is asked.
            case_id: the case all questions are about.
            repeat: repeat index, 0 for the first.
        """
        self._judge = judge
        self._case_id = case_id
        self._repeat = repeat
        self._asked: dict[tuple[str, bool], asyncio.Task[Verdict | JudgeFailure]] = {}

    async def __call__(self, prompt: Rendered, *, partial: bool = False) -> Verdict:
        """Return the verdict on a question.

        Args:
            prompt: the question with its data.
            partial: ids may lack a verdict.

        Raises:
            Unjudged: there is no usable verdict.
            JudgingEnds: no question is answered any more in this run.
        """
        key = (prompt.content_hash(), partial)
        if key not in self._asked:
            call = JudgeCall(case_id=self._case_id, prompt=prompt, partial=partial, repeat=self._repeat)
            self._asked[key] = asyncio.ensure_future(self._judge.ask(call))
        ended = await asyncio.shield(self._asked[key])
        if isinstance(ended, JudgeFailure):
            raise Unjudged(ended)
        return ended
