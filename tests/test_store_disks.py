"""A disk that is full or read-only: told with its cure, nothing half written, and whole again with room."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.small_disk import run_on_small_disk

BEGIN = """
from ragproof.errors import StoreError
from ragproof.metric import Direction
from ragproof.store.opening import migrate_store, open_store
from ragproof.summaries import Summary
from tests.fakes.stores import call, do, output, started

def told(use):
    try:
        use()
    except StoreError as error:
        return str(error).removeprefix(f"the store '{disk}/").replace(disk, "DISK")
    return "done"

def summaries(mean):
    many = {f"{number} " + "x" * 400: 1 for number in range(20)}
    one = Summary(metric="m", direction=Direction.HIGHER, mean=mean, scored=1, reasons=many)
    return [one.model_copy(update={"metric": f"m{number}"}) for number in range(40)]

url = f"sqlite:///{disk}/s.db"
"""
FULL = "s.db' has no room to grow; free disk space and resume the run, nothing settled is lost"


def test_a_disk_that_fills_up_in_the_middle_of_a_run(tmp_path: Path) -> None:
    """What was settled is there, the rest is refused, and the summary is the one before or none."""
    code = """
with open_store(url) as store:
    run = started(store)
    calls = [call(run, f"case-{number}") for number in range(60)]
    store.calls.reserve(calls)
    store.summaries.put(run, [summary.model_copy(update={"reasons": {}}) for summary in summaries(0.25)])
    answers = [told(lambda: do(store.calls.settle(one, output(one.case_id, "x" * 9000)))) for one in calls]
    print(answers[0], "/", answers[-1])
    print(len(store.calls.outcomes(run)) == answers.count("done") > 3)
    print(told(lambda: store.summaries.put(run, summaries(0.75))))
    print({summary.mean for summary in store.summaries.get(run)}, len(store.summaries.get(run)))
with open_store(url, create=False) as store:
    print(len(store.calls.outcomes(run)) == answers.count("done"))
"""
    lines = run_on_small_disk(BEGIN + code, tmp_path, kilobytes=500).splitlines()
    assert lines == [f"done / {FULL}", "True", FULL, "{0.25} 40", "True"]


def test_a_disk_with_room_again_goes_on(tmp_path: Path) -> None:
    """The same store, without opening it anew."""
    code = """
from pathlib import Path
ballast = Path(disk, "ballast")
with open_store(url) as store:
    run = started(store)
    ballast.write_bytes(b"x" * 600_000)
    one = call(run)
    store.calls.reserve([one])
    print(told(lambda: do(store.calls.settle(one, output(answer="x" * 200_000)))))
    ballast.unlink()
    print(told(lambda: do(store.calls.settle(one, output(answer="x" * 200_000)))))
"""
    lines = run_on_small_disk(BEGIN + code, tmp_path, kilobytes=900).splitlines()
    assert lines == [FULL, "done"]


def test_a_disk_too_small_for_a_new_store_keeps_nothing_of_it(tmp_path: Path) -> None:
    """No half schema that a later start would trip over."""
    code = """
from pathlib import Path
ballast = Path(disk, "ballast")
ballast.write_bytes(b"x" * 340_000)
print(told(lambda: open_store(url)))
ballast.unlink()
print(told(lambda: open_store(url).close()))
"""
    lines = run_on_small_disk(BEGIN + code, tmp_path, kilobytes=400).splitlines()
    assert lines == [FULL, "done"]


def test_a_read_only_disk_is_read_and_never_written(tmp_path: Path) -> None:
    """An archive opens as it says; a new store, or a run in the old one, is refused with the cure."""
    code = """
with open_store(url) as store:
    run = started(store)
make_read_only()
print(told(lambda: open_store(url, create=False)))
with open_store(f"sqlite:///file:{disk}/s.db?immutable=1&uri=true") as store:
    print(store.runs.get(run).id == run, told(lambda: started(store)))
print(told(lambda: open_store(f"sqlite:///{disk}/new.db")))
print(told(lambda: open_store(f"sqlite:///{disk}/folder/new.db")))
print(told(lambda: migrate_store(f"sqlite:///{disk}/new.db")))
"""
    lines = run_on_small_disk(BEGIN + code, tmp_path, kilobytes=800).splitlines()
    opened = "cannot be opened; see that its folder is writable, or set RAGPROOF_STORE_URL"
    archive = "(a store on a read-only disk opens as 'sqlite:///file:FILE?immutable=1&uri=true')"
    writable = "cannot be written; make the file and its folder writable, or set RAGPROOF_STORE_URL"
    assert lines == [
        f"s.db' {opened} {archive}",
        f"True the store 'file:DISK/s.db' {writable}",
        f"new.db' {opened} {archive}",
        "the store's folder 'DISK/folder' cannot be made: Read-only file system; make it, or set"
        " RAGPROOF_STORE_URL",
        f"new.db' {opened} {archive}",
    ]
