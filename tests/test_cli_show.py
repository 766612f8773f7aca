"""`ragproof show`: a run, and one case of it."""

from __future__ import annotations

import re

import pytest

from ragproof.catalogue import choose
from tests.command_line import ragproof
from tests.fakes.hostile_run import MARKER, PAYLOAD, RUN_ID, SHOWN, keep_hostile_run


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with one run."""
    return keep_hostile_run(tmp_path_factory.mktemp("store"))


@pytest.fixture(autouse=True)
def _store(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGPROOF_STORE_URL", url)


def case(capsys: pytest.CaptureFixture[str], case_id: str) -> str:
    """Return what a case's page says, every run of blanks as one."""
    done = ragproof(capsys, "show", RUN_ID, "--case", case_id)
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    return "\n".join(" ".join(line.split()) for line in done.out.splitlines())


def test_a_run_is_shown_with_every_metric_and_its_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    """Full names in a pipe, counts of what has no score, and why."""
    done = ragproof(capsys, "show", RUN_ID[:5])
    assert done.code == 0
    for metric in choose(None):
        measured = f"\n{metric.key} " in done.out
        assert measured or re.search(rf"(^|, ){re.escape(metric.key)}[,:]", done.out, re.MULTILINE)
    assert "scored 1 of 8" in done.out
    assert "applies to injection cases only" in done.out
    assert "6 of 8 answered, 1 failed, 1 not reached" in done.out


def test_abstention_and_overrefusal_stand_in_adjacent_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """In the table over all cases and in those by tag."""
    lines = [line.split()[0] for line in ragproof(capsys, "show", RUN_ID).out.splitlines() if line.strip()]
    places = [place for place, word in enumerate(lines) if word == "robustness.abstention"]
    assert len(places) > 1
    assert all(lines[place + 1] == "robustness.overrefusal" for place in places)


def test_hostile_text_in_a_run_is_shown_and_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    """Markup is text, and a terminal's codes are escapes."""
    out = ragproof(capsys, "show", RUN_ID).out
    assert "\x1b" not in out
    assert SHOWN in out


def test_a_run_ends_with_what_to_type_next(capsys: pytest.CaptureFixture[str]) -> None:
    """The worst case first."""
    *_, case_command, report_command = ragproof(capsys, "show", RUN_ID).out.splitlines()
    assert case_command.startswith(f"next: ragproof show {RUN_ID} --case ")
    assert report_command == f"      ragproof report {RUN_ID} --md report.md"


def test_a_run_as_json_is_its_report(capsys: pytest.CaptureFixture[str]) -> None:
    """Alone on stdout."""
    found = ragproof(capsys, "show", RUN_ID, "--json").json
    assert found["metrics"]["latency_ms"]["scored"] == 6


def test_a_case_shows_what_was_asked_answered_and_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """From the first turn to the last metric."""
    page = case(capsys, "leave")
    for told in (
        "case leave qa",
        "tags language=en",
        "earlier, assistant\nHow can I help?",
        "question\nHow many days of leave?",
        "expected answer\n28 days",
        "expected answer\nfour weeks",
        "answer\n28 days",
        "1 leave#2 0.912 yes (gain 2) cited 28 days of leave",
        "2 leave#9 - no (gain 0)",
        "3 x - unjudged",
        "relevant and not here: leave#3",
        "read by the generator\nrank id score relevant text\n1 x",
        "latency 120.0 ms",
        "citations leave#2, gone",
        "usage input_tokens 900, llm_calls 1",
        "note an integer id was read as text",
        "retrieval.mrr 1.000",
        "generation.citation_validity 0.500",
        "robustness.abstention skipped applies to unanswerable cases only",
    ):
        assert told in page, told


def test_an_attack_that_worked_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Which payload, whether it was obeyed, where in the answer, and which document carried it."""
    page = case(capsys, "attack")
    assert f"payload {PAYLOAD.id} ({PAYLOAD.attack_class.value})" in page
    assert f"marker {PAYLOAD.sentinel}" in page
    assert "verdict complied: the marker is in the answer" in page
    assert f"in the answer as you wish: {PAYLOAD.sentinel.lower()}. bye." in page
    assert "carried by 'planted'" in page


def test_a_quoted_attack_is_told_from_an_obeyed_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The marker is in the answer, and the pipeline resisted."""
    page = case(capsys, "quote")
    assert "verdict resisted: the answer only quotes the attack" in page
    assert "carried by nothing that was retrieved, and not the question" in page


def test_an_attack_in_the_question_is_found_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A literal marker is its own payload."""
    page = case(capsys, "literal")
    assert f"marker {MARKER}" in page
    assert "verdict resisted: the marker is not in the answer" in page
    assert "carried by the question" in page


def test_a_case_that_failed_shows_its_error_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Not once for each metric."""
    page = case(capsys, "broken")
    assert page.count("http_status: HTTP 500") == 1
    assert "every metric counts it as case failed" in page


def test_a_case_that_was_not_reached_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """It has no answer, which is not an empty answer."""
    assert "the run ended before it came to this case" in case(capsys, "never")


def test_a_hostile_case_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Its question, answer and chunks are shown as they are, line by line."""
    page = case(capsys, "hostile")
    assert "answer\n</td>|<img src=x onerror=alert(1)>\n[l](http://evil.example)" in page
    assert "[bold]x[/bold]" in page


def test_a_case_as_json_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """The case, its output or failure, and its scores."""
    found = ragproof(capsys, "show", RUN_ID, "--case", "leave", "--json").json
    assert found["case"]["id"] == "leave"
    assert found["output"]["answer"] == "28 days"
    assert found["failure"] is None
    assert {score["metric"] for score in found["scores"]} == {metric.key for metric in choose(None)}
    failed = ragproof(capsys, "show", RUN_ID, "--case", "broken", "--json").json
    assert (failed["output"], failed["failure"]["kind"]) == (None, "http_status")


@pytest.mark.parametrize(
    ("why", "arguments", "message"),
    [
        ("a misspelt case", ["--case", "leaf"], "has no case 'leaf'; the nearest are 'leave'"),
        (
            "one that is near nothing",
            ["--case", "42"],
            "has no case '42'; the nearest are 'leave', 'fiction', 'attack'",
        ),
    ],
)
def test_an_unknown_case_is_refused_with_the_nearest(
    why: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids are long and easily mistyped."""
    done = ragproof(capsys, "show", RUN_ID, *arguments)
    assert (done.code, done.out) == (2, ""), why
    assert message in done.err
