"""Judges that know the labels: one that gives each metric just what its label says, and ways to be worse."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from fractions import Fraction
from itertools import product
from typing import Any

from pydantic import JsonValue

from ragproof.judge.ask import Judge
from ragproof.judge.calibration.labelled import Labelled
from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgeFailureKind, Transcript, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.metrics.judged.context_precision import average_precision

CONFIG = JudgeConfig(model="oracle-1", base_url="http://127.0.0.1:9/v1")
DECLINING = frozenset({"irrelevant-declines", "missing-declines"})
"""Fixtures of metrics of the answer's worth whose answers decline."""
TRUTHS = 6
"""How many claims it finds in any text."""
ABSTENTION = "robustness.abstention"

Failing = JudgeFailureKind | None


class Oracle:
    """Replies so that each metric comes out at its label, or at what `instead` makes of it."""

    def __init__(
        self,
        labelled: Sequence[Labelled],
        *,
        instead: Callable[[str, float], float] = lambda _, score: score,
        failing: Callable[[JudgeCall], Failing] = lambda _: None,
        declining: frozenset[str] = DECLINING,
    ) -> None:
        """Prepare.

        Args:
            labelled: what it knows.
            instead: the score to give, of a case id and its label.
            failing: why a question gets no verdict; None gives one.
            declining: ids of answers that it takes for refusals.
        """
        self._labelled = {each.case.id: each for each in labelled}
        self._instead = instead
        self._failing = failing
        self._declining = declining
        self.calls: list[JudgeCall] = []

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Reply."""
        self.calls.append(call)
        kind = self._failing(call)
        if kind is not None:
            return JudgeFailure(
                case_id=call.case_id, kind=kind, message="told to", transcript=transcript(call)
            )
        value, quotes = self._value(call)
        return Verdict(case_id=call.case_id, value=value, quotes=quotes, transcript=transcript(call))

    def _value(self, call: JudgeCall) -> tuple[JsonValue, tuple[str, ...]]:
        labels = self._labelled[call.case_id].labels
        if call.prompt.prompt == "refusal":
            if ABSTENTION in labels:
                declined = self._score(call, ABSTENTION) == 1
            else:
                declined = call.case_id in self._declining
            return {"declined": declined}, ("",)
        (metric,) = labels
        score = Fraction(self._score(call, metric)).limit_denominator(20)
        match call.prompt.prompt:
            case "claims":
                text = str(json.loads(call.prompt.data)["text"])
                of_reference = text in self._labelled[call.case_id].case.expected_answers
                return [f"{'truth' if of_reference else 'claim'} {n}" for n in range(TRUTHS)], ()
            case "claim_support":
                return self._supported(call, score, both_ways=metric == "factual_correctness")
            case "context_usefulness":
                return _useful(call.prompt.ids, score), ("",) * len(call.prompt.ids)
            case "citation_check":
                checks = json.loads(call.prompt.data)["checks"]
                sentences = list(dict.fromkeys(check["sentence"] for check in checks))
                entailed = sentences[: round(score * len(sentences))]
                return {check["id"]: check["sentence"] in entailed for check in checks}, ("",) * len(checks)
            case "groundedness":
                claims: list[Any] = [
                    [f"claim {n}", n < score.numerator, ["k1"] if n < score.numerator else []]
                    for n in range(score.denominator)
                ]
                return claims, ("",) * len(claims)
            case "citation_support":
                cited = len(set(self._labelled[call.case_id].output.citations or ()))
                supported = score * cited
                assert supported.denominator == 1, f"{score} of {cited} citations is no whole number"
                ids = call.prompt.ids
                assert supported <= len(ids), "more would have to be supported than there are"
                return {id: n < supported for n, id in enumerate(ids)}, ("",) * len(ids)
            case _:
                assert (score * 2).denominator == 1, f"{score} is in no band of a rating"
                return int(score * 2), ()

    def _supported(
        self, call: JudgeCall, score: Fraction, *, both_ways: bool
    ) -> tuple[JsonValue, tuple[str, ...]]:
        """Support as many claims of the reference as the label asks for, and all of the answer but at 0.

        With a precision of 1 and a recall of r, F1 is 2r / (1 + r), so that a score s takes r = s / (2 - s).
        """
        claims = json.loads(call.prompt.data)["claims"]
        share = score / (2 - score) if both_ways else score
        if claims[0]["text"].startswith("claim"):
            share = Fraction(score > 0)
        supported = round(share * len(claims))
        return {each["id"]: n < supported for n, each in enumerate(claims)}, ("",) * len(claims)

    def _score(self, call: JudgeCall, metric: str) -> float:
        label = self._labelled[call.case_id].labels[metric]
        return self._instead(call.case_id, label.consensus)


def _useful(ids: Sequence[str], score: Fraction) -> JsonValue:
    """Return the verdicts on contexts whose average precision is nearest to a score."""
    every = product((False, True), repeat=len(ids))
    nearest = min(every, key=lambda flags: abs(average_precision(flags) - score))
    return dict(zip(ids, nearest, strict=True))


def transcript(call: JudgeCall) -> Transcript:
    """Return how a call went."""
    return Transcript(
        prompt=call.prompt.prompt,
        prompt_hash=call.prompt.prompt_hash,
        model=CONFIG.model,
        model_served="oracle-1-as-served",
        base_url=CONFIG.home,
        replies=('{"as": "it came"}',),
    )


def opening(judge: Judge) -> Any:
    """Return what opens this judge, whatever is configured."""

    @asynccontextmanager
    async def opened(config: object, loaded: object) -> Any:
        yield judge

    return opened
