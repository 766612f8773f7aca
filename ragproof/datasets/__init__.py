"""Reading a dataset: a file in, cases out, or every fault of the file at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets import registry
from ragproof.datasets.reader import Passage, Reader
from ragproof.errors import ConfigurationError

__all__ = ["corpus", "file_hash", "formats", "left_out", "read", "reader_version"]


def read(
    path: Path, format: str | None = None, *, plugins: Iterable[EntryPoint] | None = None
) -> tuple[Case, ...]:
    """Read a dataset.

    Args:
        path: the file, or the folder of a format that has several files.
        format: a name of `formats()`; None to tell by the file's name and its first bytes.
        plugins: formats beside our own; None for those of the installed packages.

    Returns:
        The cases in file order; never empty, no id twice.

    Raises:
        ConfigurationError: the file is absent, of no known format, or wrong; all faults at once.
    """
    with _readable(path):
        return registry.choose(path, format, _given(plugins)).read(path)


def left_out(
    path: Path, format: str | None = None, *, plugins: Iterable[EntryPoint] | None = None
) -> tuple[str, ...]:
    """Say in sentences what the files of a dataset hold beside its cases; () when every row is a case.

    Args and Raises as `read`.
    """
    with _readable(path):
        return registry.choose(path, format, _given(plugins)).left_out(path)


def corpus(
    path: Path, format: str | None = None, *, plugins: Iterable[EntryPoint] | None = None
) -> tuple[Passage, ...]:
    """Read the documents that a dataset brings for its questions.

    Args: as `read`.

    Returns:
        The documents in file order; never empty, no id twice.

    Raises:
        ConfigurationError: as `read`, or the format brings no documents.
    """
    with _readable(path):
        reader = registry.choose(path, format, _given(plugins))
        if reader.corpus is None:
            raise ConfigurationError(f"dataset '{path.name}' is {reader.name}, which brings no documents")
        passages = tuple(reader.corpus(path))
    if not passages:
        raise ConfigurationError(f"dataset '{path.name}' has no documents; expected at least one")
    return passages


def file_hash(path: Path, format: str | None = None, *, plugins: Iterable[EntryPoint] | None = None) -> str:
    """Return a sha256 of what the cases depend on, 64 hex digits.

    Args:
        path: as for `read`.
        format: as for `read`; a file that looks like no format alone is taken by itself.
        plugins: as for `read`.

    Returns:
        That of the file's bytes; of names and bytes where there are several files, or the name counts.

    Raises:
        ConfigurationError: a file is missing or cannot be read, or the format is none.
    """
    with _readable(path):
        reader = _reader(path, format, _given(plugins))
        digests = [(file.name, _digest(file)) for file in (reader.files(path) if reader else (path,))]
    if len(digests) == 1 and not (reader and reader.named):
        return digests[0][1]
    return hashlib.sha256("".join(f"{digest} {name}\n" for name, digest in digests).encode()).hexdigest()


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


def _reader(path: Path, format: str | None, plugins: tuple[EntryPoint, ...]) -> Reader | None:
    if format is not None:
        return registry.choose(path, format, plugins)
    fitting = registry.recognise(path, plugins)
    return fitting[0] if len(fitting) == 1 else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ConfigurationError(f"dataset '{error.filename or path}' does not exist") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"dataset '{error.filename or path}' cannot be read: {reason}") from error
