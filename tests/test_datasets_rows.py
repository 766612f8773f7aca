"""Rows as cases: what each field is read as, and every value it refuses."""

from __future__ import annotations

import pytest

from ragproof.cases import Case, CaseKind, Turn
from ragproof.datasets.rows import MOST_FAULTS_TOLD, Row, cases_from
from ragproof.errors import ConfigurationError
from ragproof.payloads.library import library

BARE = {"id": "q", "question": "What?"}


def row(fields: dict[str, object], number: int = 1) -> Row:
    return Row(f"cases.jsonl:{number}", {**BARE, **fields})


def faults(*rows: Row) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        cases_from(rows, "cases.jsonl")
    return [str(fault) for fault in caught.value.faults]


READ_AS = [
    ("the least a case can be", {}, {}),
    ("a whole number is an id without loss", {"id": 17}, {"id": "17"}),
    ("an id is never a number: its zeros stay", {"id": "007"}, {"id": "007"}),
    ("source A's answer is one reference", {"expected_answer": "Yes"}, {"expected_answers": ("Yes",)}),
    ("several references", {"expected_answers": ["a", "b"]}, {"expected_answers": ("a", "b")}),
    (
        "a lone text is one reference, not its letters",
        {"expected_answers": "ab"},
        {"expected_answers": ("ab",)},
    ),
    ("a blank reference is none", {"expected_answer": " "}, {"expected_answers": ()}),
    ("blank references of a list are none", {"expected_answers": ["", "a"]}, {"expected_answers": ("a",)}),
    (
        "both spellings that agree",
        {"expected_answer": "a", "expected_answers": ["a"]},
        {"expected_answers": ("a",)},
    ),
    ("source A's ids have gain 1", {"expected_source_ids": ["d1", "d2"]}, {"relevance": {"d1": 1, "d2": 1}}),
    ("source ids may be whole numbers", {"expected_source_ids": [17]}, {"relevance": {"17": 1}}),
    ("an id named twice is one source", {"expected_source_ids": ["d", "d"]}, {"relevance": {"d": 1}}),
    ("a lone id is one id, not its letters", {"expected_source_ids": "doc"}, {"relevance": {"doc": 1}}),
    ("no ids are known to be relevant", {"expected_source_ids": []}, {"relevance": {}}),
    ("gains keep their size and sign", {"relevance": {"d": 3, "e": -1}}, {"relevance": {"d": 3, "e": -1}}),
    ("1.0 is the whole number 1", {"relevance": {"d": 1.0}}, {"relevance": {"d": 1}}),
    (
        "both spellings that agree on what is relevant",
        {"expected_source_ids": ["d"], "relevance": {"d": 1, "e": 0}},
        {"relevance": {"d": 1, "e": 0}},
    ),
    ("a kind", {"kind": "injection"}, {"kind": CaseKind.INJECTION}),
    ("null is the same as no key", {"kind": None, "tags": None, "group": None}, {}),
    (
        "an unanswerable case may say what declining sounds like",
        {"kind": "unanswerable", "expected_answer": "I do not know"},
        {"kind": CaseKind.UNANSWERABLE, "expected_answers": ("I do not know",)},
    ),
    (
        "numbers and switches are text as tags",
        {"tags": {"hops": 2, "hard": True, "weight": 0.5, "empty": None}},
        {"tags": {"hops": "2", "hard": "true", "weight": "0.5"}},
    ),
    (
        "metadata is kept as it is",
        {"metadata": {"a": [1, {"b": None}]}},
        {"metadata": {"a": [1, {"b": None}]}},
    ),
    (
        "earlier turns",
        {"history": [{"role": "user", "content": "Hi"}]},
        {"history": (Turn(role="user", content="Hi"),)},
    ),
    ("a group may be a whole number", {"group": 3}, {"group": "3"}),
    ("a literal marker", {"adversarial_payload": "PWNED"}, {"adversarial_payload": "PWNED"}),
    (
        "a payload of the library",
        {"adversarial_payload": next(iter(library()))},
        {"adversarial_payload": next(iter(library()))},
    ),
]


