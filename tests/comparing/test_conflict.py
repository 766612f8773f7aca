"""Whether an answer says otherwise than what it was read from, told from words alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.comparing.conflict import conflict, speaks_of

SOURCE = "Staff may work remotely up to three days a week. The office day is Wednesday."
OTHER = "The canteen opens at 11:30 and closes at 14:00. Staff pay by card."
QUESTION = "How many days a week may staff work remotely?"


@pytest.mark.parametrize(
    ("why", "answer", "right"),
    [
        (
            "one word is another",
            "Staff may work remotely up to five days a week.",
            ["three days a week"],
        ),
        ("a word is put in between", "Staff may not work remotely up to three days a week.", ["three days"]),
        ("a figure that stands nowhere", "It is 17 days.", ["3 days"]),
        (
            "twisted from what was right before, in another script",
            "社員は週に五日まで在宅勤務ができます。",
            ["社員は週に三日まで在宅勤務ができます。"],
        ),
        (
            "one false sentence among true ones",
            f"{OTHER} Staff may work remotely up to nine days a week.",
            ["three"],
        ),
        ("citations are no words", "Staff may work remotely up to five days a week. [1]", ["three days"]),
    ],
)
def test_a_conflict_is_seen(why: str, answer: str, right: list[str]) -> None:
    """And told with what was said."""
    assert conflict(answer, [SOURCE, OTHER], right, QUESTION), why


@pytest.mark.parametrize(
    ("why", "answer", "right"),
    [
        ("the same words", "Staff may work remotely up to three days a week.", ["three days a week"]),
        ("another form of them", "THREE days a week!", ["three days a week"]),
        ("fewer of them", "Up to three days a week.", ["Staff may work remotely up to three days a week."]),
        ("framed", "As far as I know, staff may work remotely up to three days a week.", ["three days"]),
        ("joined from one place", "Three days a week, the office day is Wednesday.", ["three days a week"]),
        ("another chunk, word for word", "The canteen opens at 11:30 and closes at 14:00.", ["3 days"]),
        ("a figure of another chunk", "11:30", ["3 days"]),
        ("a figure of the question is no claim", "You asked about 2025.", ["3 days"]),
        ("a citation is no figure", "Three days a week. [17]", ["3 days"]),
        ("something else entirely", "The weather is fine today.", ["three days a week"]),
        ("a figure where none is right", "Chapter 12 may help.", ["three days a week"]),
        ("nothing", "", ["three days a week"]),
        ("nothing is known to be right", "It is 17 days.", []),
    ],
)
def test_what_is_no_conflict_is_left_alone(why: str, answer: str, right: list[str]) -> None:
    """A false alarm would send a reader to the wrong place."""
    assert conflict(answer, [SOURCE, OTHER], right, f"{QUESTION} (2025)") is None, why


@given(
    st.text(max_size=200),
    st.lists(st.text(max_size=200), max_size=3),
    st.lists(st.text(max_size=60), max_size=2),
)
def test_any_text_is_read(answer: str, read: list[str], right: list[str]) -> None:
    """Lone surrogates, markup and noise; and what stands word for word in a chunk is no conflict."""
    conflict(answer, read, right)
    assert conflict(answer, [answer, *read], right) is None


@pytest.mark.parametrize(
    ("why", "answer", "right", "speaks"),
    [
        ("its words are those of the question", "Staff never work remotely.", [QUESTION], True),
        ("a third of them", "staff sing dance", [QUESTION], True),
        ("under a third", "staff sing dance laugh", [QUESTION], False),
        ("no word", "...", [QUESTION], False),
        ("nothing to speak of", "staff", [], False),
    ],
)
def test_an_answer_speaks_of_what_it_shares_words_with(
    why: str, answer: str, right: list[str], speaks: bool
) -> None:
    """At least a third."""
    assert speaks_of(answer, right) is speaks, why
