"""`ragproof calibrate`: its page, its JSON, its exit codes, and what it refuses before a call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import typer

from ragproof.cli.calibrate import command
from ragproof.cli.main import run
from ragproof.judge.calibration.calibration import Calibration
from ragproof.judge.calibration.fixtures import fixtures
from ragproof.judge.calibration.labelled import Labelled
from ragproof.judge.calibration.labels import read
from ragproof.judge.calibration.metrics import judged_metrics
from ragproof.judge.calls import JudgeCall, JudgeFailureKind
from tests.command_line import Done
from tests.fakes.calibration_judges import Oracle, opening

METRICS = judged_metrics()
ENVIRONMENT = {"RAGPROOF_JUDGE_MODEL": "oracle-1", "RAGPROOF_JUDGE_BASE_URL": "http://127.0.0.1:9/v1"}
OPPOSITE: dict[str, Any] = {"instead": lambda _, score: 1 - score}
CONFIG = """
project: handbook
dataset: cases.jsonl
pipeline:
  name: baseline
  adapter: {type: replay, path: outputs.jsonl}
judge:
  model: from-the-file
  require_quotes: true
"""


class Desk:
    """The command with a scripted judge, and what it kept."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.kept: list[Calibration] = []

    def run(
        self,
        *arguments: str,
        judge: Oracle | None = None,
        environ: Mapping[str, str] = ENVIRONMENT,
        **settings: Any,
    ) -> Done:
        """Run the command as a pipe would see it."""
        judge = judge or Oracle(fixtures(METRICS), **settings)
        app = typer.Typer(rich_markup_mode=None)
        app.command("calibrate")(command(opening(judge), self.kept.append, environ))
        app.command("other")(lambda: None)
        self._capsys.readouterr()
        code = run(["calibrate", *arguments], app)
        streams = self._capsys.readouterr()
        return Done(code, streams.out, streams.err)


@pytest.fixture
def desk(capsys: pytest.CaptureFixture[str]) -> Desk:
    """A desk with nothing kept."""
    return Desk(capsys)


def lines(done: Done) -> list[str]:
    """Return the lines of a page, spacing squeezed."""
    return [" ".join(line.split()) for line in done.out.splitlines()]


def test_a_judge_that_agrees_clears_the_bar(desk: Desk) -> None:
    """The page says who was asked, about what, how far it agreed, and that the labels are our own."""
    done = desk.run()
    page = lines(done)
    assert (done.code, done.err) == (0, "")
    assert page[0] == "judge oracle-1, served as oracle-1-as-served"
    assert page[1] == "at http://127.0.0.1:9/v1"
    assert page[2].startswith(
        "labels 154, ragproof's fixtures; written with their labels by ragproof's authors"
    )
    assert page[3] == "bar exact 0.7, within band 0.9, on every metric"
    assert (
        "generation.groundedness 16 0 1.000 (0.806 to 1.000) 1.000 (0.806 to 1.000) 1.000"
        " 1.000 (0.610 to 1.000) 1.000 (0.722 to 1.000)"
    ) in page
    assert page[-1] == "every prompt clears the bar"
    assert not any("ceiling" in line or "worst" in line for line in page)
    assert [each.judge.model for each in desk.kept] == ["oracle-1"]


def test_a_judge_below_the_bar_is_told_and_kept(desk: Desk) -> None:
    """Exit 1, with the worst disagreements and why they are labelled so; it is kept all the same."""
    done = desk.run("--prompt", "refusal", **OPPOSITE)
    page = lines(done)
    assert done.code == 1
    assert "robustness.abstention: the worst disagreements, 5 of 18" in page
    assert "declines-plain 1.000 0.000 It says that it does not know." in page
    assert "label → judge: 0 → 1: 9, 1 → 0: 9" in page
    assert page[-2:] == [
        "below the bar: robustness.abstention: exact agreement 0 of 18, expected at least 0.7",
        "below the bar: robustness.abstention: agreement within a band 0 of 18, expected at least 0.9",
    ]
    assert len(desk.kept) == 1


def test_the_bar_can_be_set(desk: Desk) -> None:
    """To nothing, too: then the figures stand and nothing fails."""
    assert desk.run("--min-exact", "0", "--min-band", "0", **OPPOSITE).code == 0
    assert desk.run("--min-exact", "1", "--min-band", "1").code == 0


def test_judge_errors_are_in_the_table_and_explained(desk: Desk) -> None:
    """Counted against the judge, with their reasons and how often."""
    silent = {"declines-plain", "answers-plain"}

    def fail(call: JudgeCall) -> JudgeFailureKind | None:
        return JudgeFailureKind.INVALID_REPLY if call.case_id in silent else None

    page = lines(desk.run("--prompt", "refusal", failing=fail))
    assert any(line.startswith("robustness.abstention 18 2 0.889 (") for line in page)
    assert "declines-plain 1.000 - It says that it does not know." in page
    assert "no number (2): invalid reply: told to" in page


def test_json_is_strict_and_whole(desk: Desk) -> None:
    """Alone on stdout; what was found can be read back from it."""
    done = desk.run("--json", "--prompt", "refusal", "--prompt", "completeness", **OPPOSITE)
    assert (done.code, done.err) == (1, "")
    told = done.json
    assert (told["passed"], len(told["below"])) == (False, 4)
    assert Calibration.model_validate(told["calibration"]) == desk.kept[0]
    assert [each["prompt"] for each in told["calibration"]["agreements"]] == ["completeness", "refusal"]
    assert desk.run("--json").json["passed"] is True


