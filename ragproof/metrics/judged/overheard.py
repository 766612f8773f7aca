"""What a score tells of the calls behind it, when there are several: gathered, so that no metric has to.

The reply that is shown is one that no order of calls changes; all of them are in the ledger. A flag of any
call, such as text that addresses the judge, is a flag of the score, and changes no number.
"""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.calls import Verdict
from ragproof.judge.rendered import Rendered
from ragproof.metric import Explained, JudgedMeasure, Measured, Measurement
from ragproof.metrics.judged.declined import PROMPT as REFUSAL


class Overheard(Ask):
    """Asks as another does, and keeps the verdicts."""

    def __init__(self, ask: Ask) -> None:
        """Bind to who asks; what it has asked before is shared."""
        self._ask = ask
        self._heard: list[Verdict | None] = []

    async def __call__(self, prompt: Rendered, *, partial: bool = False) -> Verdict:
        """Ask; arguments, result and errors as of `Ask`."""
        place = len(self._heard)
        self._heard.append(None)
        verdict = await self._ask(prompt, partial=partial)
        self._heard[place] = verdict
        return verdict

    def told(self) -> dict[str, JsonValue]:
        """Return what a reader wants to know of the calls; empty when there was none."""
        heard = [verdict for verdict in self._heard if verdict is not None]
        if not heard:
            return {}
        shown = max(
            (each.transcript for each in heard),
            key=lambda transcript: (transcript.prompt != REFUSAL, transcript.prompt, transcript.replies),
        )
        faults: list[JsonValue] = [fault for each in heard for fault in each.transcript.faults]
        unusual: dict[str, JsonValue] = {
            "suspected_injection": any(each.transcript.suspected_injection for each in heard),
            "neutralised": sum(each.transcript.neutralised for each in heard),
            "invented_ids": sum(each.invented for each in heard),
            "faults": faults,
        }
        return {
            **shown.told(),
            "judge_questions": len(heard),
            **{name: value for name, value in unusual.items() if value},
        }


def overheard(measure: JudgedMeasure) -> JudgedMeasure:
    """Return a measure whose details tell of its calls too; what it tells itself stays."""

    async def measured(evidence: Evidence, ask: Ask) -> Measured:
        listening = Overheard(ask)
        result = await measure(evidence, listening)
        if not isinstance(result, Measurement | Explained):
            return result
        return replace(result, details={**listening.told(), **result.details})

    return measured
