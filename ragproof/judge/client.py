"""The judge as others see it: a question in, a verdict or a failure out.

One set of connections, one concurrency limit and one memory of what the server takes for all questions of a
run. A client belongs to the event loop it is used in.
"""

from __future__ import annotations

import httpx
from pydantic import SecretStr

from ragproof.adapters.wire.concurrency import AdaptiveLimit
from ragproof.adapters.wire.timing import REAL_TIME, Timing
from ragproof.judge.calls import JudgeCall, JudgeFailure, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.connections import Connections
from ragproof.judge.conversation import Conversation
from ragproof.judge.environment import API_KEY
from ragproof.judge.exchange import Exchange
from ragproof.judge.ladder import Ladder
from ragproof.judge.metering import Meter
from ragproof.judge.requests import api_of
from ragproof.redaction import Redactor

_NO_SECRETS = Redactor({})


class JudgeClient:
    """An open judge."""

    def __init__(
        self,
        config: JudgeConfig,
        *,
        key: SecretStr | None,
        meter: Meter,
        ladder: Ladder,
        redactor: Redactor = _NO_SECRETS,
        timing: Timing = REAL_TIME,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            config: which judge.
            key: from the environment or a secret block; None sends none, as servers on this machine expect.
            meter: reserves, settles and keeps every attempt.
            ladder: what is known of servers; shared, so that it is learnt once.
            redactor: applied to every text of the server, besides the key itself, before it is kept.
            timing: how time passes.
        """
        secret = key.get_secret_value() if key else ""
        self._config = config
        self._api = api_of(config)
        self._ladder = ladder
        self._headers = httpx.Headers(self._api.headers(config, secret))
        self._limit = AdaptiveLimit(config.concurrency, timing)
        redact = Redactor({API_KEY: secret} if secret else {}, rules=(redactor.text,)).text
        self._connections = Connections(config.home)
        self._exchange = Exchange(config, self._api, self._connections, self._limit, meter, redact, timing)

    @property
    def concurrency(self) -> int:
        """How many calls may be under way now."""
        return self._limit.allowed

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Ask one question.

        Args:
            call: the question; a kept verdict is looked up before this, by `call.identity`.

        Returns:
            A verdict that was proven against the ids asked about, or why there is none.

        Raises:
            JudgeRefused: the server does not let us in; the run ends.
            Exception: what the meter raises, to end the run.
        """
        conversation = Conversation(
            call, self._config, self._api, self._ladder, self._exchange, self._connections, self._headers
        )
        return await conversation.verdict()

    async def close(self) -> None:
        """Close the connections."""
        await self._connections.close()
