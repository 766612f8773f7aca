"""A judge that is asked and never calls anybody: it shows which questions a run would ask, and their size.

What was judged before is answered with its own verdict; to the rest it replies what asks the most of it: no
answer declines, every answer makes a few claims. False friend: a mock; no score comes of its verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.judge.calls import JudgeCall, Transcript, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.kinds import ReplyKind
from ragproof.judge.metering import Tokens
from ragproof.judge.rendered import Rendered
from ragproof.judge.replies import read
from ragproof.judge.requests import worst_case, written
from ragproof.judge.responses import CHARACTERS_A_TOKEN

CLAIMS = 3
"""How many claims an answer is taken to make."""

Find = Callable[[str], Verdict | None]
"""Returns the verdict kept for a question's identity; None when it was never given."""


@dataclass(frozen=True)
class DryCall:
    """One question that would be asked."""

    low: Tokens
    """A token for four characters of what is asked and of the shortest reply."""
    high: Tokens
    """The most that one attempt can use."""
    is_kept: bool
    """It was answered before, and costs nothing now."""


class DryJudge:
    """Counts what it is asked, each question once however many cases ask it."""

    def __init__(self, config: JudgeConfig, find: Find = lambda _: None) -> None:
        """Bind to a judge that is not called.

        Args:
            config: the judge that would be asked.
            find: looks up what was judged before.
        """
        self._config = config
        self._find = find
        self.calls: dict[str, DryCall] = {}
        """By identity."""

    async def ask(self, call: JudgeCall) -> Verdict:
        """Return the kept verdict, or the obliging one."""
        identity = call.identity(self._config)
        kept = self._find(identity)
        reply = json.dumps(_obliging(call.prompt))
        if identity not in self.calls:
            self.calls[identity] = self._sized(call.prompt, reply, is_kept=kept is not None)
        return kept or self._verdict(call, reply)

    def _sized(self, prompt: Rendered, reply: str, *, is_kept: bool) -> DryCall:
        asked = prompt.system_message(with_schema=False) + prompt.user_message()
        return DryCall(
            low=Tokens(input=_tokens(asked), output=min(_tokens(reply), self._config.max_tokens)),
            high=worst_case(self._config, prompt, written(self._config, prompt)),
            is_kept=is_kept,
        )

    def _verdict(self, call: JudgeCall, reply: str) -> Verdict:
        prompt = call.prompt
        reading = read(reply, kind=prompt.kind, ids=prompt.ids)
        transcript = Transcript(
            prompt=prompt.prompt,
            prompt_hash=prompt.prompt_hash,
            model=self._config.model,
            base_url=self._config.home,
        )
        return Verdict(
            case_id=call.case_id, value=reading.value, quotes=reading.quotes, transcript=transcript
        )


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_A_TOKEN)


def _obliging(prompt: Rendered) -> dict[str, JsonValue]:
    """Return a short reply of the kind that leaves the most to be asked: no verdict is affirmative."""
    match prompt.kind:
        case ReplyKind.VERDICTS:
            return {"verdicts": [{"id": id, "quote": "", "verdict": prompt.words[1]} for id in prompt.ids]}
        case ReplyKind.CLAIMS:
            return {"claims": [f"claim {n} of a dry run" for n in range(CLAIMS)]}
        case ReplyKind.CLAIMS_WITH_VERDICTS:
            return {
                "claims": [
                    {
                        "text": f"claim {n} of a dry run",
                        "quote": "",
                        "contexts": [],
                        "verdict": prompt.words[1],
                    }
                    for n in range(CLAIMS)
                ]
            }
        case ReplyKind.RATING:
            return {"reason": "", "rating": 2}
