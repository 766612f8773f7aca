"""Who judged a run, and how far that judge is known to agree with people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import AwareDatetime, JsonValue

from ragproof.frozen import Frozen
from ragproof.runs import RunRecord

if TYPE_CHECKING:
    from ragproof.judge.calibration.calibration import Calibration
    from ragproof.store.store import Store


class Trust(Frozen):
    """The agreement of the judge with labelled answers on one metric, of its last calibration."""

    metric: str
    cases: int
    exact: int
    """Cases in the same band as the label."""
    within_band: int
    kappa: float | None


class JudgedBy(Frozen):
    """A run's judge."""

    provider: str
    base_url: str
    model: str
    """As asked for."""
    served: tuple[str, ...] = ()
    """As its server names it; empty when nothing was asked in this run, or the server does not say."""
    bases: dict[str, int] = {}
    """Requests of this run by where their numbers of tokens come from: reported, estimated, worst case."""
    prompts: dict[str, str] = {}
    """The sha256 of each prompt that the run's metrics may ask, by name."""
    calibrated_at: AwareDatetime | None = None
    """None when this judge was never calibrated with these prompts."""
    labels: str | None = None
    """What it was held against."""
    trust: tuple[Trust, ...] = ()
    """Of the metrics whose prompts are those that were calibrated."""


def judged_by(store: Store, run: RunRecord) -> JudgedBy | None:
    """Find out who judged a run; None when nobody did."""
    section, fields = run.config.get("judge"), run.comparability.get("judge")
    if not isinstance(section, dict) or not isinstance(fields, dict):
        return None
    from ragproof.judge.calibration.calibration import asked_judge  # a run without a judge loads none of it
    from ragproof.judge.config import JudgeConfig

    config = JudgeConfig.model_validate(section)
    prompts = fields.get("prompts")
    known = {name: str(hash) for name, hash in prompts.items()} if isinstance(prompts, dict) else {}
    judge = JudgedBy(
        provider=config.provider,
        base_url=config.home,
        model=config.model,
        served=store.judge_calls.served(run.id),
        bases={basis.value: count for basis, count in store.judge_calls.bases(run.id).items()},
        prompts=known,
    )
    found = store.calibrations.latest(asked_judge(config).identity)
    return judge if found is None else judge.model_copy(update=_trust(found, known))


def _trust(found: Calibration, prompts: Mapping[str, str]) -> dict[str, object]:
    """Return what a calibration says of these prompts; another text of a prompt was not calibrated."""
    trust = tuple(
        Trust(
            metric=each.metric,
            cases=each.cases,
            exact=each.exact.count,
            within_band=each.within_band.count,
            kappa=each.kappa,
        )
        for each in found.agreements
        if prompts.get(each.prompt) == found.prompts.get(each.prompt)
    )
    return {"calibrated_at": found.at, "labels": _labels(found), "trust": trust} if trust else {}


def _labels(found: Calibration) -> str:
    source = found.source
    return f"{source.name}, a sample of {source.labels} of {source.of}" if source.is_sample else source.name


def as_json(judge: JudgedBy | None) -> JsonValue:
    """Return it as JSON; null when nobody judged."""
    return None if judge is None else judge.model_dump(mode="json")
