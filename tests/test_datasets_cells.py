"""Cells of text: what is a list or an object that someone wrote out, and what is plain text."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.datasets.cells import list_or_text, object_or_text, text_alone
from ragproof.datasets.fields import Refused
from tests.strategies import JSON

LISTS = [
    ("JSON", '["one fact", "two facts"]', ["one fact", "two facts"]),
    ("Python", "['one fact', 'two facts']", ["one fact", "two facts"]),
    ("Python's choice of quotation marks", """["it's", 'a "b"']""", ["it's", 'a "b"']),
    ("a tuple inside", "[('a', 1), None, True, -2.5]", [["a", 1], None, True, -2.5]),
    ("an empty list", "[]", []),
    ("spaces around it", " [1, 2]\n", [1, 2]),
    ("a trailing comma", "['a',]", ["a"]),
    ("lines of it", "['a',\n 'b']", ["a", "b"]),
    ("escapes", r"['a\n\u00e4\\']", ["a\nä\\"]),
    ("a whole character as JSON writes it", '["\\ud83d\\ude00"]', ["😀"]),
    ("plain text is one entry", "a, b; c", "a, b; c"),
    ("a quotation is one entry", "'a', 'b'", "'a', 'b'"),
    ("text that begins with a reference", "[1] is the answer", "[1] is the answer"),
    ("an object is no list", '{"a": 1}', '{"a": 1}'),
    ("white space stays in text", "  a ", "  a "),
]


@pytest.mark.parametrize(("why", "text", "expected"), LISTS, ids=[row[0] for row in LISTS])
def test_a_cell_of_a_list_column_is_a_list_or_one_text(why, text, expected):
    assert list_or_text(text) == expected, why


EXPECTED = 'expected a list, such as ["one", "two"]'
REFUSED = [
    (
        "NumPy writes no commas, and Python joins the texts",
        "['one' 'two']",
        f": '['one' 'two']' cannot be read: a comma is missing between two texts; {EXPECTED}",
    ),
    ("over two lines too", "['one'\n 'two']", "a comma is missing between two texts"),
    ("cut short", "['one', 'tw", f": '['one', 'tw' cannot be read; {EXPECTED}"),
    ("names are not evaluated", "[one]", f": '[one]' cannot be read; {EXPECTED}"),
    ("nor calls", "[print('x')]", "cannot be read"),
    ("nor comprehensions", "[x for x in 'ab']", "cannot be read"),
    ("nor arithmetic", "[2**9999]", "cannot be read"),
    ("nor formatted strings", "[f'{1}']", "cannot be read"),
    ("bytes are no text", "[b'x']", "cannot be read"),
    ("an id with a leading zero is no number", "[007]", "cannot be read"),
    ("a path with single backslashes", r"['C:\docs']", "a backslash stands alone"),
    ("NaN", "[NaN]", "NaN is not JSON"),
    ("a number beyond a float", "['a', 1e999]", "cannot be read"),
    ("a key given twice", "[{'a': 1, 'a': 2}]", "a key is given twice in one object"),
    ("a key given twice in JSON", '[{"a": 1, "a": 2}]', "'a' is given twice in one object"),
    ("half of a surrogate pair", r"""['\ud800']""", "half of a surrogate pair is not text"),
    ("half of a surrogate pair in JSON", r'["\ud800"]', "half of a surrogate pair is not text"),
    ("half of a pair, the long way", r"['\U0000dfff']", "half of a surrogate pair is not text"),
    ("brackets without end", "[" * 50_000 + "]" * 50_000, "cannot be read"),
    ("brackets without end in Python", "['a'," + "[" * 5_000 + "]" * 5_000 + "]", "cannot be read"),
    ("digits without end", "[" + "9" * 5_000 + "]", "a number has more digits than can be read"),
]


@pytest.mark.parametrize(("why", "text", "expected"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_looks_like_a_list_and_is_none_is_refused(why, text, expected):
    with pytest.raises(Refused) as caught:
        list_or_text(text)
    assert expected in str(caught.value), why


OBJECTS = [
    ("JSON", '{"a": 1}', {"a": 1}),
    ("Python", "{'a': None}", {"a": None}),
    ("whole numbers as keys are text", "{17: 1, -1: 2}", None),
    ("whole numbers as keys", "{17: 1}", {"17": 1}),
    ("a list", "['a']", ["a"]),
    ("plain text is left to the field", "a", "a"),
    ("a set is no object", "{'a'}", None),
    ("a bare brace", "{", None),
    ("a template", "{{x}}", None),
]


@pytest.mark.parametrize(("why", "text", "expected"), OBJECTS, ids=[row[0] for row in OBJECTS])
def test_a_cell_of_an_object_column_is_an_object_a_list_or_refused(why, text, expected):
    if expected is None:
        with pytest.raises(Refused, match="cannot be read"):
            object_or_text(text)
    else:
        assert object_or_text(text) == expected, why


ALONE = [
    ("text", "a, b", "a, b"),
    ("brackets that hold no list", "[sic]", "[sic]"),
    ("a list, for the field to refuse", "['a', 'b']", ["a", "b"]),
    ("an object is text", '{"a": 1}', '{"a": 1}'),
]


@pytest.mark.parametrize(("why", "text", "expected"), ALONE, ids=[row[0] for row in ALONE])
def test_a_cell_of_one_text_is_text_unless_it_is_a_list(why, text, expected):
    assert text_alone(text) == expected, why


@given(values=st.lists(JSON, max_size=4))
def test_lists_are_read_back_as_json_and_as_python_wrote_them(values):
    """Whatever texts, numbers and nested lists they hold."""
    assert list_or_text(json.dumps(values)) == values
    assert list_or_text(json.dumps(values, ensure_ascii=False)) == values
    assert list_or_text(repr(values)) == values


@given(text=st.text(max_size=30) | st.text("[]{}'\"\\,: \nuxU0d1a", max_size=12).map("[".__add__))
def test_a_cell_is_read_or_refused_and_never_anything_else(text):
    """No text reaches Python's own errors or warnings."""
    for read in (list_or_text, object_or_text, text_alone):
        with suppress(Refused):
            found = read(text)
            assert isinstance(found, list | dict) or found == text
