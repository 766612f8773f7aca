"""SQuAD: which cases and documents a file gives, and every fault it can have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof import datasets
from ragproof.cases import Case, CaseKind
from ragproof.datasets.reader import Passage
from ragproof.errors import ConfigurationError


def question(
    case_id: object = "q", asked: object = "Why?", *answers: object, **keys: object
) -> dict[str, object]:
    listed = [{"text": answer, "answer_start": 0} for answer in answers]
    return {"id": case_id, "question": asked, "answers": listed, **keys}


def paragraph(*questions: object, context: object = "Because.") -> dict[str, object]:
    return {"context": context, "qas": list(questions)}


def write(folder: Path, *articles: tuple[str | None, list[object]], name: str = "dev.json") -> Path:
    data = [
        {"paragraphs": paragraphs, **({} if title is None else {"title": title})}
        for title, paragraphs in articles
    ]
    (folder / name).write_text(json.dumps({"version": "v2.0", "data": data}), encoding="utf-8")
    return folder / name


def only(folder: Path, *questions: object) -> Case:
    (case,) = datasets.read(write(folder, ("A", [paragraph(*questions)])))
    return case


def told(path: Path, format: str = "squad") -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(path, format)
    return [str(fault) for fault in caught.value.faults]


BARE = {"id": "q", "question": "Why?", "group": "A"}
HERE = {**BARE, "relevance": {"A/1": 1}}

QUESTIONS = [
    ("version 1.1", question("q", "Why?", "So."), {**HERE, "expected_answers": ("So.",)}),
    (
        "annotators who agree count once",
        question("q", "Why?", "So.", "Because.", "So."),
        {**HERE, "expected_answers": ("So.", "Because.")},
    ),
    ("a test set without answers", {"id": "q", "question": "Why?"}, HERE),
    (
        "answerable, said",
        question("q", "Why?", "So.", is_impossible=False),
        {**HERE, "expected_answers": ("So.",)},
    ),
    (
        "impossible from its paragraph, which then is not relevant",
        question(is_impossible=True),
        {**BARE, "kind": CaseKind.UNANSWERABLE},
    ),
    (
        "what else stands there is kept",
        question(is_impossible=True, plausible_answers=[{"text": "So.", "answer_start": 0}]),
        {
            **BARE,
            "kind": CaseKind.UNANSWERABLE,
            "metadata": {"plausible_answers": [{"text": "So.", "answer_start": 0}]},
        },
    ),
    ("a whole number as id", question(17), {**HERE, "id": "17"}),
]


@pytest.mark.parametrize(("why", "asked", "expected"), QUESTIONS, ids=[row[0] for row in QUESTIONS])
def test_a_question_is_a_case(tmp_path, why, asked, expected):
    assert only(tmp_path, asked) == Case(**expected), why


def test_a_paragraph_is_a_document_named_by_its_article_and_place(tmp_path):
    """An article that comes twice goes on counting, and one without a title has its number."""
    path = write(
        tmp_path,
        ("A", [paragraph(question("1")), paragraph(question("2"), context="Two.")]),
        (None, [paragraph(question("3"), context="Three.")]),
        ("A", [paragraph(context="Nobody asks."), paragraph(question("4"), context="Four.")]),
    )
    found = [(case.id, case.group, dict(case.relevance)) for case in datasets.read(path)]
    assert found == [
        ("1", "A", {"A/1": 1}),
        ("2", "A", {"A/2": 1}),
        ("3", "article 2", {"article 2/1": 1}),
        ("4", "A", {"A/4": 1}),
    ]
    assert datasets.corpus(path) == (
        Passage("A/1", "Because.", "A"),
        Passage("A/2", "Two.", "A"),
        Passage("article 2/1", "Three."),
        Passage("A/3", "Nobody asks.", "A"),
        Passage("A/4", "Four.", "A"),
    )


LANGUAGES = [
    ("XQuAD's own name", "xquad.de.json", {"language": "de"}),
    ("in capitals", "XQuAD.zh.json", {"language": "zh"}),
    ("a language XQuAD does not have may be something else", "xquad.v2.json", {}),
    ("another data set's name", "mlqa.de.json", {}),
    ("part of a name", "my-xquad.de.json", {}),
]


@pytest.mark.parametrize(("why", "name", "expected"), LANGUAGES, ids=[row[0] for row in LANGUAGES])
def test_the_language_is_told_where_the_name_is_certain(tmp_path, why, name, expected):
    (case,) = datasets.read(write(tmp_path, ("A", [paragraph(question())]), name=name))
    assert case.tags == expected, why


def test_a_file_under_another_name_is_another_dataset(tmp_path):
    """Its language may be another, and cached cases are found by this hash."""
    first, second = (
        write(tmp_path, ("A", [paragraph(question())]), name=f"xquad.{each}.json") for each in ("de", "el")
    )
    assert first.read_bytes() == second.read_bytes()
    assert datasets.file_hash(first) != datasets.file_hash(second)


A_TEXT = 'expected a list of objects with a "text"'
AT = ":data[0].paragraphs[0].qas[0]"

FAULTS = [
    (
        "an empty question",
        question("q", ""),
        f"{AT}: question: '' is not allowed; expected text that is not blank",
    ),
    ("no id", {"question": "Why?"}, f"{AT}: id: missing; expected text"),
    (
        "answers of another shape",
        {**question(), "answers": ["So."]},
        f"{AT}: answers: a list is not allowed; {A_TEXT}",
    ),
    (
        "columns of answers",
        {**question(), "answers": {"text": []}},
        f"{AT}: answers: an object is not allowed; {A_TEXT}",
    ),
    (
        "an answer that is a number",
        question("q", "Why?", 5),
        f"{AT}: answers: a list is not allowed; {A_TEXT}",
    ),
    (
        "answers to an impossible question",
        question("q", "Why?", "So.", is_impossible=True),
        f"{AT}: answers: there are some, and 'is_impossible' is true; expected one of the two",
    ),
    (
        "a switch that is text",
        question(is_impossible="no"),
        f"{AT}: is_impossible: 'no' is not allowed; expected true or false",
    ),
    ("a question that is text", "Why?", f"{AT}: 'Why?' is not allowed; expected an object"),
    (
        "half of a surrogate pair",
        question("q", "\ud800"),
        f"{AT}: half of a surrogate pair is not text; expected whole characters",
    ),
]


@pytest.mark.parametrize(("why", "asked", "expected"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_question_that_cannot_be_read_right_is_refused_where_it_stands(tmp_path, why, asked, expected):
    assert told(write(tmp_path, ("A", [paragraph(asked)]))) == [f"dev.json{expected}"], why


def test_an_id_given_twice_names_both_places(tmp_path):
    """In whichever articles."""
    path = write(tmp_path, ("A", [paragraph(question("q"))]), ("B", [paragraph(), paragraph(question("q"))]))
    first = "dev.json:data[0].paragraphs[0].qas[0]"
    assert told(path) == [
        f"dev.json:data[1].paragraphs[1].qas[0]: id: 'q' is already used at {first}; expected a different one"
    ]


DOCUMENTS = [
    ("broken JSON", '{"data": [}', ":1:11: not valid JSON: expecting value"),
    (
        "a key given twice",
        '{"data": [], "data": []}',
        ": 'data' is given twice in one object; expected each key once",
    ),
    ("a list", "[]", ": an empty list is not SQuAD; expected an object with 'data'"),
    ("no articles", "{}", ":data: null is not allowed; expected a list of objects"),
    ("an article that is none", '{"data": [1]}', ":data[0]: 1 is not allowed; expected an object"),
    (
        "an article without paragraphs",
        '{"data": [{}]}',
        ":data[0].paragraphs: null is not allowed; expected a list of objects",
    ),
    (
        "a paragraph without questions",
        '{"data": [{"paragraphs": [{"context": "x"}]}]}',
        ":data[0].paragraphs[0].qas: null is not allowed; expected a list of objects",
    ),
    ("no questions at all", '{"data": []}', ": no cases; expected at least one"),
    ("Latin-1", '{"data": "ü"}'.encode("latin-1"), ":1:11: byte 0xfc is not UTF-8; save the file as UTF-8"),
]


@pytest.mark.parametrize(("why", "content", "expected"), DOCUMENTS, ids=[row[0] for row in DOCUMENTS])
def test_a_file_of_another_shape_is_refused(tmp_path, why, content, expected):
    (tmp_path / "dev.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert told(tmp_path / "dev.json") == [f"dev.json{expected}"], why


def test_a_paragraph_without_text_is_no_document(tmp_path):
    """It is told when the corpus is read."""
    path = write(tmp_path, ("A", [paragraph(question()), paragraph(context=None)]))
    with pytest.raises(ConfigurationError) as caught:
        datasets.corpus(path)
    assert str(caught.value) == (
        "dev.json:data[0].paragraphs[1]: context: null is not allowed; expected text"
    )


SNIFFED = [
    ("as it comes", '{"data": [{"title": "A", "paragraphs": [{"context": "", "qas": []}]}]}', True),
    (
        "the version first, over several lines",
        '\ufeff{\n"version": "1.1",\n"data": [\n{\n"paragraphs": [',
        True,
    ),
    ("data of another kind", '{"data": [{"text": "x"}]}', False),
    ("one of its questions alone", '{"id": "q", "question": "Why?"}', False),
    ("a list", '[{"data": [{"paragraphs": []}]}]', False),
]


@pytest.mark.parametrize(("why", "content", "expected"), SNIFFED, ids=[row[0] for row in SNIFFED])
def test_a_file_tells_its_format(tmp_path, why, content, expected):
    (tmp_path / "cases.data").write_text(content, encoding="utf-8")
    try:
        found = datasets.reader_version(tmp_path / "cases.data", plugins=())
    except ConfigurationError:
        found = ""
    assert (found == "squad@1") is expected, why
