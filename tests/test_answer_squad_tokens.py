"""SQuAD tokens: what the SQuAD v2 evaluation compares, its traps included."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.squad_tokens import squad_tokens

TOKENS = [
    # why, text, tokens separated by |
    ("case is lowered", "PARIS", "paris"),
    ("lowered, not folded", "Straße", "straße"),
    ("punctuation is deleted and joins", "state-of-the-art U.S. 3.5 -5 $5 50%", "stateoftheart|us|35|5|5|50"),
    ("every ASCII mark of it", f"x{string.punctuation}y", "xy"),
    ("no other punctuation is", "“Paris” 東京。", "“paris”|東京。"),
    ("articles are dropped", "The cat, a dog and an owl", "cat|dog|and|owl"),
    ("punctuation goes first, and may make an article", "t.h.e a. _a_ x", "x"),
    ("or hide one", "a_b the-end", "ab|theend"),
    ("an article ends at any mark that is no letter", "“the”", "“|”"),
    ("an article inside a word stays", "theatre banana aé", "theatre|banana|aé"),
    ("white space of any kind separates", "x\u00a0y\u3000z\x1cw\n", "x|y|z|w"),
    ("a zero-width space is none", "x\u200by", "x\u200by"),
    ("composed and decomposed differ", "é e\u0301", "é|e\u0301"),
    ("nothing leaves nothing", "", ""),
    ("articles and punctuation alone leave nothing", " The ... a!", ""),
    ("a lone surrogate is kept", "\ud800", "\ud800"),
]


@pytest.mark.parametrize(("why", "text", "tokens"), TOKENS, ids=[row[0] for row in TOKENS])
def test_a_text_has_the_known_tokens(why: str, text: str, tokens: str) -> None:
    """Each row is one clause of the definition."""
    assert squad_tokens(text) == tuple(tokens.split("|") if tokens else ()), why


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=())))
def test_tokens_hold_neither_punctuation_articles_nor_white_space(text: str) -> None:
    """What the definition takes away is not there afterwards."""
    for token in squad_tokens(text):
        assert not set(token) & set(string.punctuation)
        assert token not in ("", "a", "an", "the")
        assert token.split() == [token]


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=())), st.sampled_from(string.punctuation))
def test_ascii_punctuation_anywhere_changes_nothing(text: str, mark: str) -> None:
    """Deleted is deleted."""
    middle = len(text) // 2
    assert squad_tokens(text[:middle] + mark + text[middle:]) == squad_tokens(text)
