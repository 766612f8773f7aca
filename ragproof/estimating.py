"""Estimating what the judge of a run may be asked and cost, without asking it.

The metrics themselves are measured against a judge that calls nobody, so no plan of theirs is written twice.
Counted is one attempt for each question; retries, repairs of a reply and longer replies come on top. The
budget's cap holds over all of them. False friend: a forecast; both ends are bounds under what is assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ragproof.cases import Case
from ragproof.evidence import Settings
from ragproof.frozen import Frozen
from ragproof.judge.calls import Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.dry_judge import DryCall, DryJudge, Find
from ragproof.judge.metering import Tokens
from ragproof.judging import judge_case
from ragproof.metric import Metric
from ragproof.money import usd
from ragproof.outputs import Chunk, Outcome, PipelineOutput


class Size(Frozen):
    """What an answer is taken to be like before it is known."""

    answer_characters: int
    context_characters: int
    """Of each chunk; there are as many as the run asks for."""
    cites: bool
    """Whether it cites every chunk, or none."""


SMALL = Size(answer_characters=200, context_characters=300, cites=False)
LARGE = Size(answer_characters=2_000, context_characters=2_000, cites=True)


class Estimate(Frozen):
    """What a run's judge may be asked; of a sample of its cases, scaled to all of them."""

    cases: int
    """That the run asks."""
    looked_at: int
    """That the numbers come from; fewer than `cases` is a sample."""
    known: int
    """Of those, the cases whose output an earlier run has; the others are taken to be small and large."""
    calls_low: int
    calls_high: int
    """Questions, each counted once, when no answer declines."""
    kept: int | None
    """Of `calls_high`, those answered before; None when nobody looked."""
    low: Tokens
    """Of what is not kept."""
    high: Tokens
    usd_low: float | None
    usd_high: float | None
    """None when the judge has no price, never 0."""

    @property
    def kept_share(self) -> float | None:
        """The share of the questions that were answered before, from 0 to 1; None without any, or a look."""
        return None if self.kept is None or not self.calls_high else self.kept / self.calls_high


class _Plan(Frozen):
    """Sums over one dry run."""

    calls: int = 0
    kept: int = 0
    low: Tokens = Tokens()
    high: Tokens = Tokens()


async def estimate(
    metrics: Sequence[Metric],
    cases: Sequence[Case],
    known: Mapping[str, Outcome],
    settings: Settings,
    judge: JudgeConfig,
    *,
    find: Find | None,
    most_cases: int | None = None,
    repeats: int = 1,
) -> Estimate:
    """Estimate the questions, tokens and price of judging a run.

    Args:
        metrics: of the run; those that ask no judge cost nothing.
        cases: that the run asks, in order.
        known: outputs of an earlier run by case id; a failure is no output.
        settings: of the run; `k` is how many chunks an answer is taken to rest on.
        judge: who would be asked.
        find: looks up what was judged before; None does not look.
        most_cases: look at so many, evenly spaced, at least 1; None is all.
        repeats: how often each case is judged; a repeat is a question of its own.

    Returns:
        Bounds under what is assumed, for all cases.
    """
    looked_at = _spaced(cases, most_cases)
    outputs = {
        case.id: output for case in looked_at if isinstance(output := known.get(case.id), PipelineOutput)
    }
    asking = [metric for metric in metrics if metric.asks_judge(True)]
    look = _once(find) if find is not None else lambda _: None

    async def planned(size: Size) -> _Plan:
        dry = DryJudge(judge, look)
        for case in looked_at:
            output = outputs.get(case.id) or assumed(case, size, settings.k)
            for trial in range(repeats):
                await judge_case(asking, case, output, settings, dry, trial=trial)
        return _summed(dry.calls.values())

    large = await planned(LARGE)
    small = large if len(outputs) == len(looked_at) else await planned(SMALL)
    scale = len(cases) / len(looked_at) if looked_at else 0.0
    low, high = _scaled(small.low, scale), _scaled(large.high, scale)
    return Estimate(
        cases=len(cases),
        looked_at=len(looked_at),
        known=len(outputs),
        calls_low=round(small.calls * scale),
        calls_high=round(large.calls * scale),
        kept=None if find is None else round(large.kept * scale),
        low=low,
        high=high,
        usd_low=_usd(judge, low),
        usd_high=_usd(judge, high),
    )


def assumed(case: Case, size: Size, k: int) -> PipelineOutput:
    """Return an output of a size, for a case that nobody has asked yet."""
    text = _filler(case.id, size.context_characters)
    chunks = tuple(Chunk(id=f"chunk-{n}", text=text) for n in range(k))
    return PipelineOutput(
        case_id=case.id,
        answer=_filler(case.id, size.answer_characters),
        retrieved=chunks,
        citations=tuple(chunk.id for chunk in chunks) if size.cites else (),
    )


def _filler(case_id: str, characters: int) -> str:
    """Return a text that no other case has: what two cases ask alike would be one question."""
    return (f"{case_id} " + "a word " * (characters // 7 + 1))[:characters]


def _spaced(cases: Sequence[Case], most: int | None) -> Sequence[Case]:
    if most is None or len(cases) <= most:
        return cases
    return [cases[place * len(cases) // most] for place in range(most)]


def _once(find: Find) -> Callable[[str], Verdict | None]:
    found: dict[str, Verdict | None] = {}

    def look(identity: str) -> Verdict | None:
        if identity not in found:
            found[identity] = find(identity)
        return found[identity]

    return look


def _summed(calls: Collection[DryCall]) -> _Plan:
    new = [call for call in calls if not call.is_kept]
    return _Plan(
        calls=len(calls),
        kept=len(calls) - len(new),
        low=sum((call.low for call in new), Tokens()),
        high=sum((call.high for call in new), Tokens()),
    )


def _scaled(tokens: Tokens, scale: float) -> Tokens:
    return Tokens(input=round(tokens.input * scale), output=round(tokens.output * scale))


def _usd(judge: JudgeConfig, tokens: Tokens) -> float | None:
    cost = judge.cost_picodollars(tokens)
    return None if cost is None else usd(cost)
