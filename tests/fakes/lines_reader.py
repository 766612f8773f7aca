"""A dataset format of another package: a question a line."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets.reader import Reader


def sniff(path: Path, head: bytes) -> bool:
    """Recognise `.lines` files."""
    return path.suffix == ".lines"


def read(path: Path) -> tuple[Case, ...]:
    """Read a question a line; its number is its id."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(Case(id=str(number), question=line) for number, line in enumerate(lines, start=1))


READER = Reader(name="lines", version=3, sniff=sniff, read=read)

OTHER = Reader(name="other", version=1, sniff=sniff, read=read)

ENTRY_POINT = EntryPoint(name="lines", value="tests.fakes.lines_reader:READER", group="ragproof.datasets")
OTHER_ENTRY_POINT = EntryPoint(
    name="other", value="tests.fakes.lines_reader:OTHER", group="ragproof.datasets"
)
MISNAMED = EntryPoint(name="line", value="tests.fakes.lines_reader:READER", group="ragproof.datasets")
BROKEN = EntryPoint(name="broken", value="tests.fakes.no_such_module:READER", group="ragproof.datasets")
NO_READER = EntryPoint(name="sniff", value="tests.fakes.lines_reader:sniff", group="ragproof.datasets")
