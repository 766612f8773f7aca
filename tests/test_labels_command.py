"""`ragproof labels`: from a sheet of verdicts to a corrected mean, at the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ragproof.errors import EXIT_CONFIGURATION, EXIT_EXECUTION, EXIT_OK
from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.labelled_runs import GROUNDED, RELEVANT, cases, keep_judged

OLD, NEW = "a" * 12, "b" * 12
N, LABELLED = 240, 130
Capture = pytest.CaptureFixture[str]


def wrong(values: Sequence[float], every: int) -> list[float]:
    """Turn each so-manieth value round."""
    return [1 - value if at % every == 0 else value for at, value in enumerate(values)]


TRUTH_OLD = [float(at % 5 != 0) for at in range(N)]
TRUTH_NEW = [float(at % 4 != 0) for at in range(N)]
JUDGE_OLD, JUDGE_NEW = wrong(TRUTH_OLD, 9), wrong(TRUTH_NEW, 11)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with two judged runs, in the current directory."""
    monkeypatch.setenv("RAGPROOF_STORE_URL", f"sqlite:///{tmp_path}/store.db")
    monkeypatch.chdir(tmp_path)
    with open_store() as store:
        for run_id, pipeline, judged in ((OLD, "baseline", JUDGE_OLD), (NEW, "reranked", JUDGE_NEW)):
            keep_judged(
                store,
                [f"{pipeline} {at}" for at in range(N)],
                {GROUNDED: judged, RELEVANT: judged},
                run_id=run_id,
                number=int(run_id == NEW),
                pipeline=pipeline,
                label=pipeline,
            )
    return tmp_path


def sheet(name: str, truth: Sequence[float], n: int = LABELLED, labeller: str = "Ann") -> str:
    """Write a sheet of labels, and return its name."""
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("case_id", "metric", "value", "labeller"))
        writer.writerows(
            (case.id, GROUNDED, value, labeller) for case, value in zip(cases(n), truth, strict=False)
        )
    return name


def test_a_sheet_is_imported_and_corrects_the_judge(capsys: Capture) -> None:
    """What was imported, what it makes of the mean, and the JSON of both."""
    done = ragproof(capsys, "labels", "import", sheet("old.csv", TRUTH_OLD), "--run", "baseline", "--random")
    assert (done.code, done.err) == (EXIT_OK, "")
    assert done.out.splitlines() == [
        "imported 130 labels by 1 labeller from old.csv: all of them new",
        f"run {OLD}: {GROUNDED} 130 cases",
        "the cases were drawn at random from the run's, as --random claims",
        "",
        f"next: ragproof labels show {OLD}",
    ]
    found = ragproof(capsys, "labels", "show", OLD, "--json").json
    assert (found["run_id"], found["baseline"], found["differences"]) == (OLD, None, {})
    told = found["metrics"][GROUNDED]
    assert told["raw"] == pytest.approx(sum(JUDGE_OLD) / N)
    assert told["corrected"]["method"] == "PPI++"
    assert told["corrected"]["low"] < sum(TRUTH_OLD) / N < told["corrected"]["high"]
    assert told["people"]["mean"] == pytest.approx(sum(TRUTH_OLD[:LABELLED]) / LABELLED)
    assert told["adjusted"]["sensitivity"] == pytest.approx(
        sum(judge for judge, human in zip(JUDGE_OLD, TRUTH_OLD[:LABELLED], strict=False) if human == 1)
        / sum(TRUTH_OLD[:LABELLED])
    )
    page = ragproof(capsys, "labels", "show", OLD).out
    assert f"{told['corrected']['mean']:.3f} ({told['corrected']['low']:.3f}" in page
    assert "130 of 240" in page
    assert "Ann" not in page


