"""Finding a run by what people call it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ragproof.cases import Case
from ragproof.comparing.references import find_run, is_file, named_run
from ragproof.comparing.run_file import run_file
from ragproof.errors import ConfigurationError, StoreError
from ragproof.outputs import PipelineOutput
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.kept_runs import STARTED, keep_run
from tests.fakes.scored_runs import scored_run

RUNS = [
    # id, project, label; each a minute after the one before
    ("aaa000000000", "handbook", "main"),
    ("aab000000000", "handbook", "main"),
    ("b00000000000", "handbook", None),
    ("c00000000000", "shop", "main"),
    ("d00000000000", "shop", "aaa000000000"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with runs of two projects."""
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('store')}/store.db") as opened:
        for minute, (id, project, label) in enumerate(RUNS):
            keep_run(
                opened,
                [Case(id="c", question="?")],
                [PipelineOutput(case_id="c", answer="yes")],
                run_id=id,
                project=project,
                metrics=(),
                started_at=STARTED + timedelta(minutes=minute),
            )
            opened.runs.update(id, label=label)
        yield opened


@pytest.mark.parametrize(
    ("why", "reference", "project", "apart_from", "found"),
    [
        ("a full id", "aab000000000", None, None, "aab000000000"),
        ("the beginning of one", "b", None, None, "b00000000000"),
        ("a label is the run that started last with it", "main", None, None, "c00000000000"),
        ("in one project", "main", "handbook", None, "aab000000000"),
        ("apart from the candidate", "main", "handbook", "aab000000000", "aaa000000000"),
        ("an id goes before a label of the same name", "aaa000000000", None, None, "aaa000000000"),
        ("latest is the run that started last", "latest", None, None, "d00000000000"),
        ("in one project", "latest", "handbook", None, "b00000000000"),
        ("apart from the candidate", "latest", "handbook", "b00000000000", "aab000000000"),
        ("an id is that run, whatever it is apart from", "b", None, "b00000000000", "b00000000000"),
    ],
)
def test_a_run_is_found_by_what_people_call_it(
    why: str, reference: str, project: str | None, apart_from: str | None, found: str, store: Store
) -> None:
    """In the order id, label; `latest` is never a label."""
    assert named_run(store, reference, project=project, apart_from=apart_from).id == found, why
    assert find_run(reference, store, project=project, apart_from=apart_from).source == found, why


@pytest.mark.parametrize(
    ("why", "reference", "project", "apart_from", "told"),
    [
        ("nothing is called that", "nope", None, None, "no run is called 'nope'"),
        ("two ids begin so", "aa", None, None, "more than one run begins with 'aa'"),
        ("a label of another project", "main", "docs", None, "no run is called 'main'"),
        ("the only run of a project", "latest", "docs", "x", "project 'docs' has no other run than 'x'"),
    ],
)
def test_what_names_no_one_run_is_refused(
    why: str, reference: str, project: str | None, apart_from: str | None, told: str, store: Store
) -> None:
    """Never another run in its place."""
    with pytest.raises(StoreError, match=told):
        named_run(store, reference, project=project, apart_from=apart_from)


def test_a_file_needs_no_store(tmp_path: Path) -> None:
    """CI has a repository, and no database."""
    path = tmp_path / "baseline.json"
    path.write_text(run_file(scored_run({"m": [1.0]}, id="eeeeeeeeeeee")), encoding="utf-8")
    assert is_file(str(path))
    run = find_run(str(path), None)
    assert (run.record.id, run.source) == ("eeeeeeeeeeee", str(path))
    with pytest.raises(ConfigurationError, match="'ragproof export RUN' writes one"):
        find_run(str(tmp_path / "gone.json"), None)


def test_without_a_store_only_a_file_can_be_meant() -> None:
    """The message says so."""
    with pytest.raises(StoreError, match="there is no store to find the run 'latest' in"):
        find_run("latest", None)
