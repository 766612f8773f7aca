"""Scripts for a judge of claims: replies by prompt, and cases whose claims a test can count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ragproof.judge.calls import JudgeCall
from tests.fakes.obliging_judge import verdicts
from tests.fakes.scripted_judge import ScriptedJudge

Reply = Callable[[dict[str, Any]], Any] | dict[str, Any] | str


def judge(replies: Mapping[str, Reply]) -> ScriptedJudge:
    """Return a judge that replies by prompt, and as the obliging one where nothing is said."""

    def say(call: JudgeCall, data: dict[str, Any]) -> Any:
        reply = replies.get(call.prompt.prompt)
        return reply(data) if callable(reply) else reply

    return ScriptedJudge(say)


def answer_claims(**contexts: str) -> dict[str, Any]:
    """Return a reply with a claim for each name; its value names the contexts that support it, "" is none."""
    return {
        "claims": [
            {
                "text": text,
                "quote": "",
                "contexts": named.split(),
                "verdict": "supported" if named else "unsupported",
            }
            for text, named in contexts.items()
        ]
    }


def claims(*texts: str) -> dict[str, Any]:
    """Return a reply with claims."""
    return {"claims": list(texts)}


def supporting(*texts: str) -> Callable[[dict[str, Any]], Any]:
    """Return a reply that supports the claims with these texts and no others."""
    return lambda data: verdicts({each["id"]: each["text"] in texts for each in data["claims"]})


def supporting_by(**texts: str) -> Callable[[dict[str, Any]], Any]:
    """Return a reply that supports claims by the premise: what each context that holds a word supports."""

    def reply(data: dict[str, Any]) -> Any:
        premise = " ".join(context["text"] for context in data["contexts"])
        known = {claim for word, named in texts.items() if word in premise for claim in named.split()}
        return verdicts({each["id"]: each["text"] in known for each in data["claims"]})

    return reply


def useful(*flags: int) -> Callable[[dict[str, Any]], Any]:
    """Return a reply that says of each context in its order whether it is useful."""
    return lambda data: verdicts(
        {each["id"]: bool(flag) for each, flag in zip(data["contexts"], flags, strict=True)}, ("yes", "no")
    )


def entailing(*sets: str) -> Callable[[dict[str, Any]], Any]:
    """Return a reply that supports a sentence by these sets of sources, each written as `k1 k2`."""
    known = {frozenset(each.split()) for each in sets}
    return lambda data: verdicts({each["id"]: frozenset(each["sources"]) in known for each in data["checks"]})