def test_a_difference_is_corrected_where_both_runs_are_labelled(capsys: Capture) -> None:
    """Or the reason is told why not."""
    ragproof(capsys, "labels", "import", sheet("old.csv", TRUTH_OLD), "--run", OLD, "--random")
    alone = ragproof(capsys, "labels", "show", NEW, "--against", OLD)
    assert "no case has a label on the answers of both runs" in alone.out
    ragproof(capsys, "labels", "import", sheet("new.csv", TRUTH_NEW), "--run", NEW, "--random")
    found = ragproof(capsys, "labels", "show", NEW, "--against", "baseline", "--json").json
    assert (found["baseline"]["run_id"], found["cases"]) == (OLD, N)
    told = found["differences"][GROUNDED]
    assert told["reason"] is None
    assert told["raw"] == pytest.approx((sum(JUDGE_NEW) - sum(JUDGE_OLD)) / N)
    assert told["corrected"]["low"] < (sum(TRUTH_NEW) - sum(TRUTH_OLD)) / N < told["corrected"]["high"]
    page = ragproof(capsys, "labels", "show", NEW, "--against", OLD).out
    assert f"gain over run {OLD} (baseline); + is better" in page
    assert f"{told['people']['mean']:.3f}" in page


def test_labels_that_are_not_claimed_to_be_random_correct_nothing_and_say_so(capsys: Capture) -> None:
    """At import, and wherever they are shown; claiming it later is enough."""
    done = ragproof(capsys, "labels", "import", sheet("old.csv", TRUTH_OLD), "--run", OLD)
    assert "correct no mean" in done.out.replace("\n ", "")
    shown = " ".join(ragproof(capsys, "labels", "show", OLD).out.split())
    assert "not corrected: the labelled cases were not drawn at random; if they were, import them" in shown
    done = ragproof(capsys, "labels", "import", "old.csv", "--run", OLD, "--random")
    assert "none of them new" in done.out
    assert ragproof(capsys, "labels", "show", OLD, "--json").json["metrics"][GROUNDED]["reason"] is None


def test_two_people_show_the_human_ceiling(capsys: Capture) -> None:
    """How far they agree with one another."""
    for who, truth in (("Ann", TRUTH_OLD), ("Bob", wrong(TRUTH_OLD, 4))):
        ragproof(capsys, "labels", "import", sheet("old.csv", truth, 40, who), "--run", OLD, "--random")
    found = ragproof(capsys, "labels", "show", OLD, "--json").json["metrics"][GROUNDED]
    ceiling = found["agreement"]["ceiling"]
    assert (ceiling["cases"], ceiling["annotators"], ceiling["exact"]) == (40, 2, 30 / 40)
    page = ragproof(capsys, "labels", "show", OLD).out
    assert "people with one another (the ceiling)" in page
    assert f"{ceiling['kappa']:.3f}" in page


def test_an_interval_of_equal_differences_says_what_it_is(capsys: Capture) -> None:
    """Never of no width without a word."""
    for run in (OLD, NEW):
        ragproof(capsys, "labels", "import", sheet("same.csv", TRUTH_OLD, 20), "--run", run)
    page = ragproof(capsys, "labels", "show", NEW, "--against", OLD).out
    assert f"{GROUNDED}: labels alone: all values are equal, so their spread is unknown" in page


def test_what_is_wrong_with_a_sheet_is_told_and_nothing_is_kept(capsys: Capture) -> None:
    """Exit code 3, a line a fault."""
    Path("bad.jsonl").write_text(
        json.dumps({"case_id": "c0", "metric": GROUNDED, "value": 1})
        + "\n"
        + json.dumps({"case_id": "c0", "metric": GROUNDED, "value": 7})
        + "\n"
        + json.dumps({"case_id": "zz", "metric": GROUNDED, "value": 1}),
        encoding="utf-8",
    )
    done = ragproof(capsys, "labels", "import", "bad.jsonl", "--run", OLD)
    assert (done.code, done.out) == (EXIT_CONFIGURATION, "")
    assert [line.partition(": ")[2].split(": ")[0] for line in done.err.splitlines()] == [
        "bad.jsonl:2",
        "bad.jsonl:3",
    ]
    assert ragproof(capsys, "labels", "list", "--json").json == []
    missing = ragproof(capsys, "labels", "import", "bad.jsonl", "--run", "zzz")
    assert (missing.code, missing.out) == (EXIT_EXECUTION, "")


