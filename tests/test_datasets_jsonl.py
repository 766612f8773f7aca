"""JSON Lines: which cases a file gives, and every fault it can have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof import datasets
from ragproof.cases import Case, CaseKind, Turn
from ragproof.errors import ConfigurationError
from tests.strategies import JSON


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


def write(folder: Path, content: bytes | str) -> Path:
    path = folder / "cases.jsonl"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def faults(folder: Path, content: bytes | str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(write(folder, content))
    return [str(fault) for fault in caught.value.faults]


UNQUOTED = "expecting property name enclosed in double quotes"
TOO_DEEP = '{"id": "q", "question": "?", "metadata": {"x": ' + "[" * 60 + "]" * 60 + "}}"

LINES_REFUSED = [
    ("text that is no JSON", "{'id': 1}", f":1:2: not valid JSON: {UNQUOTED}; expected one object a line"),
    (
        "a column counts characters",
        '  {"id": "ä" "b"}',
        ":1:14: not valid JSON: expecting ',' delimiter; expected one object a line",
    ),
    ("a line that is a list", '["a"]', ":1: a list is not a case; expected an object"),
    ("a line that is a number", "17", ":1: 17 is not a case; expected an object"),
    ("a line that is null", "null", ":1: null is not a case; expected an object"),
    (
        "NaN",
        '{"id": "q", "question": "?", "metadata": {"x": NaN}}',
        ":1: NaN is not JSON; expected a finite number or null",
    ),
    ("Infinity", '{"id": -Infinity}', ":1: -Infinity is not JSON; expected a finite number or null"),
    (
        "a number too large for a float",
        '{"id": 1e999}',
        ":1: '1e999' is too large for a number; write it in quotes",
    ),
    (
        "a number too long to read",
        '{"id": ' + "9" * 5000 + "}",
        ":1: a number has more digits than can be read; write it in quotes",
    ),
    (
        "a key given twice",
        '{"id": "a", "id": "b", "question": "?"}',
        ":1: 'id' is given twice in one object; expected each key once",
    ),
    (
        "a nested key given twice",
        '{"metadata": {"a": 1, "a": 1}}',
        ":1: 'a' is given twice in one object; expected each key once",
    ),
    ("brackets without end", "[" * 100_000, ":1: lists and objects are nested too deeply to be read"),
    (
        "metadata deeper than any use",
        TOO_DEEP,
        ":1: metadata: an object is not allowed; expected at most 50 levels of lists and objects",
    ),
    (
        "half of a surrogate pair",
        '{"question": "\\ud800"}',
        ":1: question: half of a surrogate pair is not text; expected whole characters",
    ),
    (
        "half of a surrogate pair, deep inside",
        '{"metadata": {"a": ["\\uDFFF"]}}',
        ":1: metadata: half of a surrogate pair is not text; expected whole characters",
    ),
    (
        "half of a surrogate pair in a key",
        '{"\\udc00": 1}',
        ":1: '\\udc00': half of a surrogate pair is not text; expected whole characters",
    ),
    (
        "half of a surrogate pair alone on its line",
        '"\\ud800"',
        ":1: the line: half of a surrogate pair is not text; expected whole characters",
    ),
    (
        "bytes that are not UTF-8",
        b'{"id": "\xc3\xa4\xff"}',
        ":1:10: byte 0xff is not UTF-8; save the file as UTF-8",
    ),
    (
        "a UTF-16 file is told once",
        '{"id": "q"}\n{"id": "r"}'.encode("utf-16"),
        ":1: the file is UTF-16; expected UTF-8 text: save it as UTF-8",
    ),
    (
        "a JSON list of cases is told once",
        '[{"id": "q"}, {"id": "r"}]',
        ":1: the file is one JSON document; expected one object a line, a case on each",
    ),
    (
        "an object over several lines is told once",
        '{\n  "id": "q"\n}',
        ":1: the file is one JSON document; expected one object a line, a case on each",
    ),
    ("an empty file", "", ": no cases; expected at least one"),
    ("a file of blank lines", "\n \r\n\t\n", ": no cases; expected at least one"),
    (
        "a compressed file",
        b"\x1f\x8b\x08\x00",
        ":1: the file is compressed with gzip; expected UTF-8 text: unpack it",
    ),
]


@pytest.mark.parametrize(("why", "content", "expected"), LINES_REFUSED, ids=[row[0] for row in LINES_REFUSED])
def test_a_line_that_is_no_case_is_refused_where_it_stands(tmp_path, why, content, expected):
    assert faults(tmp_path, content) == [f"cases.jsonl{expected}"], why


def line(case_id: str, question: str = "?") -> str:
    return json.dumps({"id": case_id, "question": question}, ensure_ascii=False)


FILES = [
    ("a byte order mark is no part of the first key", "\ufeff" + line("a") + "\n" + line("b"), ["a", "b"]),
    ("nor where files were joined", line("a") + "\n\ufeff" + line("b"), ["a", "b"]),
    ("Windows line ends", line("a") + "\r\n" + line("b") + "\r\n", ["a", "b"]),
    ("no line end after the last line", line("a") + "\n" + line("b"), ["a", "b"]),
    ("blank lines are passed over", "\n" + line("a") + "\n \n\n" + line("b"), ["a", "b"]),
    (
        "a line separator inside a string ends no line",
        line("a", "x\u2028y\u2029z\x85") + "\n" + line("b"),
        ["a", "b"],
    ),
    ("indented lines", "  " + line("a") + "\t\n", ["a"]),
]


@pytest.mark.parametrize(("why", "content", "ids"), FILES, ids=[row[0] for row in FILES])
def test_lines_are_cut_where_json_lines_cuts_them(tmp_path, why, content, ids):
    assert [case.id for case in datasets.read(write(tmp_path, content))] == ids, why


def test_a_line_separator_stays_in_the_question(tmp_path):
    """U+2028 reaches the pipeline as its author wrote it."""
    (case,) = datasets.read(write(tmp_path, line("a", "x\u2028y")))
    assert case.question == "x\u2028y"


def test_all_faults_of_a_file_are_told_at_once_in_its_order(tmp_path):
    """One reading is enough to mend a file, and a good line between bad ones hides nothing."""
    content = "\n".join(
        [
            '{"id": "a", "question": "", "lang": "de"}',
            line("b"),
            "{",
            "",
            '{"question": "?"}',
        ]
    )
    assert faults(tmp_path, content) == [
        "cases.jsonl:1: question: '' is not allowed; expected text that is not blank",
        "cases.jsonl:1: 'lang' is not a field of a case; move it under 'metadata' or 'tags'",
        f"cases.jsonl:3:2: not valid JSON: {UNQUOTED}; expected one object a line",
        "cases.jsonl:5: id: missing; expected text",
    ]


text = st.text(min_size=1, max_size=20).filter(str.strip)
cases = st.builds(
    Case,
    id=text,
    kind=st.sampled_from(CaseKind),
    question=text,
    expected_answers=st.lists(text, max_size=3).map(tuple),
    relevance=st.dictionaries(text, st.integers(-3, 3), max_size=3),
    group=st.none() | text,
    tags=st.dictionaries(text, st.text(max_size=5), max_size=3),
    metadata=st.dictionaries(st.text(max_size=5), JSON, max_size=3),
    history=st.lists(
        st.builds(Turn, role=st.sampled_from(["user", "assistant"]), content=st.text()), max_size=2
    ),
)


@settings(deadline=None)  # the first example loads every reader
@given(
    written=st.lists(cases, min_size=1, max_size=4, unique_by=lambda case: case.id), ascii_only=st.booleans()
)
def test_cases_written_as_json_lines_are_read_back_as_they_were(folder, written, ascii_only):
    """Whatever characters, escapes or separators stand in a case."""
    lines = [json.dumps(case.model_dump(mode="json"), ensure_ascii=ascii_only) for case in written]
    path = write(folder, "\n".join(lines))
    assert datasets.read(path) == tuple(written)
