"""The demo: corpus and dataset fit each other; the pipeline is real, safe to ask and honestly flawed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragproof.cases import Case, CaseKind
from ragproof.demo.answerer import ABSTENTIONS, language
from ragproof.demo.chunks import MAXIMUM_WORDS, split
from ragproof.demo.corpus import documents, parse
from ragproof.demo.index import Index, handbook
from ragproof.demo.pipeline import Pipeline
from ragproof.demo.reranker import coverage, proximity
from ragproof.demo.sentences import sentences
from ragproof.demo.terms import content_terms, normalise, terms, trigrams, word_count

DATASET = Path(__file__).parents[1] / "config" / "datasets" / "demo.jsonl"
CASES = tuple(map(Case.model_validate_json, DATASET.read_text(encoding="utf-8").splitlines()))
DOCUMENTS = {document.id: document for document in documents()}
VARIANTS = (Pipeline(), Pipeline(rerank=True))
ZERO_WIDTH = "\u200b"


def of_kind(kind: CaseKind) -> tuple[Case, ...]:
    return tuple(case for case in CASES if case.kind is kind)


def says(text: str, expected: str) -> bool:
    return " ".join(normalise(expected).split()) in " ".join(normalise(text).split())


def marker(case: Case) -> str:
    return case.adversarial_payload or ""


def planted(case: Case) -> set[str]:
    return {d.id for d in DOCUMENTS.values() if marker(case) in d.body.replace(ZERO_WIDTH, "")}


def test_the_handbook_has_enough_documents_in_four_languages() -> None:
    """The demo promises a real corpus, not three paragraphs."""
    languages = Counter(document.language for document in DOCUMENTS.values())
    assert len(DOCUMENTS) >= 44
    assert set(languages) == {"en", "de", "ja", "hi"}
    assert min(languages.values()) >= 4


def test_documents_have_the_length_of_real_ones() -> None:
    """Every document has 150 to 500 words and a title of its own, and no chunk of it is over the limit."""
    assert all(150 <= word_count(document.body) <= 500 for document in DOCUMENTS.values())
    assert all(word_count(c.text) <= MAXIMUM_WORDS for d in DOCUMENTS.values() for c in split(d))
    assert len({document.title for document in DOCUMENTS.values()}) == len(DOCUMENTS)


@pytest.mark.parametrize(
    ("why", "text", "message"),
    [
        ("no fence at all", "# Title\n", "document 'x' has no front matter"),
        ("a fence that never closes", "---\ntitle: T\n", "document 'x' has no front matter"),
        ("a field is missing", "---\ntitle: T\nlanguage: en\n---\n", "document 'x' lacks 'date'"),
    ],
)
def test_a_document_without_its_front_matter_is_refused(why: str, text: str, message: str) -> None:
    """The error names the document and the missing part."""
    with pytest.raises(ValueError, match=message):
        parse("x", text)


def test_case_ids_are_unique_and_every_source_exists() -> None:
    """A label that points nowhere would make recall unreachable."""
    assert len({case.id for case in CASES}) == len(CASES)
    assert {source for case in CASES for source in case.relevance} <= set(DOCUMENTS)
    assert {case.group for case in CASES} <= set(DOCUMENTS)
    assert all(set(case.tags) == {"topic", "language"} for case in CASES)


def test_every_kind_and_language_is_represented() -> None:
    """Counts of cases by kind, and of answerable ones by language."""
    languages = Counter(case.language for case in of_kind(CaseKind.QA))
    assert len(of_kind(CaseKind.QA)) >= 42
    assert len(of_kind(CaseKind.UNANSWERABLE)) >= 12
    assert len(of_kind(CaseKind.INJECTION)) == 12
    assert all(languages[code] >= 5 for code in ("de", "ja", "hi"))
    assert languages["en"] > len(of_kind(CaseKind.QA)) / 2


def test_relevance_is_graded_and_some_cases_need_two_documents() -> None:
    """Gains are 1 to 3; a case needs two documents when two have 2 or more; the unanswerable have none."""
    cases = of_kind(CaseKind.QA)
    assert all(case.expected_answers and case.relevance for case in cases)
    assert {gain for case in cases for gain in case.relevance.values()} == {1, 2, 3}
    assert sum(len(set(case.relevance.values())) > 1 for case in cases) >= 8
    assert sum(len(case.relevant(level=2)) >= 2 for case in cases) >= 4
    assert not any(case.relevance or case.expected_answers for case in of_kind(CaseKind.UNANSWERABLE))


def test_expected_answers_stand_in_their_sources() -> None:
    """At least four in five, letter by letter; the rest are worded in the language of the question."""
    found = [
        any(says(DOCUMENTS[source].body, a) for source in case.relevant(2) for a in case.expected_answers)
        for case in of_kind(CaseKind.QA)
    ]
    assert sum(found) / len(found) >= 0.8


def test_half_of_the_attacks_are_asked_and_half_are_planted() -> None:
    """Each attack has a literal marker of its own, in the question or in its one source."""
    cases = of_kind(CaseKind.INJECTION)
    in_question = [case for case in cases if marker(case) in case.question]
    in_document = [case for case in cases if planted(case) == set(case.relevance) != set()]
    assert len(set(map(marker, cases))) == len(cases)
    assert all(marker(case) and not marker(case).startswith("ragproof-payload-") for case in cases)
    assert (len(in_question), len(in_document)) == (6, 6)
    assert not any(planted(case) for case in in_question)


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("empty text has no terms", "", ()),
        ("case and compatibility forms fold", "ＴＢ-200 Straße", ("tb", "200", "strasse")),
        ("vowel signs stay in Hindi words", "छुट्टी की नीति", ("छुट्टी", "की", "नीति")),
        ("Han and Kana give pairs", "在宅勤務", ("在宅", "宅勤", "勤務")),
        ("a lone character is a term", "は 5", ("は", "5")),
        ("plurals in -s fold", "policies hotels glasses status", ("policy", "hotel", "glasse", "status")),
    ],
)
def test_terms_of_a_text(why: str, text: str, expected: tuple[str, ...]) -> None:
    """Words by Unicode category, pairs for scripts without spaces, plurals folded."""
    assert terms(text) == expected


def test_content_terms_leave_out_how_a_question_is_asked() -> None:
    """Stop words and hiragana go; trigrams keep them, and hyphens too."""
    assert content_terms("What is the price of hotels?") == ("price", "hotel")
    assert content_terms("出張はいつですか") == ("出張", "張は")
    assert trigrams("PS-12の") == ("ps-", "s-1", "-12", "12の")


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("nothing to split", "", ()),
        ("a heading is no sentence", "## Rail\nTake it. Pay it.", ("Take it.", "Pay it.")),
        ("a title does not end a sentence", "Ask Dr. Stahn. Now.", ("Ask Dr. Stahn.", "Now.")),
        ("nor does a German ordinal", "Ab dem 1. April. Gut.", ("Ab dem 1. April.", "Gut.")),
        ("a question keeps its answer", "Why? Because. Then.", ("Why? Because.", "Then.")),
        ("full stops without a space", "休みです。行きます。", ("休みです。", "行きます。")),
    ],
)
def test_sentences_of_a_chunk(why: str, text: str, expected: tuple[str, ...]) -> None:
    """The units that may be quoted."""
    assert sentences(text) == expected


def test_markdown_becomes_plain_lines() -> None:
    """Comments go, a row of a table names its columns, a heading stays with what it heads."""
    table = "| A | B |\n|---|---|\n| 1 | 2 |"
    body = f"# T\n\n## S\n\n{table}\n\n<!-- hid\n\nden -->**Bold** text\n\n1. one\n2. two\n"
    document = parse("d", f"---\ntitle: T\nlanguage: en\ndate: 2025-01-01\ntopic: t\n---\n{body}")
    (chunk,) = split(document)
    assert chunk.id == "d#1"
    assert chunk.text == "## S\nA: 1; B: 2\nBold text\none\ntwo"


@pytest.mark.parametrize("pipeline", VARIANTS)
@settings(max_examples=50, deadline=None)
@given(question=st.text(max_size=200))
@example(question="")
@example(question='" OR * NEAR(tb, 200) title: -pump ^x {body}: "unclosed')
@example(question="pump' ; DROP TABLE words; --")
@example(question="pump\x00 \ud800 का\u200b 在宅勤務\x00")
@example(question="は")
@example(question=" ".join(f"word{n} 出張{n}" for n in range(2000)))
def test_no_question_is_query_syntax(pipeline: Pipeline, question: str) -> None:
    """Whatever is typed, the index answers or finds nothing, and never raises."""
    reply = pipeline.answer(question, k=3)
    assert len(reply["retrieved"]) <= 3
    assert reply["answer"]


@pytest.mark.parametrize("pipeline", VARIANTS)
def test_a_reply_is_consistent(pipeline: Pipeline) -> None:
    """`[n]` is the rank of a cited chunk, scores descend, and a chunk names its document, title and date."""
    for case in CASES:
        reply = pipeline.answer(case.question)
        ids = [chunk["id"] for chunk in reply["retrieved"]]
        marked = [ids[int(n) - 1] for n in re.findall(r" \[(\d)\](?= |$)", reply["answer"])]
        scores = [chunk["score"] for chunk in reply["retrieved"]]
        assert reply["citations"] == list(dict.fromkeys(marked))
        assert (reply["answer"] in ABSTENTIONS.values()) == (not reply["citations"])
        assert scores == sorted(scores, reverse=True)
        assert pipeline.retrieve(case.question, 5) == reply["retrieved"]
        for chunk in reply["retrieved"]:
            document = DOCUMENTS[chunk["metadata"]["document_id"]]
            assert re.fullmatch(rf"{document.id}#\d+", chunk["id"])
            named = {"document_id": document.id, "title": document.title, "date": str(document.date)}
            assert chunk["metadata"] == named


def test_hindi_is_found_by_words_and_not_by_pieces_of_them() -> None:
    """With the default tokenizer a bare consonant would match, because vowel signs would split words."""
    assert (bool(handbook().search("छुट्टी", 5)), handbook().search("ट", 5)) == (True, ())


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("en", "Who won the chess championship in Reykjavik?"),
        ("de", "Wer hat die Schachmeisterschaft in Reykjavik gewonnen?"),
        ("ja", "将棋の名人は誰ですか？"),
        ("hi", "शतरंज का विश्व विजेता कौन है?"),
    ],
)
def test_abstention_speaks_the_language_of_the_question(code: str, question: str) -> None:
    """Nothing in the handbook fits these, so each is declined in its own language."""
    reply = VARIANTS[0].answer(question)
    assert language(question) == code
    assert (reply["answer"], reply["citations"]) == (ABSTENTIONS[code], [])


@pytest.mark.parametrize("pipeline", VARIANTS)
def test_the_pipeline_is_neither_perfect_nor_useless(pipeline: Pipeline) -> None:
    """Some questions are declined and some are not; a planted note is quoted, a comment is not."""
    answers = {case.id: pipeline.answer(case.question) for case in CASES}
    for kind in (CaseKind.QA, CaseKind.UNANSWERABLE):
        assert {bool(answers[case.id]["citations"]) for case in of_kind(kind)} == {True, False}
    complied = {
        case.id
        for case in of_kind(CaseKind.INJECTION)
        if marker(case) in answers[case.id]["answer"].replace(ZERO_WIDTH, "")
    }
    assert "planted-note-to-assistants" in complied
    assert not complied & {"planted-html-comment", "ask-and-override"}


def test_re_ranking_keeps_one_chunk_a_document_and_lets_a_notice_overtake_what_it_replaces() -> None:
    """BM25 finds the bus of 2025 first, the re-ranker the notice of 2026."""
    bus = next(case.question for case in CASES if case.id == "kothrud-bus")
    for case in CASES:
        found = [chunk["metadata"]["document_id"] for chunk in VARIANTS[1].retrieve(case.question, 5)]
        assert len(set(found)) == len(found)
    first = [pipeline.retrieve(bus, 1)[0]["metadata"]["document_id"] for pipeline in VARIANTS]
    assert first == ["pune-canteen-bus", "pune-soochna-2026"]


def test_coverage_and_proximity_are_shares_of_what_is_asked() -> None:
    """In an empty index every term weighs the same, so shares can be counted by hand."""
    index = Index(())
    near, far = (("pump", *["x"] * between, "price") for between in (7, 8))
    assert coverage((), ("pump",), index) == 0
    assert coverage(("pump", "price"), ("pump",), index) == pytest.approx(1 / 2, abs=1e-12)
    assert proximity(("pump",), ("pump",), index) == 0
    assert proximity(("pump", "price", "list"), ("price", "pump"), index) == pytest.approx(1 / 2, abs=1e-12)
    assert proximity(("pump", "price"), far, index) == 0
    assert proximity(("pump", "price"), near, index) == 1


def test_less_than_one_chunk_cannot_be_asked_for() -> None:
    """The error quotes the value."""
    with pytest.raises(ValueError, match="k must be at least 1, not '0'"):
        VARIANTS[0].answer("pump", k=0)


DIGEST = """
import hashlib, json, sys
from ragproof.demo.pipeline import Pipeline
cases = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
replies = [Pipeline(rerank).answer(case["question"]) for rerank in (False, True) for case in cases]
print(hashlib.sha256(json.dumps(replies).encode()).hexdigest())
"""


def test_answers_do_not_depend_on_the_process() -> None:
    """Two processes with different hash seeds give the same bytes."""
    command = [sys.executable, "-c", DIGEST, str(DATASET)]
    digests = {
        subprocess.check_output(command, env={**os.environ, "PYTHONHASHSEED": seed}) for seed in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.parametrize("pipeline", VARIANTS)
def test_threads_get_the_answers_that_one_caller_gets(pipeline: Pipeline) -> None:
    """One pipeline object serves eight threads."""
    questions = [case.question for case in CASES] * 2
    alone = [pipeline.answer(question) for question in questions]
    with ThreadPoolExecutor(max_workers=8) as pool:
        assert list(pool.map(pipeline.answer, questions)) == alone
