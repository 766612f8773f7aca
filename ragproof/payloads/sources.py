"""Which documents of a folder a case's source ids name: by path, by path without ending, or by file name.

A chunk's id counts for its document when it is the document's name and a piece number or a fragment:
`guide#limits`, `guide.md:3`, `guide-12`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from ragproof.cases import Case

_PIECE = re.compile(r"[-_.]\d+|[#:@|/].*", re.DOTALL)
_SEPARATOR = re.compile(r"[-_.#:@|/]")


class Sources:
    """The names that each document of a folder goes by; its path comes before another's file name.

    A name that two documents have equal claim to names neither.
    """

    def __init__(self, document_names: Sequence[str]) -> None:
        paths = [PurePosixPath(name) for name in document_names]
        by_path = _unambiguous(
            (spelling, path) for path in paths for spelling in {path, path.with_suffix("")}
        )
        by_file = _unambiguous(
            (PurePosixPath(name), path) for path in paths for name in {path.name, path.stem}
        )
        self._names: Mapping[str, str] = {**by_file, **by_path}

    def of(self, case: Case) -> tuple[str, ...]:
        """Return the documents that a case's relevant sources lie in, else the one its group names.

        Args:
            case: ids judged relevant are looked at; an id of no document is passed over.

        Returns:
            Document names in order; empty when the case names none.
        """
        named = {self._document(source) for source in case.relevant()}
        if named <= {None} and case.group is not None:
            named = {self._document(case.group)}
        return tuple(sorted(name for name in named if name is not None))

    def _document(self, source: str) -> str | None:
        if source in self._names:
            return self._names[source]
        for separator in reversed(list(_SEPARATOR.finditer(source))):
            stem, piece = source[: separator.start()], source[separator.start() :]
            if stem in self._names and _PIECE.fullmatch(piece):
                return self._names[stem]
        return None


def _unambiguous(claims: Iterable[tuple[PurePosixPath, PurePosixPath]]) -> dict[str, str]:
    claimants: dict[str, set[str]] = {}
    for spelling, document in claims:
        claimants.setdefault(str(spelling), set()).add(str(document))
    return {spelling: min(documents) for spelling, documents in claimants.items() if len(documents) == 1}
