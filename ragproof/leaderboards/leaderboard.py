"""The leaderboards of a store: which runs enter, which can be held against each other, and how they rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.stored_run import read_run
from ragproof.errors import ConfigurationError, nearest
from ragproof.leaderboards.board import Board, board
from ragproof.leaderboards.datasets_meant import dataset_meant
from ragproof.leaderboards.divisions import Division, divide
from ragproof.leaderboards.entrants import Entrants, entrants
from ragproof.leaderboards.expenses import BESIDE
from ragproof.leaderboards.primary import meant, measured_by, primary

if TYPE_CHECKING:
    from ragproof.store.store import Store


@dataclass(frozen=True)
class Asked:
    """What a leaderboard is asked for.

    Attributes:
        project: one project's runs; None is all.
        dataset: a hash, its beginning, or a file; None is all.
        metric: to rank by; None chooses, see `primary`.
        tag: to average by, too; None for none.
        group: a label, or the name or id of a sweep; None is all runs.
        latest: of each variant the latest run alone.
        allow_mixed_judges: let the judge differ, and only the judge.
        with_effects: compute the effects of the factors of a sweep.
        seed: of random signs and resamples.
    """

    project: str | None = None
    dataset: str | None = None
    metric: str | None = None
    tag: str | None = None
    group: str | None = None
    latest: bool = True
    allow_mixed_judges: bool = False
    with_effects: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Leaderboard:
    """The answer.

    Attributes:
        asked: the question.
        boards: the one with the latest run first; empty when no run was meant.
        unfinished: how many runs did not complete, by status.
        superseded: how many have a later one of their variant.
        projects: all projects there are, for whoever mistyped one.
    """

    asked: Asked
    boards: tuple[Board, ...]
    unfinished: Mapping[str, int]
    superseded: int
    projects: tuple[str, ...]


def gather(store: Store, asked: Asked) -> Leaderboard:
    """Rank the runs of a store.

    Raises:
        ConfigurationError: the metric, the dataset or the tag is none that these runs have.
        StoreError: the store cannot be read.
    """
    records = store.runs.list(project=None, limit=None)
    of_project = [run for run in records if asked.project in (None, run.project)]
    dataset_hash = None if asked.dataset is None else dataset_meant(asked.dataset, of_project)
    entered = entrants(
        records,
        project=asked.project,
        dataset_hash=dataset_hash,
        group=asked.group,
        latest=asked.latest,
    )
    return Leaderboard(
        asked=asked,
        boards=tuple(_boards(store, asked, entered)),
        unfinished=entered.unfinished,
        superseded=entered.superseded,
        projects=tuple(dict.fromkeys(run.project for run in records)),
    )


def _boards(store: Store, asked: Asked, entered: Entrants) -> Iterable[Board]:
    # Cases and summaries alone say who belongs together, and by what; only then are numbers read.
    known = [read_run(store, run, only=()) for run in entered.runs]
    metric = None
    if asked.metric is not None and known:
        metric = meant(asked.metric, (key for run in known for key in measured_by(run)))
    if asked.tag is not None and known:
        _check_tag(asked.tag, known)
    for division in divide(known, allow_mixed_judges=asked.allow_mixed_judges):
        chosen = metric or primary(division.runs)
        yield board(
            _with_numbers(store, division, () if chosen is None else (chosen, *BESIDE)),
            chosen,
            tag=asked.tag,
            with_effects=asked.with_effects,
            seed=asked.seed,
        )


def _with_numbers(store: Store, division: Division, keys: Sequence[str]) -> Division:
    runs: tuple[ScoredRun, ...] = tuple(read_run(store, run.record, only=keys) for run in division.runs)
    return Division(runs, division.apart, division.lifted)


def _check_tag(name: str, runs: Sequence[ScoredRun]) -> None:
    tags = sorted({tag for run in runs for case in run.cases for tag in case.tags})
    if name not in tags:
        told = ", ".join(f"'{each}'" for each in tags) or "none"
        raise ConfigurationError(f"no case has a tag '{name}'; there are {told}{nearest(name, tags)}")
