"""TREC: a folder with one file of topics and one of judgments.

Convention: the topics' file is named `topics...` or `queries...`, the judgments' `qrels...` (or with these as
suffixes, `dl19.qrels`). Of several files of judgments the path names the one that is meant. Topics are lines
of an id, a tab and a question, or TREC's blocks from `<top>` to `</top>`, of which the title is the question
and every other part is kept as metadata. Judgments are trec_eval's (9.0.8) four columns, query, iteration,
document and gain, between ASCII white space. Topics without a judgment are left out, as `judgments` says.
False friend: Python's `str.split` would also cut an id at U+00A0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets.decoding import text_of
from ragproof.datasets.foreign import as_ours
from ragproof.datasets.judgments import Judgments, Line, cases_of, collect, unjudged
from ragproof.datasets.reader import Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import ConfigurationError, Fault

_TOPICS = ("topics", "queries")
_QRELS = ("qrels",)
_COLUMNS = 4
_WORD = re.compile(r"[^ \t\r\n\v\f]+")
_BLANK = " \t\r\n\v\f"

_TOP = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)
_END_TAG = re.compile(r"</\w+>")
_PART = re.compile(r"<(\w+)>([^<]*(?:<(?!\w+>)[^<]*)*)")
_LABELS = {"num": "number", "title": "topic", "desc": "description", "narr": "narrative"}
"""What stands before a part's text, with a colon."""
_NAMES = {"num": "id", "title": "question"}


@dataclass(frozen=True)
class _Parts:
    topics: Path
    qrels: Path


def sniff(path: Path, head: bytes) -> bool:  # noqa: ARG001  # the names decide
    """Recognise a folder by the names of its files, and judgments by theirs and the topics beside them."""
    if path.is_dir():
        return bool(_named(path, _TOPICS) and _named(path, _QRELS))
    return _is_named(path, _QRELS) and bool(_named(path.absolute().parent, _TOPICS))


def read(path: Path) -> tuple[Case, ...]:
    """Read the judged topics.

    Args:
        path: the folder, or one of its files of judgments.

    Returns:
        The judged topics as cases, in their file's order; never empty.

    Raises:
        ConfigurationError: a file is missing, or all that is wrong in them, each with its line.
        OSError: a file cannot be opened.
    """
    parts = _parts(path)
    return cases_from(cases_of(_topics(parts.topics), _judgments(parts.qrels), parts.topics.name), path.name)


def left_out(path: Path) -> tuple[str, ...]:
    """Say how many topics have no judgment."""
    parts = _parts(path)
    return unjudged(_topics(parts.topics), _judgments(parts.qrels), parts.topics.name)


def files(path: Path) -> tuple[Path, ...]:
    """Return the files of topics and of judgments."""
    parts = _parts(path)
    return parts.topics, parts.qrels


def _parts(path: Path) -> _Parts:
    folder = path if path.is_dir() else path.absolute().parent
    topics = _named(folder, _TOPICS)
    qrels = _named(folder, _QRELS) if path.is_dir() else [path]
    faults = []
    if len(topics) != 1:
        faults.append(f"{_count(topics)} named 'topics...' or 'queries...'; expected one file of topics")
    if not qrels:
        faults.append("no file is named 'qrels...'; expected one of judgments")
    elif len(qrels) > 1:
        known = one_of(tuple(f"{path.name}/{file.name}" for file in qrels))
        faults.append(f"there are several files of judgments; set dataset.path to {known}")
    if faults:
        raise ConfigurationError([Fault(message, path.name) for message in faults])
    return _Parts(topics[0], qrels[0])


def _count(files: list[Path]) -> str:
    return f"{len(files)} files are" if files else "no file is"


def _named(folder: Path, words: tuple[str, ...]) -> list[Path]:
    return sorted(file for file in folder.iterdir() if _is_named(file, words) and file.is_file())


def _is_named(file: Path, words: tuple[str, ...]) -> bool:
    name = file.name.lower()
    return name.startswith(words) or name.endswith(tuple(f".{word}" for word in words))


def _topics(path: Path) -> Iterator[Row | Fault]:
    text = text_of(path, path.name)
    rows = _blocks(text, path.name) if re.search(r"<top>", text, re.IGNORECASE) else _lines(text, path.name)
    for row in rows:
        yield row if isinstance(row, Fault) else as_ours(row, _NAMES)


def _lines(text: str, name: str) -> Iterator[Row | Fault]:
    for number, line in enumerate(text.split("\n"), start=1):
        topic, tab, question = line.rstrip("\r").partition("\t")
        if tab:
            yield Row(f"{name}:{number}", {"id": topic, "question": question})
        elif topic.strip(_BLANK):
            yield Fault(f"{shown(line)} has no tab; expected an id, a tab and a question", f"{name}:{number}")


def _blocks(text: str, name: str) -> Iterator[Row | Fault]:
    at = 0
    for block in _TOP.finditer(text):
        yield from _outside(text, at, block.start(), name)
        yield Row(_place(text, block.start(), name), _parts_of(block[1]))
        at = block.end()
    yield from _outside(text, at, len(text), name)


def _outside(text: str, start: int, stop: int, name: str) -> Iterator[Fault]:
    found = text[start:stop].strip(_BLANK)
    if found:
        place = _place(text, text.index(found, start), name)
        yield Fault(f"{shown(found)} is in no topic; expected <top> and </top> around each", place)


def _place(text: str, at: int, name: str) -> str:
    return f"{name}:{text.count(chr(10), 0, at) + 1}"


def _parts_of(block: str) -> dict[str, object]:
    parts: dict[str, object] = {}
    for tag, content in _PART.findall(_END_TAG.sub("", block)):
        words = " ".join(_WORD.findall(content))
        label, colon, rest = words.partition(":")
        labelled = colon and label.strip().casefold() == _LABELS.get(tag.lower())
        text = rest.strip() if labelled else words
        parts[tag.lower()] = f"{parts[tag.lower()]} {text}" if tag.lower() in parts else text
    return parts


def _judgments(path: Path) -> Judgments:
    return collect(_judged(text_of(path, path.name), path.name), path.name)


def _judged(text: str, name: str) -> Iterator[Line | Fault]:
    for number, line in enumerate(text.split("\n"), start=1):
        words = _WORD.findall(line)
        if len(words) == _COLUMNS:
            yield Line(f"{name}:{number}", words[0], words[2], words[3])
        elif words:
            given = f"{shown(line.strip(_BLANK))} has {len(words)} columns"
            yield Fault(f"{given}; expected four: query, iteration, document, gain", f"{name}:{number}")


READER = Reader(
    name="trec", version=1, sniff=sniff, read=read, refines=("csv",), files=files, left_out=left_out
)