@pytest.mark.parametrize(("why", "given_fields", "expected"), READ_AS, ids=[row[0] for row in READ_AS])
def test_a_field_is_read_as_its_author_meant_it(why, given_fields, expected):
    (case,) = cases_from([row(given_fields)], "cases.jsonl")
    assert case == Case(**{**BARE, **expected}), why


NOT_ALLOWED = "is not allowed; expected"
GAIN = f"{NOT_ALLOWED} a whole number as gain (0 or less is judged not relevant)"
REFUSED = [
    ("a fraction is no id", {"id": 1.5}, f"id: 1.5 {NOT_ALLOWED} text: write it in quotes"),
    ("true is no id", {"id": True}, f"id: true {NOT_ALLOWED} text: write it in quotes"),
    ("null is no id", {"id": None}, "id: missing; expected text"),
    ("a blank id", {"id": " "}, f"id: ' ' {NOT_ALLOWED} text that is not blank"),
    ("a list is no id", {"id": ["a"]}, f"id: a list {NOT_ALLOWED} text"),
    ("a blank question", {"question": " \n"}, f"question: ' \\n' {NOT_ALLOWED} text that is not blank"),
    ("a number is no question", {"question": 17}, f"question: 17 {NOT_ALLOWED} text: write it in quotes"),
    ("no question", {"question": None}, "question: missing; expected text"),
    (
        "a kind with a typo",
        {"kind": "injecton"},
        f"kind: 'injecton' {NOT_ALLOWED} 'qa', 'unanswerable' or 'injection'; did you mean 'injection'?",
    ),
    ("a kind of another type", {"kind": 1}, f"kind: 1 {NOT_ALLOWED} 'qa', 'unanswerable' or 'injection'"),
    (
        "a list in the field of one text",
        {"expected_answer": ["a"]},
        f"expected_answer: a list {NOT_ALLOWED} one text; several references go into 'expected_answers'",
    ),
    (
        "a number is no reference",
        {"expected_answers": ["a", 42]},
        f"expected_answers[1]: 42 {NOT_ALLOWED} text: write it in quotes",
    ),
    (
        "an object is no list of references",
        {"expected_answers": {}},
        f"expected_answers: an empty object {NOT_ALLOWED} a list of texts",
    ),
    (
        "two spellings that disagree",
        {"expected_answer": "a", "expected_answers": ["b"]},
        "expected_answer: disagrees with 'expected_answers'; expected one of the two, or the same in both",
    ),
    (
        "two spellings of sources that disagree",
        {"expected_source_ids": ["d"], "relevance": {"d": 0}},
        "expected_source_ids: disagrees with 'relevance'; expected one of the two, or the same in both",
    ),
    (
        "gains in the field of plain ids",
        {"expected_source_ids": {"d": 1}},
        f"expected_source_ids: an object {NOT_ALLOWED} a list of ids; ids with gains go into 'relevance'",
    ),
    (
        "a fraction among source ids",
        {"expected_source_ids": ["d", 2.5]},
        f"expected_source_ids[1]: 2.5 {NOT_ALLOWED} text: write it in quotes",
    ),
    (
        "plain ids in the field of gains",
        {"relevance": ["d"]},
        f"relevance: a list {NOT_ALLOWED} an object of ids and gains; "
        "a plain list of ids goes into 'expected_source_ids'",
    ),
    ("a gain that is a fraction", {"relevance": {"d": 0.9}}, f"relevance['d']: 0.9 {GAIN}"),
    ("a gain that is a switch", {"relevance": {"d": True}}, f"relevance['d']: true {GAIN}"),
    ("a gain that is text", {"relevance": {"d": "1"}}, f"relevance['d']: '1' {GAIN}"),
    ("a gain no formula could hold", {"relevance": {"d": 10**400}}, f"relevance['d']: 1{'0' * 59}... {GAIN}"),
    ("a blank source id", {"relevance": {"": 1}}, f"relevance['']: '' {NOT_ALLOWED} text that is not blank"),
    (
        "tags as a list",
        {"tags": ["a"]},
        f'tags: a list {NOT_ALLOWED} an object of names and values, such as {{"topic": "returns"}}',
    ),
    (
        "a tag without a name",
        {"tags": {"": "a"}},
        f"tags['']: '' {NOT_ALLOWED} text that is not blank",
    ),
    (
        "a tag with parts",
        {"tags": {"a": [1]}},
        f"tags['a']: a list {NOT_ALLOWED} one value; move what has parts under 'metadata'",
    ),
    ("metadata as text", {"metadata": "x"}, f"metadata: 'x' {NOT_ALLOWED} an object of names and values"),
    ("history as text", {"history": "x"}, f"history: 'x' {NOT_ALLOWED} a list of earlier turns"),
    (
        "a turn without content",
        {"history": [{"role": "user"}]},
        f"history[0]: an object {NOT_ALLOWED} an object of 'role' and 'content' alone",
    ),
    (
        "a role with a typo",
        {"history": [{"role": "usr", "content": ""}]},
        f"history[0]['role']: 'usr' {NOT_ALLOWED} 'user', 'assistant' or 'system'; did you mean 'user'?",
    ),
    (
        "content that is no text",
        {"history": [{"role": "user", "content": None}]},
        f"history[0]['content']: null {NOT_ALLOWED} text",
    ),
    (
        "a misspelt field",
        {"expected_anwser": "a"},
        "'expected_anwser' is not a field of a case; did you mean 'expected_answer'?",
    ),
    (
        "what another tool calls it",
        {"ground_truth": "a"},
        "'ground_truth' is not a field of a case; did you mean 'expected_answer'?",
    ),
    (
        "a field that is nothing like ours",
        {"lang": "de"},
        "'lang' is not a field of a case; move it under 'metadata' or 'tags'",
    ),
]


