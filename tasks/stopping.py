"""Looking for a sure regression while a run goes on; only runs with `early_stop` do.

No task of its own: a look costs less than Prefect's account of it would.
"""

from __future__ import annotations

from collections.abc import Sequence

from prefect.futures import PrefectFuture

from ragproof.cases import Case
from ragproof.comparing.references import find_run
from ragproof.config import EvalConfig
from ragproof.early_stopping import Watch, random_order
from ragproof.runs import RunRecord, RunStatus
from ragproof.scores import Scored
from ragproof.scoring import score
from ragproof.shard_cases import shard_cases
from ragproof.sharding import Shard
from tasks import process
from tasks.endings import RunEnd
from tasks.judging import ShardJudgments
from tasks.pipeline import ShardOutputs, expected_ids_name_chunks

Judging = PrefectFuture[ShardJudgments]
Seen = list[tuple[Case, float | None]]


def order_of(config: EvalConfig, cases: int) -> tuple[int, ...] | None:
    """Return the order in which a run asks its cases; None for the dataset's own."""
    return None if config.early_stop is None else random_order(cases, config.early_stop.seed)


def baseline_watch(config: EvalConfig, run: RunRecord) -> Watch | None:
    """Return what a run is held against while it goes on; None when it does not stop early.

    Raises:
        ConfigurationError: the baseline cannot serve.
        StoreError: there is none.
    """
    section = config.early_stop
    if section is None:
        return None
    baseline = find_run(
        section.baseline, process.store(), project=run.project, only=[section.metric], apart_from=run.id
    )
    return Watch.of(section, baseline, run)


class Lookout:
    """Counts shards in as they end, and says when a regression is sure."""

    def __init__(self, config: EvalConfig, watch: Watch | None, shards: Sequence[Shard]) -> None:
        """Begin before the first shard; without a watch nothing is ever sure."""
        self._config, self._watch, self._shards = config, watch, shards
        self.end: RunEnd | None = None
        """How the run ends, once a regression is sure; None while it is not."""
        self._ended: dict[int, ShardOutputs] = {}
        self._judging: dict[int, Judging] = {}
        self._seen: dict[tuple[int, bool], Seen] = {}
        if watch is not None:
            self._metric = next(each for each in config.chosen_metrics() if each.key == watch.metric)
            self._hashes = [
                case.content_hash() for shard in shards for case in shard_cases(process.store(), shard)
            ]

    def look(self, output: ShardOutputs, judging: Judging | None) -> None:
        """Count a shard in, and look whether a regression is sure.

        Args:
            output: a shard whose cases have been asked.
            judging: its judgments, which a metric that the judge decides waits for; None without a judge.
        """
        if self._watch is None or self.end is not None:
            return
        self._ended[output.shard.start] = output
        if judging is not None:
            self._judging[output.shard.start] = judging
        so_far = self._so_far()
        chunk_level = expected_ids_name_chunks(so_far)
        seen = [each for done in so_far for each in self._values(done.shard, chunk_level)]
        sure = self._watch.sure_after(seen, self._hashes)
        if sure is not None:
            reason = self._watch.reason(sure, len(self._hashes))
            self.end = RunEnd(status=RunStatus.STOPPED_EARLY, reason=reason)

    def _so_far(self) -> list[ShardOutputs]:
        """Return the shards done up to the first that is not: the order of cases must stay random."""
        found = []
        for shard in self._shards:
            if shard.start not in self._ended:
                break
            found.append(self._ended[shard.start])
        return found

    def _values(self, shard: Shard, chunk_level: bool) -> Seen:
        key = (shard.start, chunk_level)
        if key not in self._seen:
            self._seen[key] = self._measured(shard, chunk_level)
        return self._seen[key]

    def _measured(self, shard: Shard, chunk_level: bool) -> Seen:
        """Return the cases of a shard that the metric applies to, with their values; None where it erred."""
        store, metric, config = process.store(), self._metric, self._config
        cases = shard_cases(store, shard)
        if metric.asks_judge(config.judge is not None):
            self._judging[shard.start].result()
            kept = (score for case in cases for score in store.scores.get(shard.run_id, case.id, metric.key))
            results = {each.case_id: each.result for each in kept}
        else:
            outcomes = store.calls.outcomes(shard.run_id, [case.id for case in cases])
            settings = config.settings()
            results = {
                case.id: score(metric, case, outcomes[case.id], settings, chunk_level=chunk_level).result
                for case in cases
                if case.id in outcomes
            }
        seen: Seen = []
        for case in cases:
            result = results.get(case.id)
            if isinstance(result, Scored):
                seen.append((case, result.value))
            elif result is None or result.outcome in ("case_failed", "judge_error"):
                seen.append((case, None))
        return seen
