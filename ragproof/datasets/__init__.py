"""Reading a dataset: a file in, cases out, or every fault of the file at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets import registry
from ragproof.errors import ConfigurationError

__all__ = ["file_hash", "formats", "read", "reader_version"]


def read(
    path: Path, format: str | None = None, *, plugins: Iterable[EntryPoint] | None = None
) -> tuple[Case, ...]:
    """Read a dataset.

    Args:
        path: the file.
        format: a name of `formats()`; None to tell by the file's name and its first bytes.
        plugins: formats beside our own; None for those of the installed packages.

    Returns:
        The cases in file order; never empty, no id twice.

    Raises:
        ConfigurationError: the file is absent, of no known format, or wrong; all faults at once.
    """
    with _readable(path):
        return registry.choose(path, format, _given(plugins)).read(path)


def file_hash(path: Path) -> str:
    """Return the sha256 of the file's bytes, 64 hex digits.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    with _readable(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def reader_version(
    path: Path, format: str | None = None, *, plugins: Iterable[EntryPoint] | None = None
) -> str:
    """Return name and version of the reader that `read` would use, as `jsonl@1`.

    With `file_hash` it is the identity of the cases: the same two give the same cases.

    Raises:
        ConfigurationError: as `read`, except that the file's content is not checked.
    """
    with _readable(path):
        return str(registry.choose(path, format, _given(plugins)))


def formats(plugins: Iterable[EntryPoint] | None = None) -> tuple[str, ...]:
    """Return the names `dataset.format` may have; `plugins` as for `read`."""
    return registry.formats(_given(plugins))


def _given(plugins: Iterable[EntryPoint] | None) -> tuple[EntryPoint, ...]:
    return registry.installed() if plugins is None else tuple(plugins)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ConfigurationError(f"dataset '{path}' does not exist") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"dataset '{path}' cannot be read: {reason}") from error
