"""A dataset is kept once, in its order, case for case."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ragproof.cases import Case, CaseKind, Turn
from ragproof.errors import StoreError
from ragproof.store.datasets import PORTION
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import DATASET_CASE
from tests.fakes.databases import KINDS, store_url

HASH = "a" * 64
CASES = (
    Case(id="z-first", question="What is half a character? \ud800 \0"),
    Case(
        id="ordner/ß",
        kind=CaseKind.UNANSWERABLE,
        question="Wann?",
        expected_answers=("", "gestern"),
        relevance={"d2": 3, "d1": -1},
        adversarial_payload="PWNED",
        group="d1",
        tags={"language": "de", "level": ""},
        metadata={"weight": 0.1 + 0.2, "deep": [None, {"x": True}]},
        history=(Turn(role="user", content="Hallo"), Turn(role="assistant", content="Ja?")),
    ),
    Case(id="a-last", kind=CaseKind.INJECTION, question=""),
)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store with one dataset."""
    with store_url(request.param) as url, open_store(url) as store:
        store.datasets.put(HASH, "jsonl-1", "data/cases.jsonl", CASES)
        yield store


@pytest.mark.parametrize(
    ("why", "start", "stop", "expected"),
    [
        ("all", 0, None, CASES),
        ("a shard", 1, 2, CASES[1:2]),
        ("stop is not in it", 0, 2, CASES[:2]),
        ("beyond the end is the end", 1, 99, CASES[1:]),
        ("nothing", 1, 1, ()),
        ("after the end", 3, None, ()),
    ],
)
def test_cases_come_back_in_their_order(
    why: str, start: int, stop: int | None, expected: tuple[Case, ...], store: Store
) -> None:
    """By position, as they were; floats to the last bit, dictionaries in their order."""
    read = store.datasets.cases(HASH, start, stop)
    assert repr(read) == repr(expected), why
    assert [case.content_hash() for case in read] == [case.content_hash() for case in expected], why


@pytest.mark.parametrize(
    ("why", "count", "stop", "expected"),
    [
        ("none", 0, None, []),
        ("fewer than one portion", 3, None, [3]),
        ("a portion and no more", PORTION, None, [PORTION]),
        ("the last is what is left", PORTION + 1, None, [PORTION, 1]),
        ("up to a place", 3 * PORTION, PORTION + 7, [PORTION, 7]),
        ("a place beyond the end", 2, PORTION, [2]),
    ],
)
def test_a_long_dataset_is_read_in_portions(
    why: str, count: int, stop: int | None, expected: list[int], store: Store
) -> None:
    """Every case once, in order, a few hundred in memory at a time."""
    cases = tuple(Case(id=f"c{n}", question="?") for n in range(count))
    store.datasets.put("d" * 64, "jsonl-1", "long.jsonl", cases)
    read = [*store.datasets.portions("d" * 64, stop)]
    assert [len(portion) for portion in read] == expected, why
    assert tuple(case for portion in read for case in portion) == cases[:stop], why


def test_the_first_of_the_same_content_is_kept(store: Store) -> None:
    """A hash names one content: loading it from elsewhere changes nothing, and is no error."""
    store.datasets.put(HASH, "jsonl-2", "elsewhere.jsonl", CASES[:1])
    assert store.datasets.cases(HASH) == CASES


def test_a_dataset_is_there_or_not(store: Store) -> None:
    """An empty one is there."""
    store.datasets.put("b" * 64, "jsonl-1", "empty.jsonl", ())
    assert store.datasets.has(HASH)
    assert store.datasets.has("b" * 64)
    assert store.datasets.cases("b" * 64) == ()
    assert not store.datasets.has("c" * 64)


def test_one_case_is_found_by_its_id(store: Store) -> None:
    """Whatever characters it is made of."""
    assert store.datasets.case(HASH, "ordner/ß") == CASES[1]


def test_what_is_not_there_is_refused_with_the_nearest(store: Store) -> None:
    """A dataset by its hash, a case by its id."""
    with pytest.raises(StoreError, match=r"the dataset has no case 'a-lats'; did you mean 'a-last'\?"):
        store.datasets.case(HASH, "a-lats")
    for read in (lambda: store.datasets.cases("c" * 64), lambda: store.datasets.case("c" * 64, "a-last")):
        with pytest.raises(
            StoreError, match=r"the store has no dataset 'c+'; run again to load it from its file"
        ):
            read()


def test_two_cases_of_one_id_keep_nothing(store: Store) -> None:
    """A dataset is kept whole or not at all."""
    with pytest.raises(StoreError, match="refused a row"):
        store.datasets.put("d" * 64, "jsonl-1", "twice.jsonl", (CASES[0], CASES[0]))
    assert not store.datasets.has("d" * 64)


def test_erased_cases_leave_no_gap_and_come_back_with_their_file(store: Store) -> None:
    """A resumed run cuts what is left into shards by place; loading the file makes the dataset whole."""
    with store.database.write() as connection:
        connection.execute(DATASET_CASE.delete().where(DATASET_CASE.c.case_id == CASES[0].id))
    assert store.datasets.cases(HASH) == CASES[1:]
    assert store.datasets.cases(HASH, 1, 2) == (CASES[2],)
    store.datasets.put(HASH, "jsonl-1", "data/cases.jsonl", CASES)
    assert store.datasets.cases(HASH) == CASES


def test_a_dataset_that_two_processes_load_at_once_is_kept_once(store: Store) -> None:
    """Neither is refused, whoever comes first."""
    faults: list[BaseException] = []
    cases = tuple(Case(id=f"case-{number}", question="?") for number in range(200))

    def load() -> None:
        try:
            store.datasets.put("e" * 64, "jsonl-1", "cases.jsonl", cases)
        except BaseException as error:  # a thread's own exception would go unseen
            faults.append(error)

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert store.datasets.cases("e" * 64) == cases
