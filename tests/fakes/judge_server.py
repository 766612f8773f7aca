"""A judge on this machine that speaks both APIs, says what its script says, and counts what it is asked.

It can be as gullible as a model: `obedient` does whatever the last instruction of its prompt says, and takes
role tokens in the text for the turns of a chat template.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from ragproof.adapters.wire.timing import Timing
from ragproof.judge.calls import JudgeCall, JudgeFailure, Verdict
from ragproof.judge.client import JudgeClient
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder
from ragproof.judge.metering import Answer, Attempt, Meter, Spent, Tokens
from ragproof.redaction import Redactor
from tests.fakes.http_server import Received, Reply, Server, serving

KEY = "sk-judge-s3cret-key"
USAGE = Tokens(input=100, output=20)


@dataclass(frozen=True)
class Asked:
    """One question as it arrived."""

    received: Received

    @property
    def body(self) -> dict[str, Any]:
        """What was sent."""
        read: dict[str, Any] = self.received.json
        return read

    @property
    def speaks_anthropic(self) -> bool:
        """Whether it came through the Messages API."""
        return self.received.path.partition("?")[0].endswith("/messages")

    @property
    def system(self) -> str:
        """The system message."""
        return str(self.body["system"] if self.speaks_anthropic else self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        """The user message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def data(self) -> dict[str, Any]:
        """The data to be judged, decoded."""
        line = next(line for line in self.user.split("\n") if line.startswith("{"))
        read: dict[str, Any] = json.loads(line)
        return read

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema the reply has to keep to, where the request gives one."""
        given = self.body.get("output_config", {}).get("format") or self.body.get("response_format", {}).get(
            "json_schema"
        )
        return given["schema"] if given else None


@dataclass(frozen=True)
class Said:
    """What the judge says."""

    text: str | None
    finish_reason: str | None = None
    """As its API calls it; None is an orderly end."""
    usage: Tokens | None = USAGE
    """None is not reported."""
    model: str = "judge-as-served"
    thinking: str = ""


Line = Said | Reply | str | Mapping[str, Any]
"""A reply, a raw HTTP response, a text, or JSON."""
Script = Sequence[Line] | Callable[[Asked], Line]


class JudgeServer:
    """The running judge."""

    def __init__(self, server: Server) -> None:
        self._server = server

    @property
    def base_url(self) -> str:
        """Where its APIs are."""
        return self._server.url.replace("/ask", "/v1")

    @property
    def calls(self) -> int:
        """How often it was asked, refused requests included."""
        return self._server.calls

    def wait_for_calls(self, calls: int) -> None:
        """Wait until it was asked so often."""
        for _ in range(3_000):
            if self.calls >= calls:
                return
            time.sleep(0.02)
        raise AssertionError(f"only {self.calls} calls arrived")

    @property
    def asked(self) -> list[Asked]:
        """Every question, in the order of arrival."""
        return [Asked(received) for received in self._server.received]


@contextmanager
def judging(script: Script) -> Iterator[JudgeServer]:
    """Run a judge while the block lasts.

    Args:
        script: lines in order, the last of which repeats; or a function from question to line.
    """
    lines, lock = iter(range(10**9)), threading.Lock()

    def answer(received: Received) -> Reply:
        asked = Asked(received)
        if callable(script):
            return _response(asked, script(asked))
        with lock:
            number = next(lines)
        return _response(asked, script[min(number, len(script) - 1)])

    with serving(answer) as server:
        yield JudgeServer(server)


def _response(asked: Asked, line: Line) -> Reply:
    if isinstance(line, Reply):
        return line
    said = line if isinstance(line, Said) else Said(line if isinstance(line, str) else json.dumps(line))
    return Reply((_anthropic if asked.speaks_anthropic else _openai)(said))


def _openai(said: Said) -> dict[str, Any]:
    usage = said.usage and {"prompt_tokens": said.usage.input, "completion_tokens": said.usage.output}
    message = {"role": "assistant", "content": said.text, "reasoning_content": said.thinking or None}
    choice = {"index": 0, "message": message, "finish_reason": said.finish_reason or "stop"}
    return {"object": "chat.completion", "model": said.model, "choices": [choice], "usage": usage}


def _anthropic(said: Said) -> dict[str, Any]:
    usage = said.usage and {
        "input_tokens": said.usage.input - said.usage.input // 2,
        "cache_read_input_tokens": said.usage.input // 2,
        "output_tokens": said.usage.output,
    }
    thinking = [{"type": "thinking", "thinking": said.thinking}] if said.thinking else []
    text = [] if said.text is None else [{"type": "text", "text": said.text}]
    stop = said.finish_reason or "end_turn"
    return {
        "type": "message",
        "model": said.model,
        "content": thinking + text,
        "stop_reason": stop,
        "usage": usage,
    }


_ROLE_TOKENS = re.compile(
    r"<\|[^|<>]+\|>(?:system|user)?|\[/?INST\]|</?s>|<</?SYS>>|<\uff5c[^\uff5c]+\uff5c>|\n\n(?:Human|System):"
)
_ORDER = re.compile(r"^.*?\breply with\b(.*)$", re.IGNORECASE | re.DOTALL)


def last_order(prompt: str) -> str:
    """Return what follows "reply with" in the last turn and line of a prompt that has it."""
    turn = [turn for turn in _ROLE_TOKENS.split(prompt) if "reply with" in turn.lower()][-1]
    lines = [line for line in turn.splitlines() if "reply with" in line.lower()]
    found = _ORDER.match(lines[-1])
    return found[1].strip() if found else ""


def obedient(honest: Callable[[Asked], Line]) -> Callable[[Asked], Line]:
    """Return a judge that does whatever its prompt says last, and is honest only when told to judge."""

    def script(asked: Asked) -> Line:
        order = last_order(f"{asked.system}\n{asked.user}")
        return honest(asked) if order.startswith("one JSON object") else order

    return script


@dataclass
class RecordingMeter(Meter):
    """Reserves without limit, and remembers."""

    reserved: dict[str, Attempt] = field(default_factory=dict)
    settled: dict[str, Spent] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    """By request: what a ledger would give back."""
    give_back: bool = False

    async def kept(self, attempt: Attempt) -> Answer | None:
        return self.answers.get(attempt.request) if self.give_back else None

    async def reserve(self, attempt: Attempt) -> str:
        reservation = f"r{len(self.reserved) + 1}"
        self.reserved[reservation] = attempt
        return reservation

    async def settle(self, reservation: str, spent: Spent, answer: Answer | None) -> None:
        self.settled[reservation] = spent
        if answer is not None:
            self.answers[self.reserved[reservation].request] = answer

    @property
    def attempts(self) -> list[Attempt]:
        """In the order they were made."""
        return list(self.reserved.values())

    @property
    def spent(self) -> list[Spent]:
        """In the order of the attempts; one for each that was settled."""
        return [self.settled[reservation] for reservation in self.reserved if reservation in self.settled]


class Clock:
    """Time that passes when someone sleeps, and at no other time."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    @property
    def timing(self) -> Timing:
        """As the client takes it."""
        return Timing(sleep=self.sleep, now=lambda: self.seconds)


def ask_all(
    server: JudgeServer,
    *calls: JudgeCall,
    meter: Meter | None = None,
    ladder: Ladder | None = None,
    clock: Clock | None = None,
    redactor: Redactor | None = None,
    **settings: Any,
) -> list[Verdict | JudgeFailure]:
    """Ask a judge questions, all at once, through a client of their own."""
    config = JudgeConfig(**{"model": "judge-1", "base_url": server.base_url, **settings})

    async def run() -> list[Verdict | JudgeFailure]:
        client = JudgeClient(
            config,
            key=SecretStr(KEY),
            meter=meter or RecordingMeter(),
            ladder=ladder or Ladder(),
            redactor=redactor or Redactor({}),
            timing=(clock or Clock()).timing,
        )
        try:
            return await asyncio.gather(*map(client.ask, calls))
        finally:
            await client.close()

    return asyncio.run(run())
