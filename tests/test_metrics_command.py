"""`ragproof metrics`: a table nothing is cut from, and strict JSON."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stdout
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from ragproof import METRICS_VERSION
from ragproof.calls_a_case import calls_a_case
from ragproof.catalogue import catalogue
from ragproof.cli.metrics import HEADINGS, metrics, show
from ragproof.metric import Cost, metric


def run(*arguments: str, columns: str = "80") -> str:
    """Run the command as a shell would, its output piped."""
    app = typer.Typer()
    app.command()(metrics)
    result = CliRunner(env={"COLUMNS": columns}).invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def refuse_constant(name: str) -> None:
    """Refuse what JSON does not have."""
    raise AssertionError(name)


@pytest.mark.parametrize("columns", ["20", "80", "300"])
def test_every_key_is_printed_whole_on_a_line_of_its_own(columns: str) -> None:
    """A piped table is as wide as it has to be, whatever the window: one metric a line, to be searched."""
    lines = run(columns=columns).splitlines()
    for key, each in catalogue().by_key.items():
        (line,) = [line for line in lines if line.split()[:1] == [key]]
        assert each.cost.value in line
        assert key != each.key or each.summary in line


def test_a_narrow_terminal_wraps_sentences_and_no_name() -> None:
    """A window that is too small breaks the description, and keeps keys whole."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    with redirect_stdout(screen):
        show(catalogue().metrics)
    for name in (*catalogue().by_key, *HEADINGS, "unanswerable", "answer, citations, retrieval"):
        assert name in screen.getvalue()
    assert "…" not in screen.getvalue()


def test_text_of_a_plugin_is_text() -> None:
    """Brackets and emoji codes in a summary are printed as they are."""
    odd = metric(key="odd", summary="[red]Not[/red] :smile: [/]")(lambda evidence: 0.0)
    screen = io.StringIO()
    with redirect_stdout(screen):
        show([odd])
    assert "[red]Not[/red] :smile: [/]" in screen.getvalue()


def test_json_is_strict_and_whole() -> None:
    """Each key once, with what a program needs to know of it; an unbounded end is null."""
    listing: dict[str, Any] = json.loads(run("--json"), parse_constant=refuse_constant)
    assert listing["metrics_version"] == METRICS_VERSION
    entries = {entry["key"]: entry for entry in listing["metrics"]}
    assert entries.keys() == catalogue().by_key.keys()
    assert len(entries) == len(listing["metrics"])
    assert entries["retrieval.mrr"] == {
        "key": "retrieval.mrr",
        "summary": "1 over the rank of the first relevant source in the whole list, 0 when none appears.",
        "family": "retrieval",
        "direction": "higher",
        "range": [0.0, 1.0],
        "needs": ["retrieval", "relevance"],
        "kinds": ["qa", "unanswerable", "injection"],
        "cost": "free",
        "version": 1,
        "statistics": ["mean", "p50", "p95"],
        "run_level": {},
        "of": None,
    }
    assert entries["latency_ms"]["range"] == [0.0, None]
    assert entries["latency_ms"]["run_level"]["p99_latency_ms"] == "p99"
    assert entries["p99_latency_ms"]["of"] == "latency_ms"
    assert entries["p99_latency_ms"]["statistics"] == ["p99"]


def test_loading_the_command_loads_nothing_heavy() -> None:
    """`ragproof --help` imports the module, so its imports wait until it runs."""
    heavy = ("pydantic", "ragproof.catalogue")
    program = f"import sys, ragproof.cli.metrics; print([m for m in {heavy} if m in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "[]"


def test_what_may_ask_a_judge_says_how_many_questions_a_case_costs() -> None:
    """On a case of five contexts and five cited sentences, by itself; together they cost less."""
    entries = {entry["key"]: entry for entry in json.loads(run("--json"))["metrics"]}
    calls = {key: entry["judge_calls"] for key, entry in entries.items() if "judge_calls" in entry}
    assert calls == {
        "generation.answer_relevance": 2,
        "generation.citation_support": 2,
        "generation.completeness": 2,
        "generation.groundedness": 2,
        "faithfulness": 2,
        "context_precision": 1,
        "context_recall": 2,
        "context_relevance": 2,
        "factual_correctness": 5,
        "noise_sensitivity": 4,
        "citation_recall": 2,
        "citation_precision": 2,
        "robustness.abstention": 1,
        "robustness.overrefusal": 1,
    }
    judged = [metric for metric in catalogue().metrics if metric.cost is Cost.JUDGE]
    assert calls_a_case(judged) == 12
    assert calls_a_case([]) == 0
    (line,) = [line for line in run(columns="80").splitlines() if line.split()[:1] == ["noise_sensitivity"]]
    assert "judge, 4 calls a case (opt in)" in line
