"""Files of rankings and judgments: TREC, BEIR, JSONL and Parquet, told apart by what is in them.

gzip is told by its magic bytes, whatever the name; a byte order mark is skipped.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.ranking import json_lines
from ragproof.ranking.frames import from_parquet
from ragproof.ranking.quoting import quoted
from ragproof.ranking.rows import Block, Source
from ragproof.ranking.splitting import BEIR_QRELS, QRELS, RUN, Layout, split

_HEAD = 1 << 16
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_LEAST_OF_A_RUN = 5


@dataclass(frozen=True)
class TextSource:
    """A text file with a row a line."""

    path: Path
    read: Callable[[bytes, int, Callable[[int], str]], Block]
    """Makes a block of whole lines, given the number of the first."""
    skipped: int = 0
    """How many lines its header takes."""
    piece_bytes: int = 1 << 22
    """How much is read at a time: two pieces of it need no memory to speak of."""

    @property
    def name(self) -> str:
        """Its path."""
        return str(self.path)

    def place(self, number: int) -> str:
        """Say where a line stands."""
        return f"{self.path}:{number}"

    def loads(self) -> Iterator[Callable[[], Block]]:
        """Yield what reads the next piece of the file."""
        number = 1
        with _opened(self.path) as file:
            for _ in range(self.skipped):
                file.readline()
                number += 1
            while data := _whole_lines(file, self.piece_bytes):
                if not data.endswith(b"\n"):
                    data += b"\n"
                yield partial(self.read, data, number, self.place)
                number += int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")))


def open_qrels(path: Path) -> Source:
    """Find out how a file of judgments is written.

    Args:
        path: TREC qrels, BEIR's tab-separated file with its header, JSON lines or Parquet; text may be
            gzip-compressed.

    Returns:
        The source of its rows.

    Raises:
        ConfigurationError: the file cannot be opened, or is none of these.
    """
    head = _head(path)
    if head.startswith(_PARQUET):
        return from_parquet(path, gains=True)
    number, line = _first_line(head, path)
    if line.startswith(b"{"):
        return TextSource(path, partial(_json, gains=True))
    columns = line.split()
    header = [name.encode() for name in BEIR_QRELS.told]
    if columns == header and line.strip().split(b"\t") == header:
        return TextSource(path, partial(_lines, layout=BEIR_QRELS), skipped=number)
    if len(columns) == BEIR_QRELS.columns:
        told = "no header" if _is_whole(columns[-1]) else f"the header {_text(line)}"
        raise _fault(
            path, number, f"3 columns and {told}, expected 'query-id\\tcorpus-id\\tscore' above them"
        )
    if len(columns) > _LEAST_OF_A_RUN:
        raise _fault(
            path,
            number,
            f"{len(columns)} columns look like a run, expected judgments with 4; give QRELS before RUN",
        )
    return TextSource(path, partial(_lines, layout=QRELS))


def open_run(path: Path) -> Source:
    """Find out how a run is written: as a TREC run, JSON lines or Parquet; the rest as of `open_qrels`."""
    head = _head(path)
    if head.startswith(_PARQUET):
        return from_parquet(path, gains=False)
    number, line = _first_line(head, path)
    columns = line.split()
    if len(columns) == QRELS.columns and _is_whole(columns[-1]):
        raise _fault(
            path, number, "4 columns look like judgments, expected a run with 6; give QRELS before RUN"
        )
    return TextSource(
        path, partial(_json, gains=False) if line.startswith(b"{") else partial(_lines, layout=RUN)
    )


def _whole_lines(file: IO[bytes], count: int) -> bytes:
    """Read about so many bytes, to the end of a line; nothing at the end of the file."""
    if isinstance(file, gzip.GzipFile):
        return file.read(count) + file.readline()
    # Looking for the end of the line first is cheaper than copying the piece to add the rest of it.
    start = file.tell()
    end = file.seek(count, os.SEEK_CUR) + len(file.readline())
    file.seek(start)
    return file.read(end - start)


def _lines(data: bytes, first: int, place: Callable[[int], str], layout: Layout) -> Block:
    return split(data, first, layout, place)


def _json(data: bytes, first: int, place: Callable[[int], str], gains: bool) -> Block:
    return json_lines.read(data, first, gains, place)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file behind its compression and its byte order mark, and tell what goes wrong meanwhile."""
    try:
        with path.open("rb") as raw:
            packed = raw.peek(2).startswith(_GZIP)
            file: IO[bytes] = gzip.GzipFile(fileobj=raw) if packed else raw  # type: ignore[assignment]
            if file.read(len(_BOM)) != _BOM:
                file.seek(0)
            yield file
    except FileNotFoundError:
        beside = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        raise _unreadable(path, f"there is no such file{nearest(path.name, beside)}") from None
    except IsADirectoryError:
        raise _unreadable(path, "this is a folder, expected a file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _unreadable(path, f"the gzip data is damaged: {error}; make the file again") from None
    except OSError as error:
        raise _unreadable(path, f"the file cannot be read: {error.strerror}") from None


def _head(path: Path) -> bytes:
    with _opened(path) as file:
        head = file.read(_HEAD)
    if head.startswith(_PARQUET):
        return head
    if (
        head.startswith(_UTF_16)
        or head[1::2].count(0) > len(head) // 4
        or head[::2].count(0) > len(head) // 4
    ):
        cure = "`iconv -f UTF-16 -t UTF-8` converts it"
        raise _unreadable(path, f"the text is UTF-16, expected UTF-8; {cure}")
    return head


def _first_line(head: bytes, path: Path) -> tuple[int, bytes]:
    """Return the number and the text of the first line that is not blank."""
    text = head.lstrip()
    if not text:
        raise _unreadable(path, "the file holds nothing, expected a line a document")
    if b"\n" not in head and b"\r" in text.rstrip():
        raise _unreadable(
            path, "lines end with carriage returns alone, expected line feeds; `tr '\\r' '\\n'` converts them"
        )
    return head[: len(head) - len(text)].count(b"\n") + 1, text.partition(b"\n")[0]


def _is_whole(text: bytes) -> bool:
    return text.lstrip(b"+-").isdigit()


def _text(line: bytes) -> str:
    return quoted(line.strip().decode(errors="replace"))


def _fault(path: Path, number: int, message: str) -> ConfigurationError:
    return ConfigurationError([Fault(message, f"{path}:{number}")])


def _unreadable(path: Path, message: str) -> ConfigurationError:
    return ConfigurationError([Fault(message, str(path))])
