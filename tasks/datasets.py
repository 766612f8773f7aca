"""Loading the dataset: from its file into the store, once for each content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import task

from ragproof import datasets
from ragproof.cases import canonical_hash
from ragproof.config import EvalConfig
from ragproof.frozen import Frozen
from ragproof.runs import RunRecord
from tasks import process
from tasks.caching import cached
from tasks.retrying import unless_configuration


class DatasetFile(Frozen):
    """A dataset file as it lies there now: the inputs that decide what loading it gives."""

    path: Path
    format: str | None
    sha256: str
    """Of the file's bytes."""
    reader: str
    """Name and version of the reader."""
    store: str
    """Identity of the store it is loaded into: a new store has to be filled again."""


class LoadedDataset(Frozen):
    """A dataset that lies in the store."""

    hash: str
    """sha256 over the content of its cases in order, whatever file format they came in."""
    cases: int
    left_out: tuple[str, ...] = ()
    """In sentences, what its files hold beside the cases."""


def _parts(inputs: dict[str, Any]) -> list[Any]:
    file: DatasetFile = inputs["file"]
    return [file.sha256, file.reader, file.store]


@task(
    task_run_name="load dataset {file.path.name}",
    retries=2,
    retry_delay_seconds=2,
    retry_condition_fn=unless_configuration,
    **cached("load_dataset", 2, _parts),
)
def load_dataset(file: DatasetFile) -> LoadedDataset:
    """Read every case of the dataset into the store; cached by the file's content.

    Raises:
        ConfigurationError: the dataset has faults; all of them at once.
    """
    cases = datasets.read(file.path, file.format)
    content = canonical_hash([case.content_hash() for case in cases])
    process.store().datasets.put(content, file.reader, str(file.path), cases)
    left_out = datasets.left_out(file.path, file.format)
    return LoadedDataset(hash=content, cases=len(cases), left_out=left_out)


def load(config: EvalConfig, run: RunRecord | None, *, no_cache: bool) -> tuple[LoadedDataset, bool]:
    """Have the dataset in the store, reading the file only when its content was not read before.

    Args:
        config: names the file.
        run: a run to go on with: its cases are those it began with, whatever the file holds by now.
        no_cache: read the file again in any case.

    Returns:
        Where it lies, and whether reading was spared.

    Raises:
        ConfigurationError: the file is missing or has faults.
    """
    store = process.store()
    if run is not None:
        return LoadedDataset(hash=run.dataset_hash or "", cases=run.cases.total), True
    file = DatasetFile(
        path=config.dataset.resolved(),
        format=config.dataset.format,
        sha256=datasets.file_hash(config.dataset.resolved(), config.dataset.format),
        reader=datasets.reader_version(config.dataset.resolved(), config.dataset.format),
        store=store.identity,
    )
    state = load_dataset.with_options(refresh_cache=no_cache)(file, return_state=True)
    loaded = state.result()
    if not store.datasets.has(loaded.hash):  # pruned since it was cached
        return load_dataset.with_options(refresh_cache=True)(file), False
    return loaded, state.name == "Cached"