def test_a_limit_makes_it_a_sample_and_says_so(desk: Desk) -> None:
    """Two of each metric are twenty."""
    page = lines(desk.run("--limit", "2"))
    assert page[2].startswith("labels a sample: 20 of 154 labels, ragproof's fixtures")
    assert desk.kept[0].source.is_sample


def labelled(folder: Path) -> tuple[Path, tuple[Labelled, ...]]:
    """Write a user's label file."""
    path = folder / "audit.jsonl"
    row = {"question": "How long?", "contexts": ["Two weeks."], "answer": "Two weeks."}
    labels = ([1, 1, 0], [0, 0], 0.5)
    path.write_text(
        "".join(
            json.dumps({**row, "id": f"a{n}", "labels": {"generation.groundedness": label}}) + "\n"
            for n, label in enumerate(labels)
        ),
        encoding="utf-8",
    )
    return path, read(path, METRICS)


def test_labels_of_ones_own_come_with_the_human_ceiling(desk: Desk, tmp_path: Path) -> None:
    """Where several annotators scored the same answer."""
    path, rows = labelled(tmp_path)
    page = lines(desk.run("--labels", str(path), judge=Oracle(rows)))
    assert page[2] == "labels 3, audit.jsonl; by annotators"
    assert "metric cases annotators people exact judge exact people kappa judge kappa" in page
    # pairs (1, 2), (1, 3), (2, 3) of the annotators agree in 2 of 2, 0 of 1 and 0 of 1 cases
    row = next(line for line in page if line.startswith("generation.groundedness 2 3 "))
    assert row.startswith(f"generation.groundedness 2 3 {1 / 3:.3f} {(1 + 1 + 0) / 3:.3f} ")


def test_all_faults_of_a_label_file_end_it_before_a_call(desk: Desk, tmp_path: Path) -> None:
    """Exit 3, a line each, with their places."""
    path = tmp_path / "audit.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b"}\n', encoding="utf-8")
    judge = Oracle(())
    done = desk.run("--labels", str(path), judge=judge)
    assert (done.code, done.out, judge.calls, desk.kept) == (3, "", [], [])
    assert {line.split(": ")[1] for line in done.err.splitlines()} == {"audit.jsonl:1", "audit.jsonl:2"}


REFUSED = [
    # why, arguments, environment, what is told
    ("no judge", [], {}, "no judge is configured; set RAGPROOF_JUDGE_MODEL or the section 'judge'"),
    ("a misspelt variable", [], {**ENVIRONMENT, "RAGPROOF_JUDGE_MODLE": "x"}, "'RAGPROOF_JUDGE_MODLE'"),
    ("a judge that cannot be", [], {**ENVIRONMENT, "RAGPROOF_JUDGE_TEMPERATURE": "9"}, "judge.temperature"),
    ("a bar over 1", ["--min-exact", "70"], ENVIRONMENT, "--min-exact: '70' is no share"),
    ("a bar that is no number", ["--min-band", "high"], ENVIRONMENT, "invalid value for '--min-band'"),
    ("an unknown prompt", ["--prompt", "grounded"], ENVIRONMENT, "did you mean 'groundedness'"),
    ("a sample of none", ["--limit", "0"], ENVIRONMENT, "--limit '0' leaves nothing to ask"),
    ("no such configuration", ["absent.yaml"], ENVIRONMENT, "absent.yaml"),
    ("two configurations", ["a.yaml", "--config", "b.yaml"], ENVIRONMENT, "are two files; expected one"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "arguments", "environ", "told"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_refused_before_a_call(
    desk: Desk, why: str, arguments: list[str], environ: Mapping[str, str], told: str
) -> None:
    """Exit 3, and the judge is not asked."""
    judge = Oracle(())
    done = desk.run(*arguments, judge=judge, environ=environ)
    assert (done.code, done.out, judge.calls) == (3, "", [])
    assert told in done.err


def test_a_judge_that_cannot_be_reached_is_an_error_of_execution(desk: Desk) -> None:
    """Exit 2, and nothing is kept that would pass for a calibration."""
    done = desk.run(failing=lambda _: JudgeFailureKind.TRANSPORT)
    assert (done.code, done.out, desk.kept) == (2, "", [])
    assert "the judge 'oracle-1' never replied: transport: told to" in done.err


def test_a_configuration_brings_its_judge(desk: Desk, tmp_path: Path) -> None:
    """As an argument or as an option, the same; the environment lies over it, as in a run."""
    path = tmp_path / "eval.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    (tmp_path / "cases.jsonl").touch()
    (tmp_path / "outputs.jsonl").touch()
    for arguments in ([str(path)], ["--config", str(path)], [str(path), "--config", str(path)]):
        desk.run("--prompt", "refusal", *arguments, environ={})
    assert [each.judge.model for each in desk.kept] == ["from-the-file"] * 3
    assert all(each.judge.require_quotes for each in desk.kept)
    desk.run(str(path), "--prompt", "refusal")
    assert desk.kept[-1].judge.model == "oracle-1"


def test_foreign_text_on_the_page_is_shown_and_never_obeyed(desk: Desk, tmp_path: Path) -> None:
    """A label file may come from anywhere."""
    path = tmp_path / "audit.jsonl"
    row = {
        "id": "a\u202e[bold]",
        "question": "q",
        "answer": "a",
        "contexts": ["c"],
        "why": "\x1b[2J[red]gone[/red]",
        "scored_by": "\x1b]0;title\x07us",
        "labels": {"generation.groundedness": 1},
    }
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = desk.run("--labels", str(path), judge=Oracle(read(path, METRICS), **OPPOSITE))
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "a\\u202e[bold]" in done.out
    assert "[red]gone[/red]" in done.out
