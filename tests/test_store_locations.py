"""Where the store lies, and what is refused before any database is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.errors import StoreError
from ragproof.store.faults import shown
from ragproof.store.locations import DEFAULT_URL, file_of, locate, prepare_folder


@pytest.mark.parametrize(
    ("why", "argument", "environment", "expected"),
    [
        ("nothing said: a file in the working directory", None, {}, DEFAULT_URL),
        ("the environment", None, {"RAGPROOF_STORE_URL": "sqlite:///a.db"}, "sqlite:///a.db"),
        (
            "the argument comes first",
            "sqlite:///b.db",
            {"RAGPROOF_STORE_URL": "sqlite:///a.db"},
            "sqlite:///b.db",
        ),
        ("an empty variable says nothing", None, {"RAGPROOF_STORE_URL": ""}, DEFAULT_URL),
        ("a server", "postgresql+psycopg://u@h/d", {}, "postgresql+psycopg://u@h/d"),
    ],
)
def test_the_url_is_the_arguments_then_the_environments_then_the_default(
    why: str, argument: str | None, environment: dict[str, str], expected: str
) -> None:
    """In that order."""
    assert locate(argument, environment).render_as_string(hide_password=False) == expected, why


@pytest.mark.parametrize(
    ("why", "url", "cure"),
    [
        ("in memory, the short way", "sqlite://", "name a file: 'sqlite:///.ragproof/ragproof.db'"),
        ("in memory, by name", "sqlite:///:memory:", "name a file"),
        ("in memory, as a URI", "sqlite:///file::memory:?uri=true", "name a file"),
        ("in memory, shared", "sqlite:///file:x?mode=memory&cache=shared&uri=true", "name a file"),
        ("a bare path", ".ragproof/ragproof.db", "expected 'sqlite:///FILE'"),
        ("an unreadable port", "postgresql://u:secret@h:port/d", "expected 'sqlite:///FILE'"),
        ("an alias of other tools", "postgres://u:secret@h/d", "did you mean 'postgresql'?"),
        ("a database we do not speak", "mysql://u:secret@h/d", "begins with 'mysql'"),
        ("an asynchronous driver", "sqlite+aiosqlite:///a.db", "begins with 'sqlite+aiosqlite'"),
        ("a parameter that sqlite3 does not take", "sqlite:///a.db?tiemout=3", "parameters 'tiemout'"),
    ],
)
def test_a_store_that_could_not_work_is_refused_with_the_cure(why: str, url: str, cure: str) -> None:
    """Before anything is opened, and without quoting a password."""
    with pytest.raises(StoreError) as refused:
        locate(url, {})
    assert cure in str(refused.value), why
    assert "secret" not in str(refused.value), why


def test_a_password_is_never_shown() -> None:
    """Neither in its place nor among the parameters."""
    url = locate("postgresql+psycopg://user:secret@host:5432/evals?password=secret&sslmode=require", {})
    assert shown(url) == "postgresql+psycopg://user:***@host:5432/evals"


def test_a_new_folder_is_kept_out_of_version_control(tmp_path: Path) -> None:
    """Answers and documents do not belong in a repository."""
    prepare_folder(locate(f"sqlite:///{tmp_path}/new/deep/store.db"))
    assert (tmp_path / "new" / "deep" / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / "new" / "deep" / "store.db").exists()


def test_a_folder_that_was_there_is_left_as_it_is(tmp_path: Path) -> None:
    """It is somebody's: nothing is added to it."""
    prepare_folder(locate(f"sqlite:///{tmp_path}/store.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("why", "path", "cure"),
    [
        (
            "the folder is a file",
            "taken/store.db",
            "a file is in the way; move it, or set RAGPROOF_STORE_URL",
        ),
        ("a folder above is a file", "taken/deeper/store.db", "a file is in the way"),
        ("the file is a folder", "folder", "is a folder; name a file in it"),
    ],
)
def test_something_else_in_the_way_is_named(why: str, path: str, cure: str, tmp_path: Path) -> None:
    """With what to do about it."""
    (tmp_path / "taken").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError) as refused:
        prepare_folder(locate(f"sqlite:///{tmp_path}/{path}"))
    assert cure in str(refused.value), why


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite:///a/b.db", "a/b.db"),
        ("sqlite:////a/b.db", "/a/b.db"),
        ("sqlite:///file:/a/b.db?mode=ro&uri=true", "/a/b.db"),
        ("postgresql://h/d", None),
    ],
)
def test_a_file_store_knows_its_file(url: str, file: str | None) -> None:
    """A server has none."""
    assert file_of(locate(url, {})) == (None if file is None else Path(file))
