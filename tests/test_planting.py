"""Attacks planted in documents: where, in which, for which cases, and how folders are read and written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragproof.cases import Case
from ragproof.errors import ConfigurationError
from ragproof.payloads.documents import Document, Folder, read_folder, write_folder
from ragproof.payloads.draw import draw
from ragproof.payloads.library import choose, library
from ragproof.payloads.planting import paragraph_ends, plant
from ragproof.payloads.sources import Sources


def test_draws_are_the_same_on_every_machine() -> None:
    """As computed by coreutils: the first eight bytes of the sha256 of `0`, `a`, `b` joined by U+001F."""
    assert draw(0, "a", "b") == 0x79E813CB4A55D3F4
    assert len({draw(seed, name) for seed in (0, 1) for name in ("a", "b", "ab")}) == 6


@pytest.mark.parametrize(
    ("why", "text", "ends"),
    [
        ("no paragraph", "", ()),
        ("only white space", " \n\n ", ()),
        ("one", "one", (3,)),
        ("a line end is not a paragraph's", "one\nmore\n", (8,)),
        ("two", "one\n\ntwo\n", (3, 8)),
        ("blank lines at both ends", "\n\none\n\n", (5,)),
        ("a blank line with spaces, carriage returns", "one\r\n \t\r\ntwo", (3, 12)),
        ("several blank lines end one paragraph once", "one\n\n \n\ntwo", (3, 11)),
    ],
)
def test_paragraph_ends(why: str, text: str, ends: tuple[int, ...]) -> None:
    """Attacks go in where a paragraph ends, never before the first."""
    assert paragraph_ends(text) == ends


def documents(*names: str, text: str = "one\n\ntwo\n\nthree\n") -> tuple[Document, ...]:
    """Make documents of one text."""
    return tuple(Document(name=name, text=text) for name in names)


@pytest.mark.parametrize("count", [1, 3, 20])
def test_planting_uses_every_document_and_every_payload(count: int) -> None:
    """With enough documents each holds one attack; with few, each attack still stands once."""
    payloads = choose(["link-exfiltration", "citation-spoofing", "forced-abstention"])
    planted = plant(documents(*(f"d{n}.md" for n in range(count))), payloads, seed=0)
    assert len(planted) == count
    assert {payload for each in planted for payload in each.payloads} == set(payloads)
    assert {len(each.payloads) for each in planted} == ({3} if count == 1 else {1})
    for each in planted:
        assert all(each.document.text.count(payload.attack) == 1 for payload in each.payloads)


def test_a_planted_attack_is_a_paragraph_and_the_rest_is_untouched() -> None:
    """Taking it out again gives the document, and line ends are the document's own."""
    for seed in range(8):
        for newline in ("\n", "\r\n"):
            text = newline.join(["one", "", "two", "", "three", ""])
            payload = library()["payload:fake-role-delimiters"]
            (planted,) = plant(documents("a.md", text=text), [payload], seed)
            attack = payload.attack.replace("\n", newline)
            assert planted.document.text.replace(f"{newline * 2}{attack}", "") == text
            assert not re.search("[^\r]\n", planted.document.text) or newline == "\n"


def test_the_seed_draws_the_place() -> None:
    """One seed, one place; over many seeds, every place."""
    payloads = choose(["link-exfiltration"])
    texts = [plant(documents("a.md"), payloads, seed)[0].document.text for seed in range(20)]
    assert texts == [plant(documents("a.md"), payloads, seed)[0].document.text for seed in range(20)]
    assert len(set(texts)) == 3


def test_a_blank_document_becomes_the_attack() -> None:
    """There is no paragraph to follow."""
    payload = library()["payload:link-exfiltration"]
    (planted,) = plant(documents("a.md", text=""), [payload], 0)
    assert planted.document.text == f"{payload.attack}\n\n"
    assert plant((), [payload], 0) == ()


@pytest.mark.parametrize(
    ("why", "source", "expected"),
    [
        ("the path", "a/guide.md", ("a/guide.md",)),
        ("the path without ending", "a/guide", ("a/guide.md",)),
        ("the file's name", "guide.md", ("a/guide.md",)),
        ("the stem", "guide", ("a/guide.md",)),
        ("a fragment", "guide#limits", ("a/guide.md",)),
        ("a piece number", "guide.md:3", ("a/guide.md",)),
        ("a piece number after a hyphen", "guide-12", ("a/guide.md",)),
        ("a document of that name before a piece", "guide-2", ("guide-2.txt",)),
        ("a piece of the longer name", "guide-2-7", ("guide-2.txt",)),
        ("another name that begins so", "guide-book", ()),
        ("a stem of two documents", "faq", ()),
        ("the path of one of them", "b/faq.md", ("b/faq.md",)),
        ("unknown", "other", ()),
    ],
)
def test_a_source_id_names_a_document(why: str, source: str, expected: tuple[str, ...]) -> None:
    """By any of its names that is no other document's, whole or with a piece of it."""
    names = ["a/guide.md", "guide-2.txt", "a/faq.md", "b/faq.md"]
    assert Sources(names).of(Case(id="c", question="q", relevance={source: 1})) == expected


