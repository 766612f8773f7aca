"""What judging took, among the metrics of a report: of the run, of no case, and of no pipeline."""

from __future__ import annotations

import json

import pytest

from ragproof.catalogue import catalogue, choose
from ragproof.cli.metrics import as_strict_json, show
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from ragproof.reports import csv, markdown
from ragproof.reports import json as json_report
from ragproof.reports.headline import headline, unmeasured
from ragproof.reports.judge_spend import JUDGE_SPEND, judge_spend
from ragproof.runs import Spend
from tests.fakes.reports import record, small_report, summary

EVAL_LLM_CALLS = "tests.fakes.own_metrics:eval_llm_calls"


def test_every_part_of_the_spend_has_a_key() -> None:
    """A part that is added later is shown too, or this test says that it is not."""
    assert set(JUDGE_SPEND) == set(Spend.model_fields)


def test_the_rows_are_the_spend_of_the_run() -> None:
    """One number each, lower being better, and no case in any count."""
    rows = judge_spend(record())
    assert {row.metric: row.mean for row in rows} == {
        "eval_input_tokens": 300,
        "eval_output_tokens": 20,
        "eval_llm_calls": 2,
        "eval_cost_usd": 0.0125,
    }
    assert {row.direction for row in rows} == {Direction.LOWER}
    assert {row.cases for row in rows} == {0}


def test_a_price_that_is_not_known_is_no_number() -> None:
    """Never 0: calls were made, and what they cost nobody said."""
    unpriced = record(spend=Spend(eval_llm_calls=2, eval_cost_usd=None))
    values = {row.metric: row.mean for row in judge_spend(unpriced)}
    assert values["eval_cost_usd"] is None
    assert values["eval_llm_calls"] == 2


def test_a_run_without_a_judge_made_no_call() -> None:
    """Nothing was spent, and that is known."""
    assert [row.mean for row in judge_spend(record(spend=Spend()))] == [0, 0, 0, 0]


def test_a_run_that_goes_on_has_no_spend_yet() -> None:
    """What it has spent so far is not what it costs."""
    assert judge_spend(record(finished_at=None)) == ()


def test_every_file_of_a_report_has_them_beside_its_metrics() -> None:
    """JSON by key, CSV as rows of all cases, Markdown with what they are of; a screen has its own line."""
    report = small_report()
    written = json.loads(json_report.render(report))["metrics"]
    assert written["eval_cost_usd"]["mean"] == 0.0125
    assert written["eval_cost_usd"]["direction"] == "lower"
    assert written["eval_cost_usd"]["scored"] == 0
    assert ",eval_llm_calls,lower,,,2.0," in csv.render(report)
    assert "| `eval_cost_usd` | ↓ lower | 0.012500 | - | - | of the run |" in markdown.render(report)
    assert not {row.metric for row in headline(report.rows)} & set(JUDGE_SPEND)
    assert not {key for keys in unmeasured(report.rows).values() for key in keys} & set(JUDGE_SPEND)


def test_a_reason_that_every_metric_has_is_still_that_of_all() -> None:
    """What the judge took has no case that could lack a score."""
    failed = {"scored": 0, "skipped": 0, "case_failed": 4, "reasons": {"timeout: 60 s": 4}}
    both = (summary("token_f1", **failed), summary("rouge_l", **failed))
    assert "| `timeout: 60 s` | 4 | all |" in markdown.render(small_report(summaries=both))


def test_a_run_that_measured_nothing_has_no_row() -> None:
    """What judging took stays in the head of its report."""
    assert small_report(summaries=()).rows == ()


def test_they_are_listed_with_the_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    """`ragproof metrics` is where one looks for what a key means."""
    show(catalogue().metrics)
    lines = capsys.readouterr().out.splitlines()
    for key, sentence in JUDGE_SPEND.items():
        (line,) = [line for line in lines if line.split()[:1] == [key]]
        assert sentence in line
    listed = json.loads(as_strict_json(catalogue().metrics))["of_run"]
    assert [(each["key"], each["summary"]) for each in listed] == [*JUDGE_SPEND.items()]
    assert {each["direction"] for each in listed} == {"lower"}


def test_no_metric_takes_their_names() -> None:
    """One of the user's own would stand in the report under the same key, and one of the two be lost."""
    with pytest.raises(ConfigurationError, match=r"'eval_llm_calls' of .* is what judging took"):
        choose([EVAL_LLM_CALLS])
