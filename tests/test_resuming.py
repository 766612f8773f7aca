"""Going on with a run: what may change, and what is refused with every difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof import config as configuration
from ragproof.errors import ConfigurationError
from ragproof.opening_runs import new_run
from ragproof.resuming import resumed
from ragproof.runs import RunRecord

CONFIG = """
project: capitals
dataset: cases.jsonl
pipeline: {name: toy, adapter: {type: http, url: "http://127.0.0.1:9/ask", retries: 3}}
run: {k: 5}
metrics: [retrieval.mrr]
"""


@pytest.fixture
def run(tmp_path: Path) -> RunRecord:
    """A run that began with the configuration above."""
    (tmp_path / "cases.jsonl").write_text('{"id": "a", "question": "?"}\n')
    (tmp_path / "evaluation.yaml").write_text(CONFIG)
    config = configuration.load(tmp_path / "evaluation.yaml", environ={})
    return new_run(config, config.chosen_metrics(), run_id="0123456789ab", dataset_hash="d", cases=1)


@pytest.mark.parametrize(
    ("why", "override"),
    [
        ("nothing was changed", None),
        ("how many at once", "run.concurrency=2"),
        ("how long one may take", "run.case_timeout_seconds=5"),
        ("how the work is cut", "run.shard_size=3"),
        ("what counts as an outage", "run.max_error_rate=0.5"),
        ("who sees what", "publish.content=none"),
        ("how often a call is tried", "pipeline.adapter.retries=0"),
    ],
)
def test_what_no_score_depends_on_may_change(run: RunRecord, why: str, override: str | None) -> None:
    """The configuration comes back with the change in it."""
    config = resumed(run, [override] if override else [])
    assert config.pipeline.name == "toy", why
    if override == "run.concurrency=2":
        assert config.run.concurrency == 2


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("run.k=10", "k was 5 when run '0123456789ab' began and is 10 now"),
        ("run.source_match=document", 'source_match was "chunk"'),
        ("metrics=retrieval.mrr,echo.exact_match", "metrics.echo.exact_match was absent"),
        ("pipeline.adapter.url=http://127.0.0.1:9/other", "pipeline.adapter.url was"),
        ("pipeline.version=2", "pipeline.version was null when run"),
        ("dataset.limit=1", "dataset.limit was null"),
    ],
)
def test_what_changes_a_score_is_refused(run: RunRecord, override: str, told: str) -> None:
    """With the field and both values."""
    with pytest.raises(ConfigurationError) as refused:
        resumed(run, [override])
    assert told in str(refused.value)


def test_every_difference_is_listed_at_once(run: RunRecord) -> None:
    """Not the first alone."""
    with pytest.raises(ConfigurationError) as refused:
        resumed(run, ["run.k=10", "pipeline.name=other"])
    assert len(refused.value.faults) >= 2


def test_a_metric_that_is_computed_otherwise_by_now_is_refused(run: RunRecord) -> None:
    """A newer ragproof must not finish what an older one began."""
    older = run.model_copy(update={"comparability": {**run.comparability, "metrics": {"retrieval.mrr": 0}}})
    with pytest.raises(ConfigurationError, match=r"metrics\.retrieval\.mrr was 0"):
        resumed(older)


def test_a_resume_cannot_count_calls_that_have_no_price(run: RunRecord) -> None:
    """What loading refuses is refused here too: at a price of nothing the cap would hold nothing back."""
    with pytest.raises(ConfigurationError, match=r"needs budget\.pipeline_call_usd and prices\."):
        resumed(run, ["budget.include_pipeline=true", "budget.max_cost_usd=1"])
