"""An evaluation in one process without Prefect: `python -m tests.bench.core_path store|memory`.

The same steps as the flow's, one after the other, on the `evaluation.yaml` of the current folder. With
`memory` the calls are kept in a dict in place of the store's ledger, to show what the ledger costs.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ragproof import config as configuration
from ragproof import datasets
from ragproof.cases import canonical_hash
from ragproof.closing_runs import summarise_run
from ragproof.ledger import Call, Ledger
from ragproof.opening_runs import new_run
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput
from ragproof.redaction import Redactor
from ragproof.reports.registry import render
from ragproof.reports.report import gather
from ragproof.runs import new_run_id
from ragproof.scoring import score_case
from ragproof.shard_calls import ask_cases
from ragproof.sharding import cut
from ragproof.store.opening import open_store


class Memory:
    """A ledger that forgets with its process."""

    def __init__(self) -> None:
        self._ended: dict[str, Outcome] = {}

    def reserve(self, calls: Sequence[Call]) -> Mapping[str, Outcome]:
        """Return what is settled."""
        return {call.identity: self._ended[call.identity] for call in calls if call.identity in self._ended}

    async def sent(self, call: Call) -> None:
        """Keep nothing."""

    async def settle(self, call: Call, output: PipelineOutput) -> None:
        """Keep the reply."""
        self._ended[call.identity] = output

    async def fail(self, call: Call, failure: CaseFailure) -> None:
        """Keep the failure."""
        self._ended[call.identity] = failure


def main(kept: str) -> None:
    """Evaluate, with the ledger kept in the store or in memory."""
    config = configuration.load(Path("evaluation.yaml"), environ={})
    metrics, settings = config.chosen_metrics(), config.settings()
    adapter = config.adapter().open(config.search_path)
    with open_store("sqlite:///core.db") as store:
        ledger: Ledger = store.calls if kept == "store" else Memory()
        cases = datasets.read(config.dataset.resolved())
        hash = canonical_hash([case.content_hash() for case in cases])
        store.datasets.put(hash, "bench", "cases.jsonl", cases)
        run = new_run(config, metrics, run_id=new_run_id(), dataset_hash=hash, cases=len(cases))
        store.runs.start(run)
        shards = cut(run.id, hash, cases)
        del cases
        with asyncio.Runner() as runner:
            for shard in shards:
                asked = store.datasets.cases(hash, shard.start, shard.stop)
                outcomes = runner.run(
                    ask_cases(
                        asked,
                        run_id=run.id,
                        adapter=adapter,
                        adapter_identity=config.adapter().identity(),
                        k=config.run.k,
                        retrieve_k=config.retrieve_k(),
                        timeout_seconds=config.run.case_timeout_seconds,
                        slots=asyncio.Semaphore(config.run.concurrency),
                        ledger=ledger,
                        redactor=Redactor(config.adapter().secrets()),
                    )
                )
                store.scores.put(
                    run.id,
                    (
                        score
                        for case in asked
                        for score in score_case(metrics, case, outcomes[case.id], settings)
                    ),
                )
            runner.run(adapter.close())
        store.summaries.put(run.id, summarise_run(store, run))
        sys.stdout.write(render(gather(store, run.id), "json"))


if __name__ == "__main__":
    main(sys.argv[1])