def test_a_run_without_labels_says_how_to_get_some(capsys: Capture) -> None:
    """And a metric without any is refused with the nearest that has."""
    done = ragproof(capsys, "labels", "show", OLD)
    assert done.code == EXIT_OK
    assert "no label serves this run; 'ragproof labels import FILE --run RUN' adds some" in done.out
    assert ragproof(capsys, "labels", "show", OLD, "--json").json["metrics"] == {}
    ragproof(capsys, "labels", "import", sheet("old.csv", TRUTH_OLD), "--run", OLD)
    refused = ragproof(capsys, "labels", "show", OLD, "--metric", "generation.groundednes")
    assert refused.code == EXIT_CONFIGURATION
    assert f"did you mean '{GROUNDED}'?" in refused.err
    assert ragproof(capsys, "labels", "show", OLD, "--metric", RELEVANT).code == EXIT_CONFIGURATION
    assert ragproof(capsys, "labels", "show", OLD, "--metric", GROUNDED).code == EXIT_OK


def test_runs_that_do_not_compare_are_not_held_against_each_other(capsys: Capture) -> None:
    """As in every other command."""
    ragproof(capsys, "labels", "import", sheet("old.csv", TRUTH_OLD), "--run", OLD)
    with open_store() as store:
        store.runs.update(NEW, comparability={"k": 9, "metrics": {GROUNDED: 1, RELEVANT: 1}})
    done = ragproof(capsys, "labels", "show", NEW, "--against", OLD)
    assert done.code == EXIT_EXECUTION
    assert "cannot be compared" in done.err


def test_labels_are_listed_by_who_gave_them_and_removed_by_name(capsys: Capture) -> None:
    """Nothing goes without a yes."""
    for who in ("Ann", "Bob"):
        ragproof(capsys, "labels", "import", sheet("l.csv", TRUTH_OLD, 3, who), "--run", OLD, "--random")
    ragproof(capsys, "labels", "import", sheet("l.csv", TRUTH_NEW, 2, ""), "--run", NEW)
    listed = ragproof(capsys, "labels", "list").out.splitlines()
    assert [line.split()[:5] for line in listed[2:]] == [
        [OLD, GROUNDED, "Ann", "3", "3"],
        [OLD, GROUNDED, "Bob", "3", "3"],
    ]
    assert listed[1].split()[:5] == [NEW, GROUNDED, "(not", "named)", "2"]
    of_one = ragproof(capsys, "labels", "list", "--run", "reranked", "--json").json
    assert [(each["run_id"], each["labels"], each["at_random"]) for each in of_one] == [(NEW, 2, 0)]
    assert ragproof(capsys, "labels", "remove").code == EXIT_CONFIGURATION
    asked = ragproof(capsys, "labels", "remove", "--labeller", "Bob")
    assert (asked.code, asked.out) == (EXIT_CONFIGURATION, "")
    assert "this would remove 3 labels of 1 run; --yes does it without asking" in asked.err
    done = ragproof(capsys, "labels", "remove", "--labeller", "Bob", "--yes")
    assert (done.code, done.out) == (EXIT_OK, "removed 3 labels of 1 run\n")
    gone = ragproof(capsys, "labels", "remove", "--labeller", "Bob", "--yes", "--json")
    assert gone.json == {"labels": 0, "runs": [], "not_reclaimed": None}
    left = ragproof(capsys, "labels", "list", "--json").json
    assert [each["labeller"] for each in left] == ["", "Ann"]


def test_the_group_lists_its_commands(capsys: Capture) -> None:
    """With a whole sentence each."""
    told = ragproof(capsys, "labels", "--help")
    assert told.code == EXIT_OK
    for command in ("import", "show", "list", "remove"):
        (line,) = (line for line in told.out.splitlines() if line.strip().startswith(f"{command} "))
        assert line.endswith(".")
        assert not line.endswith("...")


def test_a_hostile_labeller_drives_no_terminal(capsys: Capture) -> None:
    """A name is shown as text."""
    ragproof(capsys, "labels", "import", sheet("l.csv", TRUTH_OLD, 1, "\x1b[2J[bold]"), "--run", OLD)
    listed = ragproof(capsys, "labels", "list").out
    assert "\x1b" not in listed
    assert "\\x1b[2J[bold]" in listed
