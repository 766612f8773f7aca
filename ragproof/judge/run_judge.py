"""The judge of a run: what was judged before is found, what two cases ask alike is asked once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ragproof.judge.ask import Judge
from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgingEnds, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.group_read import GroupRead
from ragproof.judge.run_meter import RunMeter


class Verdicts(Protocol):
    """Where calls to the judge are kept; each write is committed when it returns."""

    def verdicts(
        self, run_id: str, identities: Iterable[str], *, of_other_runs: bool
    ) -> Mapping[str, tuple[Verdict, bool]]:
        """Find verdicts, and say whether each is this run's own."""
        ...

    async def end(
        self,
        run_id: str,
        call: JudgeCall,
        identity: str,
        ended: Verdict | JudgeFailure,
        *,
        copied: bool = False,
    ) -> None:
        """Keep how a call ended."""
        ...


class RunJudge:
    """The judge of one run in one process; it belongs to the event loop it is used in."""

    def __init__(
        self,
        run_id: str,
        config: JudgeConfig,
        verdicts: Verdicts,
        meter: RunMeter,
        client: Judge,
        *,
        reuse: bool,
    ) -> None:
        """Bind to a run.

        Args:
            run_id: the run.
            config: which judge; part of every question's identity.
            verdicts: the ledger.
            meter: the client's.
            client: asks.
            reuse: whether verdicts given to other runs serve.
        """
        self._run_id = run_id
        self._config = config
        self._verdicts = verdicts
        self._meter = meter
        self._client = client
        self._found = GroupRead(lambda identities: verdicts.verdicts(run_id, identities, of_other_runs=reuse))
        self._asking: dict[str, asyncio.Task[Verdict | JudgeFailure]] = {}

    @property
    def ended(self) -> JudgingEnds | None:
        """Why nothing new is asked; None while it may be."""
        return self._meter.ended

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Return the verdict on a question: kept, being asked for already, or asked for now.

        Raises:
            JudgingEnds: nothing new is asked in this run.
            StoreError: the verdict could not be read or kept.
        """
        identity = call.identity(self._config)
        asking = self._asking.get(identity)
        if asking is None:
            asking = self._asking[identity] = asyncio.ensure_future(self._find_or_ask(call, identity))
            asking.add_done_callback(self._asked(identity))
        # one case's end must not cancel what another waits for
        ended = await asyncio.shield(asking)
        return ended.model_copy(update={"case_id": call.case_id})

    async def _find_or_ask(self, call: JudgeCall, identity: str) -> Verdict | JudgeFailure:
        ended: Verdict | JudgeFailure
        kept = await self._found.get(identity)
        if kept is not None:
            ended, own = kept
            if own:
                return ended
        else:
            self._meter.refuse_when_ended()
            try:
                ended = await self._client.ask(call)
            except JudgingEnds as error:
                self._meter.end(error)
                raise
        ended = ended.model_copy(update={"case_id": call.case_id})
        await self._verdicts.end(self._run_id, call, identity, ended, copied=kept is not None)
        self._meter.forget(identity)
        return ended

    def _asked(self, identity: str) -> Callable[[asyncio.Task[Verdict | JudgeFailure]], None]:
        def forget(asking: asyncio.Task[Verdict | JudgeFailure]) -> None:
            self._asking.pop(identity, None)
            if not asking.cancelled():
                asking.exception()  # nobody may wait for it any more, and asyncio would complain

        return forget
