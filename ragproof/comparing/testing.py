"""Testing many metrics of two runs at once: one set of random signs, one set of resamples, one family.

Where cases come several to a group, whole groups are flipped and the interval is cluster-robust; a metric of
0 and 1 has Newcombe's interval, any other the studentised bootstrap's. Holm and Benjamini-Hochberg are over
all the metrics given that rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ragproof.comparing.clustering import Clusters, clusters_of, repeats
from ragproof.comparing.detecting import detectable
from ragproof.comparing.metric_comparison import Degenerate, MetricComparison, Tested, Unit
from ragproof.comparing.paired_scores import PairedScores
from ragproof.comparing.scored_run import CaseFacts
from ragproof.statistics.bootstrap import resample
from ragproof.statistics.clusters import Clustered, cluster_interval
from ragproof.statistics.effects import effect_sizes
from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.multiplicity import benjamini_hochberg, holm
from ragproof.statistics.paired_proportions import PairedTable, newcombe_interval, paired_table
from ragproof.statistics.samples import FloatArray, all_equal, without_dust
from ragproof.statistics.sign_flip import SignFlip
from ragproof.statistics.streams import BATCH, DRAWS
from ragproof.statistics.student import paired_t
from ragproof.statistics.studentised import studentised_of

CONFIDENCE = 0.95
MANY_CASES = 1_000
DRAWS_OF_MANY = 1_999
"""With so many cases the quantile that is resampled is Student's to a hundredth, and fewer draws fix it."""


def columns_to_test(scores: Sequence[PairedScores]) -> dict[str, FloatArray]:
    """Return the differences of the metrics that are tested: those that rank and have a pair; by key."""
    return {each.key: each.differences for each in scores if each.ranks and each.n_pairs}


def compare_metrics(
    scores: Sequence[PairedScores],
    cases: Sequence[CaseFacts],
    flips: Mapping[str, SignFlip],
    *,
    seed: int = 0,
) -> tuple[MetricComparison, ...]:
    """Compare two runs on some metrics.

    Args:
        scores: the metrics, each over exactly `cases`.
        cases: the shared cases.
        flips: the sign flips of `columns_to_test`, by key.
        seed: of resamples, at least 0.

    Returns:
        A comparison for each metric, in order.
    """
    clusters = clusters_of(cases)
    tested = [each for each in scores if each.key in flips]
    clustered = {each.key: _clustered(each, clusters) for each in tested if repeats(clusters, each.pairs)}
    intervals = _intervals(tested, clustered, seed)
    p = [flips[each.key].p for each in tested]
    tests = {
        each.key: _tested(each, flips[each.key], clustered.get(each.key), p_holm, p_bh)
        for each, p_holm, p_bh in zip(tested, holm(p), benjamini_hochberg(p), strict=True)
    }
    return tuple(
        _compared(each, tests.get(each.key), intervals.get(each.key), clustered.get(each.key))
        for each in scores
    )


def oriented_table(scores: PairedScores) -> PairedTable:
    """Count the pairs of a metric of 0 and 1, the candidate first; being right is what is better."""
    first, second = (each[scores.pairs] for each in scores.values)
    return paired_table(second, first) if scores.sign > 0 else paired_table(1.0 - second, 1.0 - first)


def _clustered(scores: PairedScores, clusters: Clusters) -> Clustered:
    low, high = scores.span_of_differences or (None, None)
    return cluster_interval(
        scores.differences[scores.pairs],
        clusters[scores.pairs].tolist(),
        confidence=CONFIDENCE,
        lowest=low,
        highest=high,
    )


def _intervals(
    tested: Sequence[PairedScores], clustered: Mapping[str, Clustered], seed: int
) -> dict[str, Interval]:
    found = {key: each.interval for key, each in clustered.items()}
    alone = [each for each in tested if each.key not in found]
    found |= {each.key: _newcombe(oriented_table(each)) for each in alone if each.binary}
    graded = [each for each in alone if not each.binary]
    if graded:
        table = _table(graded)
        draws = DRAWS_OF_MANY if min(each.n_pairs for each in graded) >= MANY_CASES else DRAWS
        replicates = resample(table, draws=draws, seed=seed, batch=BATCH, with_errors=True)
        spans = [each.span_of_differences for each in graded]
        resampled = studentised_of(table, replicates, spans, CONFIDENCE)
        found |= zip((each.key for each in graded), resampled, strict=True)
    # One case says nothing of a spread, and an interval of it would only repeat the metric's range.
    nothing = Interval(None, None, CONFIDENCE, "none", Flag.ONE_CASE)
    return found | {each.key: nothing for each in tested if each.n_pairs == 1}


def _newcombe(table: PairedTable) -> Interval:
    return newcombe_interval(
        table.both, table.only_first, table.only_second, table.neither, confidence=CONFIDENCE
    )


def _table(scores: Sequence[PairedScores]) -> FloatArray:
    return np.column_stack([each.differences for each in scores])


def _tested(
    scores: PairedScores, flip: SignFlip, clustered: Clustered | None, p_holm: float, p_bh: float
) -> Tested:
    plain = None if clustered else paired_t(scores.differences[scores.pairs], confidence=CONFIDENCE)
    t, t_p = (clustered.t, clustered.p) if clustered else (plain.t, plain.p) if plain else (None, None)
    return Tested(flip, p_holm, p_bh, t, t_p, clustered.design_effect if clustered else None)


def _compared(
    scores: PairedScores, tested: Tested | None, interval: Interval | None, clustered: Clustered | None
) -> MetricComparison:
    first, second = scores.arms()
    among = scores.differences[scores.pairs]
    n = among.size
    means = tuple(float(each[scores.pairs].mean()) for each in scores.values) if n else None
    effects = effect_sizes(among) if tested else None
    return MetricComparison(
        key=scores.key,
        direction=scores.direction,
        span=scores.span,
        first=first,
        second=second,
        n_pairs=n,
        pair_means=None if means is None else (means[0], means[1]),
        unit=Unit.GROUP if clustered else Unit.CASE,
        n_units=clustered.n_clusters if clustered else n,
        interval=interval,
        tested=tested,
        effects=effects,
        risk_difference=effects.mean_difference if effects and scores.binary else None,
        detectable=detectable(scores, tested.design_effect) if tested else None,
        missing=scores.missingness(),
        degenerate=_degenerate(among),
    )


def _degenerate(among: FloatArray) -> Degenerate | None:
    if among.size < 2:
        return Degenerate.ONE_PAIR if among.size else Degenerate.NO_PAIR
    if not all_equal(among):
        return None
    return Degenerate.SHIFTED if without_dust(among).any() else Degenerate.SAME
