"""NFKC of hostile text: the same as Unicode's for anything a person writes, and never quadratic."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.normal_form import nfkc


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("compatibility forms are one", "ﬁ ２ ｶﾞ", "fi 2 ガ"),
        ("composed and decomposed are one", "e\u0301", "é"),
        ("thirty marks on a letter stay", "a" + "\u0316" * 29, "a" + "\u0316" * 29),
        ("a heap is broken up", "a" + "\u0316" * 61, "a" + "\u0316" * 30 + " " + "\u0316" * 30 + " \u0316"),
        ("nothing is nothing", "", ""),
    ],
)
def test_text_has_one_spelling(why: str, text: str, expected: str) -> None:
    """A row a sentence of the definition."""
    assert nfkc(text) == expected, why


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"]), max_size=60))
def test_text_without_heaps_is_unicodes_own_form(text: str) -> None:
    """What people write is not touched."""
    if all(unicodedata.category(character)[0] in "LN" or character.isascii() for character in text):
        assert nfkc(text) == unicodedata.normalize("NFKC", text)


def test_a_heap_of_a_hundred_thousand_marks_ends() -> None:
    """Sorted in one piece it would take most of a minute."""
    marks = "\u0316\u0301" * 50_000
    assert nfkc("a" + marks).count(" ") == 100_000 // 30
