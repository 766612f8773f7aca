"""A judge that answers each of our prompts in its form, by rules a test can foresee.

A claim is a sentence; it is supported by the contexts that hold it word for word. An answer declines when it
begins with `I don't know`. It counts what it bills, by the usage it reports.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ragproof.judge.metering import Tokens
from tests.fakes.judge_server import Asked, Line, Said

DECLINES = "I don't know"


class ObligingJudge:
    """A script for `judging`, and what it saw."""

    def __init__(
        self,
        *,
        latency_s: float = 0.0,
        usage: Callable[[Asked], Tokens | None] = lambda _: Tokens(input=100, output=20),
        before: Callable[[Asked], Line | None] = lambda _: None,
    ) -> None:
        """Prepare.

        Args:
            latency_s: how long each reply takes.
            usage: what each reply bills; None is not reported.
            before: what is said instead, when it is not None.
        """
        self._latency_s = latency_s
        self._usage = usage
        self._before = before
        self._lock = threading.Lock()
        self.billed: list[Tokens] = []
        self.questions: Counter[str] = Counter()
        """How often each question was asked, by its data line."""

    @property
    def calls(self) -> int:
        """Questions asked."""
        return sum(self.questions.values())

    def __call__(self, asked: Asked) -> Line:
        """Reply to one question."""
        with self._lock:
            self.questions[f"{asked.system[:60]} {json.dumps(asked.data, sort_keys=True)}"] += 1
        time.sleep(self._latency_s)
        other = self._before(asked)
        if other is not None:
            return other
        usage = self._usage(asked)
        with self._lock:
            self.billed.append(usage or Tokens())
        reply = refusal_reply if "declines to answer the question" in asked.system else reply_to
        return Said(json.dumps(reply(asked.data)), usage=usage)


def reply_to(data: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict on a question, as JSON."""
    if "answer" not in data:
        return _reply_without_answer(data)
    answer = str(data["answer"])
    if "contexts" in data:
        return {"claims": list(_claims(answer, data["contexts"]))}
    if "citations" in data:
        return {
            "verdicts": [
                {"id": each["id"], "quote": "", "verdict": _supports(answer, each["text"])}
                for each in data["citations"]
            ]
        }
    if "expected_answers" in data:
        complete = any(expected in answer for expected in data["expected_answers"])
        return {"reason": "as asked", "rating": 2 if complete else 0}
    return {"reason": "as asked", "rating": 2}


def _reply_without_answer(data: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict on claims, contexts or cited sentences."""
    if "text" in data:
        return {"claims": sentences(str(data["text"]))}
    if "checks" in data:
        texts = {each["id"]: each["text"] for each in data["sources"]}
        return verdicts(
            {
                each["id"]: each["sentence"] in " ".join(texts[name] for name in each["sources"])
                for each in data["checks"]
            }
        )
    if "claims" in data:
        return verdicts(
            {
                each["id"]: any(each["text"] in context["text"] for context in data["contexts"])
                for each in data["claims"]
            }
        )
    if "expected_answers" in data:
        expected = data["expected_answers"]
        useful = {each["id"]: any(text in each["text"] for text in expected) for each in data["contexts"]}
        return verdicts(useful, ("yes", "no"))
    return {"reason": "as asked", "rating": 2}


def verdicts(
    supported: dict[str, bool], words: tuple[str, str] = ("supported", "unsupported")
) -> dict[str, Any]:
    """Return a reply with a verdict for each id."""
    given = {id: words[0] if each else words[1] for id, each in supported.items()}
    return {"verdicts": [{"id": id, "quote": "", "verdict": word} for id, word in given.items()]}


def refusal_reply(data: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict on whether an answer declines."""
    declined = "true" if str(data["answer"]).startswith(DECLINES) else "false"
    return {"verdicts": [{"id": "declined", "quote": "", "verdict": declined}]}


def _claims(answer: str, contexts: Iterable[dict[str, str]]) -> Iterable[dict[str, Any]]:
    for sentence in sentences(answer):
        within = [each["id"] for each in contexts if sentence in each["text"]]
        verdict = "supported" if within else "unsupported"
        yield {
            "text": sentence,
            "quote": sentence if within else "",
            "contexts": within,
            "verdict": verdict,
        }


def _supports(answer: str, text: str) -> str:
    return "supported" if any(sentence in text for sentence in sentences(answer)) else "unsupported"


def sentences(answer: str) -> list[str]:
    """Return the sentences of an answer, without citation marks."""
    plain = re.sub(r"\s*\[[^\]]*\]", "", answer)
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+", plain) if part.strip()]
