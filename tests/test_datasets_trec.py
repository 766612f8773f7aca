"""TREC: which cases a folder of topics and judgments gives, and every fault it can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof import datasets
from ragproof.cases import Case
from ragproof.errors import ConfigurationError

TOPICS = "301\tWhy?\n302\tHow?\n"
QRELS = "301 0 d1 2\n302 0 d1 -1\n"
BOTH = (
    Case(id="301", question="Why?", relevance={"d1": 2}),
    Case(id="302", question="How?", relevance={"d1": -1}),
)


def write(folder: Path, **files: str | bytes) -> Path:
    """Write files whose names have an underscore for the dot."""
    root = folder / "robust"
    root.mkdir()
    for name, content in files.items():
        (root / name.replace("_", ".")).write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def told(path: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(path, "trec")
    return [str(fault) for fault in caught.value.faults]


NAMES = [
    ("plain names", {"topics_txt": TOPICS, "qrels_txt": QRELS}, ""),
    ("queries", {"queries_tsv": TOPICS, "qrels_tsv": QRELS, "README_md": "x"}, ""),
    ("as suffixes", {"dl19_topics": TOPICS, "dl19_qrels": QRELS}, ""),
    ("capitals", {"Topics_301-450": TOPICS, "QRELS": QRELS}, ""),
    ("judgments that are named", {"topics_txt": TOPICS, "qrels_test": QRELS, "qrels_dev": "x"}, "qrels.test"),
    ("judgments named like a table", {"topics_txt": TOPICS, "qrels_tsv": QRELS}, "qrels.tsv"),
]


@pytest.mark.parametrize(("why", "files", "named"), NAMES, ids=[row[0] for row in NAMES])
def test_a_folder_tells_its_format_by_its_files(tmp_path, why, files, named):
    path = write(tmp_path, **files) / named
    assert datasets.reader_version(path, plugins=()) == "trec@1", why
    assert datasets.read(path, plugins=()) == BOTH, why


TOPIC_FILES = [
    ("Windows line ends", "301\tWhy?\r\n302\tHow?\r\n"),
    ("a byte order mark and blank lines", "\ufeff\n301\tWhy?\n \n302\tHow?"),
    (
        "TREC's blocks",
        "<top>\n<num> Number: 301\n<title> Why?\n</top>\n\n<top>\n<num>302\n<title>How?\n</top>\n",
    ),
    (
        "blocks in capitals, closed tags, a title over several lines",
        "<TOP><NUM>301</NUM><TITLE> Topic:\n Why? </TITLE></TOP>\n<top>\n<num> Number: 302 <title>How?</top>",
    ),
]


@pytest.mark.parametrize(("why", "topics"), TOPIC_FILES, ids=[row[0] for row in TOPIC_FILES])
def test_topics_are_read_as_they_were_meant(tmp_path, why, topics):
    assert datasets.read(write(tmp_path, topics_txt=topics, qrels_txt=QRELS)) == BOTH, why


def test_other_parts_of_a_topic_are_kept_as_metadata(tmp_path):
    """Without the labels that stand before them; a part that comes twice is one."""
    topics = (
        "<top>\n<num> Number: 301\n<dom> Domain: A\n<title> Why: so\n<desc> Description:\nSay\n why, a < b.\n"
        "<narr> Narrative: Not how.\n<con> one\n<con> two\n</top>\n"
    )
    (case,) = datasets.read(write(tmp_path, topics_txt=topics, qrels_txt="301 0 d1 1\n"))
    assert (case.question, case.metadata) == (
        "Why: so",
        {"dom": "Domain: A", "desc": "Say why, a < b.", "narr": "Not how.", "con": "one two"},
    )


def test_tabs_in_a_question_stay_there(tmp_path):
    """The first one ends the id."""
    (case,) = datasets.read(write(tmp_path, topics_txt="301\ta\tb\n", qrels_txt="301 0 d1 1\n"))
    assert case.question == "a\tb"


def test_topics_without_a_judgment_are_left_out_and_counted(tmp_path):
    """A track judges some of its topics."""
    path = write(tmp_path, topics_txt=TOPICS, qrels_txt="302 0 d1 1\n")
    assert [case.id for case in datasets.read(path)] == ["302"]
    assert datasets.left_out(path) == ("1 of 2 queries in topics.txt have no judgment in qrels.txt",)


JUDGED = [
    ("tabs and several blanks", "301\t0  d1\t 1\r\n", {"d1": 1}),
    ("a blank line", "\n301 0 d1 1\n \n", {"d1": 1}),
    ("an id with a space that is not ASCII", "301 0 d\u00a01 1\n", {"d\u00a01": 1}),
    ("an id with a line separator", "301 0 d\u20281 1\n", {"d\u20281": 1}),
    ("an iteration of any kind", "301 Q0 d1 1\n", {"d1": 1}),
]


@pytest.mark.parametrize(("why", "qrels", "expected"), JUDGED, ids=[row[0] for row in JUDGED])
def test_judgments_are_cut_at_ascii_white_space_alone(tmp_path, why, qrels, expected):
    (case,) = datasets.read(write(tmp_path, topics_txt="301\tWhy?\n", qrels_txt=qrels))
    assert case.relevance == expected, why


FOUR = "expected four: query, iteration, document, gain"
FAULTS = [
    ("three columns", TOPICS, "301 d1 1\n302 0 d1 1\n", [f"qrels.txt:1: '301 d1 1' has 3 columns; {FOUR}"]),
    ("a ranking", TOPICS, "301 Q0 d1 1 9.5 x\n", [f"qrels.txt:1: '301 Q0 d1 1 9.5 x' has 6 columns; {FOUR}"]),
    (
        "a fraction as gain",
        TOPICS,
        "301 0 d1 0.9\n",
        [
            "qrels.txt:1: gain: '0.9' is not allowed; "
            "expected a whole number as gain (0 or less is judged not relevant)"
        ],
    ),
    (
        "judgments that disagree",
        TOPICS,
        "301 0 d1 1\n301 1 d1 2\n",
        [
            "qrels.txt:2: document 'd1' of query '301' is judged 2 here and 1 at qrels.txt:1; "
            "expected one gain"
        ],
    ),
    (
        "a judged topic that is nowhere",
        TOPICS,
        "0301 0 d1 1\n",
        ["qrels.txt: queries that are judged are not in topics.txt: '0301'; expected each of them there"],
    ),
    (
        "a topic without a tab",
        "301 Why?\n302\tHow?\n",
        "302 0 d1 1\n",
        ["topics.txt:1: '301 Why?' has no tab; expected an id, a tab and a question"],
    ),
    (
        "a topic twice",
        TOPICS + "301\tWho?\n",
        QRELS,
        ["topics.txt:3: id: '301' is already used at topics.txt:1; expected a different one"],
    ),
    (
        "a topic without a question",
        "301\t\n302\tHow?\n",
        QRELS,
        ["topics.txt:1: question: '' is not allowed; expected text that is not blank"],
    ),
    (
        "a block without a number",
        "<top>\n<title> Why?\n</top>\n<top>\n<num> Number: 302\n<title> How?\n</top>",
        "302 0 d1 1\n",
        ["topics.txt:1: num: missing; expected text"],
    ),
    (
        "a block without a title",
        "\n<top>\n<num> Number: 301\n<desc> x\n</top>",
        "301 0 d1 1\n",
        ["topics.txt:2: title: missing; expected text"],
    ),
    (
        "a block without end",
        "<top>\n<num> Number: 301\n<title> Why?\n</top>\n<top>\n<num> 302\n",
        "301 0 d1 1\n",
        ["topics.txt:5: '<top>\\n<num> 302' is in no topic; expected <top> and </top> around each"],
    ),
    (
        "a file cut short in its number",
        "<top>\n<num> Number: 301\n<title> Why?\n</top>\nrest",
        "301 0 d1 1\n",
        ["topics.txt:5: 'rest' is in no topic; expected <top> and </top> around each"],
    ),
    (
        "Latin-1",
        "301\tfür\n".encode("latin-1"),
        QRELS,
        ["topics.txt:1:6: byte 0xfc is not UTF-8; save the file as UTF-8"],
    ),
]


@pytest.mark.parametrize(("why", "topics", "qrels", "expected"), FAULTS, ids=[row[0] for row in FAULTS])
def test_files_that_cannot_be_read_right_are_refused_with_line_and_cure(
    tmp_path, why, topics, qrels, expected
):
    assert told(write(tmp_path, topics_txt=topics, qrels_txt=qrels)) == expected, why


FOLDERS = [
    (
        "nothing",
        {},
        [
            "robust: no file is named 'topics...' or 'queries...'; expected one file of topics",
            "robust: no file is named 'qrels...'; expected one of judgments",
        ],
    ),
    (
        "two files of topics",
        {"topics_a": "", "queries_b": "", "qrels_txt": ""},
        ["robust: 2 files are named 'topics...' or 'queries...'; expected one file of topics"],
    ),
    (
        "two files of judgments",
        {"topics_txt": "", "qrels_a": "", "qrels_b": ""},
        [
            "robust: there are several files of judgments; "
            "set dataset.path to 'robust/qrels.a' or 'robust/qrels.b'"
        ],
    ),
]


@pytest.mark.parametrize(("why", "files", "expected"), FOLDERS, ids=[row[0] for row in FOLDERS])
def test_a_folder_without_one_file_of_each_is_told_what_it_lacks(tmp_path, why, files, expected):
    assert told(write(tmp_path, **files)) == expected, why


def test_the_format_brings_no_documents(tmp_path):
    """TREC's collections come in as many shapes as there are tracks."""
    path = write(tmp_path, topics_txt=TOPICS, qrels_txt=QRELS)
    with pytest.raises(ConfigurationError, match=r"^dataset 'robust' is trec, which brings no documents$"):
        datasets.corpus(path)
