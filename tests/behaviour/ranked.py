"""Situations about rankings and their labels."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path
from typing import Any

from ragproof import datasets
from ragproof.adapters.reading.results import read_result
from ragproof.cases import Case
from ragproof.catalogue import catalogue, choose
from ragproof.doubts import doubts
from ragproof.evidence import Settings, SourceMatch
from ragproof.metric import Direction
from ragproof.metrics.retrieval import evaluate
from ragproof.outputs import Chunk, PipelineOutput
from ragproof.scores import Skipped
from ragproof.scoring import score
from tests.fakes.scripted_judge import ScriptedJudge, measured

RETRIEVAL = [metric for metric in catalogue().metrics if metric.family == "retrieval"]


def nothing_retrieved_is_0_without_a_call(given: Any, _folder: Path) -> None:
    """A ranking without a hit, and an answer without a text to go by; the same each time."""
    case = Case(
        id="q1", question="?", expected_answers=(given["expected_output"],), relevance={"a": 1, "b": 1}
    )
    chunks = tuple(Chunk(id=text, text=text) for text in given["retrieval_context"])
    output = PipelineOutput(case_id="q1", answer="Nine.", retrieved=chunks)
    for metric in RETRIEVAL:
        first, second = (score(metric, case, output, Settings()) for _ in range(2))
        assert first == second
        assert first.value == 0.0 or metric.direction is Direction.NONE, metric.key
    (precision,) = choose(["retrieval.precision_at_k"])
    assert score(precision, case, output, Settings()).details["places_filled"] == 0
    (grounded,) = choose(["generation.groundedness"])
    judge = ScriptedJudge()
    found = measured(grounded, case, output, Settings(judge_configured=True), judge)
    assert (found.value, found.details["rule"]) == (0.0, "the context is empty")
    assert judge.asked("groundedness") == []


def nothing_expected_is_skipped(given: Any, _folder: Path) -> None:
    """Every metric of the ranking, in the same words; nothing divides by zero."""
    case = Case(id="q1", question="?", relevance=dict.fromkeys(given["reference_contexts"], 1))
    chunks = tuple(Chunk(id=id_) for id_ in given["retrieved"])
    output = PipelineOutput(case_id="q1", answer="x", retrieved=chunks)
    for metric in RETRIEVAL:
        found = score(metric, case, output, Settings())
        assert found.result == Skipped(reason="case has no expected_source_ids"), metric.key


def queries_on_one_side_are_listed(given: Any, _folder: Path) -> None:
    """By default what both sides have counts; `complete` counts what the run lacks as 0."""
    qrels = {query: {"d1": 1} for query in given["qrels"]}
    ranking = {query: ["d1"] for query in given["run"]}
    found = evaluate(qrels, ranking)
    assert (found.queries, found.missing_in_run, found.unjudged_queries) == (("q1",), ("q2",), ("q9",))
    assert found.means["ndcg@10"] == 1.0
    complete = evaluate(qrels, ranking, complete=True)
    assert (len(complete.queries), complete.means["ndcg@10"]) == (2, 1 / 2)


def a_document_found_by_itself_counts_unless_told(given: Any, _folder: Path) -> None:
    """An explicit option, and the two settings differ."""
    ranking = {given["query_id"]: dict(given["run"])}
    assert evaluate(given["qrels"], ranking).means["ndcg@10"] == 1 / log2(3)
    assert evaluate(given["qrels"], ranking, ignore_identical_ids=True).means["ndcg@10"] == 1.0


def labels_of_another_corpus_are_told(given: Any, _folder: Path) -> None:
    """Before a run: a recall of 0 would be a measurement of the wrong thing."""
    cases = [Case(id=id_, question="?", relevance={id_: 1}) for id_ in given["qrels_ids"]]
    chunks = tuple(Chunk(id=id_) for id_ in given["corpus_ids_today"])
    outputs = [PipelineOutput(case_id=case.id, retrieved=chunks) for case in cases]
    (doubt,) = doubts(cases, outputs, SourceMatch.CHUNK)
    assert doubt.startswith("no expected source id of the 2 cases that were asked is among the ids retrieved")
    assert "labels do not match today's corpus" in doubt
    assert all(f"'{id_}'" in doubt for id_ in ("doc1#c3", "doc1/0-400"))


def ids_are_text(given: Any, folder: Path) -> None:
    """17 is '17' in a dataset and in what comes back; a label that nothing has is named before a run."""
    ((truth,),) = given["retrieval_gt"]
    file = folder / "cases.jsonl"
    for label in (truth, int(truth)):
        file.write_text(json.dumps({"id": "q1", "question": "?", "expected_source_ids": [label]}) + "\n")
        (case,) = datasets.read(file)
        assert case.relevance == {truth: 1}
    returned = read_result({"documents": [{"id": id_} for id_ in given["corpus_ids"]]}, "a result")
    output = returned.output("q1", 1.0)
    (mrr,) = choose(["retrieval.mrr"])
    assert score(mrr, case, output, Settings()).value == 1.0
    assert doubts([case], [output], SourceMatch.CHUNK) == ()
    missing = case.model_copy(update={"relevance": {"99": 1}})
    (doubt,) = doubts([missing], [output], SourceMatch.CHUNK)
    assert "case 'q1' expects '99'" in doubt
