"""The judge's meter over the ledger: no request leaves before its worst case is set aside under every cap.

A request that does not fit waits for those under way, first come, first served. It is refused when what is
spent leaves too little for it whatever they come to, and then nothing new starts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Protocol
from uuid import uuid4

from ragproof.budget import NeverFits, NoRoom
from ragproof.judge.calls import BudgetExhausted, JudgingEnds, Overbilled
from ragproof.judge.metering import Answer, Attempt, Basis, Spent, Tokens
from ragproof.ledger import CallKind
from ragproof.money import usd

LOOK_AGAIN_SECONDS = 0.25
"""How long to wait for room that another process makes; what this one makes is noticed at once."""
RECLAIM_AFTER_SECONDS = 2.0
"""How long to wait before looking for runs that died with something set aside."""


class Attempts(Protocol):
    """Where requests are reserved and settled, each committed when the call returns."""

    async def reserve(
        self,
        run_id: str,
        id: str,
        attempt: Attempt,
        amount: int,
        caps: Mapping[str, int | None],
        kind: CallKind,
    ) -> None:
        """Set an amount aside, or raise `NoRoom` (for now) or `NeverFits`."""
        ...

    async def settle(self, run_id: str, id: str, spent: Spent, charged: int, answer: Answer | None) -> None:
        """Charge what was used and keep the reply."""
        ...

    def reclaim(self) -> int:
        """Charge what runs that died had set aside."""
        ...


class RunMeter:
    """The meter of one run in one process; it belongs to the event loop it is used in."""

    def __init__(
        self,
        run_id: str,
        cost: Callable[[Tokens], int | None],
        attempts: Attempts,
        caps: Callable[[], Mapping[str, int | None]],
        unfinished: Mapping[tuple[str, str], Answer],
        kind: CallKind = CallKind.JUDGE,
    ) -> None:
        """Bind to a run.

        Args:
            run_id: the run.
            cost: what tokens cost, in picodollars; None without prices, which charges nothing.
            attempts: the ledger.
            caps: names the accounts of now, with their caps in picodollars; asked before each reservation,
                for a month ends at any moment.
            kind: whom the calls go to.
            unfinished: replies kept for calls that a crash left without an end, by call and request.
        """
        self._run_id = run_id
        self._cost = cost
        self._kind = kind
        self._attempts = attempts
        self._caps = caps
        self._kept = dict(unfinished)
        self._reserved: dict[str, tuple[Attempt, int]] = {}
        self._turn = asyncio.Lock()
        self._settled = asyncio.Event()
        self.ended: JudgingEnds | None = None
        """Why nothing new starts; None while it may."""

    async def kept(self, attempt: Attempt) -> Answer | None:
        """Return the reply to the same request of the same call, when it was committed before."""
        return self._kept.get((attempt.call, attempt.request))

    async def reserve(self, attempt: Attempt, most: int | None = None) -> str:
        """Set the worst case aside and commit that the request is about to leave.

        Args:
            attempt: the request.
            most: what it can cost at most, in picodollars; None is what its tokens can.

        Raises:
            BudgetExhausted: it can cost more than is left.
            JudgingEnds: nothing new starts in this run any more.
        """
        id, amount = uuid4().hex, most if most is not None else self._cost(attempt.worst_case) or 0
        if not self._turn.locked() and await self._fits(id, attempt, amount):
            return id
        async with self._turn:
            since = time.monotonic()
            while not await self._fits(id, attempt, amount):
                await self._room_may_be_made()
                if time.monotonic() - since > RECLAIM_AFTER_SECONDS:
                    await asyncio.to_thread(self._attempts.reclaim)
                    since = time.monotonic()
        return id

    async def settle(self, reservation: str, spent: Spent, answer: Answer | None) -> None:
        """Commit what the request used and the reply.

        Raises:
            Overbilled: that is more than its worst case; it is charged all the same.
        """
        attempt, reserved = self._reserved[reservation]
        lost = spent.basis is Basis.WORST_CASE
        charged = reserved if lost else self._cost(spent.tokens) or 0
        await self._attempts.settle(self._run_id, reservation, spent, charged, answer)
        del self._reserved[reservation]
        if answer is not None:
            self._kept[attempt.call, attempt.request] = answer
        self._settled.set()
        if charged > reserved:
            used = f"{spent.tokens.input} + {spent.tokens.output} tokens, ${usd(charged):.6g}"
            raise self.end(
                Overbilled(
                    f"a call to the {self._kind.value} was billed {used}, more than the most that was set"
                    f" aside for it, ${usd(reserved):.6g}; no cap can be kept so"
                )
            )

    def forget(self, call: str) -> None:
        """Let go of the replies to a call that has ended."""
        for key in [key for key in self._kept if key[0] == call]:
            del self._kept[key]

    def end(self, why: JudgingEnds) -> JudgingEnds:
        """Start nothing more; the first reason stays. Returns an exception to raise."""
        self.ended = self.ended or why
        self._settled.set()
        return why

    def refuse_when_ended(self) -> None:
        """Raise the reason for which nothing new starts, when there is one."""
        if self.ended is not None:
            raise type(self.ended)(str(self.ended))

    async def _fits(self, id: str, attempt: Attempt, amount: int) -> bool:
        self.refuse_when_ended()
        self._settled.clear()
        try:
            await self._attempts.reserve(self._run_id, id, attempt, amount, self._caps(), self._kind)
        except NoRoom:
            return False
        except NeverFits as error:
            raise self.end(BudgetExhausted(str(error))) from None
        self._reserved[id] = (attempt, amount)
        return True

    async def _room_may_be_made(self) -> None:
        try:
            async with asyncio.timeout(LOOK_AGAIN_SECONDS):
                await self._settled.wait()
        except TimeoutError:
            return