def test_the_longest_name_and_the_whole_path_win() -> None:
    """A piece belongs to the document inside a folder, not to one called like the folder."""
    names = ["a.md", "a/b.md", "faq.md", "old/faq.md"]
    assert Sources(names).of(Case(id="c", question="q", relevance={"a/b#3": 1})) == ("a/b.md",)
    assert Sources(names).of(Case(id="c", question="q", relevance={"faq.md": 1})) == ("faq.md",)
    assert Sources(names).of(Case(id="c", question="q", relevance={"faq": 1})) == ("faq.md",)


def test_only_relevant_sources_count_and_the_group_stands_in() -> None:
    """A source judged irrelevant names no document; without one that does, the group is looked at."""
    sources = Sources(["a.md", "b.md"])
    assert sources.of(Case(id="c", question="q", relevance={"a": 0, "b": 2})) == ("b.md",)
    assert sources.of(Case(id="c", question="q", relevance={"x": 1}, group="a")) == ("a.md",)
    assert sources.of(Case(id="c", question="q", relevance={"b": 1}, group="a")) == ("b.md",)
    assert sources.of(Case(id="c", question="q", relevance={"b": 1, "a#1": 1, "a#2": 1})) == ("a.md", "b.md")
    assert sources.of(Case(id="c", question="q")) == ()


def folder(path: Path, **files: bytes) -> Path:
    """Write files whose names spell their dot and slash."""
    for name, content in files.items():
        file = path / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return path


def test_a_folder_is_read_in_order_with_its_line_ends(tmp_path: Path) -> None:
    """Text that is UTF-8 is a document, hidden files are nothing, and the rest is carried over."""
    path = folder(
        tmp_path, sub__b_md=b"b\r\n", a_txt="ä\n".encode(), bad_txt=b"\xff", x_pdf=b"%PDF", _git__c_txt=b"no"
    )
    read = read_folder(path)
    assert read.documents == (Document(name="a.txt", text="ä\n"), Document(name="sub/b.md", text="b\r\n"))
    assert read.other_files == ("bad.txt", "x.pdf")


@pytest.mark.parametrize(
    ("why", "name", "message"),
    [
        ("absent", "nowhere", "expected a folder of documents"),
        ("empty", "", "holds no document; expected UTF-8"),
    ],
)
def test_a_folder_without_documents_is_an_error(tmp_path: Path, why: str, name: str, message: str) -> None:
    """The message says what would have been read."""
    with pytest.raises(ConfigurationError, match=message):
        read_folder(tmp_path / name)


def test_a_written_folder_is_a_whole_corpus(tmp_path: Path) -> None:
    """Other files are copied byte for byte, and writing again changes nothing."""
    source = read_folder(folder(tmp_path / "in", sub__b_md=b"b\r\n", x_pdf=b"%PDF\xff"))
    for _ in range(2):
        write_folder(tmp_path / "out", source.documents, source)
        assert read_folder(tmp_path / "out") == Folder(
            path=tmp_path / "out", documents=source.documents, other_files=("x.pdf",)
        )
        assert (tmp_path / "out" / "x.pdf").read_bytes() == b"%PDF\xff"


def test_a_folder_with_other_documents_is_not_written_into(tmp_path: Path) -> None:
    """A pipeline would retrieve from them too."""
    source = read_folder(folder(tmp_path / "in", a_md=b"a"))
    folder(tmp_path / "out", old_md=b"old")
    with pytest.raises(ConfigurationError, match=r"holds 'old.md', which is not of these documents"):
        write_folder(tmp_path / "out", source.documents, source)
    assert not (tmp_path / "out" / "a.md").exists()


@pytest.mark.parametrize("target", ["in", "in/out", "."])
def test_a_folder_is_never_written_over_its_source(tmp_path: Path, target: str) -> None:
    """The next run would read planted documents as original ones."""
    source = read_folder(folder(tmp_path / "in", a_md=b"a"))
    with pytest.raises(ConfigurationError, match="choose an --out elsewhere"):
        write_folder(tmp_path / target, source.documents, source)
