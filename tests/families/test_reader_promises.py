"""What every dataset format keeps: each new one is held to it before its author writes a test.

A new format puts a small dataset of its kind into `tests/data/datasets` and a line into `SAMPLES`.
"""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof import datasets
from ragproof.cases import canonical_hash
from ragproof.datasets.reader import Reader
from ragproof.datasets.registry import built_in, choose
from ragproof.errors import ConfigurationError

FOLDER = Path(__file__).parents[1] / "data" / "datasets"

SAMPLES = {
    # format: (sample, version of the reader, sha256 over the content of the sample's cases)
    "beir": ("beir", 1, "6ec0155b67b7326c3a79f2a9a096b606fea2b6785d4ab61b52a6b116e42411b4"),
    "csv": ("sample.csv", 1, "8d0c6d50966ab1ad886078e13d3fe6545adc89dbdf3f4d10cd49454ac9a8b475"),
    "jsonl": ("sample.jsonl", 1, "101c61ad08e5d6465bd4ddf40c019cb97649f32135d7c6e52676b7bb03f3fa77"),
    "parquet": ("sample.parquet", 1, "228f3aaba72759ad023ccedeaf722b95f88470eb4316add08854d2ca3be20ae4"),
    "ragas": ("sample.ragas.jsonl", 1, "35d1bc49534c2e850a21c175b288ff8958fe26849aacd89b5d6fc3724e58c493"),
    "squad": ("sample.squad.json", 1, "e5a3ede2d9bbb8f7bbe80f8a942b83d025aba6f4905c459637ce48afd13d2381"),
    "trec": ("trec", 1, "da8b0545e8d16d7db005c7a42564a8bb51ec7af2d9d53bbe1044a3fa1a3e814a"),
}

READERS = pytest.mark.parametrize("reader", built_in(), ids=str)
SLOW_TO_IMPORT = settings(deadline=None)  # polars is imported by the first Parquet file


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


def sample_of(reader: Reader) -> Path:
    return FOLDER / SAMPLES[reader.name][0]


@READERS
def test_a_reader_is_named_as_its_module(reader):
    """So that its file is found by its name, and no two share one."""
    assert importlib.import_module(f"ragproof.datasets.{reader.name}").READER is reader


@READERS
def test_a_reader_that_reads_otherwise_has_another_version(reader):
    """Cached cases are found by the reader's version: what a file means may not change under it."""
    _, version, content = SAMPLES[reader.name]
    cases = reader.read(sample_of(reader))
    assert (reader.version, canonical_hash([case.content_hash() for case in cases])) == (version, content)


@READERS
def test_a_sample_is_taken_for_its_own_format_alone(reader):
    """Else its users would have to name the format."""
    assert choose(sample_of(reader), None, ()) is reader


@READERS
def test_formats_that_give_way_exist(reader):
    """A misspelt one would give way to nobody."""
    assert {*reader.refines} <= {each.name for each in built_in()} - {reader.name}


@READERS
def test_ids_are_filled_and_unique(reader):
    """Scores are kept by case id."""
    ids = [case.id for case in reader.read(sample_of(reader))]
    assert len(set(ids)) == len(ids) > 0
    assert all(ids)


@READERS
def test_every_file_that_cases_depend_on_counts_in_the_hash(reader, tmp_path):
    """Cached cases are found by this hash: a changed file under an unchanged hash would be an old dataset."""
    copy = copied(reader, tmp_path)
    before = datasets.file_hash(copy, reader.name)
    assert before == datasets.file_hash(sample_of(reader), reader.name)
    for file in reader.files(copy):
        content = file.read_bytes()
        file.write_bytes(content + b"\n")
        assert datasets.file_hash(copy, reader.name) != before, file.name
        file.write_bytes(content)


@READERS
def test_documents_that_are_relevant_stand_in_the_corpus(reader):
    """Else no pipeline could find them."""
    if reader.corpus is not None:
        ids = {passage.id for passage in reader.corpus(sample_of(reader))}
        assert {source for case in reader.read(sample_of(reader)) for source in case.relevance} <= ids


@READERS
def test_an_empty_file_is_refused(reader, tmp_path):
    """No cases is no evaluation."""
    (tmp_path / "empty").touch()
    with pytest.raises(ConfigurationError):
        datasets.read(tmp_path / "empty", reader.name)


def copied(reader: Reader, folder: Path) -> Path:
    sample = sample_of(reader)
    copy = folder / sample.name
    if sample.is_dir():
        shutil.copytree(sample, copy, dirs_exist_ok=True)
    else:
        shutil.copy(sample, copy)
    return copy


def assert_cases_or_faults(path: Path, format: str) -> None:
    cases, faults = (), ()
    try:
        cases = datasets.read(path, format)
    except ConfigurationError as error:
        faults = error.faults
    assert bool(cases) != bool(faults)
    within = {str(file.relative_to(path)) for file in path.rglob("*")} if path.is_dir() else set()
    for fault in faults:
        assert fault.place.split(":")[0] in {path.name, "", *within}, "a fault says in which file it stands"
        assert str(fault).isprintable()


@READERS
@SLOW_TO_IMPORT
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_whatever_bytes_a_file_holds_it_is_cases_or_faults(reader, folder, content):
    """A reader never raises anything but a `ConfigurationError`, and its faults can be printed."""
    path = folder / "any.file"
    path.write_bytes(content)
    assert_cases_or_faults(path, reader.name)


@READERS
@SLOW_TO_IMPORT
@given(data=st.data())
def test_a_damaged_sample_is_cases_or_faults(reader, folder, data):
    """Bytes of a good file lost, changed or put in the wrong place, whichever of its files it is."""
    path = copied(reader, folder)
    file = data.draw(st.sampled_from(reader.files(path)))
    content = file.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(start + 12, len(content))))
    file.write_bytes(content[:start] + data.draw(st.binary(max_size=4)) + content[stop:])
    assert_cases_or_faults(path, reader.name)


@READERS
@SLOW_TO_IMPORT
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_every_format_can_be_asked_about_any_bytes(reader, folder, content):
    """Looking at a file never fails, whatever it is."""
    path = folder / "any.other"
    path.write_bytes(content)
    assert reader.sniff(path, content) in (True, False)
