"""A calibration: which judge, asked with which prompts, agreed how far with which labels, and when."""

from __future__ import annotations

from pydantic import AwareDatetime

from ragproof.cases import canonical_hash
from ragproof.evidence import ClaimSplit, PerContext
from ragproof.frozen import Frozen
from ragproof.judge.calibration.agreement import Agreement
from ragproof.judge.calibration.source import Source
from ragproof.judge.calibration.thresholds import Thresholds
from ragproof.judge.config import JudgeConfig


class AskedJudge(Frozen):
    """The judge that was asked, by what could change its verdicts."""

    provider: str
    base_url: str
    model: str
    temperature: float
    max_tokens: int
    require_quotes: bool
    claims: ClaimSplit = ClaimSplit.JOINT
    per_context: PerContext = PerContext.BATCHED
    cap_citations: bool = True

    @property
    def identity(self) -> str:
        """A sha256, equal for two judges whose agreement may be taken for each other's."""
        return canonical_hash(self.model_dump(mode="json"))


def asked_judge(config: JudgeConfig) -> AskedJudge:
    """Return what of a judge's configuration a calibration is about."""
    return AskedJudge(
        provider=config.provider,
        base_url=config.home,
        model=config.model,
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        require_quotes=config.require_quotes,
        claims=config.claims,
        per_context=config.per_context,
        cap_citations=config.cap_citations,
    )


class Calibration(Frozen):
    """What is known about a judge; kept, and shown beside the metrics it decides."""

    at: AwareDatetime
    judge: AskedJudge
    models_served: tuple[str, ...] = ()
    """The models as their server names them; empty when it does not."""
    prompts: dict[str, str]
    """sha256 of each prompt that was asked, by name: another text has not been calibrated."""
    source: Source
    thresholds: Thresholds
    agreements: tuple[Agreement, ...]
    """One a metric, in reading order."""

    def below(self) -> tuple[str, ...]:
        """Return what falls short of the thresholds, a sentence each; empty when nothing does."""
        least = self.thresholds
        return tuple(
            f"{found.metric}: {name} {reached.count} of {reached.of}, expected at least {bar:g}"
            for found in self.agreements
            for name, reached, bar in (
                ("exact agreement", found.exact, least.min_exact),
                ("agreement within a band", found.within_band, least.min_band),
            )
            if not reached.reaches(bar)
        )
