"""A run in a file: it comes back as it was, holds no text of a case, and a faulty one is told in full."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.comparing.run_file import read_run_file, run_file
from ragproof.comparing.scored_run import ScoredRun
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from tests.fakes.scored_runs import ERROR, Cell, scored_run

CELLS = st.floats(-1e9, 1e9) | st.sampled_from([0.1 + 0.2, -0.0, 5e-324, ERROR, None])


@st.composite
def runs(draw: st.DrawFn) -> ScoredRun:
    """Runs of up to five cases, two metrics and three trials."""
    n, trials = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    row: st.SearchStrategy[Cell] = st.lists(CELLS, min_size=trials, max_size=trials)
    return scored_run(
        {
            key: draw(st.lists(row, min_size=n, max_size=n))
            for key in draw(st.sampled_from([["m"], ["m", "n@10"]]))
        },
        spans={"n@10": (0.0, None)},
        directions={"n@10": draw(st.sampled_from(Direction))},
        groups=draw(st.lists(st.none() | st.text(max_size=3), min_size=n, max_size=n)),
        tags=draw(
            st.lists(
                st.dictionaries(st.text(min_size=1, max_size=3), st.text(max_size=3), max_size=2),
                min_size=n,
                max_size=n,
            )
        ),
        label=draw(st.none() | st.text(max_size=5)),
        corpus_version=draw(st.none() | st.text(max_size=5)),
        served=tuple(draw(st.lists(st.text(max_size=3), max_size=2))),
    )


@given(runs())
def test_a_run_comes_back_from_its_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, run: ScoredRun
) -> None:
    """To the last bit of every number: a gate must give one verdict on either."""
    path = tmp_path_factory.mktemp("runs") / "run.json"
    path.write_text(run_file(run), encoding="utf-8")
    found = read_run_file(path)
    assert (found.record, found.cases, found.served) == (run.record, run.cases, run.served)
    assert found.summaries == run.summaries
    assert list(found.scores) == list(run.scores)
    for key, scores in run.scores.items():
        assert found.scores[key].traits == scores.traits
        assert found.scores[key].reasons == scores.reasons
        assert np.array_equal(found.scores[key].standing, scores.standing)
        assert np.array_equal(found.scores[key].trials, scores.trials, equal_nan=True)
    assert found.source == str(path)


def test_a_file_holds_no_question_and_no_setting_of_the_machine() -> None:
    """It is to be committed to a repository."""
    run = scored_run({"m": [1.0]}, config={"adapter": {"url": "http://inside.example"}})
    written = json.loads(run_file(run))
    assert written["run"]["config"] == {}
    assert set(written["cases"][0]) == {"id", "content_hash", "kind", "group", "tags"}
    assert "inside.example" not in run_file(run)


def test_one_metric_can_be_read_alone(tmp_path: Path) -> None:
    """Asking for one that is not there gives none."""
    path = tmp_path / "run.json"
    path.write_text(run_file(scored_run({"m": [1.0], "n": [0.0]})), encoding="utf-8")
    assert list(read_run_file(path, ["n", "x"]).scores) == ["n"]


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """Write a run's file with one thing changed."""
    content = json.loads(run_file(scored_run({"m": [1.0, 0.5]})))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    ("why", "text", "told"),
    [
        ("no JSON", "{", "Invalid JSON"),
        ("another file's JSON", '{"a": 1}', "Extra inputs are not permitted"),
        ("a list", "[]", "Input should be an object"),
        ("another format", changed(lambda file: file.update(format="x")), "Input should be 'ragproof-run'"),
        ("a newer version", changed(lambda file: file.update(version=2)), "Input should be 1"),
        ("a case too few", changed(lambda file: file["cases"].pop()), "metric 'm' has 2 rows; expected 1"),
        (
            "one id twice",
            changed(lambda file: file["cases"][1].update(id="c0")),
            "two cases have one id; expected each once",
        ),
        (
            "columns out of step",
            changed(lambda file: file["metrics"]["m"]["reasons"].pop()),
            "expected a row of trials, a standing and a reason for each case",
        ),
        (
            "rows of unequal length",
            changed(lambda file: file["metrics"]["m"]["trials"][0].append(1.0)),
            "expected the same number of trials in every row",
        ),
        (
            "a scored case without a number",
            changed(lambda file: file["metrics"]["m"]["trials"].__setitem__(0, [None])),
            "a case is 'scored' and has no number; expected one",
        ),
        (
            "a number that is none",
            changed(lambda file: file["metrics"]["m"]["trials"].__setitem__(0, [float("nan")])),
            "metrics.m.trials.0.0",
        ),
        (
            "a standing that is none",
            changed(lambda file: file["metrics"]["m"]["standing"].__setitem__(0, "x")),
            "scored",
        ),
    ],
)
def test_a_faulty_file_is_refused_with_the_cure(why: str, text: str, told: str, tmp_path: Path) -> None:
    """Exit code 3, the file's name, where in it, and how to make a right one."""
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        read_run_file(path)
    assert told in str(raised.value), why
    assert all(
        str(path) in str(fault) and "ragproof export RUN" in str(fault) for fault in raised.value.faults
    )


@pytest.mark.parametrize(
    ("why", "content", "told"),
    [("there is none", None, "No such file"), ("it is no text", b"\xff\xfe\x00", "it is not UTF-8")],
)
def test_a_file_that_cannot_be_read_is_refused(
    why: str, content: bytes | None, told: str, tmp_path: Path
) -> None:
    """A baseline that is gone is an error, and no empty run."""
    path = tmp_path / "run.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=told):
        read_run_file(path)
