"""The API page of the statistics, written from signatures and docstrings.

`python -m ragproof.statistics.reference` at the root of the project writes it again.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path

from ragproof.statistics.chapters import CHAPTERS, Chapter

PAGE_FILE = Path("docs/statistics-api.md")

_OPENING = """\
# Statistics: the API

<!-- Written by `python -m ragproof.statistics.reference` from the code; a test keeps it current. -->

Plain functions on plain numbers and arrays; nothing here opens a store or starts a flow. Conventions:

- `d` is one number a case, B minus A, oriented so that more is better, trials averaged inside the case first.
- A missing value is `None` or NaN where a function says that it takes one, and refused everywhere else.
- Results are frozen dataclasses. A field that could not be computed is `None`; a `flag` or `reason` says why.
- Random draws depend on `seed` alone, not on `batch`, threads or other columns.
- Bad input raises `ValueError` with the value, what was expected and the cure.
"""

_SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes):$")


def page_text() -> str:
    """Return the content of `docs/statistics-api.md`."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield _OPENING
    yield "| need | call |\n|---|---|"
    for chapter in CHAPTERS:
        calls = ", ".join(f"[`{call.__name__}`](#{call.__name__.lower()})" for call in chapter.functions)
        yield f"| {chapter.need} | {calls} |"
    yield ""
    for chapter in CHAPTERS:
        yield from _chapter(chapter)


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield f"## {chapter.need}\n"
    modules = dict.fromkeys(inspect.getmodule(item) for item in (*chapter.functions, *chapter.results))
    for module in modules:
        assert module is not None
        yield f"`{module.__name__}`: {inspect.getdoc(module)}\n"
    for call in chapter.functions:
        yield from _function(call)
    for result in chapter.results:
        yield from _result(result)


def _function(call: Callable[..., object]) -> Iterator[str]:
    yield f"### {call.__name__}\n"
    yield f"```python\nfrom {call.__module__} import {call.__name__}\n{_signature(call)}\n```\n"
    yield from _documented(call)


def _result(result: type) -> Iterator[str]:
    yield f"### {result.__name__}\n"
    yield from _documented(result)
    if issubclass(result, Enum):
        yield from (f'- `{member.name}`: "{member.value}"' for member in result)
        yield ""
    properties = [(name, value) for name, value in vars(result).items() if isinstance(value, property)]
    if properties:
        yield "Properties:\n"
        yield from (f"- `{name}`: {_joined(inspect.getdoc(value) or '')}" for name, value in properties)
        yield ""


def _signature(call: Callable[..., object]) -> str:
    signature = inspect.signature(call)
    bare = signature.replace(
        parameters=[
            parameter.replace(annotation=inspect.Parameter.empty)
            for parameter in signature.parameters.values()
        ],
        return_annotation=inspect.Signature.empty,
    )
    return f"{call.__name__}{bare} -> {signature.return_annotation}"


def _documented(item: object) -> Iterator[str]:
    """A docstring in Markdown: its sections become lists, an entry's continuation lines are joined to it."""
    section, held = "", [""]
    for line in [*(inspect.getdoc(item) or "").splitlines(), "Returns:"]:
        if not _SECTION.match(line.strip()):
            held.append(line)
            continue
        yield from _section(section, held)
        section, held = line.strip().rstrip(":"), []


def _section(section: str, lines: list[str]) -> Iterator[str]:
    text = [line for line in lines if line.strip()]
    if not text:
        return
    if section in ("", "Returns", "Yields"):
        yield f"{section + ': ' if section else ''}{_joined(' '.join(text))}\n"
        return
    yield f"{section}:\n"
    for entry in re.split(r"\n(?=    \S)", "\n".join(text)):
        name, _, meaning = _joined(entry).partition(": ")
        yield f"- `{name}`: {meaning}"
    yield ""


def _joined(text: str) -> str:
    return " ".join(text.split())


def write(root: Path) -> None:
    """Write the page below a project's root."""
    (root / PAGE_FILE).parent.mkdir(parents=True, exist_ok=True)
    (root / PAGE_FILE).write_text(page_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path.cwd())
