"""The documents that a pipeline retrieves from, as a folder of files that attacks can be planted in.

A document is a file of running text. Other files (a PDF, a JSON file that a planted paragraph would break)
are carried over byte for byte, so that the written folder is a whole corpus.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from ragproof.errors import ConfigurationError
from ragproof.frozen import Frozen

TEXT_SUFFIXES = (".txt", ".md", ".markdown", ".rst", ".adoc", ".org")


class Document(Frozen):
    """One file of text."""

    name: str
    """Its path inside the folder, with forward slashes."""
    text: str


class Folder(Frozen):
    """What a folder holds; names in order. Hidden files and folders are not looked at."""

    path: Path
    documents: tuple[Document, ...]
    other_files: tuple[str, ...] = ()
    """Names of files that are no running text, or not UTF-8."""


def read_folder(path: Path) -> Folder:
    """Read every document below a folder, line ends as they are.

    Raises:
        ConfigurationError: it is no folder, or holds no file of text.
    """
    if not path.is_dir():
        raise ConfigurationError(f"no folder '{path}'; expected a folder of documents")
    names = sorted(file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
    documents: list[Document] = []
    other_files: list[str] = []
    for name in names:
        if any(part.startswith(".") for part in name.split("/")):
            continue
        text = _text(path / name)
        if text is None:
            other_files.append(name)
        else:
            documents.append(Document(name=name, text=text))
    if not documents:
        expected = ", ".join(TEXT_SUFFIXES)
        raise ConfigurationError(
            f"folder '{path}' holds no document; expected UTF-8 files ending in {expected}"
        )
    return Folder(path=path, documents=tuple(documents), other_files=tuple(other_files))


def write_folder(target: Path, documents: Sequence[Document], source: Folder) -> None:
    """Write the documents, and copy the source's other files beside them.

    Args:
        target: made where it is missing; files of the same names are replaced.
        documents: what to write.
        source: where the other files are copied from.

    Raises:
        ConfigurationError: the target holds other files, which a pipeline would retrieve from too, or lies
            in the source or around it.
    """
    inside, outside = target.resolve(), source.path.resolve()
    if inside.is_relative_to(outside) or outside.is_relative_to(inside):
        raise ConfigurationError(
            f"'{target}' would lie within '{source.path}' or around it, and be read as documents in the next "
            "run; choose an --out elsewhere"
        )
    names = {document.name for document in documents} | set(source.other_files)
    present = sorted(file.relative_to(target).as_posix() for file in target.rglob("*") if file.is_file())
    strangers = [name for name in present if name not in names]
    if strangers:
        raise ConfigurationError(
            f"'{target}' holds '{strangers[0]}', which is not of these documents; "
            "remove the folder or choose another --out"
        )
    for document in documents:
        file = target / document.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(document.text.encode("utf-8"))
    for name in source.other_files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source.path / name, target / name)


def _text(file: Path) -> str | None:
    if file.suffix.lower() not in TEXT_SUFFIXES:
        return None
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
