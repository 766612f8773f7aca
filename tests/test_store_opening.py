"""Opening a store: new, known, old, newer, foreign, damaged; in processes of their own where it matters."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ragproof.errors import EXIT_EXECUTION, StoreError
from ragproof.runs import RunRecord, now
from ragproof.store.opening import migrate_store, open_store
from ragproof.store.schema import REVISIONS
from tests.fakes.databases import ON_BOTH, execute, new_url
from tests.fakes.old_stores import old_store

PROCESSES = 4

ONE_OF_MANY = """
import sys, time
from pathlib import Path
from ragproof.runs import RunRecord, now
from ragproof.store.opening import open_store
folder, mine, url = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
(folder / f"ready-{mine}").touch()
while not (folder / "go").exists():
    time.sleep(0.001)
with open_store(url) as store:
    store.runs.start(RunRecord(id=mine, project="p", pipeline="b", started_at=now()))
    print(store.identity)
"""

WHAT_IT_LOADS = """
import sys
from ragproof.store.opening import open_store
with open_store(create=sys.argv[1] == "create") as store:
    print(store.name, len(store.runs.list()))
print([name for name in ("alembic", "prefect", "sqlalchemy.dialects.postgresql") if name in sys.modules])
"""


def run_python(code: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, without a store in its environment."""
    environment = {name: value for name, value in os.environ.items() if name != "RAGPROOF_STORE_URL"}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@ON_BOTH
def test_four_processes_may_start_on_a_new_store_at_once(kind: str, tmp_path: Path) -> None:
    """One creates it, the others wait; all of them write to the same one."""
    with ExitStack() as opened:
        url = (
            f"sqlite:///{tmp_path}/new/store.db" if kind == "sqlite" else opened.enter_context(new_url(kind))
        )
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", ONE_OF_MANY, str(tmp_path), f"run-{index}", url],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for index in range(PROCESSES)
        ]
        while len(list(tmp_path.glob("ready-*"))) < PROCESSES and all(
            process.poll() is None for process in processes
        ):
            time.sleep(0.01)
        (tmp_path / "go").touch()
        told = [process.communicate() for process in processes]
        assert [process.returncode for process in processes] == [0] * PROCESSES, told
        with open_store(url, create=False) as store:
            assert {out.strip() for out, _ in told} == {store.identity}
            assert {run.id for run in store.runs.list()} == {f"run-{index}" for index in range(PROCESSES)}


def test_the_default_store_is_made_in_the_working_directory(tmp_path: Path) -> None:
    """A folder of its own, which version control ignores; later openings load no migration tool."""
    first = run_python(WHAT_IT_LOADS, "create", cwd=tmp_path)
    assert first.stdout.splitlines()[0] == ".ragproof/ragproof.db 0", first.stderr
    assert (tmp_path / ".ragproof" / ".gitignore").read_text() == "*\n"
    for how in ("create", "as it is"):
        again = run_python(WHAT_IT_LOADS, how, cwd=tmp_path)
        assert again.stdout.splitlines() == [".ragproof/ragproof.db 0", "[]"], again.stderr


def test_a_store_keeps_its_identity_wherever_it_is_moved(tmp_path: Path) -> None:
    """And another store has another."""
    with open_store(f"sqlite:///{tmp_path}/a.db") as store, open_store(f"sqlite:///{tmp_path}/b.db") as other:
        identity = store.identity
        assert identity != other.identity
    (tmp_path / "a.db").rename(tmp_path / "moved.db")
    with open_store(f"sqlite:///{tmp_path}/moved.db", create=False) as moved:
        assert moved.identity == identity


def test_a_file_store_takes_many_readers_beside_a_writer(tmp_path: Path) -> None:
    """Write-ahead logging is on, and it stays on with the file."""
    open_store(f"sqlite:///{tmp_path}/a.db").close()
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_reading_commands_make_no_store(tmp_path: Path) -> None:
    """In the wrong folder they say so, and leave nothing behind."""
    with pytest.raises(
        StoreError, match=r"there is no store '.*a\.db'; 'ragproof run' or 'ragproof store migrate'"
    ):
        open_store(f"sqlite:///{tmp_path}/new/a.db", create=False)
    assert list(tmp_path.iterdir()) == []


