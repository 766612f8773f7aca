"""The options of `ragproof rank --test`: which run a name means, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.six_queries import QUERIES, RUNS, ranking, write_all, write_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgments of six queries, and three runs."""
    return write_all(tmp_path)


@pytest.fixture
def rank(capsys: pytest.CaptureFixture[str], folder: Path) -> Any:
    """The command on them."""
    return ranking(capsys, folder)


@pytest.mark.parametrize(
    ("why", "baseline", "title"),
    [
        ("its title", "best_1.run", "best_1.run"),
        ("without the suffix", "best_1", "best_1.run"),
        ("white space and all", "most & more", "most & more.run"),
    ],
)
def test_a_baseline_is_found_by_what_it_is_called(why: str, baseline: str, title: str, rank: Any) -> None:
    """As it is printed, or shorter."""
    done = rank(*RUNS, "--test", "--baseline", baseline, "--json")
    assert done.json["test"]["baseline"] == title, why


def test_a_baseline_is_found_by_its_path(rank: Any, folder: Path) -> None:
    """Which is its title, too, where two files have one name."""
    (folder / "other").mkdir()
    write_run(folder / "other" / "half.run", dict.fromkeys(QUERIES, 1))
    path = str(folder / "other" / "half.run")
    done = rank("half.run", path, "--test", "--baseline", path, "--json")
    assert done.json["test"]["baseline"] == path
    ambiguous = rank("half.run", path, "--test", "--baseline", "half")
    assert ambiguous.code == 3
    assert "baseline 'half' means 2 of the runs: " in ambiguous.err
    assert "expected one, which its path tells" in ambiguous.err


@pytest.mark.parametrize(
    ("why", "options", "told"),
    [
        (
            "a name that is none",
            ["--baseline", "haf.run"],
            "no run is named 'haf.run', expected the baseline",
        ),
        ("the nearest is suggested", ["--baseline", "haf.run"], "; did you mean 'half.run'?"),
        ("nothing is near", ["--baseline", "zzz"], "; there are 'half.run', 'best_1.run', 'most & more.run'"),
        (
            "two baselines",
            ["--baseline", "half", "--baseline", "best_1"],
            "--baseline is given 2 times, expected once: 'half', 'best_1'",
        ),
        ("a seed under 0", ["--seed", "-1"], "--seed is '-1', expected a whole number of at least 0"),
        (
            "draws that can show nothing",
            ["--draws", "19"],
            "--draws is '19', expected at least 20; with fewer",
        ),
        ("nothing to test", ["--metrics", "judged@5"], "--test has only the share of judged documents"),
    ],
)
def test_what_cannot_be_followed_is_refused(why: str, options: Sequence[str], told: str, rank: Any) -> None:
    """With exit code 3, the value and the cure; nothing is on stdout."""
    done = rank(*RUNS, "--test", *options)
    assert (done.code, done.out) == (3, ""), why
    assert told in done.err, why


def test_a_baseline_that_is_given_twice_is_refused(rank: Any) -> None:
    """It would be held against itself."""
    for name in ("half", "half.run"):
        done = rank("half.run", "best_1.run", "half.run", "--test", "--baseline", name)
        assert done.code == 3
        assert "is given 2 times, expected once" in done.err


def test_one_run_cannot_be_tested(rank: Any) -> None:
    """With every other fault beside it."""
    done = rank("half.run", "--test", "--baseline", "best", "--draws", "1")
    assert done.code == 3
    assert [line.partition(",")[0] for line in done.err.splitlines()] == [
        "error: --test holds runs against each other",
        "error: --draws is '1'",
        "error: no run is named 'best'",
    ]


@pytest.mark.parametrize("option", ["--baseline half", "--seed 0", "--draws 9999"])
def test_options_of_the_test_say_nothing_without_it(option: str, rank: Any) -> None:
    """So they are refused, and not ignored."""
    done = rank(*RUNS, *option.split())
    name = option.split()[0]
    assert done.code == 3
    assert done.err == f"error: {name} says nothing without --test; add --test, or leave {name} out\n"
