"""Markdown that foreign text cannot break out of, read by a real Markdown reader."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ragproof.reports.markdown_text import EMPTY, code, table
from ragproof.reports.visible import visible

READER = MarkdownIt("commonmark", {"html": True}).enable("table")
SHARP = st.text(st.sampled_from("`|\\ \n<>![]()*_~&#-:@.a\x1b\u202e"), max_size=40)
"""Text of the characters that mean something to Markdown."""
HOSTILE = st.one_of(SHARP, st.text(max_size=40))


def inline(markdown: str) -> list[Token]:
    """Return the inline tokens of a text, flat."""
    return [child for token in READER.parse(markdown) for child in token.children or ()]


@settings(deadline=None)
@given(HOSTILE)
@example("`")
@example("``` ` ```")
@example("\\`")
@example("<!-- -->")
@example("[x](http://evil.example)")
def test_foreign_text_is_one_code_span_that_says_what_was_there(text: str) -> None:
    """It can open no link, image, HTML, heading or list, and nothing of it is lost."""
    written = code(text)
    if not visible(text):
        assert written == EMPTY
        return
    tokens = inline(written)
    assert [(token.type, token.content) for token in tokens] == [("code_inline", visible(text))]


@settings(deadline=None)
@given(st.lists(st.tuples(HOSTILE, HOSTILE, HOSTILE), min_size=1, max_size=4))
@example([("\\|", "\\\\|", "a|")])
def test_a_table_keeps_its_cells_whatever_is_in_them(rows: list[tuple[str, str, str]]) -> None:
    """A pipe, a line break or a backslash before a pipe ends no cell, and each holds one code span."""
    tokens = READER.parse(table(("a", "b", "c"), [tuple(map(code, row)) for row in rows]))
    assert [token.type for token in tokens].count("tr_open") == 1 + len(rows)
    cells = [
        after.children or []
        for before, after in pairwise(tokens)
        if (before.type, after.type) == ("td_open", "inline")
    ]
    found = [[(token.type, token.content) for token in cell] for cell in cells]
    assert found == [in_a_cell(text) for row in rows for text in row]


def in_a_cell(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a cell; a backslash is set apart from the pipe it would escape."""
    shown = visible(text)
    if not shown:
        return [("em_open", ""), ("text", "(empty)"), ("em_close", "")]
    return [("code_inline", shown.replace("\\|", "\\ |"))]


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("plain text gets the shortest fence", "28 days", "`28 days`"),
        ("the fence is longer than any run inside", "a `` b", "```a `` b```"),
        ("a space keeps an outer backtick from the fence", "`x`", "`` `x` ``"),
        ("nothing would be no span", "", EMPTY),
        ("a line break is a space", "a\nb", "`a b`"),
    ],
)
def test_a_code_span_is_fenced_by_its_content(why: str, text: str, expected: str) -> None:
    """The rule of CommonMark for code spans."""
    assert code(text) == expected, why


def test_long_text_is_cut() -> None:
    """A report is not the place for a whole document."""
    assert code("x" * 500, 10) == f"`{'x' * 9}…`"
