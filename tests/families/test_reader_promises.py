"""What every dataset format keeps: each new one is held to it before its author writes a test.

A new format puts a small file of its kind into `tests/data/datasets` and a line into `SAMPLES`.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof import datasets
from ragproof.cases import canonical_hash
from ragproof.datasets.registry import built_in
from ragproof.errors import ConfigurationError

FOLDER = Path(__file__).parents[1] / "data" / "datasets"

SAMPLES = {
    # format: (sample, version of the reader, sha256 over the content of the sample's cases)
    "jsonl": ("sample.jsonl", 1, "101c61ad08e5d6465bd4ddf40c019cb97649f32135d7c6e52676b7bb03f3fa77"),
}

READERS = pytest.mark.parametrize("reader", built_in(), ids=str)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


@READERS
def test_a_reader_is_named_as_its_module(reader):
    """So that its file is found by its name, and no two share one."""
    assert importlib.import_module(f"ragproof.datasets.{reader.name}").READER is reader


@READERS
def test_a_reader_that_reads_otherwise_has_another_version(reader):
    """Cached cases are found by the reader's version: what a file means may not change under it."""
    sample, version, content = SAMPLES[reader.name]
    cases = reader.read(FOLDER / sample)
    assert (reader.version, canonical_hash([case.content_hash() for case in cases])) == (version, content)


@READERS
def test_a_sample_is_taken_for_its_own_format_alone(reader):
    """Else its users would have to name the format."""
    sample = FOLDER / SAMPLES[reader.name][0]
    assert [each for each in built_in() if each.sniff(sample, sample.read_bytes())] == [reader]


@READERS
def test_ids_are_filled_and_unique(reader):
    """Scores are kept by case id."""
    ids = [case.id for case in reader.read(FOLDER / SAMPLES[reader.name][0])]
    assert len(set(ids)) == len(ids) > 0
    assert all(ids)


@READERS
def test_an_empty_file_is_refused(reader, tmp_path):
    """No cases is no evaluation."""
    (tmp_path / "empty").touch()
    with pytest.raises(ConfigurationError):
        datasets.read(tmp_path / "empty", reader.name)


def assert_cases_or_faults(path: Path, format: str) -> None:
    cases, faults = (), ()
    try:
        cases = datasets.read(path, format)
    except ConfigurationError as error:
        faults = error.faults
    assert bool(cases) != bool(faults)
    for fault in faults:
        assert fault.place.split(":")[0] in (path.name, ""), "a fault says in which file it stands"
        assert str(fault).isprintable()


@READERS
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_whatever_bytes_a_file_holds_it_is_cases_or_faults(reader, folder, content):
    """A reader never raises anything but a `ConfigurationError`, and its faults can be printed."""
    path = folder / "any.file"
    path.write_bytes(content)
    assert_cases_or_faults(path, reader.name)


@READERS
@given(data=st.data())
def test_a_damaged_sample_is_cases_or_faults(reader, folder, data):
    """Bytes of a good file lost, changed or put in the wrong place."""
    content = (FOLDER / SAMPLES[reader.name][0]).read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(start + 12, len(content))))
    path = folder / "damaged.file"
    path.write_bytes(content[:start] + data.draw(st.binary(max_size=4)) + content[stop:])
    assert_cases_or_faults(path, reader.name)
