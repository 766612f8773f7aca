"""A comparison as Markdown: for a pull request or a wiki, with no foreign text that is read as markup."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.comparing.case_stories import CaseStory, score_changes
from ragproof.comparing.comparison import Comparison
from ragproof.comparing.comparison_wording import cautions, headline
from ragproof.comparing.metric_tables import metric_tables
from ragproof.comparing.shown_table import Note, ShownTable
from ragproof.comparing.story_wording import scores, title
from ragproof.comparing.subset_tables import group_table, runs_table, tag_table
from ragproof.comparing.worsened_case import Side
from ragproof.reports import rounding
from ragproof.reports.markdown_text import code, table

TEXT_CHARACTERS = 250


def render(comparison: Comparison) -> str:
    """Write a comparison as GitHub-flavoured Markdown."""
    first, *rest = headline(comparison, code)
    told = comparison.told
    sections = (
        f"# {first}\n",
        "".join(f"- {sentence}\n" for sentence in rest),
        _table(runs_table(comparison)),
        *(_table(each) for each in metric_tables(comparison)),
        "".join(f"- {_note(note)}\n" for note in cautions(comparison)),
        *(_table(each) for each in (tag_table(comparison), group_table(comparison)) if each.rows),
        _stories(f"cases that got worse ({len(comparison.worse)})", comparison, comparison.worse[:told]),
        _stories(f"cases that got better ({comparison.n_better})", comparison, comparison.better),
    )
    return "\n".join(section for section in sections if section)


def _table(shown: ShownTable) -> str:
    rows = [
        [code(cell) if number in shown.foreign else cell for number, cell in enumerate(row)]
        for row in shown.rows
    ]
    drawn = table(shown.headings, rows) if rows else ""
    notes = "".join(f"- {_note(note)}\n" for note in shown.notes)
    parts = [part for part in (drawn, notes) if part]
    return f"## {_heading(shown.title)}\n\n" + "\n".join(parts)


def _note(note: Note) -> str:
    return note.text + (f": {', '.join(map(code, note.items))}" if note.items else "")


def _stories(heading: str, comparison: Comparison, stories: Sequence[CaseStory]) -> str:
    if not stories:
        return ""
    rows = [
        (
            code(title(story), TEXT_CHARACTERS),
            code(story.finding.why, TEXT_CHARACTERS) if story.finding else rounding.ABSENT,
            code(story.case.question, TEXT_CHARACTERS) if story.case else rounding.ABSENT,
            _answer(story.before, comparison.absent[0]),
            _answer(story.after, comparison.absent[1]),
            code(scores(score_changes(comparison.changes, story), TEXT_CHARACTERS), TEXT_CHARACTERS),
        )
        for story in stories
    ]
    headings = ("case", "why", "question", "baseline", "candidate", "scores")
    return f"## {_heading(heading)}\n\n{table(headings, rows)}"


def _answer(side: Side, absent: str) -> str:
    if side.outcome is None:
        return absent
    if side.failure is not None:
        return f"failed: {code(side.failure.reason, TEXT_CHARACTERS)}"
    return "no answer" if side.answer is None else code(side.answer, TEXT_CHARACTERS)


def _heading(text: str) -> str:
    return text[:1].upper() + text[1:]
