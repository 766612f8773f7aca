"""CSV: which cases a table gives, and every fault it can have."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof import datasets
from ragproof.cases import Case, CaseKind
from ragproof.datasets.rows import MOST_FAULTS_TOLD
from ragproof.errors import ConfigurationError


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


def write(folder: Path, content: bytes | str) -> Path:
    path = folder / "cases.csv"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def read(folder: Path, content: bytes | str) -> list[Case]:
    return list(datasets.read(write(folder, content)))


def faults(folder: Path, content: bytes | str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        read(folder, content)
    return [str(fault) for fault in caught.value.faults]


WHY = Case(id="1", question="Why?")
LONG = "x" * 400_000

TABLES = [
    ("commas", "id,question\n1,Why?\n", WHY),
    ("semicolons, as Excel writes them where the comma is decimal", "id;question\n1;Why?\n", WHY),
    ("tabs", "id\tquestion\n1\tWhy?\n", WHY),
    ("a byte order mark is no part of the first name", "\ufeffid,question\n1,Why?\n", WHY),
    ("Windows line ends", "id,question\r\n1,Why?\r\n", WHY),
    ("old Macintosh line ends", "id,question\r1,Why?\r", WHY),
    ("no line end after the last row", "id,question\n1,Why?", WHY),
    ("blank lines", "\nid,question\n\n1,Why?\n\n", WHY),
    ("rows that a spreadsheet left empty", "id,question\n,\n1,Why?\n,\n", WHY),
    ("quoted names", '"id";"question"\n"1";"Why?"\n', WHY),
    ("spaces after the commas", 'id, question, kind\n1, Why?, "qa"\n', WHY),
    ("a space before a quotation", 'id,question\n1, "Why?" \n', WHY),
    (
        "a comma inside a quotation after a space",
        'id,question\n1, "Why, then?"\n',
        Case(id="1", question="Why, then?"),
    ),
    (
        "a space where the header has none is text",
        "id,question\n1, Why?\n",
        Case(id="1", question=" Why?"),
    ),
    ("empty cells are absent", 'id,question,kind,group,tags,history\n1,Why?,,"",,\n', WHY),
    ("an id is text and keeps its zeros", "id,question\n007,Why?\n", Case(id="007", question="Why?")),
    (
        "quoted line ends and quotation marks",
        'id,question\n1,"One\r\n""two""\nthree"\n',
        Case(id="1", question='One\r\n"two"\nthree'),
    ),
    (
        "quotation marks inside a cell that has none around it",
        'id,question\n1,A 5" pipe?\n',
        Case(id="1", question='A 5" pipe?'),
    ),
    (
        "line separators end no line",
        "id,question\n1,a\u2028b\x85c\x0bd\n",
        Case(id="1", question="a\u2028b\x85c\x0bd"),
    ),
    ("a very long cell", f'id,question\n1,"{LONG}"\n', Case(id="1", question=LONG)),
    (
        "JSON in a cell without quotation marks",
        '\ufeffid;question;metadata\n1;Why?;{"src": "a.pdf"}\n',
        Case(id="1", question="Why?", metadata={"src": "a.pdf"}),
    ),
    (
        "source A's names",
        "id,question,expected_answer,expected_source_ids\n1,Why?,\"So, and so\",\"['d1', 'd2']\"\n",
        Case(id="1", question="Why?", expected_answers=("So, and so",), relevance={"d1": 1, "d2": 1}),
    ),
    (
        "a list literal is several answers",
        'id,question,expected_answers\n1,Why?,"[""a, b"", ""c""]"\n',
        Case(id="1", question="Why?", expected_answers=("a, b", "c")),
    ),
    (
        "plain text is one answer, commas and all",
        'id,question,expected_answers\n1,Why?,"a, b"\n',
        Case(id="1", question="Why?", expected_answers=("a, b",)),
    ),
    (
        "text in brackets is an answer",
        "id,question,expected_answer\n1,Why?,[sic]\n",
        Case(id="1", question="Why?", expected_answers=("[sic]",)),
    ),
    (
        "one id without brackets",
        "id,question,expected_source_ids\n1,Why?,17\n",
        Case(id="1", question="Why?", relevance={"17": 1}),
    ),
    (
        "relevance with gains",
        "id;question;relevance\n1;Why?;{'d1': 2, 'd2': 0}\n",
        Case(id="1", question="Why?", relevance={"d1": 2, "d2": 0}),
    ),
    (
        "relevance as a list",
        'id,question,relevance\n1,Why?,"[""d1"", 17]"\n',
        Case(id="1", question="Why?", relevance={"d1": 1, "17": 1}),
    ),
    (
        "entries of tags and metadata as columns",
        "id,question,tags.language,tags.a.b,metadata.author\n1,Why?,de,007,Ü\n",
        Case(id="1", question="Why?", tags={"language": "de", "a.b": "007"}, metadata={"author": "Ü"}),
    ),
    (
        "entries beside the whole",
        'id,question,tags.topic,tags\n1,Why?,x,"{""language"": ""de""}"\n',
        Case(id="1", question="Why?", tags={"language": "de", "topic": "x"}),
    ),
    (
        "earlier turns as JSON",
        'id,question,history\n1,Why?,"[{""role"": ""user"", ""content"": ""Hi""}]"\n',
        Case(id="1", question="Why?", history=({"role": "user", "content": "Hi"},)),
    ),
    (
        "an attack and a group",
        "id,question,kind,adversarial_payload,group\n1,Why?,injection,PWNED,g\n",
        Case(id="1", question="Why?", kind=CaseKind.INJECTION, adversarial_payload="PWNED", group="g"),
    ),
]


@pytest.mark.parametrize(("why", "content", "expected"), TABLES, ids=[row[0] for row in TABLES])
def test_a_table_is_read_as_its_author_meant_it(tmp_path, why, content, expected):
    assert read(tmp_path, content) == [expected], why


AS_MANY = "expected as many: put each cell that holds"
REFUSED = [
    ("a misspelt column is told once", "id,question,expected_anwser\n1,a,b\n2,c,d\n", [
        ":1: 'expected_anwser' is not a field of a case; did you mean 'expected_answer'?",
    ]),
    ("what another tool calls it", "id,query\n1,a\n", [
        ":1: 'query' is not a field of a case; did you mean 'question'?",
        ":1: there is no column 'question'; expected one in the header",
    ]),
    ("a tag without a name", "id,question,tags.\n1,a,b\n", [
        ":1: 'tags.' is not a field of a case; did you mean 'tags'?",
    ]),
    ("a name given twice", "id,question,id\n1,a,2\n", [
        ":1: 'id' names columns 1 and 3; expected each name once",
    ]),
    ("a column without a name, as an exported index has", ",id,question\n0,1,a\n", [
        ":1: column 1 has no name; name it, or take the column out",
    ]),
    ("a row too long and a row too short", "id,question\n1,Why, then?\n2\n3,c\n", [
        f":2: 3 cells, and the header has 2; {AS_MANY} ',' in quotes",
        f":3: 1 cells, and the header has 2; {AS_MANY} ',' in quotes",
    ]),
    ("another delimiter than the header's", "id;question\n1,a\n", [
        f":2: 1 cells, and the header has 2; {AS_MANY} ';' in quotes",
    ]),
    ("an id twice, both lines", 'id,question\n1,"a\nb"\n\n1,c\n', [
        ":5: id: '1' is already used at cases.csv:2; expected a different one",
    ]),
    ("an empty question and an empty id", "id,question,kind\n1,,qa\n,b,\n", [
        ":2: question: missing; expected text",
        ":3: id: missing; expected text",
    ]),
    ("a quotation with text after it", 'id,question\n1,"Why" he said\n2,b\n3,\n', [
        ":2: question: text follows the closing quotation mark; "
        "expected each quotation mark inside to be doubled",
        ":4: question: missing; expected text",
    ]),
    ("a quotation without end", 'id,question\n1,\n2,"b\n3,c\n', [
        ":2: question: missing; expected text",
        ":3: question: a quotation mark is opened and never closed, so the rest of the file cannot be read",
    ]),
    ("a quotation without end after a space", 'id,question\n1, "Why?\n', [
        ":2: question: a quotation mark is opened and never closed, so the rest of the file cannot be read",
    ]),
    ("a header without end", 'id,"question\n1,a\n', [
        ":1: cell 2: a quotation mark is opened and never closed, so the rest of the file cannot be read",
    ]),
    ("a list that cannot be read", "id;question;expected_answers\n1;a;['b', 'c\n", [
        ":2: expected_answers: '['b', 'c' cannot be read; expected a list, such as [\"one\", \"two\"]",
    ]),
    ("a list in the column of one text", "id;question;expected_answer\n1;a;['b', 'c']\n", [
        ":2: expected_answer: a list is not allowed; expected one text; "
        "several references go into 'expected_answers'",
    ]),
    ("plain text as relevance", "id,question,relevance\n1,a,d1\n", [
        ":2: relevance: 'd1' is not allowed; expected an object of ids and gains; "
        "a plain list of ids goes into 'expected_source_ids'",
    ]),
    ("a fraction in a list of relevance", "id;question;relevance\n1;a;[1, 2.5]\n", [
        ":2: relevance[1]: 2.5 is not allowed; expected text: write it in quotes",
    ]),
    ("an entry that disagrees with the whole", "id;question;tags;tags.a\n1;b;{'a': 'x'};y\n", [
        ":2: tags.a: disagrees with 'tags'; expected one of the two",
    ]),
    ("all faults of all cells at once", "id;question;kind;relevance;tags\n;;x;{;[]\n", [
        ":2: relevance: '{' cannot be read; expected an object, such as {\"name\": 1}",
        ":2: id: missing; expected text",
        ":2: question: missing; expected text",
        ":2: kind: 'x' is not allowed; expected 'qa', 'unanswerable' or 'injection'",
        ':2: tags: an empty list is not allowed; expected an object of names and values, '
        'such as {"topic": "returns"}',
    ]),
    ("a header alone", "id,question\n", [": no cases; expected at least one"]),
    ("nothing", "", [": no cases; expected at least one"]),
    ("half a pair spelt in a cell", "id;question;expected_answers\n1;a;[\"\\ud800\"]\n", [
        ":2: expected_answers: '[\"\\ud800\"]' cannot be read: half of a surrogate pair is not text; "
        'expected a list, such as ["one", "two"]',
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "content", "expected"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_table_that_cannot_be_read_right_is_refused_with_line_and_column(tmp_path, why, content, expected):
    assert faults(tmp_path, content) == [f"cases.csv{fault}" for fault in expected], why


def test_a_hostile_column_cannot_rewrite_the_terminal(tmp_path):
    """Names of columns are a stranger's text, wherever they stand in a fault."""
    entry = "\x1b[2J\u202e" + "x" * 500
    header = f"id;question;tags.{entry};tags;\x1b[2J\n"
    told = faults(tmp_path, header + f"1;a;b;{{'{entry}': 'c'}};\n" + '2;a;;;"d"e\n')
    assert all(fault.isprintable() and len(fault) < 300 for fault in told)
    assert told[-2].startswith("cases.csv:2: 'tags.\\x1b[2J\\u202exxx")
    assert told[-2].endswith("...': disagrees with 'tags'; expected one of the two")
    assert told[-1].startswith("cases.csv:3: '\\x1b[2J': text follows the closing quotation mark")


