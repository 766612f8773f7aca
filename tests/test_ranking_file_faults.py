"""Files that cannot be read: every fault at once, with its line, the value in quotes, and the cure."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ragproof.errors import ConfigurationError
from ragproof.ranking.files import TextSource, open_qrels, open_run
from ragproof.ranking.rows import each_block

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 -1\n"
RUN = "q1 Q0 d1 1 2.5 tag\nq2 Q0 d2 2 -1e3 tag\n"


def write(folder: Path, content: str | bytes, name: str = "file") -> Path:
    """Write a file, text in UTF-8."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(opened: object) -> None:
    """Read a source to its end."""
    assert isinstance(opened, TextSource)
    for _ in each_block(opened, len):
        pass


FAULTS = [
    # why, opened as, content, what is said, after the path
    (
        "NaN orders nothing",
        open_run,
        "q Q0 d 1 NaN t\n",
        [":1: score 'NaN' orders nothing, expected a number"],
    ),
    (
        "a decimal comma",
        open_run,
        "q Q0 d 1 1,5 t\n",
        [":1: score '1,5' is no number; write decimals with a point: '1.5'"],
    ),
    (
        "no number",
        open_run,
        "q Q0 d 1 high t\n",
        [":1: score 'high' is no number, expected one such as 12.5"],
    ),
    ("an underscore", open_run, "q Q0 d 1 1_0 t\n", [":1: score '1_0' is no number"]),
    (
        "5 columns",
        open_run,
        "q Q0 d 1 0.5\n",
        [
            ":1: the line has 5 columns, expected 6: query, Q0, document, rank, score, tag;"
            " add the name of the run at its end"
        ],
    ),
    (
        "one line of 5 columns among others",
        open_run,
        RUN + "q Q0 d 1 0.5\nq Q0 e 1 0.5 t more\n",
        [":3: the line has 5"],
    ),
    ("5 columns and a double blank", open_run, "q Q0  d 0.5 t\n", [":1: the line has 5 columns, expected 6"]),
    ("1 column", open_run, "q\n", [":1: the line has 1 column, expected 6"]),
    (
        "judgments in place of a run",
        open_run,
        QRELS,
        [":1: 4 columns look like judgments, expected a run with 6"],
    ),
    (
        "a run in place of judgments",
        open_qrels,
        RUN,
        [":1: 6 columns look like a run, expected judgments with 4"],
    ),
    (
        "a broken relevance",
        open_qrels,
        "q 0 d 0.9\n",
        [":1: relevance '0.9' is no whole number, expected one such as"],
    ),
    ("no relevance", open_qrels, "q 0 d x\n", [":1: relevance 'x' is no whole number"]),
    ("a huge relevance", open_qrels, "q 0 d 99999999999\n", [":1: relevance '99999999999' is out of range"]),
    ("5 columns of judgments", open_qrels, "q 0 d 1 2\n", [":1: the line has 5 columns, expected 4"]),
    ("a blank in place of a query", open_qrels, " 0 d 7\n", [":1: 3 columns and no header"]),
    ("a tab among blanks", open_qrels, "q 0 d\tx 1\n", [":1: the line has 5 columns, expected 4"]),
    (
        "another header",
        open_qrels,
        "qid\tdoc\trel\nq\td\t1\n",
        [":1: 3 columns and the header 'qid\\tdoc\\trel'"],
    ),
    (
        "no header",
        open_qrels,
        "q\td\t1\n",
        [":1: 3 columns and no header, expected 'query-id\\tcorpus-id\\tscore'"],
    ),
    ("BEIR without tabs", open_qrels, "query-id corpus-id score\nq d 1\n", [":1: 3 columns and the header"]),
    (
        "a BEIR line without tabs",
        open_qrels,
        "query-id\tcorpus-id\tscore\nq d 1\n",
        [":2: the line has 1 column, expected 3 separated by tabs: query-id, corpus-id, score"],
    ),
    ("NUL", open_run, "q Q0 d\0 1 0.5 t\n", [":1: the line has a NUL byte, expected text"]),
    ("not UTF-8", open_run, "q Q0 d\xe9 1 0.5 t\n".encode("latin-1"), [":1: the line is not UTF-8"]),
    ("UTF-16", open_run, RUN.encode("utf-16"), [": the text is UTF-16, expected UTF-8; `iconv"]),
    ("UTF-16 without its mark", open_qrels, QRELS.encode("utf-16-be"), [": the text is UTF-16"]),
    ("nothing", open_run, "", [": the file holds nothing, expected a line a document"]),
    ("blank lines alone", open_qrels, "\n \r\n", [": the file holds nothing"]),
    (
        "carriage returns alone",
        open_run,
        RUN.replace("\n", "\r"),
        [": lines end with carriage returns alone"],
    ),
    ("damaged gzip", open_run, gzip.compress(RUN.encode() * 99)[:40], [": the gzip data is damaged"]),
    ("damaged Parquet", open_run, b"PAR1 and no more", [": the Parquet file cannot be read"]),
    ("no JSON", open_run, '{"qid": \n', [":1: the line is no JSON, expected an object a line"]),
    ("a JSON list", open_run, '{"qid": "q", "docno": "d", "score": 1}\n[1]', [":2: the line is a JSON list"]),
    ("a JSON NaN", open_run, '{"qid": "q", "docno": "d", "score": NaN}', [":1: score 'nan' orders nothing"]),
    (
        "a number in quotes",
        open_run,
        '{"qid": "q", "docno": "d", "score": "0.5"}',
        [":1: score '0.5' is a text, expected a number without quotes"],
    ),
    (
        "true is no score",
        open_run,
        '{"qid": "q", "docno": "d", "score": true}',
        [":1: score 'True' is no number"],
    ),
    (
        "an id that is no text",
        open_run,
        '{"qid": 1.5, "docno": "d", "score": 1}',
        [":1: 'qid' is '1.5', expected a text"],
    ),
    (
        "half a surrogate pair",
        open_run,
        '{"qid": "q", "docno": "\\ud800", "score": 1}',
        [":1: 'docno' has half a surrogate pair, expected a text"],
    ),
    (
        "no document",
        open_run,
        '{"qid": "q", "id": "d", "score": 1}',
        [":1: no document among 'qid', 'id', 'score'; expected 'docno' or 'doc_id'"],
    ),
    (
        "no relevance key",
        open_qrels,
        '{"qid": "q", "docno": "d"}',
        [":1: no relevance among 'qid', 'docno'; expected 'label'"],
    ),
    (
        "a JSON relevance of 0.9",
        open_qrels,
        '{"qid": "q", "docno": "d", "label": 0.9}',
        [":1: relevance '0.9' is no"],
    ),
    (
        "all faults at once",
        open_run,
        "q Q0 d 1 x t\n\nq Q0 e 1 0.5 t\nq Q0 f 1 nan t\nq\n",
        [":1: score 'x'", ":4: score 'nan'", ":5: the line has 1 column"],
    ),
]


