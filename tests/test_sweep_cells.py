"""The cells of a sweep: checked together before one is run, and found again by a resumed sweep."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragproof.errors import ConfigurationError, StoreError
from ragproof.runs import RunRecord, RunStatus
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.sweeps.cells import cell_of, cells, is_over, resumed_id
from ragproof.sweeps.sweep_file import SweepFile, read

BASE = """
project: swept
dataset: cases.jsonl
pipeline: {name: base, adapter: {type: python, target: "tunable:Pipeline"}}
"""
SWEEP = """
config: base.yaml
max_cost_usd: 1
factors:
  voice:
    pipeline.adapter.options.loud: [false, true]
  version:
    pipeline.version: [a, b]
"""


@pytest.fixture
def sweep(tmp_path: Path) -> SweepFile:
    """Four cells over one base."""
    (tmp_path / "cases.jsonl").write_text('{"id": "c", "question": "q"}\n')
    (tmp_path / "tunable.py").write_text("class Pipeline:\n    pass\n")
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "grid.yaml").write_text(SWEEP)
    return read(tmp_path / "grid.yaml")


def test_a_cell_is_the_base_with_its_levels(sweep: SweepFile) -> None:
    """Its pipeline is named by them, and its run's id is made of the sweep and them."""
    found = cells(sweep, "5" * 12, environ={})
    assert [each.config.pipeline.name for each in found] == [
        f"voice={voice}, version={version}" for voice in ("false", "true") for version in "ab"
    ]
    assert [each.config.pipeline.version for each in found] == ["a", "b", "a", "b"]
    assert {each.config.label for each in found} == {"grid"}
    assert {each.cell.max_cost_usd for each in found} == {1.0}
    again, other = cells(sweep, "5" * 12, environ={}), cells(sweep, "6" * 12, environ={})
    ids = [each.run_id for each in found]
    assert len({*ids}) == 4
    assert [each.run_id for each in again] == ids
    assert not {each.run_id for each in other} & {*ids}


def test_faults_of_all_cells_are_told_once_each_where_the_level_is_written(sweep: SweepFile) -> None:
    """An option that is wrong in every cell is one fault; a wrong level is told with its line."""
    with pytest.raises(ConfigurationError) as refused:
        cells(sweep, "5" * 12, set_=["run.k=0"], environ={})
    assert [fault.place for fault in refused.value.faults] == ["--set run.k"]
    (sweep.path).write_text(
        SWEEP.replace("pipeline.version: [a, b]", "pipeline.adapter.target: [a, 'tunable:Pipeline']")
    )
    with pytest.raises(ConfigurationError) as refused:
        cells(read(sweep.path), "5" * 12, environ={})
    assert {fault.place for fault in refused.value.faults} == {"grid.yaml:8:31"}


def test_a_cap_on_a_judge_without_a_price_is_refused(sweep: SweepFile) -> None:
    """The cap of the whole sweep could not be kept."""
    environ = {"RAGPROOF_JUDGE_MODEL": "m", "RAGPROOF_JUDGE_BASE_URL": "http://127.0.0.1:1"}
    with pytest.raises(ConfigurationError, match="has no price"):
        cells(sweep, "5" * 12, environ=environ)


def test_a_sweep_is_found_by_the_beginning_of_its_id_or_as_the_latest(
    sweep: SweepFile, tmp_path: Path
) -> None:
    """Of this file's name alone; one that is not there is told with those that are."""
    with open_store(f"sqlite:///{tmp_path}/runs.db") as store:
        for day, sweep_id in enumerate(("a" * 12, "b" * 12), 1):
            kept(store, sweep, sweep_id, day)
        assert resumed_id(store, "latest", sweep) == "b" * 12
        assert resumed_id(store, "aa", sweep) == "a" * 12
        with pytest.raises(StoreError, match="no sweep is called 'c' of 'grid'; there are 'bbb"):
            resumed_id(store, "c", sweep)
        run = store.runs.list()[0]
        assert cell_of(run) is not None
        assert not is_over(run)
        assert is_over(run.model_copy(update={"status": RunStatus.COMPLETED}))
        assert not is_over(None)


def kept(store: Store, sweep: SweepFile, sweep_id: str, day: int) -> None:
    """Keep the first cell's run."""
    first = cells(sweep, sweep_id, environ={})[0]
    store.runs.start(
        RunRecord(
            id=first.run_id,
            project="swept",
            pipeline=first.config.pipeline.name,
            config=first.config.snapshot(),
            started_at=datetime(2026, 1, day, tzinfo=UTC),
        )
    )
