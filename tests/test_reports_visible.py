"""Text of others made safe to show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.reports.visible import excerpt, visible, visible_lines

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
"""Lone surrogates included."""


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("ordinary text stays", "28 days", "28 days"),
        ("other scripts stay", "पाँच दिन 五日", "पाँच दिन 五日"),
        ("white space is squeezed to one line", " a\r\n\tb\u2028c ", "a b c"),
        ("an escape sequence is shown, not obeyed", "\x1b[31mred", "\\x1b[31mred"),
        ("so is a C1 control, which some terminals obey", "a\x9b31m", "a\\x9b31m"),
        ("a direction override cannot reorder a line", "abc\u202edef", "abc\\u202edef"),
        ("an isolate cannot either", "a\u2066b", "a\\u2066b"),
        ("a zero-width space hides nothing", "to\u200bken", "to\\u200bken"),
        ("tag characters hide nothing", "a\U000e0041", "a\\U000e0041"),
        ("a lone surrogate is no text", "a\ud800b", "a\\ud800b"),
        ("a joiner shapes Persian and emoji", "می\u200cخواهم", "می\u200cخواهم"),
        ("a soft hyphen only breaks lines", "Urlaubs\u00adtag", "Urlaubs\u00adtag"),
        ("markup is text", "[bold]x[/]", "[bold]x[/]"),
        ("nothing is nothing", " \n ", ""),
    ],
)
def test_what_is_obeyed_or_hidden_is_shown(why: str, text: str, expected: str) -> None:
    """A reader sees what is there."""
    assert visible(text) == expected, why


@settings(deadline=None)
@given(ANY_TEXT)
def test_shown_text_is_one_line_without_controls(text: str) -> None:
    """Whatever came in, no control character and no half of a pair goes out."""
    shown = visible(text)
    shown.encode("utf-8")
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert visible(shown) == shown


@settings(deadline=None)
@given(ANY_TEXT, st.integers(1, 30))
def test_an_excerpt_is_no_longer_than_asked(text: str, length: int) -> None:
    """It is the beginning, and says so when there was more."""
    shown = excerpt(text, length)
    assert len(shown) <= length
    assert shown == visible(text) or shown.endswith("…")


def test_lines_keep_their_indentation() -> None:
    """An answer that is a list or code reads as it was written."""
    assert visible_lines("a\n\n  b\tc\x07") == ("a", "", "  b c\\x07")


def test_empty_text_has_no_lines() -> None:
    """Nothing to show is an empty tuple."""
    assert visible_lines("") == ()
