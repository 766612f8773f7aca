"""A run as JSON lines: everything the store knows of it, and a last line that says so."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from ragproof.cases import Case
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunRecord
from ragproof.store.archiving import lines
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.databases import KINDS, store_url
from tests.fakes.erasable_runs import CASES, OUTCOMES, keep_two_runs
from tests.fakes.stores import NOON, call, do


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store with two runs, on each kind of database."""
    with store_url(request.param) as url, open_store(url) as store:
        keep_two_runs(store)
        yield store


def archive(store: Store, run: str) -> list[dict[str, Any]]:
    """Return the lines of a run's archive, read back."""
    written = list(lines(store, store.runs.get(run)))
    assert all(line.isascii() and line.endswith("\n") and "\n" not in line[:-1] for line in written)
    return [json.loads(line) for line in written]


def test_an_archive_holds_all_of_a_run_and_nothing_of_another(store: Store) -> None:
    """The run first, its parts in their order, and the end last."""
    found = archive(store, "second")
    kinds = Counter(line["type"] for line in found)
    summaries = len(store.summaries.get("second"))
    assert kinds == {"run": 1, "case": 5, "call": 5, "score": 4, "summary": summaries, "end": 1}
    assert list(kinds) == ["run", "case", "call", "score", "summary", "end"]
    counted = {"case": 5, "call": 5, "attempt": 0, "score": 4, "summary": summaries, "label": 0}
    assert found[-1] == {"type": "end", **counted}


def test_what_is_in_an_archive_is_what_is_in_the_store(store: Store) -> None:
    """The nouns can be made of it again."""
    found = archive(store, "first")
    head = {name: value for name, value in found[0].items() if name not in ("type", "format")}
    assert RunRecord.model_validate(head) == store.runs.get("first")
    assert tuple(Case.model_validate(line["case"]) for line in found if line["type"] == "case") == CASES
    outputs = [line["output"] for line in found if line["type"] == "call" and line["output"]]
    answers = sorted(map(PipelineOutput.model_validate, outputs), key=lambda each: each.case_id)
    assert answers == [OUTCOMES[0], OUTCOMES[2]]
    scores = {(line["case_id"], line["value"]) for line in found if line["type"] == "score"}
    assert scores == {(score.case_id, score.value) for score in store.scores.get("first")}


def test_any_text_and_number_is_archived(store: Store) -> None:
    """Half a character, a line separator, a number to the last bit."""
    run = RunRecord(id="odd", project="p\u2028\ud800", pipeline="b", started_at=NOON)
    store.runs.start(run)
    one = call("odd", "\0")
    store.calls.reserve([one])
    do(store.calls.settle(one, PipelineOutput(case_id="\0", answer="a\u2028\ud800", latency_ms=0.1 + 0.2)))
    head, made, end = archive(store, "odd")
    assert head["project"] == "p\u2028\ud800"
    assert made["output"]["answer"] == "a\u2028\ud800"
    assert made["latency_ms"] == 0.1 + 0.2
    assert made["sent_at"] is None
    assert end == {"type": "end", "case": 0, "call": 1, "attempt": 0, "score": 0, "summary": 0, "label": 0}
