"""Text files as text: UTF-8 alone, with or without a byte order mark; anything else is refused with its cure.

False friend: Latin-1 decodes any bytes, so a reader that falls back to it never fails and reads `Ã¤` for `ä`.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from ragproof.errors import ConfigurationError, Fault

_OTHERS = (
    (codecs.BOM_UTF16_LE, "UTF-16", "save it as UTF-8"),
    (codecs.BOM_UTF16_BE, "UTF-16", "save it as UTF-8"),
    (b"\x1f\x8b", "compressed with gzip", "unpack it"),
    (b"PK\x03\x04", "an archive or a spreadsheet", "unpack it, or export it as CSV in UTF-8"),
    (b"PAR1", "Parquet", "set dataset.format to 'parquet', or to 'ragas' for its columns"),
)


def refuse_other_files(content: bytes, place: str) -> None:
    """Say once of a whole file what would otherwise be said of every line.

    Args:
        content: its first bytes.
        place: what the fault is said of.

    Raises:
        ConfigurationError: they are the beginning of a file that is not UTF-8 text.
    """
    for magic, kind, cure in _OTHERS:
        if content.startswith(magic):
            raise ConfigurationError([Fault(f"the file is {kind}; expected UTF-8 text: {cure}", place)])


def bad_byte(content: bytes, error: UnicodeDecodeError) -> str:
    """Say which byte is not UTF-8, and what to do."""
    return f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"


def text_of(path: Path, name: str) -> str:
    """Read a file of text.

    Args:
        path: a UTF-8 file, with or without a byte order mark.
        name: what faults call the file.

    Returns:
        Its text, line ends as they stand.

    Raises:
        ConfigurationError: it is not UTF-8, or holds a NUL character; the first place alone is told.
        OSError: it cannot be opened.
    """
    content = path.read_bytes()
    refuse_other_files(content, name)
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\x00" in content:
        before = content[: content.index(b"\x00")].decode("utf-8", "replace")
        message = "a NUL character is not text; save the file as UTF-8 if it is UTF-16, else take it out"
        raise ConfigurationError([Fault(message, _place(name, before))])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        raise ConfigurationError([Fault(bad_byte(content, error), _place(name, before))]) from error


def _place(name: str, before: str) -> str:
    line = before.count("\n") + 1
    return f"{name}:{line}:{len(before) - before.rfind(chr(10))}"
