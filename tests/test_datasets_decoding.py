"""Files that should be UTF-8 text and are not: told once, with the place and the cure."""

from __future__ import annotations

import pytest

from ragproof.datasets.decoding import text_of
from ragproof.errors import ConfigurationError

NUL = "a NUL character is not text; save the file as UTF-8 if it is UTF-16, else take it out"

FILES = [
    ("Latin-1", "id\nfür".encode("latin-1"), "f.csv:2:2: byte 0xfc is not UTF-8; save the file as UTF-8"),
    (
        "a column counts characters",
        b"\xc3\xa4\xff",
        "f.csv:1:2: byte 0xff is not UTF-8; save the file as UTF-8",
    ),
    (
        "a lone surrogate's bytes",
        b"a\xed\xa0\x80",
        "f.csv:1:2: byte 0xed is not UTF-8; save the file as UTF-8",
    ),
    ("UTF-16", "a".encode("utf-16"), "f.csv: the file is UTF-16; expected UTF-8 text: save it as UTF-8"),
    (
        "UTF-16 the other way round",
        b"\xfe\xff\x00a",
        "f.csv: the file is UTF-16; expected UTF-8 text: save it as UTF-8",
    ),
    ("UTF-16 without its mark", "äb".encode("utf-16-le"), f"f.csv:1:2: {NUL}"),
    ("a NUL", b"\xef\xbb\xbfa\n\xc3\xa4b\x00", f"f.csv:2:3: {NUL}"),
    (
        "a compressed file",
        b"\x1f\x8b\x08\x00",
        "f.csv: the file is compressed with gzip; expected UTF-8 text: unpack it",
    ),
    (
        "a spreadsheet",
        b"PK\x03\x04\x14\x00",
        "f.csv: the file is an archive or a spreadsheet; expected UTF-8 text: "
        "unpack it, or export it as CSV in UTF-8",
    ),
    (
        "Parquet",
        b"PAR1",
        "f.csv: the file is Parquet; expected UTF-8 text: "
        "set dataset.format to 'parquet', or to 'ragas' for its columns",
    ),
]


@pytest.mark.parametrize(("why", "content", "expected"), FILES, ids=[row[0] for row in FILES])
def test_a_file_that_is_not_utf_8_text_is_told_once(tmp_path, why, content, expected):
    (tmp_path / "f.csv").write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        text_of(tmp_path / "f.csv", "f.csv")
    assert str(caught.value) == expected, why


def test_text_is_as_it_stands_without_its_mark(tmp_path):
    """Line ends too, and separators that are none."""
    (tmp_path / "f.csv").write_bytes("\ufeffä\r\n\rb\u2028".encode())
    assert text_of(tmp_path / "f.csv", "f.csv") == "ä\r\n\rb\u2028"
