"""What `ragproof store` prints: for people, or as strict JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ragproof.cli import screen
from ragproof.reports import rounding
from ragproof.reports.strict_json import strict_json
from ragproof.reports.visible import visible

if TYPE_CHECKING:
    from ragproof.store.checking import Checked
    from ragproof.store.erasing import Erased
    from ragproof.store.pruning import Pruned

BYTES_A_MB = 1_000_000
MB_DIGITS = 1
SHOWN = 20


def as_json(fields: Mapping[str, object]) -> None:
    """Print strict JSON, alone on stdout."""
    sys.stdout.write(strict_json(fields))


def print_checked(checked: Checked) -> None:
    """Print what was found: faults first."""
    for fault in checked.faults:
        say(f"fault: {fault}", "bold red")
    screen.pairs(
        [
            ("store", checked.store),
            ("identity", checked.identity),
            ("schema", checked.schema_revision),
            ("size", size(checked.size_bytes)),
            *((table, _number(number, "row")) for table, number in checked.rows.items()),
            *([("erased", f"{checked.erased_cases:,} cases")] if checked.erased_cases else []),
        ]
    )
    for lease in checked.leases:
        state = "left by" if lease.abandoned else "worked on by"
        say(f"run {lease.run_id} is {state} {lease.holder}, until {lease.until:%Y-%m-%d %H:%M:%S %Z}")
    for run_id in checked.interrupted_runs:
        say(f"run {run_id} was interrupted; next: ragproof run --resume {run_id}")
    for run_id in checked.unled_runs:
        say(f"run {run_id} says it is running, and no process holds it; next: ragproof show {run_id}")
    say(f"{len(checked.faults)} faults" if checked.faults else "sound", "bold")


def pruned_in_words(pruned: Pruned) -> str:
    """Return what is removed, as it stands in a sentence."""
    return (
        f"{_number(len(pruned.runs), 'run')} that ended before {pruned.before:%Y-%m-%d %H:%M} UTC"
        f" and {_number(len(pruned.datasets), 'dataset')} that no run names"
    )


def print_pruned(pruned: Pruned, dry_run: bool) -> None:
    """Print what was, or would be, removed, and what was left alone."""
    say(f"{'would remove' if dry_run else 'removed'} {pruned_in_words(pruned)}")
    _some(f"- run {run_id}" for run_id in pruned.runs)
    for run_id in pruned.running:
        say(f"kept run {run_id}: it is running, or says so")
    if not dry_run:
        say(pruned.not_reclaimed or f"{size(pruned.freed_bytes)} given back")


def erased_in_words(erased: Erased) -> str:
    """Return what is removed, as it stands in a sentence."""
    return (
        f"{_number(erased.cases, 'case')}: {_number(erased.dataset_rows, 'dataset row')},"
        f" {_number(erased.calls, 'call')}, {_number(erased.scores, 'score')}"
        + (f", {_number(erased.labels, 'label')}" if erased.labels else "")
        + (f" and the tag's own {_number(erased.tag_summaries, 'summary')}" if erased.tag_summaries else "")
    )


def print_erased(erased: Erased, dry_run: bool) -> None:
    """Print what was, or would be, removed, and what still counts it."""
    say(f"{'would erase' if dry_run else 'erased'} {erased_in_words(erased)}")
    for run in erased.still_counting[:SHOWN]:
        say(
            f"run {run.run_id}: {_number(run.summaries, 'summary')} still count"
            f"{'s' if run.summaries == 1 else ''} {_number(run.cases, 'erased case')}, as numbers alone"
        )
    if len(erased.still_counting) > SHOWN:
        say(f"and {len(erased.still_counting) - SHOWN:,} more runs")
    if not dry_run:
        say(
            "take the case out of the dataset's file too, or the next run keeps it again; reports that were"
            " written, Prefect's records and backups are not in the store"
        )
        if erased.not_reclaimed:
            say(erased.not_reclaimed)


def size(number: int) -> str:
    """Return a size as `12.3 MB`."""
    return f"{rounding.fixed(number / BYTES_A_MB, MB_DIGITS)} MB"


def _number(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what.removesuffix('y')}ies" if what.endswith("y") else f"{number:,} {what}s"


def _some(told: Iterable[str]) -> None:
    lines = list(told)
    for line in lines[:SHOWN]:
        say(line)
    if len(lines) > SHOWN:
        say(f"- and {len(lines) - SHOWN:,} more")


def say(text: str, style: str = "") -> None:
    """Print a line that may hold foreign text."""
    screen.say(visible(text), style)
