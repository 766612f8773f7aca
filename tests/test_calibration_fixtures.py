"""The fixtures: every row is sound, the files are balanced, and the metrics can reach each label."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime

import pytest

from ragproof.evidence import Evidence, Settings
from ragproof.judge.calibration.agreement import Agreement
from ragproof.judge.calibration.bands import BANDS, band_of
from ragproof.judge.calibration.calibrating import calibrate
from ragproof.judge.calibration.fixtures import Fixture, fixture_hash, fixtures, rows_of
from ragproof.judge.calibration.labelled import Labelled
from ragproof.judge.calibration.metrics import judged_metrics, metric_of, own_prompt
from ragproof.judge.calibration.source import FIXTURES, source_of
from ragproof.judge.prompting import names
from ragproof.scoring import unmeasurable
from tests.fakes.calibration_judges import CONFIG, Oracle

METRICS = judged_metrics()
LEAST = 12
TWO_BANDS = ("refusal",)
"""Prompts whose metrics are 0 or 1 and nothing else."""


def by_prompt(prompt: str) -> tuple[Labelled, ...]:
    """Return one prompt's labelled cases."""
    return fixtures(METRICS, [prompt])


def calibrated(*labelled: Labelled, judge: Oracle) -> tuple[Agreement, ...]:
    """Calibrate a judge on labelled cases."""
    source = source_of(FIXTURES, labelled, labelled)
    ended = calibrate(judge, labelled, METRICS, config=CONFIG, source=source, at=datetime.now(UTC))
    return asyncio.run(ended).agreements


def test_every_prompt_has_fixtures_and_decides_a_metric() -> None:
    """A prompt that joins has to bring some."""
    assert {prompt: metric_of(prompt, METRICS).key for prompt in names()} == {
        "answer_relevance": "generation.answer_relevance",
        "citation_check": "citation_recall",
        "citation_support": "generation.citation_support",
        "claim_support": "context_recall",
        "claims": "factual_correctness",
        "completeness": "generation.completeness",
        "context_relevance": "context_relevance",
        "context_sufficiency": "context_relevance",
        "context_usefulness": "context_precision",
        "groundedness": "generation.groundedness",
        "refusal": "robustness.abstention",
    }


def test_a_prompt_that_decides_nothing_is_a_mistake_of_ours() -> None:
    """And is told as one."""
    with pytest.raises(LookupError, match="no metric is decided by prompt 'mood'"):
        metric_of("mood", METRICS)


@pytest.mark.parametrize("prompt", names())
def test_fixtures_are_many_hard_and_balanced(prompt: str) -> None:
    """At least a dozen, half of them hard, every band that the metric has with a quarter of an even share."""
    rows = rows_of(prompt)
    assert len(rows) >= LEAST
    assert sum(row.hard for row in rows) * 2 >= len(rows)
    bands = Counter(BANDS[band_of(row.score)] for row in rows)
    expected = {0.0, 1.0} if prompt in TWO_BANDS else set(BANDS)
    assert set(bands) == expected
    assert min(bands.values()) * len(expected) * 4 >= len(rows) * 3


@pytest.mark.parametrize("prompt", names())
def test_the_first_two_fixtures_are_easy_and_at_both_ends(prompt: str) -> None:
    """So that a sample of two says something."""
    first, second = rows_of(prompt)[:2]
    assert (first.score, second.score) == (1, 0)
    assert not first.hard
    assert not second.hard


def test_ids_are_unique_and_every_row_says_why() -> None:
    """In one sentence."""
    rows = [row for prompt in names() for row in rows_of(prompt)]
    assert len({row.id for row in rows}) == len(rows)
    for row in rows:
        assert row.scored_by == "authors"
        assert row.why.endswith("."), row.id
        assert row.why[0].isupper() or row.why[0].isdigit(), row.id


def test_fixtures_are_in_several_languages_and_some_address_the_judge() -> None:
    """In answers and in contexts."""
    labelled = fixtures(METRICS)
    languages = {each.case.language for each in labelled if each.case.language}
    assert len(languages) >= 6, languages
    for prompt in names():
        assert any(row.id.endswith("addresses-judge") for row in rows_of(prompt)), prompt


@pytest.mark.parametrize("each", fixtures(METRICS), ids=lambda each: each.case.id)
def test_a_fixture_can_be_measured(each: Labelled) -> None:
    """Its kind and all that the metric needs are there."""
    evidence = Evidence(each.case, each.output, Settings(judge_configured=True))
    assert {key: unmeasurable(METRICS[key], evidence) for key in each.labels} == dict.fromkeys(each.labels)


def test_a_judge_that_sees_it_as_the_authors_do_agrees_on_every_fixture() -> None:
    """Each label is a number that its metric can come to."""
    labelled = fixtures(METRICS)
    found = calibrated(*labelled, judge=Oracle(labelled))
    assert [each.prompt for each in found] == [own_prompt(METRICS[each.metric]) for each in found]
    assert {each.prompt for each in found} == {own_prompt(metric_of(prompt, METRICS)) for prompt in names()}
    assert sum(each.cases for each in found) == len(labelled)
    for each in found:
        assert each.exact.count == each.cases == each.scored, each.disagreements
        assert each.kappa == 1
        assert (each.sensitivity.value, each.specificity.value) == (1, 1)


def test_every_fixture_is_asked_about_with_the_prompt_it_is_for() -> None:
    """But for the one answer of each rating's metric that declines, where the refusal is the whole point."""
    labelled = fixtures(METRICS)
    judge = Oracle(labelled)
    calibrated(*labelled, judge=judge)
    asked = {(call.case_id, call.prompt.prompt) for call in judge.calls}
    wanted = {(row.id, prompt) for prompt in names() for row in rows_of(prompt)}
    assert {case for case, _ in wanted - asked} == {"irrelevant-declines", "missing-declines"}


def test_a_row_with_a_field_too_many_is_refused() -> None:
    """A misspelt key would leave its default in force."""
    row = rows_of("refusal")[0].model_dump()
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        Fixture.model_validate({**row, "dificult": True})
    with pytest.raises(ValueError, match="authors"):
        Fixture.model_validate({**row, "scored_by": "annotators"})


def test_the_hash_of_a_fixture_file_is_hexadecimal() -> None:
    """Sixty-four digits, one for each file."""
    hashes = {fixture_hash(prompt) for prompt in names()}
    assert len(hashes) == len(names())
    assert all(len(each) == 64 for each in hashes)
