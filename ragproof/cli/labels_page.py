"""What `ragproof labels` prints: for people, and the JSON of a run's labels."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ragproof.cli import screen
from ragproof.reports import labels_wording
from ragproof.reports.labels_wording import (
    AGREEMENT_HEADINGS,
    DIFFERENCE_HEADINGS,
    HEADINGS,
    agreement_rows,
    difference_rows,
    notes,
)
from ragproof.reports.visible import visible

if TYPE_CHECKING:
    from ragproof.labels.importing import Imported
    from ragproof.labels.labelled_view import LabelledView
    from ragproof.runs import RunRecord
    from ragproof.store.labels import Group
    from ragproof.store.removing_labels import Removed

COLUMNS = 100


def print_imported(imported: Imported) -> None:
    """Print what was new, whose it is, and what to type next."""
    named = f" by {_number(imported.labellers, 'labeller')}" if imported.labellers else ""
    _say(
        f"imported {_number(imported.labels, 'label')}{named} from {imported.file}: {_new(imported)}", "bold"
    )
    for run in imported.runs:
        metrics = ", ".join(f"{key} {_number(cases, 'case')}" for key, cases in run.cases.items())
        _say(f"run {run.run_id}: {metrics}")
    if imported.claimed:
        _say(f"{_number(imported.claimed, 'label')} had another claim about how the cases were drawn")
    drawn = "drawn at random from the run's, as --random claims"
    _say(f"the cases were {drawn}" if imported.at_random else _NOT_CLAIMED)
    screen.say()
    screen.say(f"next: ragproof labels show {visible(imported.runs[0].run_id)}", "bold")


_NOT_CLAIMED = (
    "nobody claims that the cases were drawn at random, so these labels correct no mean; if they were, import"
    " the file again with --random"
)


def _new(imported: Imported) -> str:
    if not imported.same:
        return "all of them new"
    return f"{imported.new} new, {imported.same} in the store already" if imported.new else "none of them new"


def print_view(view: LabelledView) -> None:
    """Print a run's means three ways, its difference from another, and what each rests on."""
    _say(f"run {view.run.id} ({view.run.pipeline}): human labels", "bold")
    if not view.corrections:
        _say("no label serves this run; 'ragproof labels import FILE --run RUN' adds some")
    else:
        _say(labels_wording.SENTENCE)
        screen.say()
        screen.table(HEADINGS, labels_wording.rows(view.corrections), HEADINGS[:1])
        for each in view.corrections:
            for note in notes(each):
                items = f": {', '.join(note.items)}" if note.items else ""
                _say(f"{each.metric}: {note.text}{items}")
        agreed = agreement_rows(view.corrections)
        if agreed:
            screen.heading("how the judge agrees with the labels, and people with one another (the ceiling)")
            screen.table(AGREEMENT_HEADINGS, agreed, AGREEMENT_HEADINGS[:1])
    if view.baseline is not None:
        _differences(view, view.baseline)


def _differences(view: LabelledView, baseline: RunRecord) -> None:
    screen.heading(f"gain over run {visible(baseline.id)} ({visible(baseline.pipeline)}); + is better")
    if not view.differences:
        screen.say("neither run has labels")
        return
    screen.table(DIFFERENCE_HEADINGS, difference_rows(view.differences), DIFFERENCE_HEADINGS[:1])
    for each in view.differences:
        if each.reason is not None:
            _say(f"{each.metric}: not corrected: {each.reason}")
        if each.people is not None and each.people.note:
            _say(f"{each.metric}: labels alone: {each.people.note}")


def as_json(view: LabelledView) -> dict[str, JsonValue]:
    """Return a view as JSON values; `baseline` and `cases` are null, `differences` empty without one."""
    return {
        **_run(view.run),
        "metrics": {each.metric: each.model_dump(mode="json") for each in view.corrections},
        "baseline": None if view.baseline is None else _run(view.baseline),
        "cases": view.cases,
        "differences": {each.metric: each.model_dump(mode="json") for each in view.differences},
    }


def _run(run: RunRecord) -> dict[str, JsonValue]:
    return {
        "run_id": run.id,
        "project": run.project,
        "pipeline": run.pipeline,
        "label": run.label,
        "status": run.status.value,
    }


def print_groups(groups: Sequence[Group]) -> None:
    """Print who labelled what."""
    if not groups:
        screen.say("no labels; 'ragproof labels import FILE --run RUN' adds some")
        return
    headings = ("run", "metric", "labeller", "labels", "drawn at random", "imported")
    rows = (
        (
            group.run_id,
            group.metric,
            group.labeller or "(not named)",
            f"{group.labels:,}",
            f"{group.at_random:,}",
            f"{group.imported_at:%Y-%m-%d %H:%M:%S}",
        )
        for group in groups
    )
    screen.table(headings, rows, headings[:2])


def removed_in_words(removed: Removed) -> str:
    """Return what is removed, as it stands in a sentence."""
    return f"{_number(removed.labels, 'label')} of {_number(len(removed.runs), 'run')}"


def print_removed(removed: Removed) -> None:
    """Print what was removed."""
    _say(
        f"removed {removed_in_words(removed)}" if removed.labels else "no label is meant; nothing was removed"
    )
    if removed.not_reclaimed:
        _say(removed.not_reclaimed)


def _number(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def _say(text: str, style: str = "") -> None:
    """Print a sentence that may hold foreign text."""
    for line in _lines(text):
        screen.say(line, style)


def _lines(text: str) -> Iterator[str]:
    lines = textwrap.wrap(visible(text), COLUMNS - 2, break_on_hyphens=False, break_long_words=False)
    yield from (line if number == 0 else f"  {line}" for number, line in enumerate(lines))
