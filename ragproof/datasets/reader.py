"""A dataset format: how it is recognised and how a file of it becomes cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ragproof.cases import Case


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of the corpus that lies beside the questions; `id` is what relevance calls it."""

    id: str
    text: str
    title: str = ""


def _itself(path: Path) -> tuple[Path, ...]:
    return (path,)


def _nothing(_: Path) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Reader:
    """One format, exported as `READER` by a module of `ragproof.datasets` or an entry point of that group."""

    name: str
    """What `dataset.format` calls it."""
    version: int
    """Raised whenever any file could now be read as other cases."""
    sniff: Callable[[Path, bytes], bool]
    """Say from the path and the first bytes whether a file is of this format; a folder's bytes are none."""
    read: Callable[[Path], tuple[Case, ...]]
    """Read a file whole, or raise `ConfigurationError` with every fault in it."""
    refines: tuple[str, ...] = ()
    """Formats that a file of this one looks like too, and that give way to it."""
    files: Callable[[Path], tuple[Path, ...]] = _itself
    """Every file that the cases depend on, of a format that has more than the one that was named."""
    named: bool = False
    """Whether the cases depend on the file's name too."""
    left_out: Callable[[Path], tuple[str, ...]] = _nothing
    """Say in sentences what the files hold beside the cases; () when every row is a case."""
    corpus: Callable[[Path], Iterator[Passage]] | None = None
    """Read the documents that answer the questions; None for a format that brings none."""

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"
