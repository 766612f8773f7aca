"""SQuAD 1.1 and 2.0, and files of their shape such as XQuAD: articles, paragraphs, questions in one JSON.

Convention (Rajpurkar et al. 2016 and 2018; Artetxe et al. 2020 for XQuAD): a paragraph is a document, and its
id is the article's title, `/` and its place in the article from 1; the article is the group. Repeated answers
count once and their offsets are left out; other keys of a question are kept as metadata. A file named like
XQuAD's own (`xquad.de.json`) tells the language.
False friend: a question of SQuAD 2.0 is impossible to answer from its own paragraph; another may answer it.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ragproof.cases import Case, CaseKind
from ragproof.datasets.decoding import text_of
from ragproof.datasets.reader import Passage, Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.strict_json import (
    HALF_A_PAIR,
    Malformed,
    NotJson,
    holds_half_a_pair,
    parse,
)
from ragproof.datasets.wording import shown
from ragproof.errors import ConfigurationError, Fault

_ARTICLES = re.compile(rb'"data"\s*:\s*\[\s*\{')
_PARAGRAPHS = re.compile(rb'"paragraphs"\s*:\s*\[')
_XQUAD = re.compile(r"xquad\.(ar|de|el|en|es|hi|ro|ru|th|tr|vi|zh)\.json")

_OWN = frozenset({"id", "question", "answers", "is_impossible"})


@dataclass(frozen=True)
class _Paragraph:
    id: str
    group: str
    title: str
    place: str
    fields: dict[str, object]


def sniff(path: Path, head: bytes) -> bool:  # noqa: ARG001  # the name of such a file says nothing
    """Recognise the format by its outermost keys."""
    articles = _ARTICLES.search(head) if head.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"{" else None
    return articles is not None and _PARAGRAPHS.search(head, articles.end()) is not None


def read(path: Path) -> tuple[Case, ...]:
    """Read every question of a file.

    Args:
        path: a JSON file in UTF-8.

    Returns:
        The cases in file order; never empty. An unanswerable one has no relevant source.

    Raises:
        ConfigurationError: all that is wrong, each with its way through the document.
        OSError: the file cannot be opened.
    """
    language = _XQUAD.fullmatch(path.name.lower())
    return cases_from(_rows(path, {"language": language[1]} if language else {}), path.name)


def corpus(path: Path) -> Iterator[Passage]:
    """Yield every paragraph of a file.

    Raises:
        ConfigurationError: the first thing that is wrong, with its way through the document.
        OSError: the file cannot be opened.
    """
    for paragraph in _paragraphs(path):
        if isinstance(paragraph, Fault):
            raise ConfigurationError([paragraph])
        text = paragraph.fields.get("context")
        if not isinstance(text, str) or holds_half_a_pair(text):
            raise ConfigurationError(
                [Fault(f"context: {shown(text)} is not allowed; expected text", paragraph.place)]
            )
        yield Passage(paragraph.id, text, paragraph.title)


def _rows(path: Path, tags: Mapping[str, str]) -> Iterator[Row | Fault]:
    for paragraph in _paragraphs(path):
        if isinstance(paragraph, Fault):
            yield paragraph
            continue
        for place, fields in _entries(paragraph.fields, "qas", paragraph.place):
            yield fields if isinstance(fields, Fault) else _row(place, fields, paragraph, tags)


def _row(
    place: str, fields: Mapping[str, object], paragraph: _Paragraph, tags: Mapping[str, str]
) -> Row | Fault:
    if holds_half_a_pair(fields):
        return Fault(HALF_A_PAIR, place)
    wrong: dict[str, str] = {}
    answers, impossible = fields.get("answers"), fields.get("is_impossible")
    texts = _texts(answers)
    if texts is None:
        wrong["answers"] = f': {shown(answers)} is not allowed; expected a list of objects with a "text"'
    elif impossible is True and texts:
        wrong["answers"] = ": there are some, and 'is_impossible' is true; expected one of the two"
    if impossible not in (None, True, False):
        wrong["is_impossible"] = f": {shown(impossible)} is not allowed; expected true or false"
    known = {"kind": CaseKind.UNANSWERABLE} if impossible is True else {"relevance": {paragraph.id: 1}}
    given: dict[str, object] = {
        "id": fields.get("id"),
        "question": fields.get("question"),
        "expected_answers": texts,
        "group": paragraph.group,
        "tags": tags,
        "metadata": {name: value for name, value in fields.items() if name not in _OWN},
    }
    return Row(place, {**given, **known}, wrong=wrong)


def _texts(answers: object) -> list[str] | None:
    """Return the text of each answer, once; None when they are not of SQuAD's shape."""
    listed = [] if answers is None else answers
    if not isinstance(listed, list):
        return None
    texts = [answer.get("text") if isinstance(answer, dict) else None for answer in listed]
    distinct = list(dict.fromkeys(text for text in texts if isinstance(text, str)))
    return distinct if all(isinstance(text, str) for text in texts) else None


def _paragraphs(path: Path) -> Iterator[_Paragraph | Fault]:
    document = _document(path)
    counts: Counter[str] = Counter()
    for number, (at, article) in enumerate(_entries(document, "data", f"{path.name}:"), start=1):
        if isinstance(article, Fault):
            yield article
            continue
        given = article.get("title")
        title = given if isinstance(given, str) and given.strip() and not holds_half_a_pair(given) else ""
        group = title or f"article {number}"
        for place, fields in _entries(article, "paragraphs", at):
            if isinstance(fields, Fault):
                yield fields
                continue
            counts[group] += 1
            yield _Paragraph(f"{group}/{counts[group]}", group, title, place, fields)


def _document(path: Path) -> dict[str, object]:
    try:
        document = parse(text_of(path, path.name))
    except Malformed as error:
        place = f"{path.name}:{error.line}:{error.column}"
        raise ConfigurationError([Fault(f"not valid JSON: {error}", place)]) from error
    except NotJson as error:
        raise ConfigurationError([Fault(str(error), path.name)]) from error
    if not isinstance(document, dict):
        raise ConfigurationError(
            [Fault(f"{shown(document)} is not SQuAD; expected an object with 'data'", path.name)]
        )
    return document


def _entries(
    parent: Mapping[str, object], name: str, at: str
) -> Iterator[tuple[str, dict[str, object] | Fault]]:
    """Yield the objects of a list with the way to each, or what is wrong in their place."""
    way = f"{at}{name}" if at.endswith(":") else f"{at}.{name}"
    found = parent.get(name)
    if not isinstance(found, list):
        yield way, Fault(f"{shown(found)} is not allowed; expected a list of objects", way)
        return
    for index, entry in enumerate(found):
        place = f"{way}[{index}]"
        if isinstance(entry, dict):
            yield place, entry
        else:
            yield place, Fault(f"{shown(entry)} is not allowed; expected an object", place)


READER = Reader(name="squad", version=1, sniff=sniff, read=read, named=True, corpus=corpus)
