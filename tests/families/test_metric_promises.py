"""The promises every metric of the catalogue keeps: a new one is tested before its author writes a line."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.cases import Case, CaseKind
from ragproof.catalogue import catalogue
from ragproof.evidence import Settings
from ragproof.metric import Metric, Need
from ragproof.outputs import CaseFailure, Chunk, PipelineOutput
from ragproof.scores import CaseFailed, Scored, Skipped
from ragproof.scoring import applies_to, out_of_reach
from tests.fakes.evidence import case, evidence, output
from tests.fakes.scripted_judge import measured
from tests.strategies import CASES, FAILURES, OUTPUTS, SETTINGS

METRICS = catalogue().metrics
EVERY_METRIC = pytest.mark.parametrize("metric", METRICS, ids=str)

WITHOUT: dict[Need, dict[str, Any]] = {
    Need.RETRIEVAL: {"output": {"retrieved": None}},
    Need.ANSWER: {"output": {"answer": None}},
    Need.CITATIONS: {"output": {"citations": ()}},
    Need.USAGE: {"output": {"usage": None}},
    Need.LATENCY: {"output": {"latency_ms": None}},
    Need.RELEVANCE: {"case": {"relevance": {"c1": 0}}},
    Need.EXPECTED_ANSWER: {"case": {"expected_answers": ()}},
    Need.PAYLOAD: {"case": {"adversarial_payload": None}},
    Need.PRICES: {"settings": {"prices": None}},
    Need.JUDGE: {"settings": {"judge_configured": False}},
    Need.SIMILARITY_MODEL: {"settings": {"similarity_model": None}},
}
"""How to take away one need and nothing else."""


def kind_of(metric: Metric) -> CaseKind:
    """Return a case kind the metric applies to."""
    return min(metric.kinds)


@settings(max_examples=100, deadline=None)
@given(the_case=CASES, the_output=OUTPUTS, the_settings=SETTINGS)
def test_an_outcome_is_a_number_in_range_or_a_reason(
    the_case: Case, the_output: PipelineOutput, the_settings: Settings
) -> None:
    """Whatever comes back, a metric scores it within its range or says in words why not; it never breaks."""
    for metric in METRICS:
        result = measured(metric, the_case, the_output, the_settings).result
        assert not isinstance(result, CaseFailed), result
        if not isinstance(result, Scored):
            assert result.reason, metric
            continue
        low, high = metric.range.low, metric.range.high
        assert math.isfinite(result.value), metric
        assert low is None or result.value >= low, metric
        assert high is None or result.value <= high, metric


@settings(max_examples=60, deadline=None)
@given(the_case=CASES, the_output=OUTPUTS, the_settings=SETTINGS)
def test_what_is_out_of_reach_is_skipped(
    the_case: Case, the_output: PipelineOutput, the_settings: Settings
) -> None:
    """What is declared out of reach before the call is skipped after it, whatever came back."""
    for metric in METRICS:
        result = measured(metric, the_case, the_output, the_settings).result
        if out_of_reach(metric, the_case, the_settings) is not None:
            assert isinstance(result, Skipped), metric


@settings(max_examples=60, deadline=None)
@given(the_case=CASES, the_output=OUTPUTS, the_settings=SETTINGS)
def test_the_same_input_gives_the_same_score(
    the_case: Case, the_output: PipelineOutput, the_settings: Settings
) -> None:
    """A score is a function of its input: asked twice, on copies, it says the same."""
    copies = the_case.model_copy(deep=True), the_output.model_copy(deep=True)
    for metric in METRICS:
        once = measured(metric, the_case, the_output, the_settings)
        assert once == measured(metric, *copies, replace(the_settings)), metric


@settings(max_examples=60, deadline=None)
@given(
    the_case=CASES,
    the_output=OUTPUTS.filter(lambda given_back: bool(given_back.retrieved)),
    the_settings=SETTINGS,
    data=st.data(),
)
def test_a_chunk_returned_twice_changes_nothing(
    the_case: Case, the_output: PipelineOutput, the_settings: Settings, data: st.DataObject
) -> None:
    """A chunk that comes again below its first rank neither helps nor hurts."""
    ranking = list(the_output.retrieved or ())
    first = data.draw(st.integers(0, len(ranking) - 1))
    ranking.insert(data.draw(st.integers(first + 1, len(ranking))), ranking[first])
    repeated = the_output.model_copy(update={"retrieved": tuple(ranking)})
    for metric in METRICS:
        once = measured(metric, the_case, the_output, the_settings)
        assert once == measured(metric, the_case, repeated, the_settings), metric


@settings(max_examples=60, deadline=None)
@given(the_case=CASES, the_output=OUTPUTS, the_settings=SETTINGS)
def test_the_order_of_json_objects_changes_nothing(
    the_case: Case, the_output: PipelineOutput, the_settings: Settings
) -> None:
    """JSON objects have no order, so no score depends on one."""
    turned_case = the_case.model_copy(
        update={"metadata": turned(the_case.metadata), "relevance": turned(the_case.relevance)}
    )
    turned_output = the_output.model_copy(
        update={
            "retrieved": chunks_turned(the_output.retrieved),
            "context": chunks_turned(the_output.context),
        }
    )
    for metric in METRICS:
        once = measured(metric, the_case, the_output, the_settings)
        assert once == measured(metric, turned_case, turned_output, the_settings), metric


def turned(mapping: dict[str, Any]) -> dict[str, Any]:
    """Return the same JSON object, written from its end."""
    return dict(reversed(mapping.items()))


def chunks_turned(chunks: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
    """Return the same chunks, their metadata written from its end."""
    if chunks is None:
        return None
    return tuple(chunk.model_copy(update={"metadata": turned(chunk.metadata)}) for chunk in chunks)


@settings(max_examples=50, deadline=None)
@given(the_case=CASES, failure=FAILURES, the_settings=SETTINGS)
def test_a_failed_case_is_case_failed(the_case: Case, failure: CaseFailure, the_settings: Settings) -> None:
    """A call that failed counts as an error of every metric, with the failure's reason, and has no number."""
    for metric in METRICS:
        failed = measured(metric, the_case, failure, the_settings)
        assert isinstance(failed.result, CaseFailed), metric
        assert failed.result.reason.startswith(f"{failure.kind.value}: "), metric
        assert failed.value is None


