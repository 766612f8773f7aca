"""Which dataset `--dataset` means: a hash or its beginning, a file of cases, or a path as runs name it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ragproof import datasets
from ragproof.cases import canonical_hash
from ragproof.errors import ConfigurationError, nearest
from ragproof.runs import RunRecord

_HASH = re.compile(r"[0-9a-f]{4,64}")


def dataset_meant(reference: str, runs: Iterable[RunRecord]) -> str:
    """Find a dataset's hash.

    Args:
        reference: at least 4 digits of a hash, a file, or a path as a run's configuration has it; a path that
            runs name wins by the latest of them.
        runs: whose datasets are meant, in any order.

    Raises:
        ConfigurationError: no run is on such a dataset, or the digits begin several hashes, or the file has
            faults.
    """
    named = sorted((run for run in runs if run.dataset_hash), key=lambda run: run.started_at)
    hashes = list(dict.fromkeys(run.dataset_hash for run in named if run.dataset_hash))
    begun = [each for each in hashes if _HASH.fullmatch(reference) and each.startswith(reference)]
    if len(begun) > 1:
        told = ", ".join(f"'{each[:12]}'" for each in begun)
        raise ConfigurationError(f"more than one dataset begins with '{reference}': {told}; give more of it")
    if begun:
        return begun[0]
    if Path(reference).exists():
        return _of_file(reference, hashes)
    by_path = {run.dataset: run.dataset_hash for run in named}
    found = by_path.get(reference)
    if found is None:
        hint = nearest(reference, by_path)
        raise ConfigurationError(
            f"no run is on the dataset '{reference}'; expected a hash as 'ragproof show' prints it, or a"
            f" file{hint}"
        )
    return found


def _of_file(path: str, hashes: list[str]) -> str:
    found = canonical_hash([case.content_hash() for case in datasets.read(Path(path))])
    if found not in hashes:
        raise ConfigurationError(
            f"no run is on the cases that '{path}' holds now (hash {found[:12]}); expected a dataset that was"
            " evaluated: 'ragproof show' prints the hash of a run's"
        )
    return found
