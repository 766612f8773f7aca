"""Cutting a dataset into shards: the unit of work that an orchestrator schedules, caches and retries.

A submitted task costs about 40 ms, whatever is in it, so a shard grows with the dataset.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.cases import Case, canonical_hash
from ragproof.frozen import Frozen


class Shard(Frozen):
    """Consecutive cases of a run's dataset, by position: `start` is in, `stop` is not."""

    run_id: str
    dataset_hash: str
    start: int
    stop: int
    content_hash: str
    """sha256 over the content of its cases."""
    trial: int = 0
    """Repeat index, 0 for the first."""
    positions: tuple[int, ...] = ()
    """Where its cases stand in the dataset, when the run asks them in another order; empty is in order."""
    fence: int = 0
    """Of the lease under which it is worked on; 0 is none."""

    def __len__(self) -> int:
        return self.stop - self.start

    @property
    def title(self) -> str:
        """What people call it: `1-10`, and `1-10, trial 2` of a run that repeats its cases."""
        cases = f"{self.start + 1}-{self.stop}"
        return f"{cases}, trial {self.trial + 1}" if self.trial else cases


def shard_size(cases: int) -> int:
    """Return how many cases a shard holds for a dataset of this many."""
    if cases <= 100:
        return 10
    if cases <= 1_000:
        return 50
    return 250 if cases <= 10_000 else 500


def cut(
    run_id: str,
    dataset_hash: str,
    cases: Sequence[Case],
    size: int | None = None,
    trials: int = 1,
    order: Sequence[int] | None = None,
) -> tuple[Shard, ...]:
    """Cut a dataset into shards, once for each trial.

    Args:
        run_id: the run they belong to.
        dataset_hash: sha256 of the dataset file.
        cases: all cases in order; empty gives no shard.
        size: cases a shard; None chooses by the dataset's size.
        trials: how often each case is asked, at least 1.
        order: every position of a case once; None is the dataset's own order.

    Returns:
        Shards that cover every case once in each trial, in order, one trial after the other.
    """
    if order is not None:
        cases = [cases[position] for position in order]
    step = size or shard_size(len(cases))
    first = tuple(
        Shard(
            run_id=run_id,
            dataset_hash=dataset_hash,
            start=start,
            stop=min(start + step, len(cases)),
            positions=() if order is None else tuple(order[start : start + step]),
            content_hash=canonical_hash([case.content_hash() for case in cases[start : start + step]]),
        )
        for start in range(0, len(cases), step)
    )
    return tuple(shard.model_copy(update={"trial": trial}) for trial in range(trials) for shard in first)
