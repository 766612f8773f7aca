"""Two runs on the screen: what may be claimed comes first, then what it rests on, then single cases."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

from ragproof.cli import screen
from ragproof.comparing.case_stories import CaseStory, score_changes
from ragproof.comparing.comparison import IN_STORE, Comparison
from ragproof.comparing.comparison_wording import cautions, headline
from ragproof.comparing.metric_tables import metric_tables
from ragproof.comparing.shown_table import Note, ShownTable
from ragproof.comparing.story_wording import scores, title
from ragproof.comparing.subset_tables import group_table, runs_table, tag_table
from ragproof.comparing.worsened_case import Side
from ragproof.reports.visible import excerpt, visible

COLUMNS = 100
_LABEL = 11
_TEXT = COLUMNS - _LABEL - 2


def print_comparison(comparison: Comparison) -> None:
    """Print a comparison for a reader."""
    first, *rest = headline(comparison, visible)
    _wrapped(first, "bold")
    for sentence in rest:
        _wrapped(sentence)
    for table in (runs_table(comparison), *metric_tables(comparison)):
        _table(table)
    screen.say()
    for note in cautions(comparison):
        _note(note)
    for table in (tag_table(comparison), group_table(comparison)):
        if table.rows:
            _table(table)
    told = comparison.told
    _stories(f"cases that got worse ({len(comparison.worse)})", comparison, comparison.worse[:told])
    _stories(f"cases that got better ({comparison.n_better})", comparison, comparison.better)
    _next(comparison)


def _table(table: ShownTable) -> None:
    screen.heading(table.title)
    if table.rows:
        screen.table(table.headings, table.rows, table.headings[:1])
    for note in table.notes:
        _note(note)


def _note(note: Note) -> None:
    listed = f": {', '.join(visible(item) for item in note.items)}" if note.items else ""
    _wrapped(f"{note.text}{listed}")


def _wrapped(text: str, style: str = "") -> None:
    for number, line in enumerate(textwrap.wrap(text, COLUMNS - 2, break_on_hyphens=False)):
        screen.say(f"{'  ' if number else ''}{line}", style)


def _stories(heading: str, comparison: Comparison, stories: Sequence[CaseStory]) -> None:
    if not stories:
        return
    screen.heading(heading)
    for number, story in enumerate(stories):
        if number:
            screen.say()
        _wrapped(visible(title(story)), "bold")
        rows = [("why", excerpt(story.finding.why, _TEXT))] if story.finding else []
        if story.case is not None:
            rows.append(("question", excerpt(story.case.question, _TEXT)))
        rows += [
            ("baseline", _answer(story.before, comparison.absent[0])),
            ("candidate", _answer(story.after, comparison.absent[1])),
            ("scores", excerpt(scores(score_changes(comparison.changes, story), _TEXT), _TEXT)),
        ]
        for label, value in rows:
            screen.say(f"  {label:<{_LABEL}}{value}".rstrip())


def _answer(side: Side, absent: str) -> str:
    if side.outcome is None:
        return f"({absent})"
    if side.failure is not None:
        return excerpt(f"failed: {side.failure.reason}", _TEXT)
    if side.answer is None:
        return "(no answer)"
    return excerpt(side.answer, _TEXT) or "(empty)"


def _next(comparison: Comparison) -> None:
    runs = zip((comparison.pair.first, comparison.pair.second), comparison.absent, strict=True)
    stories = (*comparison.worse, *comparison.better)
    commands = [
        f"ragproof show {visible(run.record.id)} --case {visible(shlex.quote(stories[0].case_id))}"
        for run, absent in runs
        if absent == IN_STORE and stories
    ]
    if commands:
        screen.say()
    for number, command in enumerate(commands):
        screen.say(f"{'      ' if number else 'next: '}{command}", "bold")
