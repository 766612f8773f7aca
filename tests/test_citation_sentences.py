"""The sentences of an answer and what each cites: one row for each rule of the reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.metrics.judged.citations.sentences import read

NAMED = {"c1": 1, "hr-policy#2": 2, "7": 3}
SOURCES = 5

Cited = tuple[str, list[int | str]]
"""A sentence with the places it cites; a label where it points at nothing."""

ROWS: list[tuple[str, str, list[Cited]]] = [
    # why, answer, sentences
    ("a mark before the full stop", "It is red [1].", [("It is red.", [1])]),
    ("a mark right after it", "It is red.[1] It is old.", [("It is red.", [1]), ("It is old.", [])]),
    ("and after a space", "It is red. [1] It is old. [2]", [("It is red.", [1]), ("It is old.", [2])]),
    ("no space after the mark", "It is red.[1]It is old.[2]", [("It is red.", [1]), ("It is old.", [2])]),
    ("a mark within", "It is red [1], and old [2].", [("It is red, and old.", [1, 2])]),
    ("a mark that leads a line", "[1] It is red. It is old.", [("It is red.", [1]), ("It is old.", [])]),
    ("a mark on a line of its own", "It is red.\n[1]", [("It is red.", [1])]),
    ("several in a row", "Red [1][2] [3].", [("Red.", [1, 2, 3])]),
    ("a list in brackets", "Red [1, 2; 3].", [("Red.", [1, 2, 3])]),
    ("a range", "Red [1-3].", [("Red.", [1, 2, 3])]),
    ("a range with a dash, backwards", "Red [3–2].", [("Red.", [2, 3])]),
    ("a list with a range", "Red [5, 1-2].", [("Red.", [5, 1, 2])]),
    ("full-width brackets and digits", "赤い【１】。", [("赤い。", [1])]),
    ("full-width list", "赤い［１、２］。", [("赤い。", [1, 2])]),
    ("what some assistants write", "Red【2†source】.", [("Red.", [2])]),
    ("a footnote", "Red [^2].", [("Red.", [2])]),
    ("a link", "Red [2](https://example.org/a).", [("Red.", [2])]),
    ("0 points at nothing", "Red [0].", [("Red.", ["0"])]),
    ("a place past the end does not wrap", "Red [6] [-1].", [("Red [-1].", ["6"])]),
    ("a range past the end", "Red [5-6].", [("Red.", [5, "6"])]),
    ("cited twice counts once", "Red [1][1, 2].", [("Red.", [1, 2])]),
    ("nothing cited twice counts once", "Red [9][9].", [("Red.", ["9"])]),
    ("by name and by number is one source", "Red [c1][1].", [("Red.", [1])]),
    ("a name", "Red [hr-policy#2].", [("Red.", [2])]),
    ("a name that is a number counts before the place", "Red [7].", [("Red.", [3])]),
    ("no mark: words", "Red [sic] and [citation needed].", [("Red [sic] and [citation needed].", [])]),
    ("no mark: a name and a word", "Red [c1, sic].", [("Red [c1, sic].", [])]),
    ("the cap of three", "Red [5][4][3][2].", [("Red.", [5, 4, 3])]),
    ("all lines are read", "Red [1]\nOld [2]\n\nBig [3]", [("Red", [1]), ("Old", [2]), ("Big", [3])]),
    ("bullets", "- Red [1]\n* Old [2]\n• Big", [("Red", [1]), ("Old", [2]), ("Big", [])]),
    ("numbered lists", "1. Red [1]\n2) Old [2]", [("Red", [1]), ("Old", [2])]),
    ("two sentences in an entry", "- Red [1]. Old [2].", [("Red.", [1]), ("Old.", [2])]),
    ("a table", "| a | b |\n|---|:-:|\n| red | 2. [1] |\n", [("red | 2.", [1])]),
    ("a heading makes no sentence", "# Red [1]\nOld [2].", [("Old.", [2])]),
    ("a fence makes none", "```\nRed [1]\n```", [("Red", [1])]),
    ("Chinese", "巴黎很大。[1]它很旧[2]！真的？", [("巴黎很大。", [1]), ("它很旧！", [2]), ("真的？", [])]),
    ("Hindi", "यह लाल है।[1] यह पुराना है [2]।", [("यह लाल है।", [1]), ("यह पुराना है।", [2])]),
    ("a decimal", "It weighs 3.5 kg [1].", [("It weighs 3.5 kg.", [1])]),
    (
        "short forms",
        "Dr. Smith, e.g. in Fig. 3, says so [1].",
        [("Dr. Smith, e.g. in Fig. 3, says so.", [1])],
    ),
    ("an initial", "J. Smith says so. [1]", [("J. Smith says so.", [1])]),
    ("a word in small letters goes on", "Approx. ten, i.e. more. [1]", [("Approx. ten, i.e. more.", [1])]),
    ("a question and a shout", "Red? Yes! [1]", [("Red?", []), ("Yes!", [1])]),
    ("a quotation ends outside", '"Red." [1] Old.', [('"Red."', [1]), ("Old.", [])]),
    ("nothing", "", []),
    ("nothing but marks", "[1] [2].", []),
    ("nothing but signs", "...\n---\n!", []),
]


def told(answer: str, cap: int | None = 3) -> list[Cited]:
    """Return what is read."""
    return [
        (each.text, [c.label if c.place is None else c.place for c in each.citations])
        for each in read(answer, SOURCES, NAMED, cap)
    ]


@pytest.mark.parametrize(("why", "answer", "sentences"), ROWS, ids=[row[0] for row in ROWS])
def test_an_answer_is_read_sentence_by_sentence(why: str, answer: str, sentences: list[Cited]) -> None:
    """Marks are taken out of the text and kept with their sentence."""
    assert told(answer) == sentences, why


def test_what_the_cap_leaves_out_is_counted() -> None:
    """And without it nothing is."""
    (capped,) = read("Red [1-5].", SOURCES)
    (whole,) = read("Red [1-5].", SOURCES, cap=None)
    assert (len(capped.citations), capped.left_out) == (3, 2)
    assert (len(whole.citations), whole.left_out) == (5, 0)


def test_a_range_of_millions_is_not_written_out() -> None:
    """Its beginning stands for it."""
    (sentence,) = read("Red [1-999999].", SOURCES, cap=None)
    assert len(sentence.citations) <= 31


@given(st.text(alphabet="ab .!?。[]【】0129-,|\n#*", max_size=200))
def test_any_text_can_be_read(answer: str) -> None:
    """Every citation is of a known place or of none, and every sentence says something."""
    for sentence in read(answer, SOURCES, NAMED):
        assert any(character.isalnum() for character in sentence.text)
        places = [citation.place for citation in sentence.citations]
        assert all(place is None or 1 <= place <= SOURCES for place in places)
        known = [place for place in places if place is not None]
        assert len(known) == len(set(known)) <= 3


@given(st.lists(st.sampled_from(["Red", "Old", "Big"]), min_size=1, max_size=6), st.data())
def test_each_sentence_keeps_its_own_marks(words: list[str], data: st.DataObject) -> None:
    """However the marks are placed round the full stop."""
    marks = [data.draw(st.integers(1, SOURCES)) for _ in words]
    shapes = [data.draw(st.sampled_from([" [{}]. ", ".[{}] ", ". [{}] ", " 【{}】. "])) for _ in words]
    answer = "".join(word + shape.format(n) for word, shape, n in zip(words, shapes, marks, strict=True))
    assert told(answer) == [(f"{word}.", [n]) for word, n in zip(words, marks, strict=True)]
