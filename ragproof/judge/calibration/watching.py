"""A judge that is watched: what served, whether it ever replied, and why it ended.

A metric turns whatever goes wrong with the judge into a score without a number. For a run that is right; a
calibration that nobody answered has found out nothing about the judge, and must not say that it did.
"""

from __future__ import annotations

from ragproof.judge.ask import Judge
from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgeFailureKind, JudgingEnds, Verdict

_NO_REPLY = frozenset({JudgeFailureKind.TRANSPORT, JudgeFailureKind.RATE_LIMIT, JudgeFailureKind.BAD_REQUEST})


class WatchedJudge:
    """Passes questions on."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._served: dict[str, None] = {}
        self.ended: JudgingEnds | None = None
        """Why no question is answered any more; None while they are."""
        self.has_replied = False
        """Whether it replied to anything, be it nonsense."""
        self.failure: JudgeFailure | None = None
        """The first question it did not reply to."""

    @property
    def models_served(self) -> tuple[str, ...]:
        """The models as their server names them."""
        return tuple(self._served)

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Ask, and see what comes of it.

        Raises:
            JudgingEnds: no question is answered any more.
        """
        if self.ended is not None:
            raise self.ended
        try:
            ended = await self._judge.ask(call)
        except JudgingEnds as error:
            self.ended = error
            raise
        if ended.transcript.model_served:
            self._served[ended.transcript.model_served] = None
        if isinstance(ended, JudgeFailure) and ended.kind in _NO_REPLY:
            self.failure = self.failure or ended
        else:
            self.has_replied = True
        return ended