@pytest.mark.parametrize(
    ("metric", "need"),
    [(metric, need) for metric in METRICS for need in metric.needs],
    ids=lambda each: each.name.lower() if isinstance(each, Need) else str(each),
)
def test_a_missing_need_is_skipped_with_its_sentence(metric: Metric, need: Need) -> None:
    """With everything there but one need, the case is skipped and the reason is that need's own sentence."""
    without = WITHOUT[need]
    whole = evidence(case(kind_of(metric), **without.get("case", {})), output(**without.get("output", {})))
    the_settings = replace(whole.settings, **without.get("settings", {}))
    assert measured(metric, whole.case, whole.output, the_settings).result == Skipped(reason=need.value)


@EVERY_METRIC
def test_the_first_missing_need_is_the_reason(metric: Metric) -> None:
    """With every need missing, the first one declared is what a user reads."""
    if not metric.needs:
        return
    bare_case = Case(id="case-1", kind=kind_of(metric), question="?")
    bare_output = PipelineOutput(case_id="case-1")
    result = measured(metric, bare_case, bare_output, Settings()).result
    assert result == Skipped(reason=metric.needs[0].value)


@EVERY_METRIC
def test_with_nothing_missing_there_is_a_number(metric: Metric) -> None:
    """The evidence that the need tests take things away from does score on every metric."""
    whole = evidence(case(kind_of(metric)))
    assert isinstance(measured(metric, whole.case, whole.output, whole.settings).result, Scored)


@EVERY_METRIC
def test_another_kind_of_case_is_skipped_with_the_kinds_that_count(metric: Metric) -> None:
    """A case of a kind the metric does not apply to is skipped, and the reason names the right ones."""
    for kind in set(CaseKind) - metric.kinds:
        whole = evidence(case(kind))
        result = measured(metric, whole.case, whole.output, whole.settings).result
        assert result == Skipped(reason=applies_to(metric.kinds))


@EVERY_METRIC
def test_a_metric_explains_itself(metric: Metric) -> None:
    """The key is lower case, the summary one sentence, and the module says what the metric is."""
    assert re.fullmatch(r"[a-z0-9_.@]+", metric.key)
    assert re.fullmatch(r"\S[^\n]*\.", metric.summary)
    assert (sys.modules[(metric.measure or metric.judged).__module__].__doc__ or "").strip()
    assert bool(metric.judged) == bool(metric.prompts)
    assert metric.version >= 1
    assert metric.statistics
    assert {derived.statistic for derived in metric.run_level} <= set(metric.statistics)


def test_every_need_can_be_taken_away() -> None:
    """A need added later is tested too, or this test says that it is not."""
    assert set(WITHOUT) == set(Need)
