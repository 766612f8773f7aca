"""docs/metrics-of-your-own.md: what it shows runs as it stands there, and names every key of a rubric."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragproof.config import EvalConfig, load
from ragproof.evidence import Settings
from ragproof.metric import Metric, Need
from ragproof.rubrics import Rubric
from ragproof.scores import Scored
from tests.fakes.evidence import case, output
from tests.fakes.scripted_judge import ScriptedJudge, measured
from tests.readme import FILE

PAGE = Path(__file__).resolve().parent.parent / "docs" / "metrics-of-your-own.md"
TEXT = PAGE.read_text(encoding="utf-8")
REPLIES = {
    "rubric:courtesy": {"verdicts": [{"id": "courteous", "quote": "Paris", "verdict": "false"}]},
    "rubric:depth": {"reason": "it leaves out the rest", "rating": 1},
}


@pytest.fixture
def config(tmp_path: Path) -> Iterator[EvalConfig]:
    """The page's files in a folder, loaded."""
    for name, content in dict(FILE.findall(TEXT)).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text('{"id": "q1", "question": "?"}\n')
    before = list(sys.path)
    yield load(tmp_path / "evaluation.yaml", environ={})
    sys.path[:] = before
    sys.modules.pop("handbook_metrics", None)


def test_what_the_page_shows_measures_an_answer(config: EvalConfig) -> None:
    """A function, a rubric of two verdicts and one of three."""
    judge = ScriptedJudge(lambda call, _: REPLIES.get(call.prompt.prompt))
    metrics: dict[str, Metric] = {metric.key: metric for metric in config.chosen_metrics()}
    assert list(metrics) == ["words", "rubric:courtesy", "rubric:depth", "generation.groundedness"]
    settings = Settings(judge_configured=True)
    found = {key: measured(metric, case(), output(), settings, judge) for key, metric in metrics.items()}
    assert found["words"].result == Scored(value=6.0)  # The capital of France is Paris.
    assert found["rubric:courtesy"].result == Scored(value=0.0)
    assert found["rubric:depth"].result == Scored(value=0.5)
    assert found["rubric:depth"].details["verdict"] == "partial"
    assert metrics["words"].needs == (Need.ANSWER,)


def test_the_page_names_every_key_of_a_rubric() -> None:
    """One that is added later too."""
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == list(Rubric.model_fields)
