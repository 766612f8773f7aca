"""BEIR: which cases and documents a folder gives, and every fault it can have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof import datasets
from ragproof.cases import Case
from ragproof.datasets.reader import Passage
from ragproof.errors import ConfigurationError

HEADER = "query-id\tcorpus-id\tscore\n"
QUERIES = [{"_id": "q1", "text": "Why?"}, {"_id": "q2", "text": "How?"}]


def write(folder: Path, queries: object = QUERIES, corpus: object = (), **splits: str | bytes) -> Path:
    root = folder / "scifact"
    (root / "qrels").mkdir(parents=True)
    for name, rows in (("queries.jsonl", queries), ("corpus.jsonl", corpus)):
        lines = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
        (root / name).write_text(lines, encoding="utf-8")
    for split, content in splits.items():
        (root / "qrels" / f"{split}.tsv").write_bytes(
            content.encode() if isinstance(content, str) else content
        )
    return root


def told(path: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(path, "beir")
    return [str(fault) for fault in caught.value.faults]


def test_a_judged_query_is_a_case_with_graded_relevance(tmp_path):
    """Gains keep their size, and 0 stays a judgment."""
    path = write(tmp_path, test=HEADER + "q2\td1\t2\nq1\td1\t1\nq2\td2\t0\n")
    assert datasets.read(path, plugins=()) == (
        Case(id="q1", question="Why?", relevance={"d1": 1}),
        Case(id="q2", question="How?", relevance={"d1": 2, "d2": 0}),
    )
    assert datasets.reader_version(path, plugins=()) == "beir@1"
    assert datasets.left_out(path) == ()


QUERY = [
    ("a whole number as id, here and in the judgments", {"_id": 7, "text": "Why?"}, {"id": "7"}),
    ("the other spelling of the id", {"id": "7", "text": "Why?"}, {"id": "7"}),
    ("metadata is kept", {"_id": "7", "text": "Why?", "metadata": {"a": 1}}, {"metadata": {"a": 1}}),
    ("other keys are kept beside it", {"_id": "7", "text": "Why?", "url": "u"}, {"metadata": {"url": "u"}}),
    (
        "our own fields mean what they mean",
        {"_id": "7", "text": "Why?", "tags": {"a": "b"}},
        {"tags": {"a": "b"}},
    ),
    (
        "an answer of ours",
        {"_id": "7", "text": "Why?", "expected_answer": "So."},
        {"expected_answers": ("So.",)},
    ),
]


@pytest.mark.parametrize(("why", "query", "expected"), QUERY, ids=[row[0] for row in QUERY])
def test_a_query_is_read_as_its_author_meant_it(tmp_path, why, query, expected):
    path = write(tmp_path, [query], test=HEADER + "7\td1\t1\n")
    assert datasets.read(path) == (
        Case(**{"id": "7", "question": "Why?", "relevance": {"d1": 1}, **expected}),
    ), why


def test_queries_without_a_judgment_are_left_out_and_counted(tmp_path):
    """The file of queries is that of all splits; which of them belong to one is said by its judgments."""
    path = write(tmp_path, test=HEADER + "q1\td1\t1\n", dev=HEADER + "q2\td1\t1\n")
    assert [case.id for case in datasets.read(path)] == ["q1"]
    assert datasets.left_out(path) == ("1 of 2 queries in queries.jsonl have no judgment in qrels/test.tsv",)


SPLITS = [
    ("test, before any other", ["dev", "test", "train"], "", ["test"]),
    ("the only one there is", ["train"], "", ["train"]),
    ("the one that is named", ["dev", "test", "train"], "qrels/dev.tsv", ["dev"]),
]


@pytest.mark.parametrize(("why", "splits", "named", "expected"), SPLITS, ids=[row[0] for row in SPLITS])
def test_the_split_is_test_or_the_only_one_or_the_one_that_is_named(tmp_path, why, splits, named, expected):
    queries = [{"_id": split, "text": "?"} for split in ("dev", "test", "train")]
    judged = {split: f"{HEADER}{split}\td1\t1\n" for split in splits}
    path = write(tmp_path, queries, **judged) / named
    assert [case.id for case in datasets.read(path, plugins=())] == expected, why


def test_a_folder_of_several_splits_without_test_asks_which(tmp_path):
    """With the paths to choose from."""
    assert told(write(tmp_path, dev=HEADER, train=HEADER)) == [
        "scifact: there is no qrels/test.tsv; "
        "set dataset.path to 'scifact/qrels/dev.tsv' or 'scifact/qrels/train.tsv'"
    ]


WHOLE = "expected a whole number as gain (0 or less is judged not relevant)"
COLUMNS = "expected query-id corpus-id score, a tab apart"

JUDGMENTS = [
    ("Windows line ends", HEADER.replace("\n", "\r\n") + "q1\td1\t1\r\n", []),
    ("a byte order mark and blank lines", "\ufeff" + HEADER + "\nq1\td1\t1\n\n", []),
    ("a whole number written as a fraction", HEADER + "q1\td1\t1.0\n", []),
    ("a pair judged twice alike", HEADER + "q1\td1\t1\nq1\td1\t1\n", []),
    (
        "a pair judged twice, and not alike",
        HEADER + "q1\td1\t1\nq1\td1\t0\n",
        [
            "qrels/test.tsv:3: document 'd1' of query 'q1' is judged 0 here and 1 at qrels/test.tsv:2; "
            "expected one gain"
        ],
    ),
    ("a fraction", HEADER + "q1\td1\t0.9\n", [f"qrels/test.tsv:2: gain: '0.9' is not allowed; {WHOLE}"]),
    ("no number", HEADER + "q1\td1\tyes\n", [f"qrels/test.tsv:2: gain: 'yes' is not allowed; {WHOLE}"]),
    (
        "a header of another tool",
        "qid\tdoc\trel\nq1\td1\t1\n",
        [f"qrels/test.tsv:1: 'qid doc rel' is no header; {COLUMNS}"],
    ),
    ("no header", "q1\td1\t1\n", [f"qrels/test.tsv:1: 'q1 d1 1' is no header; {COLUMNS}"]),
    (
        "TREC's columns",
        HEADER + "q1\t0\td1\t1\n",
        [f"qrels/test.tsv:2: 'q1 0 d1 1' is no judgment; {COLUMNS}"],
    ),
    ("an empty cell", HEADER + "q1\t\t1\n", [f"qrels/test.tsv:2: 'q1  1' is no judgment; {COLUMNS}"]),
    (
        "judged queries that nobody asks, told once",
        HEADER + "".join(f"x{n}\td1\t1\nx{n}\td2\t1\n" for n in range(5)),
        [
            "qrels/test.tsv: queries that are judged are not in queries.jsonl: 'x0', 'x1', 'x2' and 2 more; "
            "expected each of them there"
        ],
    ),
    ("no judgments", HEADER, ["scifact: no cases; expected at least one"]),
    (
        "UTF-16",
        HEADER.encode("utf-16"),
        ["qrels/test.tsv: the file is UTF-16; expected UTF-8 text: save it as UTF-8"],
    ),
    (
        "a NUL",
        HEADER + "q1\td\x00\t1\n",
        [
            "qrels/test.tsv:2:5: a NUL character is not text; "
            "save the file as UTF-8 if it is UTF-16, else take it out"
        ],
    ),
]


@pytest.mark.parametrize(("why", "content", "expected"), JUDGMENTS, ids=[row[0] for row in JUDGMENTS])
def test_judgments_are_read_right_or_refused_with_line_and_cure(tmp_path, why, content, expected):
    path = write(tmp_path, test=content)
    if expected:
        assert told(path) == expected, why
    else:
        assert datasets.read(path) == (Case(id="q1", question="Why?", relevance={"d1": 1}),), why


JUDGED = HEADER + "q1\td1\t1\n"
BAD_QUERIES = [
    (
        "an id twice",
        [*QUERIES, QUERIES[0]],
        ["queries.jsonl:3: _id: 'q1' is already used at queries.jsonl:1; expected a different one"],
    ),
    (
        "an empty question",
        [{"_id": "q1", "text": ""}],
        ["queries.jsonl:1: text: '' is not allowed; expected text that is not blank"],
    ),
    (
        "no id",
        [QUERIES[0], {"text": "Why?"}],
        ["queries.jsonl:2: _id: missing; expected text"],
    ),
    (
        "the id in both spellings",
        [{"_id": "q1", "id": "q2", "text": "Why?"}],
        ["queries.jsonl:1: id: '_id' says it already; expected one of the two"],
    ),
    (
        "a key beside metadata that holds it too",
        [{"_id": "q1", "text": "Why?", "url": 1, "metadata": {"url": 2}}],
        ["queries.jsonl:1: url: 'metadata' holds it too; expected one of the two"],
    ),
    (
        "relevance beside the judgments",
        [{"_id": "q1", "text": "Why?", "relevance": {"d2": 1}}],
        ["queries.jsonl:1: relevance: qrels/test.tsv says what is relevant; expected one of the two"],
    ),
    (
        "lines that are no JSON, and what they hide",
        '{"_id": "q1", "text": "Why?"}\n{\n',
        [
            "queries.jsonl:2:2: not valid JSON: expecting property name enclosed in double quotes; "
            "expected one object a line"
        ],
    ),
]


@pytest.mark.parametrize(("why", "queries", "expected"), BAD_QUERIES, ids=[row[0] for row in BAD_QUERIES])
def test_queries_that_cannot_be_read_right_are_refused_with_line_and_cure(tmp_path, why, queries, expected):
    assert told(write(tmp_path, queries, test=JUDGED)) == expected, why


def test_faults_of_both_files_are_told_at_once(tmp_path):
    """One reading is enough to mend the folder."""
    path = write(tmp_path, [{"_id": "q1", "text": " "}], test=HEADER + "q1\td1\tx\nq1\td1\t1\nq9\td1\t1\n")
    assert told(path) == [
        f"qrels/test.tsv:2: gain: 'x' is not allowed; {WHOLE}",
        "queries.jsonl:1: text: ' ' is not allowed; expected text that is not blank",
        "qrels/test.tsv: queries that are judged are not in queries.jsonl: 'q9'; expected each of them there",
    ]


def test_a_folder_that_lacks_a_part_is_told_which(tmp_path):
    """All parts at once."""
    (tmp_path / "empty").mkdir()
    assert told(tmp_path / "empty") == ["empty: there is no queries.jsonl", "empty: there is no qrels/*.tsv"]


def test_a_file_that_is_no_part_of_a_folder_is_refused(tmp_path):
    """With what was expected in its place."""
    (tmp_path / "test.tsv").write_text(JUDGED)
    assert told(tmp_path / "test.tsv") == [
        "test.tsv: this is no BEIR dataset; expected a folder with queries.jsonl and qrels/*.tsv, "
        "or one of these files of judgments"
    ]


def test_the_corpus_is_not_read_for_the_cases(tmp_path):
    """It may be large, and a corpus that is broken or absent breaks no case."""
    path = write(tmp_path, corpus="{", test=JUDGED)
    assert len(datasets.read(path)) == 1
    (path / "corpus.jsonl").unlink()
    assert len(datasets.read(path)) == 1


def test_the_corpus_is_every_document(tmp_path):
    """Ids are text; a title may be absent, and a text may be empty."""
    corpus = [{"_id": "d1", "title": "T", "text": "One."}, {"_id": 17, "text": "", "metadata": {}}]
    path = write(tmp_path, corpus=corpus, test=JUDGED)
    expected = (Passage("d1", "One.", "T"), Passage("17", ""))
    assert datasets.corpus(path) == datasets.corpus(path / "qrels" / "test.tsv") == expected


CORPORA = [
    (
        "an id twice",
        [{"_id": "d", "text": ""}, {"_id": "d", "text": ""}],
        "corpus.jsonl:2: _id: 'd' is already used at corpus.jsonl:1; expected a different one",
    ),
    ("no id", [{"text": ""}], "corpus.jsonl:1: _id: null is not allowed; expected text"),
    (
        "a text that is none",
        [{"_id": "d", "text": 1}],
        "corpus.jsonl:1: text: 1 is not allowed; expected text",
    ),
    ("nothing", [], "dataset 'scifact' has no documents; expected at least one"),
]


@pytest.mark.parametrize(("why", "corpus", "expected"), CORPORA, ids=[row[0] for row in CORPORA])
def test_a_corpus_that_cannot_be_read_right_is_refused(tmp_path, why, corpus, expected):
    with pytest.raises(ConfigurationError) as caught:
        datasets.corpus(write(tmp_path, corpus=corpus, test=JUDGED))
    assert str(caught.value) == expected, why


def test_a_missing_corpus_is_told_by_its_own_path(tmp_path):
    """The folder itself is there."""
    path = write(tmp_path, test=JUDGED)
    (path / "corpus.jsonl").unlink()
    with pytest.raises(ConfigurationError, match=r"corpus\.jsonl' does not exist$"):
        datasets.corpus(path)
