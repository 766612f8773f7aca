"""Reading a dataset by its path: which reader is chosen, and what is told when none can be."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ragproof import datasets
from ragproof.errors import ConfigurationError
from tests.fakes import lines_reader

ROW = '{"id": "q", "question": "What?"}\n'
OURS = ("beir", "csv", "jsonl", "parquet", "ragas", "squad", "trec")
CHOICE = "'beir', 'csv', 'jsonl', 'parquet', 'ragas', 'squad' or 'trec'"


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def told(*args, **kwargs) -> str:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(*args, **kwargs)
    return str(caught.value)


SNIFFED = [
    ("by its suffix", "cases.jsonl", ROW),
    ("by its suffix in capitals", "CASES.JSONL", ROW),
    ("by the other suffix of the format", "cases.ndjson", ROW),
    ("by its first line, whatever its name", "cases.txt", ROW),
    ("by the first line that is not blank", "cases", "\ufeff\n \n" + ROW),
]


@pytest.mark.parametrize(("why", "name", "content"), SNIFFED, ids=[row[0] for row in SNIFFED])
def test_a_file_tells_its_format(tmp_path, why, name, content):
    path = write(tmp_path, name, content)
    assert [case.id for case in datasets.read(path, plugins=())] == ["q"], why
    assert datasets.reader_version(path, plugins=()) == "jsonl@1"


UNKNOWN = [
    ("text", "cases.txt", "What?\n"),
    ("JSON without a question", "cases.json", '{"data": []}\n'),
    ("a number", "cases.txt", "17\n"),
    ("nothing", "cases.txt", ""),
    ("brackets without end", "cases.txt", "[" * 60_000),
]


@pytest.mark.parametrize(("why", "name", "content"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_a_file_of_no_known_format_asks_for_one(tmp_path, why, name, content):
    assert told(write(tmp_path, name, content), plugins=()) == (
        f"dataset '{name}' is of no format that is known; set dataset.format to {CHOICE}"
    ), why


def test_an_explicit_format_wins_over_the_looks_of_a_file(tmp_path):
    """A file of another suffix is read as its owner says."""
    path = write(tmp_path, "cases.jsonl", "What?\n")
    assert [case.question for case in datasets.read(path, "lines", plugins=[lines_reader.ENTRY_POINT])] == [
        "What?"
    ]
    assert datasets.reader_version(path, "lines", plugins=[lines_reader.ENTRY_POINT]) == "lines@3"


def test_a_format_of_another_package_is_recognised(tmp_path):
    """An entry point is all it takes."""
    path = write(tmp_path, "cases.lines", "What?\nWhy?\n")
    assert [case.id for case in datasets.read(path, plugins=[lines_reader.ENTRY_POINT])] == ["1", "2"]


def test_the_formats_are_ours_and_then_those_of_other_packages():
    """The names that `dataset.format` may have."""
    assert datasets.formats([lines_reader.ENTRY_POINT]) == (*OURS, "lines")


def test_an_unknown_format_names_the_nearest(tmp_path):
    """Whatever the file looks like."""
    path = write(tmp_path, "cases.jsonl", ROW)
    assert told(path, "json") == "dataset.format: 'json' is not a format; did you mean 'jsonl'?"
    assert told(path, "x", plugins=()) == f"dataset.format: 'x' is not a format; expected {CHOICE}"


def test_two_formats_that_both_fit_ask_which(tmp_path):
    """A guess between two readers could give other cases tomorrow."""
    path = write(tmp_path, "cases.lines", "What?\n")
    both = [lines_reader.ENTRY_POINT, lines_reader.OTHER_ENTRY_POINT]
    assert told(path, plugins=both) == (
        "dataset 'cases.lines' looks like lines and other; set dataset.format to 'lines' or 'other'"
    )


def test_a_broken_package_harms_only_those_who_need_it(tmp_path):
    """Our own formats are read without loading anyone else's."""
    ours, theirs = write(tmp_path, "cases.jsonl", ROW), write(tmp_path, "cases.lines", "What?\n")
    assert len(datasets.read(ours, plugins=[lines_reader.BROKEN])) == 1
    assert told(theirs, plugins=[lines_reader.BROKEN]).startswith(
        "dataset format 'broken' (tests.fakes.no_such_module:READER) does not load: ModuleNotFoundError: "
    )