@ON_BOTH
@pytest.mark.parametrize("create", [True, False])
def test_a_newer_store_is_refused(create: bool, kind: str) -> None:
    """An older ragproof must not write what it does not understand."""
    with new_url(kind) as url:
        open_store(url).close()
        execute(url, "UPDATE ragproof_version SET version_num = '9999'")
        with pytest.raises(
            StoreError, match=r"schema '9999', newer than '\d+' of this ragproof; update ragproof"
        ):
            open_store(url, create=create)


@ON_BOTH
@pytest.mark.parametrize("create", [True, False])
def test_an_old_store_is_refused_by_everything_but_the_command_that_migrates(create: bool, kind: str) -> None:
    """A worker that altered tables would do it under the feet of others; their work stays readable."""
    with new_url(kind) as url:
        old_store(url, REVISIONS[0])
        with pytest.raises(StoreError, match="has an old schema; run 'ragproof store migrate' first"):
            open_store(url, create=create)
        assert execute(url, "SELECT version_num FROM ragproof_version") == [(REVISIONS[0],)]
        migrate_store(url)
        open_store(url, create=create).close()


@ON_BOTH
def test_a_database_without_a_store_is_refused_unless_one_may_be_made(kind: str) -> None:
    """A reading command makes nothing; an empty database is a store to be."""
    with new_url(kind) as url:
        execute(url, "CREATE TABLE notes (note INTEGER)")
        with pytest.raises(StoreError, match="has no schema yet; run 'ragproof store migrate' first"):
            open_store(url, create=False)
        with open_store(url) as store:
            assert store.runs.list() == ()


@ON_BOTH
def test_someone_elses_tables_are_left_alone(kind: str) -> None:
    """A database with a table of our name that we did not make is not ours to migrate."""
    with new_url(kind) as url:
        execute(url, "CREATE TABLE run (lap INTEGER)")
        for use in (open_store, migrate_store):
            with pytest.raises(StoreError, match="has a table 'run' that ragproof did not make"):
                use(url)


def test_someone_elses_migrations_are_not_ours(tmp_path: Path) -> None:
    """A database may hold an orchestrator's tables and its version as well."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.executescript(
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('abc');"
        )
    with open_store(f"sqlite:///{tmp_path}/a.db") as store:
        assert store.runs.list() == ()
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [("abc",)]


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    """Not a traceback from the driver."""
    (tmp_path / "a.db").write_text("question,answer\n" * 1000)
    for create in (True, False):
        with pytest.raises(StoreError, match=r"a\.db' is not an SQLite database; move the file away"):
            open_store(f"sqlite:///{tmp_path}/a.db", create=create)


def test_a_read_only_store_can_be_read_and_says_why_it_cannot_be_written(tmp_path: Path) -> None:
    """A mounted archive is still worth a look."""
    open_store(f"sqlite:///{tmp_path}/a.db").close()
    record = RunRecord(id="run-1", project="p", pipeline="b", started_at=now())
    with open_store(f"sqlite:///file:{tmp_path}/a.db?mode=ro&uri=true") as store:
        assert store.runs.list() == ()
        with pytest.raises(StoreError, match="cannot be written; make the file and its folder writable"):
            store.runs.start(record)


def test_a_server_out_of_reach_is_refused_without_its_password() -> None:
    """Whether the driver or the server is missing."""
    with pytest.raises(StoreError) as refused:
        open_store("postgresql+psycopg://user:secret@127.0.0.1:1/evals")
    assert "secret" not in str(refused.value)
    assert "postgresql+psycopg://user:***@127.0.0.1:1/evals" in str(refused.value)


def test_a_server_without_its_driver_is_refused_with_what_to_install(tmp_path: Path) -> None:
    """Most stores are files, and the driver is an extra."""
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from ragproof.cli.main import run; sys.exit(run(['runs']))"
    )
    environment = {**os.environ, "RAGPROOF_STORE_URL": "postgresql://user:secret@127.0.0.1:1/evals"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == EXIT_EXECUTION
    assert (
        "needs the driver 'psycopg', which cannot be loaded; install 'ragproof-flows[postgres]'"
        in done.stderr
    )
    assert "secret" not in done.stderr


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Nothing is opened again behind the caller's back; closing twice is closing once."""
    store = open_store(f"sqlite:///{tmp_path}/a.db")
    store.close()
    store.close()
    with pytest.raises(StoreError, match=r"a\.db' is closed; open it again"):
        store.runs.list()
