"""The section on labels in a run's report: on the screen, in Markdown and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.cli import report_page
from ragproof.config import Content
from ragproof.labels.correction import NOT_DRAWN, Adjusted, Correction, Estimate
from ragproof.labels.human_label import HumanLabel
from ragproof.metric import Direction
from ragproof.reports.disclosure import disclose
from ragproof.reports.labels import Labels
from ragproof.reports.labels_wording import mean, notes, rows
from ragproof.reports.registry import render
from ragproof.reports.report import gather
from ragproof.statistics.interval import Flag
from ragproof.store.opening import open_store
from tests.fakes.labelled_runs import GROUNDED, keep_judged
from tests.fakes.reports import small_report

RUN = "a" * 12
HOSTILE = "b`|<img>"
PEOPLE = Estimate(mean=2 / 3, low=0.25, high=0.9, confidence=0.95, method="Wilson")
PPI = Estimate(mean=0.7404, low=0.6889, high=0.79, confidence=0.95, method="PPI++")


def correction(**changes: object) -> Correction:
    """A metric that labels correct."""
    whole: dict[str, object] = {
        "metric": GROUNDED,
        "direction": Direction.HIGHER,
        "raw": 0.812,
        "cases": 400,
        "labelled": 120,
        "corrected": PPI,
        "reason": None,
        "weight": 0.8,
        "people": PEOPLE,
        "basis": 120,
        "disagreements": 20,
        "rarer": 30,
        "without_number": 0,
        "not_at_random": 0,
        "of_other_runs": 0,
        "lenders": (),
        "labellers": 2,
        "adjusted": None,
        "not_adjusted": None,
        "agreement": None,
    }
    return Correction.model_validate({**whole, **changes})


def test_a_row_says_the_mean_three_ways() -> None:
    """Rounded alike, and nothing where there is nothing."""
    assert rows([correction()]) == [
        (GROUNDED, "0.812", "0.740 (0.689 to 0.790)", "0.667 (0.250 to 0.900)", "120 of 400")
    ]
    assert rows([correction(raw=None, corrected=None, people=None)]) == [
        (GROUNDED, "-", "-", "-", "120 of 400")
    ]


@pytest.mark.parametrize(
    ("why", "number", "expected"),
    [
        ("a gain", 0.25, "+0.250"),
        ("a loss", -0.25, "-0.250"),
        ("none", 0.0, "0.000"),
        ("next to none", 1e-9, "0.000"),
    ],
)
def test_a_gain_has_its_sign(why: str, number: float, expected: str) -> None:
    """What rounds to nothing has none."""
    bare = Estimate(mean=number, low=None, high=None, confidence=0.95, method="none")
    assert mean(GROUNDED, bare, signed=True) == expected, why


NOTES = [
    ({}, []),
    (
        {"reason": "99 labels, a correction needs at least 100"},
        ["not corrected: 99 labels, a correction needs at least 100"],
    ),
    (
        {"reason": NOT_DRAWN},
        [f"not corrected: {NOT_DRAWN}; if they were, import them again with --random"],
    ),
    (
        {"reason": NOT_DRAWN, "of_other_runs": 3, "lenders": ("x",)},
        [
            f"not corrected: {NOT_DRAWN}; the answers that changed since their draw need labels too, imported"
            " with --random",
            "3 cases have their labels from the very same answer of another run",
        ],
    ),
    (
        {"adjusted": Adjusted(share=PEOPLE, sensitivity=0.9, specificity=0.8)},
        [
            "by the judge's sensitivity 0.900 and specificity 0.800 (Rogan and Gladen) its share is"
            " 0.667 (0.250 to 0.900)"
        ],
    ),
    (
        {"basis": 110, "not_at_random": 10},
        ["10 labelled cases were not drawn at random, and correct nothing"],
    ),
    ({"basis": 119, "not_at_random": 1}, ["1 labelled case was not drawn at random, and corrects nothing"]),
    ({"without_number": 1}, ["1 labelled case has no number of the judge, and is left out"]),
    ({"without_number": 2}, ["2 labelled cases have no number of the judge, and are left out"]),
    (
        {"people": PEOPLE.model_copy(update={"note": Flag.ALL_EQUAL.value})},
        [f"labels alone: {Flag.ALL_EQUAL.value}"],
    ),
]


@pytest.mark.parametrize(("changes", "expected"), NOTES)
def test_a_note_says_what_a_number_rests_on(changes: dict[str, object], expected: list[str]) -> None:
    """A sentence for each thing that a reader has to know."""
    assert [note.text for note in notes(correction(**changes))] == expected


def test_every_format_has_the_section(capsys: pytest.CaptureFixture[str]) -> None:
    """In Markdown nothing of it can be anything but text."""
    found = correction(of_other_runs=2, lenders=(HOSTILE,), reason="why not")
    report = small_report(labels=Labels(corrections=(found,)))
    told = json.loads(render(report, "json"))["labels"]
    assert told == {"corrections": [found.model_dump(mode="json")]}
    written = render(report, "markdown")
    assert "## Human labels" in written
    assert f"| `{GROUNDED}` | 0.812 | 0.740 (0.689 to 0.790) |" in written
    assert f"- `{GROUNDED}`: not corrected: why not\n" in written
    assert "another run: ``b`|<img>``" in written
    report_page.print_report(report)
    page = capsys.readouterr().out
    assert "human labels" in page
    assert "0.740 (0.689 to 0.790)" in page
    assert f"of another run: {HOSTILE}" in page


def test_a_run_without_labels_has_no_section(capsys: pytest.CaptureFixture[str]) -> None:
    """And null in JSON."""
    report = small_report()
    assert json.loads(render(report, "json"))["labels"] is None
    assert "labels" not in render(report, "markdown").lower()
    report_page.print_report(report)
    assert "human labels" not in capsys.readouterr().out


def test_a_report_gathers_what_labels_say_and_names_nobody(tmp_path: Path) -> None:
    """Whatever of the cases it discloses."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        keep_judged(store, ["yes", "no"], {GROUNDED: [1.0, 0.0]}, run_id=RUN)
        assert gather(store, RUN).labels is None
        store.labels.put(
            [HumanLabel(run_id=RUN, case_id="c0", metric=GROUNDED, value=0.0, labeller="Ann-of-Oak-Lane")]
        )
        report = gather(store, RUN)
    assert report.labels is not None
    (found,) = report.labels.corrections
    assert (found.metric, found.raw, found.labelled) == (GROUNDED, 0.5, 1)
    for content in Content:
        written = render(disclose(report, content), "json")
        assert '"labelled": 1' in written
        assert "Ann" not in written
