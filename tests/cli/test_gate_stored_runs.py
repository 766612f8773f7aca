"""`ragproof gate` on the runs of a store: those that are meant when none is named, and outages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.gate_repository import STORED, Repository


@pytest.fixture
def stored(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A store with two runs of a pipeline and one, the last, of a variant."""
    monkeypatch.chdir(tmp_path)
    repository = Repository(tmp_path, capsys)
    monkeypatch.setenv("RAGPROOF_STORE_URL", repository.store_url)
    repository.keep("1" * 12, 10, 1)
    repository.keep("2" * 12, 30, 2)
    repository.keep("3" * 12, 5, 3, pipeline="variant")
    return repository


HEAD = f"metrics: [{STORED}]\n"


def test_without_names_the_latest_run_is_held_against_the_latest_other(stored: Repository) -> None:
    """Of the configuration's pipeline, against any of the project; which ones is said."""
    done = stored.gate(f"{{metric: {STORED}, max_drop: 0.05}}", "--baseline", "latest", head=HEAD)
    assert done.out.splitlines()[:2] == [
        "PASS: run 222222222222 (baseline) against 333333333333 (variant)",
        "the baseline 'latest' is run '333333333333'",
    ]
    done = stored.gate(
        f"{{metric: {STORED}, max_drop: 0.05}}", "--baseline", "222", "--run", "333", head=HEAD
    )
    assert (done.code, done.out.splitlines()[0]) == (
        1,
        "FAIL: run 333333333333 (variant) against 222222222222 (baseline)",
    )


def test_an_outage_is_an_error_and_no_regression(stored: Repository) -> None:
    """The latest run is judged though it failed, so that an older one does not pass in its place."""
    stored.keep("4" * 12, 5, 4, failed=30)
    done = stored.gate(f"{{metric: {STORED}, max_drop: 0.05}}", "--baseline", "222", head=HEAD)
    assert (done.code, done.out.splitlines()[0]) == (
        2,
        "ERROR: run 444444444444 (baseline) against 222222222222 (baseline)",
    )
    assert "failed:pipeline" in done.out


def test_a_variant_names_the_pipeline(stored: Repository) -> None:
    """As it does for a run."""
    folder = stored.folder / "variants"
    folder.mkdir()
    (folder / "variant.yaml").write_text("pipeline: {version: '1'}\n")
    done = stored.gate(f"{{metric: {STORED}, max: 0.9}}", "--variant", "variant", head=HEAD)
    assert "run 333333333333 (variant)" in done.out
