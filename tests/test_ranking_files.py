"""Files of judgments and rankings: what is read, and what is said of the rest."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.retrieval import evaluate
from ragproof.ranking.files import TextSource, open_qrels, open_run
from ragproof.ranking.rows import each_block
from tests.fakes.rankings import IDS

Rows = list[tuple[str, str, float]]

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 -1\n"
JUDGED: Rows = [("q1", "d1", 1), ("q1", "d2", 0), ("q2", "d1", -1)]
RUN = "q1 Q0 d1 1 2.5 tag\nq2 Q0 d2 2 -1e3 tag\n"
RANKED: Rows = [("q1", "d1", 2.5), ("q2", "d2", -1000.0)]


def write(folder: Path, content: str | bytes, name: str = "file") -> Path:
    """Write a file, text in UTF-8."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(opened: object) -> Rows:
    """Return all rows of a source."""
    assert isinstance(opened, TextSource)
    blocks = list(each_block(opened, lambda block: block))
    return [
        row
        for block in blocks
        for row in zip(block.queries.to_list(), block.documents.to_list(), block.values.tolist(), strict=True)
    ]


RUNS = [
    # why, content
    ("a TREC run", RUN),
    ("tabs", RUN.replace(" ", "\t")),
    ("any ASCII white space", RUN.replace(" ", " \t\v\f\r ")),
    ("at the ends of lines too", RUN.replace("q", " \tq").replace("tag", "tag \t")),
    ("CRLF", RUN.replace("\n", "\r\n")),
    ("CRLF on some lines", RUN.replace("\n", "\r\n", 1)),
    ("no line feed at the end", RUN.rstrip()),
    ("blank lines", "\n \r\n" + RUN.replace("\n", "\n\n\t\n")),
    ("a byte order mark", "\ufeff" + RUN),
    ("gzip", gzip.compress(RUN.encode())),
    ("gzip in several members", gzip.compress(RUN[:20].encode()) + gzip.compress(RUN[20:].encode())),
    ("gzip with a byte order mark inside", gzip.compress(("\ufeff" + RUN).encode())),
    ("7 columns and more", RUN.replace("tag", "tag and more")),
    ("on some lines", RUN.replace("tag", "tag more", 1)),
    (
        "JSON lines",
        '{"qid": "q1", "docno": "d1", "score": 2.5}\n{"qid": "q2", "docno": "d2", "score": -1000}',
    ),
    (
        "JSON lines with other keys and blank lines",
        '\n{"query_id": "q1", "doc_id": "d1", "score": 2.5, "x": {}}\n\n'
        '{"q_id": "q2", "docid": "d2", "score": -1e3}\n',
    ),
]


@pytest.mark.parametrize(("why", "content"), RUNS, ids=[why for why, _ in RUNS])
def test_a_run_is_read(why: str, content: str | bytes, tmp_path: Path) -> None:
    """However it is separated, ended and compressed, the rows are the same."""
    assert rows(open_run(write(tmp_path, content))) == RANKED, why


