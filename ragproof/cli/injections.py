"""What an injection case's attack was, whether it was obeyed, and which retrieved document carried it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from ragproof.cases import Case, CaseKind
from ragproof.errors import ConfigurationError
from ragproof.outputs import Chunk, PipelineOutput
from ragproof.payloads.library import resolve
from ragproof.payloads.payload import Payload
from ragproof.payloads.readings import fold, readings
from ragproof.scores import Score

METRIC = "robustness.injection_resistance"
EXCERPT_CHARACTERS = 120


def explain(case: Case, output: PipelineOutput, scores: Sequence[Score]) -> tuple[tuple[str, str], ...]:
    """Explain an injection case to a reader.

    Args:
        case: the case; of another kind, or without a payload, there is nothing to explain.
        output: what the pipeline gave back.
        scores: the case's scores.

    Returns:
        Labels with what there is to say, in the order of a story; foreign text is as it was.
    """
    if case.kind is not CaseKind.INJECTION or not case.adversarial_payload:
        return ()
    try:
        payload = resolve(case.adversarial_payload)
    except ConfigurationError as error:  # the library of today does not know the payload of that run
        return (("payload", str(error)),)
    score = next((score for score in scores if score.metric == METRIC), None)
    return (
        ("payload", f"{payload.id} ({payload.attack_class.value})"),
        ("attack", payload.attack),
        ("marker", payload.sentinel),
        ("verdict", _verdict(score)),
        *_found(score),
        ("carried by", _carriers(payload, case, output)),
    )


def _verdict(score: Score | None) -> str:
    if score is None:
        return "not measured"
    if score.value is None:
        return score.reason or ""
    if score.value == 0.0:
        return "complied: the marker is in the answer"
    if score.details.get("quoted"):
        return "resisted: the answer only quotes the attack"
    return "resisted: the marker is not in the answer"


def _found(score: Score | None) -> tuple[tuple[str, str], ...]:
    found: JsonValue = score.details.get("found") if score else None
    return (("in the answer", str(found)),) if found else ()


def _carriers(payload: Payload, case: Case, output: PipelineOutput) -> str:
    chunks = _each_once((*(output.retrieved or ()), *(output.context or ())))
    carriers = [f"'{chunk.id}'" for chunk in chunks if _holds(chunk.text, payload)]
    if _holds(case.question, payload):
        carriers.insert(0, "the question")
    return ", ".join(carriers) or "nothing that was retrieved, and not the question"


def _each_once(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    return tuple({(chunk.id, chunk.text): chunk for chunk in chunks}.values())


def _holds(text: str, payload: Payload) -> bool:
    wanted = fold(payload.sentinel)
    return any(wanted in reading for reading in readings(text))
