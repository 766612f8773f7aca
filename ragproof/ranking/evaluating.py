"""One evaluation of a ranking, whatever form judgments and run come in.

Dictionaries are evaluated where they lie, files and frames as streams of columns; a mixed pair is brought to
the form of the run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ragproof.errors import ConfigurationError, Fault
from ragproof.ranking.evaluation import Evaluation, Options
from ragproof.ranking.mappings import Qrels, Run, evaluate_mappings

if TYPE_CHECKING:
    import polars as pl

    from ragproof.ranking.column_judgments import ColumnJudgments
    from ragproof.ranking.frames import PandasFrame
    from ragproof.ranking.rows import Source

Table = Union["pl.DataFrame", "pl.LazyFrame", "PandasFrame", str, "os.PathLike[str]"]
"""Rows with a query, a document and a value: a frame, or the path of a file."""


class Judgments:
    """Relevance judgments, read once for any number of runs."""

    def __init__(self, given: Qrels | Table, name: str = "qrels") -> None:
        """Take judgments as they come.

        Args:
            given: the gain of each judged document by query, a frame, or the path of a file.
            name: what messages call a frame.
        """
        self._given = given
        self._name = name

    def evaluate(self, run: Run | Table, options: Options, name: str = "run") -> Evaluation:
        """Evaluate a run: scores by query and document, a frame, or the path of a file.

        Raises:
            ConfigurationError: one side cannot be read, or they have no query in common.
        """
        if isinstance(run, Mapping):
            return evaluate_mappings(self._mapping, run, options)
        from ragproof.ranking.columns import evaluate_columns

        return evaluate_columns(self._columns, _source(run, name, gains=False), options)

    def read(self) -> None:
        """Read a file or a frame now, and not with the first run.

        Raises:
            ConfigurationError: it cannot be read.
        """
        if not isinstance(self._given, Mapping):
            _ = self._columns

    @cached_property
    def _mapping(self) -> Qrels:
        return self._given if isinstance(self._given, Mapping) else self._columns.as_mapping()

    @cached_property
    def _columns(self) -> ColumnJudgments:
        from ragproof.ranking.column_judgments import read_judgments

        return read_judgments(_source(self._given, self._name, gains=True))


def evaluate_files(qrels: Path, runs: Sequence[Path], options: Options) -> list[Evaluation]:
    """Evaluate several runs against one file of judgments.

    Raises:
        ConfigurationError: some of the files cannot be evaluated; the faults of all of them at once.
    """
    faults: list[Fault] = []
    evaluations = []
    judgments = Judgments(qrels)
    try:
        judgments.read()
    except ConfigurationError as error:
        faults += error.faults
    unreadable = bool(faults)
    for run in runs:
        try:
            if unreadable:
                _read_through(run)
            else:
                evaluations.append(judgments.evaluate(run, options))
        except ConfigurationError as error:
            # What is wrong between the two is told without a file.
            faults += [fault if fault.place else Fault(fault.message, str(run)) for fault in error.faults]
    if faults:
        raise ConfigurationError(faults)
    return evaluations


def _read_through(run: Path) -> None:
    from ragproof.ranking.rows import each_block

    for _ in each_block(_source(run, "run", gains=False), len):
        pass


def _source(given: Any, name: str, gains: bool) -> Source:
    from ragproof.ranking import files, frames

    if isinstance(given, str | os.PathLike):
        return files.open_qrels(Path(given)) if gains else files.open_run(Path(given))
    if isinstance(given, Mapping):
        return frames.from_mapping(given, name)
    polars, pandas = sys.modules.get("polars"), sys.modules.get("pandas")
    if polars is not None and isinstance(given, polars.DataFrame):
        return frames.from_polars(given, name, gains)
    if polars is not None and isinstance(given, polars.LazyFrame):
        return frames.from_polars(given.collect(), name, gains)
    if pandas is not None and isinstance(given, pandas.DataFrame):
        return frames.from_pandas(given, name, gains)
    kind = type(given).__name__
    raise ConfigurationError(
        f"{name} is a {kind}, expected a dictionary, a polars or pandas frame, or a path"
    )