JUDGMENTS = [
    ("TREC judgments", QRELS),
    ("tabs and CRLF", QRELS.replace(" ", "\t").replace("\n", "\r\n")),
    ("double blanks", QRELS.replace(" ", "  ")),
    ("a plus sign and a whole number with a point", QRELS.replace(" 1\n", " +1\n").replace(" 0\n", " 0.0\n")),
    ("gzip", gzip.compress(QRELS.encode())),
    ("BEIR", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td1\t-1\n"),
    (
        "BEIR with CRLF and a byte order mark",
        "\ufeffquery-id\tcorpus-id\tscore\r\nq1\td1\t1\r\nq1\td2\t0\r\nq2\td1\t-1",
    ),
    (
        "JSON lines",
        '{"qid": "q1", "docno": "d1", "label": 1}\n{"query-id": "q1", "corpus-id": "d2", "score": 0}\n'
        '{"query_id": "q2", "doc_id": "d1", "relevance": -1.0}\n',
    ),
]


@pytest.mark.parametrize(("why", "content"), JUDGMENTS, ids=[why for why, _ in JUDGMENTS])
def test_judgments_are_read(why: str, content: str | bytes, tmp_path: Path) -> None:
    """In each of the formats."""
    assert rows(open_qrels(write(tmp_path, content))) == JUDGED, why


@pytest.mark.parametrize("document", [*IDS, "a\x1fb", "a\x85b", "\u2003", '"', "#d", "null", "nan"])
@pytest.mark.parametrize("separator", [" ", "\t", "  "])
def test_ids_are_text_and_nothing_but_ascii_white_space_ends_them(
    document: str, separator: str, tmp_path: Path
) -> None:
    """Not U+00A0, U+0085 or U+2028, and neither quotes nor words mean anything."""
    line = separator.join([document, "Q0", document, "1", "0.5", "tag"])
    assert rows(open_run(write(tmp_path, line))) == [(document, document, 0.5)]


@pytest.mark.parametrize("piece_bytes", [1, 1 << 22])
def test_a_byte_order_mark_that_begins_no_file_is_part_of_an_id(piece_bytes: int, tmp_path: Path) -> None:
    """Also where it happens to begin a piece."""
    source = open_run(write(tmp_path, RUN + "\ufeffq Q0 d 1 0.5 tag\n"))
    assert isinstance(source, TextSource)
    assert rows(replace(source, piece_bytes=piece_bytes))[-1] == ("\ufeffq", "d", 0.5)


def test_beir_ids_may_have_blanks(tmp_path: Path) -> None:
    """Its columns are separated by tabs alone."""
    content = "query-id\tcorpus-id\tscore\nwhat is it\ta b\t1\n"
    assert rows(open_qrels(write(tmp_path, content))) == [("what is it", "a b", 1)]


def test_json_ids_that_are_whole_numbers_are_read_as_text(tmp_path: Path) -> None:
    """As they are written, and leading zeros are another text."""
    content = '{"qid": 7, "docno": "007", "score": 1}'
    assert rows(open_run(write(tmp_path, content))) == [("7", "007", 1.0)]


@pytest.mark.parametrize(
    "score", ["1", "-0.0", ".5", "5.", "+1e-3", "inf", "-Infinity", "1e400", "0.1234567890123456789"]
)
@pytest.mark.parametrize("separator", [" ", "  "])
def test_scores_are_read_as_doubles(score: str, separator: str, tmp_path: Path) -> None:
    """Whichever way the line is split."""
    line = separator.join(["q", "Q0", "d", "1", score, "tag"])
    ((_, _, value),) = rows(open_run(write(tmp_path, line)))
    assert value == float(score)


@settings(max_examples=50, deadline=None)
@given(piece_bytes=st.integers(1, 200), irregular=st.sets(st.integers(0, 29)), packed=st.booleans())
def test_pieces_of_any_size_give_the_same_rows(
    piece_bytes: int, irregular: set[int], packed: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Lines are never cut, and keep their numbers, where some pieces are regular and some are not."""
    lines = [f"q{line // 10} Q0 d{line} {line} {line}.25 tag" for line in range(30)]
    for line in irregular:
        lines[line] = lines[line].replace(" ", "  ") + "\n"
    content = "\n".join(lines).encode()
    path = write(tmp_path_factory.mktemp("pieces"), gzip.compress(content) if packed else content)
    source = open_run(path)
    assert isinstance(source, TextSource)
    expected = [(f"q{line // 10}", f"d{line}", line + 0.25) for line in range(30)]
    assert rows(replace(source, piece_bytes=piece_bytes)) == expected
    numbers = [number for block in each_block(source, lambda block: block) for number in block.numbers]
    assert numbers == [number for number, line in enumerate("\n".join(lines).split("\n"), start=1) if line]


def test_paths_may_be_texts(tmp_path: Path) -> None:
    """As well as `Path`."""
    qrels, run = write(tmp_path, QRELS, "qrels"), write(tmp_path, RUN, "run")
    assert evaluate(str(qrels), str(run)).means == evaluate(qrels, run).means