def test_many_faults_are_counted_and_not_all_told(tmp_path):
    """As in every format."""
    told = faults(tmp_path, "id,question\n" + "1,\n" * (MOST_FAULTS_TOLD + 10))
    assert len(told) == MOST_FAULTS_TOLD + 1
    assert told[-1].endswith("more faults")


SNIFFED = [
    ("by its suffix, whatever its header", "cases.CSV", "nothing,of,ours\n"),
    ("by the suffix of tabs", "cases.tsv", "id\tquestion\n"),
    ("by its header, whatever its name", "cases.txt", "id;question\n1;a\n"),
]


@pytest.mark.parametrize(("why", "name", "content"), SNIFFED, ids=[row[0] for row in SNIFFED])
def test_a_table_tells_its_format(tmp_path, why, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert datasets.reader_version(tmp_path / name, plugins=()) == "csv@1", why


text = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=20)
filled = text.filter(str.strip)


@settings(deadline=None)
@given(
    rows=st.lists(
        st.tuples(filled, filled, st.lists(filled, max_size=3), st.text("deß-7", min_size=1, max_size=5)),
        min_size=1,
        max_size=4,
        unique_by=lambda row: row[0],
    ),
    delimiter=st.sampled_from(",;\t"),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_a_table_is_read_back_as_the_standard_library_wrote_it(folder, rows, delimiter, line_end):
    """Whatever delimiters, quotation marks, line ends and spaces stand in its cells."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=line_end)
    writer.writerow(["id", "question", "expected_answers", "tags.language"])
    writer.writerows([case_id, asked, json.dumps(known), tag] for case_id, asked, known, tag in rows)
    cases = [
        Case(id=case_id, question=asked, expected_answers=tuple(known), tags={"language": tag})
        for case_id, asked, known, tag in rows
    ]
    assert read(folder, file.getvalue()) == cases