@pytest.mark.parametrize(("why", "given_fields", "expected"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_field_that_cannot_be_read_right_is_refused_with_a_cure(why, given_fields, expected):
    assert faults(row(given_fields)) == [f"cases.jsonl:1: {expected}"], why


def test_an_id_given_twice_names_both_places():
    """17 and "17" are one id, and a row with other faults holds its id all the same."""
    assert faults(row({"id": 17, "question": ""}, 1), row({"id": "b"}, 2), row({"id": "17"}, 3)) == [
        "cases.jsonl:1: question: '' is not allowed; expected text that is not blank",
        "cases.jsonl:3: id: '17' is already used at cases.jsonl:1; expected a different one",
    ]


def test_many_faults_are_counted_and_not_all_told():
    """A misspelt column of a large file is told as far as anyone reads, and its extent is said."""
    rows = [row({"id": number, "lang": "de"}, number) for number in range(MOST_FAULTS_TOLD + 1_200)]
    told = faults(*rows)
    assert len(told) == MOST_FAULTS_TOLD + 1
    assert told[-1] == "cases.jsonl: and 1,200 more faults"


def test_an_unknown_payload_of_the_library_is_refused_in_the_librarys_words():
    """Taken as a marker it would stand in no answer, and every pipeline would look immune."""
    known = next(iter(library()))
    (told,) = faults(row({"adversarial_payload": known + "x"}))
    assert told.startswith(f"cases.jsonl:1: adversarial_payload: no payload is named '{known}x'")
    assert f"did you mean '{known}'" in told


def test_a_payload_without_a_visible_character_is_refused():
    """It would be found in every answer."""
    (told,) = faults(row({"adversarial_payload": "\u200b "}))
    assert told.startswith("cases.jsonl:1: adversarial_payload: ")


def test_hostile_text_in_a_fault_cannot_rewrite_the_terminal():
    """Control and direction characters are shown as escapes, and long text is cut."""
    (told,) = faults(row({"\x1b[2J\u202e" + "x" * 500: 1}))
    assert told.startswith("cases.jsonl:1: '\\x1b[2J\\u202exxx")
    assert told.isprintable()
    assert len(told) < 200
