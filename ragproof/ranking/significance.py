"""Which of several runs are told apart by paired tests, measure by measure, on the queries they share.

The first measure decides. Within a measure p is adjusted over its contrasts (sign flip, step-down max-T);
for claims about the other measures Holm's adjustment over the measures stands beside it, for one contrast at
a time. `judged` describes the labels and is not tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.ranking.contrasts import Contrast, Differences, degenerate, differences
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.measures import is_tested, read_measure
from ragproof.ranking.shared_queries import SharedQueries, on_shared_queries
from ragproof.statistics.effects import effect_sizes
from ragproof.statistics.groups import indistinguishable_groups
from ragproof.statistics.max_t import MaxT, max_t
from ragproof.statistics.multiplicity import holm
from ragproof.statistics.samples import FloatArray
from ragproof.statistics.streams import DRAWS


@dataclass(frozen=True)
class MeasureTest:
    """What one measure says.

    Attributes:
        measure: its key.
        contrasts: of every run with the baseline, or of every pair.
        letters: of each run, in the order of the runs: two share one exactly when they are not told apart,
            `a` has the best run; None when runs are held against a baseline.
        exact: whether every sign assignment was listed.
        assignments: the sign assignments behind p.
    """

    measure: str
    contrasts: tuple[Contrast, ...]
    letters: tuple[str, ...] | None
    exact: bool
    assignments: int


@dataclass(frozen=True, eq=False)
class RunTest:
    """Several runs, tested.

    Attributes:
        shared: the runs on the queries that all are scored on.
        baseline: the name of the run that the others are held against; None is every pair.
        measures: in the order named, the one that decides first.
        seed: of random signs and resamples.
        draws: how many there are of each, where p is not exact.
    """

    shared: SharedQueries
    baseline: str | None
    measures: tuple[MeasureTest, ...]
    seed: int
    draws: int

    @property
    def runs(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.shared.evaluations)

    @property
    def contrasts(self) -> int:
        """How many each measure has."""
        return len(self.measures[0].contrasts)


def compare_runs(
    evaluations: Mapping[str, Evaluation], *, baseline: str | None = None, seed: int = 0, draws: int = DRAWS
) -> RunTest:
    """Test runs against each other.

    Args:
        evaluations: of at least two runs by name, against the same judgments and by the same rules, with a
            measure that is tested.
        baseline: the name of the run that every other is held against; None is every pair.
        seed: of random signs and resamples, at least 0; the same seed gives the same p.
        draws: random sign assignments where over 16 queries differ, and resamples; at least 1.

    Raises:
        ConfigurationError: no query is scored in all of them.
        ValueError: there are fewer than two runs, there is nothing to test, or no run has the baseline's
            name.
    """
    if len(evaluations) < 2 or (baseline is not None and baseline not in evaluations):
        raise ValueError(
            f"'evaluations' holds {list(evaluations)}; expected two runs, the baseline among them"
        )
    shared = on_shared_queries(evaluations)
    names = list(evaluations)
    place = None if baseline is None else names.index(baseline)
    scores = _scores(shared)
    found = {key: differences(table, place, seed=seed, draws=draws) for key, table in scores.items()}
    tests = {key: max_t(each.table, seed=seed, draws=draws) for key, each in found.items()}
    measures = []
    for key, over_measures in zip(scores, _over_measures(list(tests.values())), strict=True):
        contrasts = _contrasts(names, found[key], tests[key], over_measures)
        letters = _letters(names, scores[key], contrasts) if baseline is None else None
        measures.append(MeasureTest(key, contrasts, letters, tests[key].exact, tests[key].assignments))
    return RunTest(shared, baseline, tuple(measures), seed, draws)


def _scores(shared: SharedQueries) -> dict[str, FloatArray]:
    """Return the values of each measure that is tested, shape (queries, runs)."""
    runs = list(shared.evaluations.values())
    tested = [key for key in runs[0].values if is_tested(read_measure(key))]
    if not tested:
        raise ValueError(f"'evaluations' hold {list(runs[0].values)}; expected a measure that ranks")
    return {key: np.column_stack([run.values[key] for run in runs]) for key in tested}


def _over_measures(tests: Sequence[MaxT]) -> list[tuple[float | None, ...]]:
    """Adjust the p of each contrast over the measures; by measure, then by contrast."""
    if len(tests) == 1:
        return [(None,) * len(tests[0].p_step_down)]
    by_contrast = [holm(p) for p in zip(*(test.p_step_down for test in tests), strict=True)]
    return list(zip(*by_contrast, strict=True))


def _contrasts(
    names: Sequence[str], found: Differences, test: MaxT, over_measures: Sequence[float | None]
) -> tuple[Contrast, ...]:
    return tuple(
        Contrast(
            run=names[run],
            against=names[against],
            effects=effect_sizes(found.table[:, at]),
            interval=found.intervals[at],
            p=test.p_step_down[at],
            p_raw=test.p_raw[at],
            p_over_measures=over_measures[at],
            degenerate=degenerate(found.table[:, at]),
        )
        for at, (run, against) in enumerate(found.places)
    )


def _letters(names: Sequence[str], scores: FloatArray, contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    means = scores.mean(axis=0)
    best_first = sorted(range(len(names)), key=lambda place: -means[place])
    separated = [(each.run, each.against) for each in contrasts if each.separated]
    groups = indistinguishable_groups([names[place] for place in best_first], separated)
    letters = dict(zip(best_first, groups.letters, strict=True))
    return tuple(letters[place] for place in range(len(names)))
