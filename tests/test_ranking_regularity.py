"""The proof that lets a reader ask no questions: it holds for regular lines, and for no others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.ranking.regularity import only_separator

REGULAR = b"q Q0 d 1 0.5 tag\n"

TEXTS = [
    # why, text, separator
    ("one blank between columns", REGULAR * 3, " "),
    ("one tab", REGULAR.replace(b" ", b"\t") * 3, "\t"),
    ("any letters", "ü\u00a0 Q0 \U00010000\x7f 1 0.5 \u2028\n".encode(), " "),
    ("both of them", REGULAR + REGULAR.replace(b" ", b"\t"), None),
    ("both in a line", b"q Q0\td 1 0.5 tag\n", None),
    ("too few columns", REGULAR + b"q Q0 d 1 0.5\n", None),
    ("too many", REGULAR + b"q Q0 d 1 0.5 tag x\n", None),
    ("too few here and too many there", b"q Q0 d 1 0.5\n" + b"q Q0 d 1 0.5 tag x\n", None),
    ("the same the other way round", REGULAR + b"q Q0 d 1 0.5 tag x\n" + b"q Q0 d 1 0.5\n", None),
    ("two blanks", b"q Q0  d 0.5 tag\n", None),
    ("a blank in front", b" q Q0 d 0.5 tag\n", None),
    ("a blank in front of a later line", REGULAR + b" q Q0 d 0.5 tag\n", None),
    ("a blank at the end", b"q Q0 d 1 0.5 \n", None),
    ("a blank line", REGULAR + b"\n" + REGULAR, None),
    ("a carriage return", REGULAR.replace(b"\n", b"\r\n"), None),
    ("a control character", REGULAR.replace(b"d", b"d\x1f"), None),
    ("NUL", REGULAR.replace(b"d", b"\0"), None),
    ("a byte order mark, which polars would drop", b"\xef\xbb\xbf" + REGULAR, None),
]


@pytest.mark.parametrize(("why", "text", "separator"), TEXTS, ids=[text[0] for text in TEXTS])
def test_regular_lines_are_proven(why: str, text: bytes, separator: str | None) -> None:
    """And nothing that a careful reader would read otherwise."""
    assert only_separator(text, 6, "\t ") == separator, why


def test_other_separators_may_be_refused() -> None:
    """BEIR's columns have tabs between them."""
    assert only_separator(b"q d 1\n", 3, "\t") is None
    assert only_separator(b"q\td\t1\n", 3, "\t") == "\t"


@pytest.mark.parametrize("offset", range(-20, 3))
def test_an_empty_column_is_seen_wherever_it_stands(offset: int) -> None:
    """Also where the text is looked at in two parts."""
    start = b" Q0 d 1 0.5 tag\n"
    text = b"x" * ((1 << 19) + offset - len(start)) + start + b"q  d 1 0.5 tag\n"
    assert only_separator(text, 6, " ") is None
    assert only_separator(text.replace(b"q  d", b"q 0 d"), 6, " ") == " "


@settings(max_examples=300, deadline=None)
@given(
    lines=st.lists(
        st.lists(st.sampled_from(["", "a", "bc", "é", "\t"]), min_size=1, max_size=5), min_size=1, max_size=5
    )
)
def test_a_proof_is_right(lines: list[list[str]]) -> None:
    """Where there is one, every line has three columns when it is split at any white space."""
    text = "".join(" ".join(line) + "\n" for line in lines).encode()
    if only_separator(text, 3, "\t ") is not None:
        assert all(len(line.split()) == 3 for line in text.splitlines())
        assert len(text.splitlines()) == len(lines)