def test_an_entry_point_that_is_no_reader_of_its_name_is_refused(tmp_path):
    """A format has one name, in a configuration and in the version of its reader."""
    path = write(tmp_path, "cases.lines", "x")
    assert told(path, "sniff", plugins=[lines_reader.NO_READER]) == (
        "dataset format 'sniff': 'tests.fakes.lines_reader:sniff' is no Reader of that name"
    )
    assert told(path, "line", plugins=[lines_reader.MISNAMED]) == (
        "dataset format 'line': 'tests.fakes.lines_reader:READER' is no Reader of that name"
    )


@pytest.mark.parametrize("ask", [datasets.read, datasets.reader_version, datasets.file_hash, datasets.corpus])
def test_a_file_that_does_not_exist_is_told_in_words(tmp_path, ask):
    """With the path that was looked for."""
    with pytest.raises(ConfigurationError, match=r"^dataset '.*none\.jsonl' does not exist$"):
        ask(tmp_path / "none.jsonl")


def test_a_folder_of_no_known_format_asks_for_one(tmp_path):
    """Its formats say more when they are named."""
    (tmp_path / "cases").mkdir()
    assert told(tmp_path / "cases", plugins=()) == (
        f"dataset 'cases' is of no format that is known; set dataset.format to {CHOICE}"
    )
    with pytest.raises(ConfigurationError, match=r"cases' cannot be read: is a directory$"):
        datasets.read(tmp_path / "cases", "jsonl")
    with pytest.raises(ConfigurationError, match=r"cases' cannot be read: is a directory$"):
        datasets.file_hash(tmp_path / "cases")


def test_a_format_gives_way_to_one_that_refines_it(tmp_path):
    """A file of ragas is JSON Lines or a table too, and an explicit format still wins."""
    path = write(tmp_path, "cases.jsonl", '{"user_input": "What?"}\n')
    assert datasets.reader_version(path) == "ragas@1"
    assert datasets.reader_version(path, "jsonl") == "jsonl@1"


def test_the_hash_of_a_file_is_that_of_its_bytes(tmp_path):
    """Two files of the same bytes are one dataset, whatever they are called."""
    path = write(tmp_path, "cases.jsonl", ROW)
    assert datasets.file_hash(path) == hashlib.sha256(ROW.encode()).hexdigest()


def test_the_hash_of_several_files_is_of_their_names_and_bytes(tmp_path):
    """A file that the cases do not depend on does not count."""
    (tmp_path / "qrels").mkdir()
    queries = write(tmp_path, "queries.jsonl", '{"_id": "q", "text": "What?"}\n')
    write(tmp_path / "qrels", "test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n")
    first = datasets.file_hash(tmp_path)
    write(tmp_path, "corpus.jsonl", "")
    assert datasets.file_hash(tmp_path) == first
    assert datasets.file_hash(tmp_path / "qrels" / "test.tsv") == first
    queries.write_text('{"_id": "q", "text": "Why?"}\n', encoding="utf-8")
    assert datasets.file_hash(tmp_path) != first


def test_a_file_that_looks_like_no_format_is_hashed_by_itself(tmp_path):
    """Its format is named where it is read."""
    path = write(tmp_path, "cases.txt", "What?\n")
    assert datasets.file_hash(path, plugins=()) == hashlib.sha256(b"What?\n").hexdigest()
    assert datasets.file_hash(path, "jsonl") == hashlib.sha256(b"What?\n").hexdigest()


def test_nothing_is_left_out_of_a_format_of_one_file(tmp_path):
    """Each of its rows is a case or a fault."""
    assert datasets.left_out(write(tmp_path, "cases.jsonl", ROW)) == ()
