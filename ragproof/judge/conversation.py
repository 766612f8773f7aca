"""One question to the judge, from first to last request: each kind of second try has a budget of its own.

One repair with the fault appended, one larger token limit, as many forms as the server can refuse, and the
transport's retries (`exchange`). None of them uses up another's.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import httpx

from ragproof.judge.apis.api import Api
from ragproof.judge.calls import (
    JudgeCall,
    JudgeFailure,
    JudgeFailureKind,
    Transcript,
    Verdict,
)
from ragproof.judge.config import JudgeConfig
from ragproof.judge.connections import Connections
from ragproof.judge.exchange import Exchange
from ragproof.judge.ladder import Ladder, Terms
from ragproof.judge.metering import Answer, Attempt, Basis, Stage, Tokens
from ragproof.judge.replies import Reading, ReplyOutcome, read
from ragproof.judge.requests import worst_case, written
from ragproof.judge.responses import Setback, Understood

_FAILURES = {
    ReplyOutcome.REPAIR: JudgeFailureKind.INVALID_REPLY,
    ReplyOutcome.RAISE_TOKENS_RETRY: JudgeFailureKind.TRUNCATED,
    ReplyOutcome.JUDGE_ERROR: JudgeFailureKind.CONTENT_FILTER,
}


class Conversation:
    """Used for one call, once."""

    def __init__(
        self,
        call: JudgeCall,
        config: JudgeConfig,
        api: Api,
        ladder: Ladder,
        exchange: Exchange,
        connections: Connections,
        headers: httpx.Headers,
    ) -> None:
        self._call = call
        self._config = config
        self._api = api
        self._ladder = ladder
        self._exchange = exchange
        self._connections = connections
        self._headers = headers
        self._identity = call.identity(config)
        self._where = (config.home, config.model)
        self._terms = ladder.terms(*self._where)
        self._stage = Stage.FIRST
        self._repairing: str | None = None
        """What was wrong with the reply that is being repaired."""
        self._ended: list[Understood] = []
        self._answers: list[Answer] = []
        self._faults: list[str] = []

    async def verdict(self) -> Verdict | JudgeFailure:
        """Ask until there is a verdict, or every budget is spent."""
        while True:
            result = await self._send()
            ended = self._refused(result) if isinstance(result, Setback) else self._replied(result)
            if ended is not None:
                return ended

    async def _send(self) -> Answer | Setback:
        request = self._connections.build(
            self._api.url(self._config),
            self._headers,
            written(self._config, self._call.prompt, self._terms, self._repairing),
        )
        return await self._exchange.send(
            request, lambda again: self._attempt(request, again), self._ended.append
        )

    def _attempt(self, request: httpx.Request, again: bool) -> Attempt:
        asked = hashlib.sha256(f"{request.url}\n".encode() + request.content)
        return Attempt(
            case_id=self._call.case_id,
            call=self._identity,
            request=asked.hexdigest(),
            number=len(self._ended) + 1,
            stage=Stage.TRANSPORT if again else self._stage,
            worst_case=worst_case(self._config, self._call.prompt, request.content, self._terms),
        )

    def _refused(self, setback: Setback) -> JudgeFailure | None:
        """Ask in another form when the form was refused; None is to go on."""
        subject = setback.complaint.subject if setback.complaint else None
        if setback.complaint is not None and subject in self._api.optional:
            terms = self._ladder.refused(*self._where, self._terms, setback.complaint, self._api.steps)
            if terms is not None:
                self._go_on(Stage.DOWNGRADE, terms, setback.message)
                return None
        return self._failure(setback.kind, setback.message)

    def _replied(self, answer: Answer) -> Verdict | JudgeFailure | None:
        """Read a reply; None is to go on."""
        self._answers.append(answer)
        if answer.refusal and not answer.text:
            return self._failure(
                JudgeFailureKind.CONTENT_FILTER, f"the model declined to judge: {answer.refusal}"
            )
        reading = self._read(answer)
        if self._terms.raised and reading.outcome is not ReplyOutcome.RAISE_TOKENS_RETRY:
            self._ladder.keep_raised(*self._where)
        match reading.outcome:
            case ReplyOutcome.OK:
                return self._proven(reading)
            case ReplyOutcome.RAISE_TOKENS_RETRY if not self._terms.raised:
                self._go_on(Stage.TOKENS, replace(self._terms, raised=True), reading.reason)
                return None
            case ReplyOutcome.REPAIR if self._repairing is None:
                self._repairing = reading.reason
                self._go_on(Stage.REPAIR, self._terms, reading.reason)
                return None
            case outcome:
                return self._failure(_FAILURES[outcome], reading.reason)

    def _read(self, answer: Answer) -> Reading:
        prompt = self._call.prompt
        return read(
            answer.text,
            kind=prompt.kind,
            ids=prompt.ids,
            finish_reason=answer.finish_reason,
            partial=self._call.partial and self._repairing is not None,
        )

    def _go_on(self, stage: Stage, terms: Terms, fault: str) -> None:
        self._stage = stage
        self._terms = terms
        self._faults.append(fault)

    def _proven(self, reading: Reading) -> Verdict:
        return Verdict(
            case_id=self._call.case_id,
            value=reading.value,
            quotes=reading.quotes,
            invented=reading.invented,
            missing=reading.missing,
            transcript=self._transcript(),
        )

    def _failure(self, kind: JudgeFailureKind, message: str) -> JudgeFailure:
        return JudgeFailure(
            case_id=self._call.case_id, kind=kind, message=message, transcript=self._transcript()
        )

    def _transcript(self) -> Transcript:
        prompt = self._call.prompt
        bases = dict.fromkeys(end.spent.basis for end in self._ended)
        return Transcript(
            prompt=prompt.prompt,
            prompt_hash=prompt.prompt_hash,
            model=self._config.model,
            model_served=self._answers[-1].model if self._answers else None,
            base_url=self._config.home,
            structure=self._terms.structure,
            temperature=self._config.temperature if self._terms.temperature else None,
            replies=tuple(answer.text or "" for answer in self._answers),
            faults=tuple(self._faults),
            attempts=len(self._ended),
            tokens=sum((end.spent.tokens for end in self._ended), Tokens()),
            bases=tuple(basis for basis in Basis if basis in bases),
            neutralised=prompt.neutralised,
            suspected_injection=prompt.suspected_injection,
        )