@pytest.mark.parametrize(("why", "opened_as", "content", "told"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_what_cannot_be_read_is_told_with_its_line(
    why: str,
    opened_as: Callable[[Path], TextSource],
    content: str | bytes,
    told: list[str],
    tmp_path: Path,
) -> None:
    """The file, the line, the value in quotes, what was expected, and the cure."""
    path = write(tmp_path, content)
    with pytest.raises(ConfigurationError) as refused:
        read(opened_as(path))
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) == len(told), faults
    for fault, expected in zip(faults, told, strict=True):
        assert fault.replace("\t", "\\t").startswith(f"{path}{expected}"), why


def test_a_file_of_bad_lines_is_told_in_few(tmp_path: Path) -> None:
    """The first twenty, and how many more there are."""
    path = write(tmp_path, "q Q0 d 1 x t\n" * 5000)
    with pytest.raises(ConfigurationError) as refused:
        read(open_run(path))
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) == 21
    assert faults[19].startswith(f"{path}:20: ")
    assert faults[20] == f"{path}: and 4,980 more faults"


@pytest.mark.parametrize("opened_as", [open_qrels, open_run])
def test_a_file_that_is_not_there_is_told_with_its_neighbour(
    opened_as: Callable[[Path], object], tmp_path: Path
) -> None:
    """A name that is nearly right is suggested, and a folder is no file."""
    write(tmp_path, RUN, "bm25.run")
    with pytest.raises(
        ConfigurationError, match=r"bm52.run: there is no such file; did you mean 'bm25.run'\?"
    ):
        opened_as(tmp_path / "bm52.run")
    with pytest.raises(ConfigurationError, match=r"there is no such file$"):
        opened_as(tmp_path / "no folder" / "bm25.run")
    with pytest.raises(ConfigurationError, match="this is a folder, expected a file"):
        opened_as(tmp_path)


def test_faults_of_several_pieces_keep_their_lines(tmp_path: Path) -> None:
    """Each piece is read on its own, and its lines are counted on."""
    path = write(tmp_path, RUN * 3 + "bad\n" + RUN + "worse line\n")
    source = open_run(path)
    assert isinstance(source, TextSource)
    with pytest.raises(ConfigurationError) as refused:
        read(replace(source, piece_bytes=10))
    assert [fault.place for fault in refused.value.faults] == [f"{path}:7", f"{path}:10"]
