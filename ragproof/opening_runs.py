"""Starting a run: the row that says what is evaluated, on what, and what its numbers may be held against."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.cases import Case
from ragproof.comparability import comparability, key
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError, Fault
from ragproof.metric import Metric
from ragproof.revision import git_revision
from ragproof.runs import CaseCounts, RunRecord, now

SHOWN_CASES = 5


def new_run(
    config: EvalConfig,
    metrics: Sequence[Metric],
    *,
    run_id: str,
    dataset_hash: str,
    cases: int,
    flow_run_id: str | None = None,
) -> RunRecord:
    """Describe a run that starts now.

    Args:
        config: the resolved configuration.
        metrics: what it will be scored on.
        run_id: its id.
        dataset_hash: sha256 over the dataset's cases.
        cases: how many of them the run asks.
        flow_run_id: Prefect's flow run.

    Returns:
        A running record, not yet in any store.
    """
    fields = comparability(config.settings(), metrics, retrieve_k=config.retrieve_k(), judge=config.judge)
    return RunRecord(
        id=run_id,
        project=config.project,
        pipeline=config.pipeline.name,
        label=config.label,
        config=config.snapshot(),
        git_revision=git_revision(config.folder()),
        pipeline_version=config.pipeline.version,
        corpus_version=config.pipeline.corpus_version,
        dataset=config.dataset.path,
        dataset_hash=dataset_hash,
        comparability=fields,
        comparability_key=key(fields),
        cases=CaseCounts(total=cases),
        started_at=now(),
        flow_run_id=flow_run_id,
    )


def refuse_lost_history(cases: Sequence[Case], passes_history: bool) -> None:
    """Refuse cases with earlier turns on a pipeline that would never see them.

    Raises:
        ConfigurationError: naming the cases; a conversation must not be shortened silently.
    """
    if passes_history:
        return
    lost = [case.id for case in cases if case.history]
    if lost:
        more = f" and {len(lost) - SHOWN_CASES} more" if len(lost) > SHOWN_CASES else ""
        named = ", ".join(f"'{case_id}'" for case_id in lost[:SHOWN_CASES])
        raise ConfigurationError(
            [
                Fault(
                    f"cases {named}{more} have a history, and this pipeline takes none; add '{{history}}' to"
                    " the request body, give the Python function a 'history' parameter, or remove the turns",
                    "dataset",
                )
            ]
        )
