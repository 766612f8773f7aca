"""One request to the judge with its transport retries, each attempt within a slot and within the budget."""

from __future__ import annotations

from collections.abc import Callable

import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from ragproof.adapters.wire.concurrency import AdaptiveLimit, Slot
from ragproof.adapters.wire.timing import Timing
from ragproof.judge.apis.api import Api
from ragproof.judge.calls import JudgeRefused
from ragproof.judge.config import JudgeConfig
from ragproof.judge.connections import Connections
from ragproof.judge.metering import Answer, Attempt, Meter
from ragproof.judge.responses import Setback, Understood, understand
from ragproof.judge.sending import send

_BACKOFF = wait_exponential(multiplier=0.5, max=20) + wait_random(0, 0.25)

NextAttempt = Callable[[bool], Attempt]
"""Returns the attempt about to be made; the argument says whether it follows a transport failure."""


class _Again(Exception):
    def __init__(self, setback: Setback) -> None:
        super().__init__(setback.message)
        self.setback = setback


class Exchange:
    """Sends requests to one judge."""

    def __init__(
        self,
        config: JudgeConfig,
        api: Api,
        connections: Connections,
        limit: AdaptiveLimit,
        meter: Meter,
        redact: Callable[[str], str],
        timing: Timing,
    ) -> None:
        self._config = config
        self._api = api
        self._connections = connections
        self._limit = limit
        self._meter = meter
        self._redact = redact
        self._timing = timing

    async def send(
        self,
        request: httpx.Request,
        next_attempt: NextAttempt,
        ended: Callable[[Understood], None],
    ) -> Answer | Setback:
        """Send a request until there is a reply, or no hope that there will be.

        Args:
            request: sent as it is in every attempt.
            next_attempt: describes each attempt.
            ended: told how each attempt ended.

        Raises:
            JudgeRefused: 401 or 403.
            Exception: whatever the meter raises to end the run.
        """
        attempts = AsyncRetrying(
            retry=retry_if_exception_type(_Again),
            stop=stop_after_attempt(self._config.retries + 1),
            wait=_wait,
            sleep=self._timing.sleep,
            reraise=True,
        )
        tried = 0

        async def once() -> Answer | Setback:
            nonlocal tried
            tried += 1
            return await self._attempt(request, next_attempt(tried > 1), ended)

        try:
            return await attempts(once)
        except _Again as again:
            message = (
                f"{again.setback.message} (after {tried} attempts)" if tried > 1 else again.setback.message
            )
            return Setback(again.setback.kind, message)

    async def _attempt(
        self,
        request: httpx.Request,
        attempt: Attempt,
        ended: Callable[[Understood], None],
    ) -> Answer | Setback:
        kept = await self._meter.kept(attempt)
        if kept is not None:
            return kept
        async with self._limit.slot() as slot:
            reservation = await self._meter.reserve(attempt)
            with self._connections.one() as client:
                outcome = await send(client, request, self._config.timeout_seconds)
            understood = understand(outcome, attempt, self._api, self._redact, request.content)
            ended(understood)
            await self._meter.settle(reservation, understood.spent, understood.answer)
            self._adapt(slot, understood.result)
        return self._or_again(understood.result)

    def _adapt(self, slot: Slot, result: Answer | Setback) -> None:
        if isinstance(result, Answer):
            slot.succeeded()
        elif result.overloaded:
            asked = result.wait_seconds or 0.0
            slot.overloaded(asked if asked <= self._config.retry_after_cap_seconds else 0.0)

    def _or_again(self, result: Answer | Setback) -> Answer | Setback:
        if isinstance(result, Answer):
            return result
        if result.refused:
            raise JudgeRefused(
                f"the judge at {self._config.home} refuses us: {result.message}; check RAGPROOF_JUDGE_API_KEY"
            )
        cap = self._config.retry_after_cap_seconds
        if result.wait_seconds is not None and result.wait_seconds > cap:
            asked = f"it asks to wait {result.wait_seconds:g} s"
            most = f"more than judge.retry_after_cap_seconds allows ({cap:g})"
            return Setback(result.kind, f"{result.message}; {asked}, {most}")
        if result.again:
            raise _Again(result)
        return result


def _wait(state: RetryCallState) -> float:
    again = state.outcome.exception() if state.outcome else None
    asked = again.setback.wait_seconds if isinstance(again, _Again) else None
    return max(_BACKOFF(state), asked or 0.0)
