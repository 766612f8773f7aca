"""What the judge said of one case: each claim with its verdict and its quote, each citation, each reason.

Claims, quotes and reasons are the judge's words about the pipeline's; all of it is foreign text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from ragproof.cli import screen
from ragproof.judge.candidates import find
from ragproof.judge.kinds import ReplyKind
from ragproof.judge.prompting import load
from ragproof.judge.replies import read
from ragproof.metrics.judged import declined
from ragproof.metrics.judged.bands import HIGHEST_RATING
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.outputs import PipelineOutput
from ragproof.reports.visible import excerpt
from ragproof.scores import Score

TEXT_CHARACTERS = 600
"""How much of a claim, a quote or a reason is shown; JSON has the whole."""
REPLY_CHARACTERS = 1_000
_DECLINES = {True: "declines", False: "answers", None: ""}
_QUOTE = {True: "quote", False: "quote, not found in what was judged"}


def is_judged(score: Score) -> bool:
    """Say whether a score comes from a call to the judge; one that was settled without a call does not."""
    return "judge_prompt" in score.details


def in_short(score: Score) -> str:
    """Return what a judged score comes to, in a few words of ours; empty when its reason says it all."""
    details = score.details
    if "verdict" in details:
        return str(details["verdict"])
    if "rating" in details:
        return f"rated {details['rating']} of {HIGHEST_RATING}"
    if "claims" in details:
        claims = _entries(details, "claims")
        return f"{_supported(claims)} of {len(claims)} claims supported" if claims else ""
    if "citations" in details:
        return f"{_supported(_entries(details, 'citations'))} of {details.get('cited')} citations supported"
    return _DECLINES[_declines(score)]


def show(scores: Sequence[Score], output: PipelineOutput) -> None:
    """Print a section for each judged score of a case.

    Args:
        scores: all of the case's, in reading order; those without a judge are passed over.
        output: what was judged, to look quotes up in.
    """
    repeated = any(score.trial for score in scores)
    for score in filter(is_judged, scores):
        trial = f", trial {score.trial}" if repeated else ""
        screen.heading(f"judge: {excerpt(score.metric, TEXT_CHARACTERS)}{trial}")
        screen.pairs([*_verdict(score, output), *_call(score.details)])
        _tables(score, output)


def _verdict(score: Score, output: PipelineOutput) -> Iterable[tuple[str, str]]:
    details = score.details
    if score.result.outcome == "judge_error":
        yield "no verdict", excerpt(score.reason or "", REPLY_CHARACTERS)
        yield "reply", excerpt(str(details.get("judge_raw_json") or "(empty)"), REPLY_CHARACTERS)
        return
    short = in_short(score)
    if short:
        yield "verdict", short
    reason = _reason(details)
    if reason:
        yield "reason", excerpt(reason, TEXT_CHARACTERS)
    quote = str(details.get("quote") or "")
    if quote:
        where = [output.answer or ""] if _is_refusal(score) else _texts(output)
        yield _QUOTE[_found(details, quote, where)], excerpt(quote, TEXT_CHARACTERS)


def _call(details: Mapping[str, JsonValue]) -> Iterable[tuple[str, str]]:
    yield "model as served", str(details.get("judge_model_served") or "not said")
    if details.get("suspected_injection"):
        yield "suspected injection", "some text that was judged addresses the judge; no score changes for it"
    if details.get("neutralised"):
        yield "neutralised", f"{details['neutralised']} places of the judged text were escaped for the judge"
    for name in ("invented_contexts", "invented_ids"):
        if details.get(name):
            yield "invented", f"the judge named {details[name]} ids it was not asked about; passed over"
    faults = details.get("faults")
    for fault in faults if isinstance(faults, list) else ():
        yield "asked again after", excerpt(str(fault), TEXT_CHARACTERS)


def _tables(score: Score, output: PipelineOutput) -> None:
    claims, details = _entries(score.details, "claims"), score.details
    if claims:
        screen.table(
            ("verdict", "claim", "chunks", "quote", ""),
            [
                (
                    _word(claim),
                    _shown(claim, "text"),
                    ", ".join(_texts_of(claim.get("contexts"))),
                    _shown(claim, "quote"),
                    _mark(str(claim.get("quote") or ""), found=bool(claim.get("quote_found"))),
                )
                for claim in claims
            ],
            ("verdict",),
        )
    passed_over = _texts_of(details.get("no_verdict"))
    cited = [_citation(entry, passed_over, output) for entry in _entries(details, "citations")]
    cited += [("points at nothing", id, "", "") for id in _texts_of(details.get("unknown"))]
    if cited:
        screen.table(("verdict", "cited", "quote", ""), cited, ("verdict",))


def _citation(
    entry: Mapping[str, JsonValue], passed_over: Sequence[str], output: PipelineOutput
) -> tuple[str, str, str, str]:
    id, quote = str(entry.get("id")), str(entry.get("quote") or "")
    chunks = (*(output.context or ()), *(output.retrieved or ()))
    found = is_quoted(quote, (chunk.text for chunk in chunks if id in (chunk.id, chunk.document_id)))
    word = "no verdict" if id in passed_over else _word(entry)
    return word, id, excerpt(quote, TEXT_CHARACTERS), _mark(quote, found=found)


def _mark(quote: str, *, found: bool) -> str:
    return "not found in the context" if quote and not found else ""


def _word(entry: Mapping[str, JsonValue]) -> str:
    return "supported" if entry.get("supported") else "not supported"


def _supported(entries: Sequence[Mapping[str, JsonValue]]) -> int:
    return sum(bool(entry.get("supported")) for entry in entries)


def _shown(entry: Mapping[str, JsonValue], name: str) -> str:
    return excerpt(str(entry.get(name) or ""), TEXT_CHARACTERS)


def _entries(details: Mapping[str, JsonValue], name: str) -> list[dict[str, JsonValue]]:
    given = details.get(name)
    return [entry for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []


def _texts_of(value: JsonValue) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _texts(output: PipelineOutput) -> list[str]:
    chunks = (*(output.context or ()), *(output.retrieved or ()))
    return [output.answer or "", *(chunk.text for chunk in chunks)]


def _found(details: Mapping[str, JsonValue], quote: str, texts: Iterable[str]) -> bool:
    """Say whether a quote stands where it should; a metric that looked itself has the last word."""
    looked = details.get("quote_found")
    return looked if isinstance(looked, bool) else is_quoted(quote, texts)


def _is_refusal(score: Score) -> bool:
    return score.details.get("judge_prompt") == declined.PROMPT


def _declines(score: Score) -> bool | None:
    """Read from the reply whether the answer declines; None when it was not asked or not said."""
    reply = score.details.get("judge_raw_json")
    if not _is_refusal(score) or not isinstance(reply, str):
        return None
    value = read(reply, kind=ReplyKind.VERDICTS, ids=load(declined.PROMPT).ids).value
    return any(value.values()) if isinstance(value, dict) else None


def _reason(details: Mapping[str, JsonValue]) -> str:
    """Return the reason in a reply that rates; "" when it has none."""
    reply = details.get("judge_raw_json")
    if "rating" not in details or not isinstance(reply, str):
        return ""
    reasons = (each.get("reason") for each in find(reply).objects if "rating" in each)
    return next((reason for reason in reasons if isinstance(reason, str)), "")
