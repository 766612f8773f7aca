"""BEIR: a folder of `queries.jsonl`, `qrels/SPLIT.tsv` and `corpus.jsonl`.

Convention (Thakur et al. 2021, github.com/beir-cellar/beir): the split is `test`, or the only one there is;
another is chosen by giving the path of its file, `scifact/qrels/dev.tsv`. Queries without a judgment in it
are left out, as `judgments` says. Keys of a query beside BEIR's and ours are kept as metadata. The corpus is
not read for the cases.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets import jsonl
from ragproof.datasets.decoding import text_of
from ragproof.datasets.delimited import Torn, records
from ragproof.datasets.foreign import as_ours
from ragproof.datasets.judgments import Judgments, Line, cases_of, collect, unjudged
from ragproof.datasets.reader import Passage, Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import ConfigurationError, Fault

_QUERIES = "queries.jsonl"
_CORPUS = "corpus.jsonl"
_QRELS = "qrels"
_DEFAULT_SPLIT = "test.tsv"
_HEADER = ("query-id", "corpus-id", "score")
_NAMES = {"_id": "id", "text": "question"}


@dataclass(frozen=True)
class _Parts:
    queries: Path
    qrels: Path

    @property
    def qrels_name(self) -> str:
        return f"{_QRELS}/{self.qrels.name}"


def sniff(path: Path, head: bytes) -> bool:
    """Recognise a folder by its queries and judgments, and a file of judgments by its header and place."""
    if path.is_dir():
        return (path / _QUERIES).is_file() and (path / _QRELS).is_dir()
    first = head.removeprefix(codecs.BOM_UTF8).split(b"\n", 1)[0].decode("utf-8", "replace")
    return tuple(first.rstrip("\r").split("\t")) == _HEADER and _has_queries(path)


def read(path: Path) -> tuple[Case, ...]:
    """Read the queries of one split.

    Args:
        path: the folder, or one of its files of judgments.

    Returns:
        The judged queries as cases, in the order of `queries.jsonl`; never empty.

    Raises:
        ConfigurationError: a file is missing, or all that is wrong in them, each with its line.
        OSError: a file cannot be opened.
    """
    parts = _parts(path)
    return cases_from(cases_of(_queries(parts), _judgments(parts), _QUERIES), path.name)


def left_out(path: Path) -> tuple[str, ...]:
    """Say how many queries have no judgment in the split."""
    parts = _parts(path)
    return unjudged(_queries(parts), _judgments(parts), _QUERIES)


def files(path: Path) -> tuple[Path, ...]:
    """Return the files of queries and of judgments."""
    parts = _parts(path)
    return parts.queries, parts.qrels


def corpus(path: Path) -> Iterator[Passage]:
    """Yield every document of the corpus.

    Raises:
        ConfigurationError: the first thing that is wrong, with its line.
        OSError: the file cannot be opened.
    """
    places: dict[str, str] = {}
    for row in jsonl.rows(_parts(path).queries.with_name(_CORPUS), _CORPUS):
        if isinstance(row, Fault):
            raise ConfigurationError([row])
        passage = _passage(row)
        first = places.setdefault(passage.id, row.place)
        if first != row.place:
            message = f"_id: {shown(passage.id)} is already used at {first}; expected a different one"
            raise ConfigurationError([Fault(message, row.place)])
        yield passage


def _passage(row: Row) -> Passage:
    given = {"title": "", **row.fields}
    if isinstance(given.get("_id"), int):
        given["_id"] = str(given["_id"])
    for name in ("_id", "title", "text"):
        if not isinstance(given.get(name), str):
            message = f"{name}: {shown(given.get(name))} is not allowed; expected text"
            raise ConfigurationError([Fault(message, row.place)])
    return Passage(id=str(given["_id"]), text=str(given["text"]), title=str(given["title"]))


def _parts(path: Path) -> _Parts:
    if not path.is_dir():
        if not _has_queries(path):
            expected = f"a folder with {_QUERIES} and {_QRELS}/*.tsv, or one of these files of judgments"
            raise ConfigurationError([Fault(f"this is no BEIR dataset; expected {expected}", path.name)])
        return _Parts(path.absolute().parent.parent / _QUERIES, path)
    splits = {file.name: file for file in sorted((path / _QRELS).glob("*.tsv"))}
    faults = [] if (path / _QUERIES).is_file() else [Fault(f"there is no {_QUERIES}", path.name)]
    if not splits:
        faults.append(Fault(f"there is no {_QRELS}/*.tsv", path.name))
    elif _DEFAULT_SPLIT not in splits and len(splits) > 1:
        known = one_of(tuple(f"{path.name}/{_QRELS}/{name}" for name in splits))
        faults.append(Fault(f"there is no {_QRELS}/{_DEFAULT_SPLIT}; set dataset.path to {known}", path.name))
    if faults:
        raise ConfigurationError(faults)
    return _Parts(path / _QUERIES, splits.get(_DEFAULT_SPLIT) or next(iter(splits.values())))


def _has_queries(qrels: Path) -> bool:
    folder = qrels.absolute().parent
    return folder.name == _QRELS and (folder.parent / _QUERIES).is_file()


def _queries(parts: _Parts) -> Iterator[Row | Fault]:
    for row in jsonl.rows(parts.queries, _QUERIES):
        yield row if isinstance(row, Fault) else as_ours(row, _NAMES)


def _judgments(parts: _Parts) -> Judgments:
    return collect(_lines(parts.qrels, parts.qrels_name), parts.qrels_name)


def _lines(qrels: Path, name: str) -> Iterator[Line | Fault]:
    for index, found in enumerate(records(text_of(qrels, name), "\t")):
        place = f"{name}:{found.line}"
        if isinstance(found, Torn):
            yield Fault(f"cell {found.cell + 1}: {found.message}", place)
        elif index == 0:
            if found.cells != _HEADER:
                given = shown(" ".join(found.cells))
                yield Fault(f"{given} is no header; expected {' '.join(_HEADER)}, a tab apart", place)
        elif len(found.cells) != len(_HEADER) or not all(found.cells):
            given = shown(" ".join(found.cells))
            yield Fault(f"{given} is no judgment; expected {' '.join(_HEADER)}, a tab apart", place)
        else:
            yield Line(place, *found.cells)


READER = Reader(
    name="beir",
    version=1,
    sniff=sniff,
    read=read,
    refines=("csv",),
    files=files,
    left_out=left_out,
    corpus=corpus,
)
