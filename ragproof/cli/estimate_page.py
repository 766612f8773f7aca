"""An estimate for readers: a page, JSON, and the one line that `ragproof run` prints before it starts."""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.cli import screen
from ragproof.estimating import LARGE, SMALL, Size
from ragproof.reports import rounding
from ragproof.reports.visible import visible
from ragproof.run_estimates import RunEstimate

CENT_DIGITS = 2
"""Of a dollar and more."""
NO_PRICE = "unknown: set RAGPROOF_JUDGE_INPUT_COST_PER_MTOK and RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK"


def line(found: RunEstimate) -> str:
    """Return an estimate as one line; the model's name in it is foreign text made safe."""
    tokens = found.estimate
    both = (tokens.low.input + tokens.low.output, tokens.high.input + tokens.high.output)
    kept = "" if tokens.kept is None else f" ({tokens.kept:,} judged before)"
    about = "about " if tokens.looked_at < tokens.cases else ""
    parts = [
        f"{about}{_span(tokens.calls_low, tokens.calls_high)} calls to {visible(found.judge.model)}{kept}",
        f"{_span(*both)} tokens",
        _price(found) or "price unknown",
        f"cap {_cap(found)}",
    ]
    return "judge: " + ", ".join(parts)


def show(found: RunEstimate) -> None:
    """Print an estimate with what it rests on."""
    seen = found.estimate
    screen.pairs(
        [
            ("project", found.project),
            ("pipeline", found.pipeline),
            ("judge", f"{found.judge.model} at {found.judge.home}"),
            ("cases", _cases(found)),
            ("outputs", _outputs(found)),
            ("calls", _span(seen.calls_low, seen.calls_high)),
            ("judged before", _kept(found)),
            ("tokens sent", _span(seen.low.input, seen.high.input)),
            ("tokens received", _span(seen.low.output, seen.high.output)),
            ("price", _price(found) or NO_PRICE),
            ("cap", _cap(found)),
        ]
    )
    screen.say(
        "\nlow: a token for 4 characters, and the shortest reply; high: a token for each byte of a request,"
        f" and {found.judge.max_tokens:,} tokens (judge.max_tokens) for each reply. An answer that declines"
        " saves the questions after that one; retries and repairs come on top."
    )
    if found.may_pass_cap:
        screen.say(
            "the run may stop at its cap and end as aborted:budget; --resume goes on with more", "yellow"
        )


def as_json(found: RunEstimate) -> dict[str, JsonValue]:
    """Return an estimate as JSON values; what is not known is null, never 0."""
    seen = found.estimate
    unknown = seen.looked_at - seen.known
    assumed: JsonValue = {"low": _size(SMALL), "high": _size(LARGE)}
    price: JsonValue = None if seen.usd_low is None else {"low": seen.usd_low, "high": seen.usd_high}
    return {
        "project": found.project,
        "pipeline": found.pipeline,
        "judge": {"model": found.judge.model, "base_url": found.judge.home},
        "cases": seen.cases,
        "looked_at": seen.looked_at,
        "outputs": {
            "known": seen.known,
            "of_run": found.outputs_of,
            "assumed": assumed if unknown else None,
        },
        "calls": {"low": seen.calls_low, "high": seen.calls_high},
        "judged_before": {"calls": seen.kept, "share": seen.kept_share},
        "tokens": {
            "input": {"low": seen.low.input, "high": seen.high.input},
            "output": {"low": seen.low.output, "high": seen.high.output},
        },
        "cost_usd": price,
        "cap_usd": found.cap_usd,
        "may_pass_cap": found.may_pass_cap,
    }


def _cases(found: RunEstimate) -> str:
    seen = found.estimate
    sample = f", of which {seen.looked_at:,}, evenly spaced, stand for all"
    return f"{seen.cases:,}{sample if seen.looked_at < seen.cases else ''}"


def _outputs(found: RunEstimate) -> str:
    seen = found.estimate
    told = [f"{seen.known:,} as in run {found.outputs_of}"] if seen.known else []
    if seen.known < seen.looked_at:
        told.append(
            f"{seen.looked_at - seen.known:,} not known yet, taken for {SMALL.answer_characters:,} to"
            f" {LARGE.answer_characters:,} characters on chunks of {SMALL.context_characters:,} to"
            f" {LARGE.context_characters:,}, citing none or all of them"
        )
    return "; ".join(told) or "none"


def _kept(found: RunEstimate) -> str:
    seen = found.estimate
    if seen.kept is None:
        return "not looked up"
    share = "" if seen.kept_share is None else f" ({rounding.fixed(100 * seen.kept_share, 0)} %)"
    return f"{seen.kept:,} of {seen.calls_high:,}{share}"


def _price(found: RunEstimate) -> str | None:
    low, high = found.estimate.usd_low, found.estimate.usd_high
    if low is None or high is None:
        return None
    return f"${_dollars(low)}" if low == high else f"${_dollars(low)} to ${_dollars(high)}"


def _cap(found: RunEstimate) -> str:
    return "none" if found.cap_usd is None else f"${_dollars(found.cap_usd)}"


def _dollars(usd: float) -> str:
    return rounding.fixed(usd, CENT_DIGITS if usd >= 1 else rounding.USD_DIGITS)


def _span(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _size(size: Size) -> JsonValue:
    return size.model_dump(mode="json")
