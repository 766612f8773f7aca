"""Reading a run from the store as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ragproof.cases import Case
from ragproof.comparability import SIMILARITY_MODEL
from ragproof.comparing.scored_run import CaseFacts, MetricScores, ScoredRun, Standing, Traits
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.evidence import Settings
from ragproof.metric import Metric
from ragproof.reports.order import known_metrics, summaries_in_order
from ragproof.runs import RunRecord
from ragproof.scores import BUDGET_EXHAUSTED
from ragproof.scoring import out_of_reach
from ragproof.similarity.model import ModelOnRecord
from ragproof.summaries import Summary
from ragproof.summarising import NOT_REACHED

if TYPE_CHECKING:
    from ragproof.store.store import Store

_ERRORS = frozenset({"case_failed", "judge_error"})


def read_run(store: Store, run: RunRecord, only: Iterable[str] | None = None) -> ScoredRun:
    """Read a run's numbers.

    Args:
        store: an open store.
        run: the run, as the store gives it.
        only: metric keys; one that the run did not measure is left out; None is all of them.

    Returns:
        The run. A case that was erased from the store since is not in it.

    Raises:
        StoreError: the store cannot be read, or the run's dataset is not there.
    """
    asked = None if only is None else frozenset(only)
    known = known_metrics()
    summaries = {
        summary.metric: summary
        for summary in summaries_in_order(store.summaries.get(run.id), known.by_key)
        if summary.tag is None
    }
    metrics = _metrics(run)
    versions = _versions(run)
    keys = [key for key in summaries if key in versions and (asked is None or key in asked)]
    cases = _cases(store, run)
    reach = _Reach(metrics, _settings(run), cases)
    tables = {key: _Table(list(cases), _trials(run)) for key in keys}
    for key, case_id, trial, outcome, value, reason in store.scores.rows(run.id, list(cases), keys):
        if case_id in cases:
            erred = outcome in _ERRORS or reason == BUDGET_EXHAUSTED.reason
            tables[key].add(case_id, trial, value, reason, erred and reach.within(key, case_id))
    return ScoredRun(
        record=run,
        cases=tuple(
            CaseFacts(case.id, hash, case.kind, case.group, case.tags) for case, hash in cases.values()
        ),
        scores={
            key: tables[key].scores(_traits(metrics.get(key), summaries[key], versions[key]), key, reach)
            for key in keys
        },
        summaries=summaries,
        served=store.judge_calls.served(run.id),
        source=run.id,
    )


class _Reach:
    """Whether any output could have made a metric score a case; what is not known is in reach."""

    def __init__(
        self, metrics: Mapping[str, Metric], settings: Settings, cases: Mapping[str, tuple[Case, str]]
    ) -> None:
        self._metrics, self._settings, self._cases = metrics, settings, cases

    def within(self, key: str, case_id: str) -> bool:
        metric = self._metrics.get(key)
        return metric is None or out_of_reach(metric, self._cases[case_id][0], self._settings) is None


class _Table:
    """One metric's numbers in the making."""

    def __init__(self, case_ids: Sequence[str], trials: int) -> None:
        self._place = {case_id: number for number, case_id in enumerate(case_ids)}
        self._trials = np.full((len(case_ids), trials), np.nan)
        self._seen = np.zeros(len(case_ids), dtype=np.int64)
        self._missing = np.zeros(len(case_ids), dtype=np.bool_)
        self._reasons: list[str | None] = [None] * len(case_ids)

    def add(self, case_id: str, trial: int, value: float | None, reason: str | None, missing: bool) -> None:
        at = self._place[case_id]
        self._seen[at] += 1
        if value is not None:
            self._trials[at, trial] = value
        elif missing or not self._missing[at]:
            self._missing[at] |= missing
            self._reasons[at] = reason

    def scores(self, traits: Traits, key: str, reach: _Reach) -> MetricScores:
        for case_id, at in self._place.items():
            if self._seen[at] < self._trials.shape[1]:  # a trial that nobody came to
                within = reach.within(key, case_id)
                self._missing[at] |= within
                self._reasons[at] = NOT_REACHED.reason if within else self._reasons[at] or NOT_REACHED.reason
        scored = ~np.isnan(self._trials).all(axis=1)
        standing = np.where(scored, Standing.SCORED, Standing.ABSENT)
        standing = np.where(self._missing, Standing.MISSING, standing).astype(np.int8)
        reasons = (
            None if each == Standing.SCORED else reason
            for each, reason in zip(standing, self._reasons, strict=True)
        )
        return MetricScores(traits, self._trials, standing, tuple(reasons))


def _trials(run: RunRecord) -> int:
    section = run.config.get("run")
    repeats = section.get("repeats", 1) if isinstance(section, dict) else 1
    return int(str(repeats))


def _cases(store: Store, run: RunRecord) -> dict[str, tuple[Case, str]]:
    """Return the cases the run asked, with their content hashes, by id in the dataset's order."""
    if run.dataset_hash is None:
        return {}
    return {case.id: (case, hash) for case, hash in store.datasets.hashed(run.dataset_hash, run.cases.total)}


def _metrics(run: RunRecord) -> Mapping[str, Metric]:
    """Return what the run measured; a function that is gone since leaves the shipped metrics."""
    try:
        chosen = EvalConfig.model_validate(run.config).chosen_metrics()
    except (ConfigurationError, ValueError):
        return {metric.key: metric for metric in known_metrics().metrics}
    return {metric.key: metric for metric in chosen}


def _settings(run: RunRecord) -> Settings:
    try:
        settings = EvalConfig.model_validate(run.config).settings()
    except ValueError:
        settings = Settings()
    # What this machine has says nothing of the one that the run was on.
    model = run.comparability.get(SIMILARITY_MODEL)
    return replace(settings, similarity_model=None if model is None else ModelOnRecord(str(model)))


def _versions(run: RunRecord) -> dict[str, int]:
    versions = run.comparability.get("metrics")
    return {key: int(str(version)) for key, version in versions.items()} if isinstance(versions, dict) else {}


def _traits(metric: Metric | None, summary: Summary, version: int) -> Traits:
    """Return what the numbers mean; of a metric that is not known any more, or has changed, no range."""
    if metric is None or metric.version != version:
        return Traits(summary.direction, None, None, version)
    return Traits(metric.direction, metric.range.low, metric.range.high, version)
