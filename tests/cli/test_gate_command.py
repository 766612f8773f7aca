"""`ragproof gate` without any store: runs from files, exit codes, and what is printed and written."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ragproof.comparing.run_file import read_run_file
from ragproof.gating.run_faults import NO_BASELINE
from tests.command_line import ragproof
from tests.fakes.configs import BASE, write
from tests.fakes.gate_repository import MRR, RULES, N, Repository, grades
from tests.fakes.scored_runs import ERROR, scored_run


@pytest.fixture
def repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Repository:
    """The working directory of a CI job."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RAGPROOF_STORE_URL", raising=False)
    return Repository(tmp_path, capsys)


DROP = f"{{metric: {MRR}, max_drop: 0.05}}"
FILES = ("--baseline", "baseline.json", "--run")
EXITS = [
    # why, rules, words, exit code, how the first line begins
    ("as good as before", DROP, (*FILES, "same.json"), 0, "PASS: run "),
    ("worse", DROP, (*FILES, "worse.json"), 1, "FAIL: run "),
    ("no such baseline", DROP, ("--baseline", "gone.json", "--run", "same.json"), 2, "ERROR: run "),
    (
        "a baseline in a store that is not there",
        DROP,
        ("--baseline", "latest", "--run", "same.json"),
        2,
        "ERROR: ",
    ),
    ("open", f"{{metric: {MRR}, min: 0.7}}", ("--run", "same.json"), 4, "INCONCLUSIVE: run "),
    (
        "open, and let through",
        f"{{metric: {MRR}, min: 0.7}}",
        ("--run", "same.json", "--set", "gate.inconclusive=0"),
        0,
        "INCONCLUSIVE: run ",
    ),
    (
        "open, and stopped",
        f"{{metric: {MRR}, min: 0.7}}",
        ("--run", "same.json", "--set", "gate.inconclusive=1"),
        1,
        "INCONCLUSIVE: run ",
    ),
    ("the worst of several", f"{{metric: {MRR}, min: 0.1}}\n{DROP}", (*FILES, "worse.json"), 1, "FAIL: run "),
]


@pytest.mark.parametrize(("why", "rules", "words", "code", "begins"), EXITS, ids=[row[0] for row in EXITS])
def test_a_gate_needs_no_database(
    repository: Repository, why: str, rules: str, words: tuple[str, ...], code: int, begins: str
) -> None:
    """Runs from files alone; and it makes none."""
    done = repository.gate(rules, *words)
    assert (done.code, done.out.startswith(begins)) == (code, True), done.out + done.err
    assert not (repository.folder / ".ragproof").exists()


NO_TAG = "no case has a tag 'language'; the cases have no tags (run 'same.json')"
REFUSED = [
    # why, rules, words, exit code, the errors
    (
        "a run that is not there",
        DROP,
        (*FILES, "gone.json"),
        3,
        ["'gone.json' cannot be read as a run: No such file or directory; 'ragproof export RUN' writes one"],
    ),
    (
        "a drop from nothing",
        DROP,
        ("--run", "same.json"),
        3,
        [f"eval.yaml:8:31: gate.rules[0].max_drop: {NO_BASELINE}"],
    ),
    (
        "a tag that nobody has, twice, and a drop from nothing",
        f"{{metric: {MRR}, min: 0.1, tag: language}}\n{{metric: {MRR}, tag: language=de, max_drop: 0.1}}",
        ("--run", "same.json"),
        3,
        [
            f"eval.yaml:8:41: gate.rules[0].tag: {NO_TAG}",
            f"eval.yaml:9:31: gate.rules[1].tag: {NO_TAG}",
            f"eval.yaml:9:49: gate.rules[1].max_drop: {NO_BASELINE}",
        ],
    ),
    (
        "a faulty rule",
        f"{{metric: {MRR}}}",
        ("--run", "same.json"),
        3,
        [
            "eval.yaml:8:7: gate.rules[0]: no threshold, so it could never fail; expected one or more of min,"
            " max, max_drop and max_error_rate"
        ],
    ),
    (
        "no run named, and no store",
        DROP,
        ("--baseline", "baseline.json"),
        2,
        [
            "there is no store '.ragproof/ragproof.db'; 'ragproof run' or 'ragproof store migrate' makes one,"
            " and RAGPROOF_STORE_URL names one elsewhere"
        ],
    ),
]


