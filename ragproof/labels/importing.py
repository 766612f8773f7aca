"""Importing a file of labels: every row held against the run it judges, and kept, or nothing kept at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragproof.comparing.references import named_run
from ragproof.datasets.rows import MOST_FAULTS_TOLD
from ragproof.datasets.wording import shown
from ragproof.errors import ConfigurationError, Fault, StoreError
from ragproof.frozen import Frozen
from ragproof.labels.fields import RUN_ID, VALUE, LabelRow
from ragproof.labels.human_label import UNNAMED, HumanLabel
from ragproof.labels.label_file import rows
from ragproof.labels.labelled_run import LabelledRun, labelled_run
from ragproof.runs import RunRecord

if TYPE_CHECKING:
    from ragproof.store.store import Store

Key = tuple[str, str, str, int, str]
"""What a label is of, and by whom."""
Found = RunRecord | str
"""A run, or why a reference means none."""


class ImportedRun(Frozen):
    """What a file says of one run."""

    run_id: str
    cases: dict[str, int]
    """Labelled cases by metric."""


class Imported(Frozen):
    """What came of a file."""

    file: str
    labels: int
    new: int
    same: int
    """Labels that the store held already."""
    claimed: int
    """Those of them whose claim of having been drawn at random is another now."""
    at_random: bool
    """The claim."""
    labellers: int
    """People who are named."""
    runs: tuple[ImportedRun, ...]


def import_labels(
    store: Store, path: Path, *, run: str | None = None, project: str | None = None, at_random: bool = False
) -> Imported:
    """Import a file of labels; importing it twice is importing it once.

    Args:
        store: an open store.
        path: JSON lines or CSV, a verdict a row.
        run: whose answers the rows without a run judge: an id, the beginning of one, a label, or `latest`;
            None is nobody's, and every row has to say it.
        project: whose runs `latest` and labels mean; None is any.
        at_random: the user's claim that the labelled cases were drawn at random from the run's cases.

    Returns:
        What was new.

    Raises:
        ConfigurationError: all that is wrong with the file, each with its line; nothing is kept.
        StoreError: no run is meant by `run`, or the store cannot be read or written.
    """
    named = None if run is None else named_run(store, run, project=project)
    given = list(rows(path))
    runs = _runs(store, [each for each in given if isinstance(each, LabelRow)], named, project)
    gathered = _Gathered()
    for row in given:
        gathered.add(row if isinstance(row, Fault) else _made(row, runs, named, at_random), row.place)
    if not given:
        gathered.faults.append(Fault("no labels; expected at least one", path.name))
    if gathered.faults:
        raise ConfigurationError([*_few(gathered.faults, path.name)])
    labels = tuple(gathered.labels.values())
    kept = store.labels.put(labels)
    return Imported(
        file=path.name,
        labels=len(labels),
        new=kept.new,
        same=kept.same,
        claimed=kept.claimed,
        at_random=at_random,
        labellers=len({label.labeller for label in labels} - {UNNAMED}),
        runs=_counted(labels),
    )


class _Gathered:
    """The labels of a file, each once, and what is wrong."""

    def __init__(self) -> None:
        self.labels: dict[Key, HumanLabel] = {}
        self.faults: list[Fault] = []
        self._places: dict[Key, str] = {}

    def add(self, made: HumanLabel | list[str] | Fault, place: str) -> None:
        """Take a row in; the same verdict twice is one."""
        if isinstance(made, Fault):
            self.faults.append(made)
        elif isinstance(made, HumanLabel):
            before = self.labels.setdefault(made.of, made)
            first = self._places.setdefault(made.of, place)
            if before.value != made.value:
                self.faults.append(Fault(_twice(made, before, first), place))
        else:
            self.faults += [Fault(told, place) for told in made]


def _twice(label: HumanLabel, before: HumanLabel, first: str) -> str:
    who = f"by {shown(label.labeller)}" if label.labeller else "and no 'labeller' tells the two apart"
    return (
        f"{VALUE}: {label.value:g} where {first} says {before.value:g} of the same answer, {who};"
        " expected one verdict"
    )


def _made(
    row: LabelRow, runs: Mapping[str | None, LabelledRun | str], named: RunRecord | None, at_random: bool
) -> HumanLabel | list[str]:
    meant = runs[row.run_id]
    if isinstance(meant, str):
        return [meant]
    if named is not None and row.run_id is not None and meant.run.id != named.id:
        return [f"{RUN_ID}: {shown(row.run_id)} is another run than '{named.id}' of --run; expected one"]
    return meant.label(row, at_random=at_random)


def _runs(
    store: Store, given: Sequence[LabelRow], named: RunRecord | None, project: str | None
) -> Mapping[str | None, LabelledRun | str]:
    """Find the run of each reference, and read what its rows are held against; or say why there is none."""
    found: dict[str | None, Found] = {None: named or _NO_RUN}
    for reference in dict.fromkeys(row.run_id for row in given if row.run_id is not None):
        try:
            found[reference] = named_run(store, reference, project=project)
        except StoreError as error:
            found[reference] = f"{RUN_ID}: {error}"
    records = {each.id: each for each in found.values() if isinstance(each, RunRecord)}
    ids = {reference: each.id for reference, each in found.items() if isinstance(each, RunRecord)}
    read = {
        run_id: labelled_run(store, record, [row for row in given if ids.get(row.run_id) == run_id])
        for run_id, record in records.items()
    }
    return {reference: each if isinstance(each, str) else read[each.id] for reference, each in found.items()}


_NO_RUN = (
    f"{RUN_ID}: missing; a label judges the answer of one run: give the command --run, or the file a"
    f" '{RUN_ID}'"
)


def _few(faults: Sequence[Fault], name: str) -> Iterator[Fault]:
    yield from faults[:MOST_FAULTS_TOLD]
    if len(faults) > MOST_FAULTS_TOLD:
        yield Fault(f"and {len(faults) - MOST_FAULTS_TOLD:,} more faults", name)


def _counted(labels: Sequence[HumanLabel]) -> tuple[ImportedRun, ...]:
    cases: dict[str, dict[str, set[str]]] = {}
    for label in labels:
        cases.setdefault(label.run_id, {}).setdefault(label.metric, set()).add(label.case_id)
    return tuple(
        ImportedRun(run_id=run_id, cases={key: len(ids) for key, ids in by_metric.items()})
        for run_id, by_metric in cases.items()
    )