@pytest.mark.parametrize(("why", "rules", "words", "code", "told"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_be_judged_is_refused(
    repository: Repository, why: str, rules: str, words: tuple[str, ...], code: int, told: list[str]
) -> None:
    """All faults at once, each with its line; nothing is printed that could be read as a verdict."""
    done = repository.gate(rules, *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines() == [f"error: {each}" for each in told]


def test_a_configuration_without_rules_is_refused(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an example of some."""
    config = write(repository.folder)
    done = ragproof(capsys, "gate", str(config), "--run", "same.json")
    assert (
        done.code,
        done.err.startswith("error: eval.yaml: gate: missing; expected a section with rules"),
    ) == (3, True)


def test_the_table_says_what_was_measured_and_why(repository: Repository) -> None:
    """Verdict and both runs first; a row a rule."""
    done = repository.gate(f"{DROP}\n{{metric: {MRR}, max_error_rate: 0.1}}", *FILES, "worse.json")
    lines = done.out.splitlines()
    assert lines[0] == (
        "FAIL: run cccccccccccc (baseline, from worse.json) against aaaaaaaaaaaa"
        " (baseline, from baseline.json)"
    )
    assert lines[2].split() == ["metric", "rule", "measured", "bound", "verdict", "reason"]
    measured = read_run_file(Path("worse.json")).scores[MRR].values().mean()
    assert f" -> {measured:.3f} (" in lines[3]
    assert lines[3].endswith("FAIL     the drop is more than 0.05, with 95 % confidence")
    assert lines[4].split()[:5] == [MRR, "max_error_rate", "0.1", "0", "%"]
    assert done.out.rstrip().endswith("next: ragproof compare baseline.json worse.json")


def test_json_has_everything_and_is_alone(repository: Repository) -> None:
    """Each ruling with its numbers; the exit code is in it, too."""
    done = repository.gate(DROP, *FILES, "worse.json", "--json")
    found = done.json
    assert (done.code, found["exit_code"], found["verdict"]) == (1, 1, "FAIL")
    assert (found["run"]["source"], found["baseline"]["id"]) == ("worse.json", "a" * 12)
    (rule,) = found["rules"]
    assert (rule["metric"], rule["demand"], rule["limit"], rule["verdict"]) == (MRR, "max_drop", 0.05, "FAIL")
    numbers = rule["numbers"]
    assert numbers["fail_bound"] < numbers["threshold"] == -0.05
    assert rule["counts"]["scored"] == found["cases"]["shared"] == N
    assert len(rule["fallen"]) == 5


def test_junit_is_written_whatever_the_verdict(repository: Repository) -> None:
    """Into folders that are made for it; one that cannot be written is an error."""
    for name, code in (("same", 0), ("worse", 1), ("gone", 3)):
        done = repository.gate(DROP, *FILES, f"{name}.json", "--junit", f"out/{name}.xml")
        assert done.code == code
        assert (repository.folder / "out" / f"{name}.xml").exists() is (code < 3)
    (suite,) = ET.parse(repository.folder / "out" / "worse.xml").getroot()
    assert suite.attrib["failures"] == "6"
    assert (
        repository.gate(DROP, "--baseline", "gone.json", "--run", "same.json", "--junit", "e.xml").code == 2
    )
    assert ET.parse("e.xml").getroot()[0].attrib["errors"] == "1"
    done = repository.gate(DROP, *FILES, "same.json", "--junit", "eval.yaml/x.xml")
    assert (done.code, "cannot be written" in done.err) == (2, True)


def test_cases_that_failed_are_listed(repository: Repository) -> None:
    """With their reason and the metrics that lack them."""
    repository.save("lossy", scored_run({MRR: [ERROR, *grades(0.7, 5)[1:]]}, id="d" * 12))
    done = repository.gate(f"{{metric: {MRR}, min: 0.1}}", "--run", "lossy.json")
    assert "cases that failed (1)" in done.out
    assert f"timeout: no answer in time  {MRR}" in done.out


def test_hostile_text_is_shown_and_not_obeyed(repository: Repository) -> None:
    """Ids, tags and labels come from files that anyone may have written."""
    hostile = "\x1b[31m[bold]x[/bold]\u202e"
    run = scored_run(
        {MRR: [ERROR, *grades(0.7, 5)[1:]]},
        id="d" * 12,
        cases=[hostile, *(f"c{place}" for place in range(1, N))],
        tags=[{"language": hostile}] * N,
        label=hostile,
    )
    repository.save("hostile", run)
    done = repository.gate(f"{{metric: {MRR}, min: 0.1, tag: language}}", "--run", "hostile.json")
    assert done.code == 0
    assert not {"\x1b", "\u202e"} & set(done.out)
    assert "\\x1b[31m[bold]x[/bold]\\u202e" in done.out
    assert repository.gate(f"{{metric: {MRR}, min: 0.1}}", "--run", "hostile.json", "--json").json


def test_a_baseline_file_is_looked_for_beside_the_configuration_first(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the dataset is: a job works in the root of a repository, and the configuration lies below."""
    folder = repository.folder / "evaluation"
    folder.mkdir()
    write(folder, BASE + f"{RULES}    - {DROP}\n  baseline: baseline.json\n")
    for place in ("baseline.json", "evaluation/baseline.json"):
        done = ragproof(capsys, "gate", "evaluation/eval.yaml", "--run", "same.json")
        assert (done.code, f"from {place})" in done.out.splitlines()[0]) == (0, True)
        (folder / "baseline.json").write_bytes((repository.folder / "baseline.json").read_bytes())


def test_a_baseline_of_the_configuration_may_be_replaced(repository: Repository) -> None:
    """Named in the file, or on the command line over it."""
    lines = BASE + f"{RULES}    - {DROP}\n  baseline: gone.json\n"
    write(repository.folder, lines)
    for words, code in (((), 2), (("--baseline", "baseline.json"), 0)):
        done = ragproof(repository.capsys, "gate", "eval.yaml", "--run", "same.json", *words)
        assert done.code == code
    done = repository.gate(f"{{metric: {MRR}, min: 0.1}}", *FILES, "same.json")
    assert "no rule has a max_drop, so nothing is compared with the baseline" in done.out
