"""What human labels make of the judged difference between two runs, where people labelled both answers."""

from __future__ import annotations

from ragproof.comparing.clustering import Clusters, clusters_of
from ragproof.comparing.paired_scores import PairedScores, paired_scores
from ragproof.comparing.pairing import Pair
from ragproof.labels.correction import CorrectedDifference
from ragproof.labels.estimates import ALL_LABELLED, Told, told, unfinished
from ragproof.labels.labelled_scores import LabelledScores, Mask, labelled_scores
from ragproof.labels.served import Serving
from ragproof.metric import Direction
from ragproof.statistics.judge_correction import Corrected, corrected_difference

NO_BOTH = "no case has a label on the answers of both runs"
DESCRIBES = "the metric describes, and no way is better"


def differences_of(pair: Pair, first: Serving, second: Serving) -> tuple[CorrectedDifference, ...]:
    """Correct the judged mean differences of two runs.

    Args:
        pair: baseline and candidate, with the scores of the labelled metrics.
        first: the labels that serve the baseline.
        second: those that serve the candidate.

    Returns:
        A difference for each metric that either run has labels of, in reading order.

    Raises:
        ConfigurationError: a value lies outside of the metric's range.
    """
    clusters = clusters_of(pair.cases)
    incomplete = unfinished(pair.first.record, "the baseline") or unfinished(pair.second.record)
    return tuple(
        _difference(
            paired_scores(pair, key),
            labelled_scores(pair.first, key, first.get(key, ())),
            labelled_scores(pair.second, key, second.get(key, ())),
            clusters,
            incomplete,
        )
        for key in pair.metrics
        if key in first or key in second
    )


def _difference(
    pairs: PairedScores,
    first: LabelledScores,
    second: LabelledScores,
    clusters: Clusters,
    incomplete: str | None,
) -> CorrectedDifference:
    both = first.compared & second.compared
    drawn = both & first.at_random & second.at_random
    basis = drawn if drawn.any() else both
    reason = incomplete or (None if pairs.ranks else DESCRIBES) or (None if both.any() else NO_BOTH)
    found = None if reason else _told(pairs, (first, second), clusters, basis, drawn=bool(drawn.any()))
    return CorrectedDifference(
        metric=pairs.key,
        direction=pairs.direction,
        raw=float(pairs.differences[pairs.pairs].mean()) if pairs.n_pairs and not incomplete else None,
        cases=pairs.n_pairs,
        labelled=int(both.sum()),
        corrected=found.corrected if found else None,
        reason=found.reason if found else reason,
        weight=found.weight if found else None,
        people=found.people if found else None,
        basis=int(basis.sum()),
        disagreements=found.disagreements if found else 0,
        rarer=found.rarer if found else None,
    )


def _told(
    pairs: PairedScores,
    labels: tuple[LabelledScores, LabelledScores],
    clusters: Clusters,
    basis: Mask,
    *,
    drawn: bool,
) -> Told:
    sides = [*zip(labels, pairs.values, strict=True)]
    # Where lower is better the gain is baseline minus candidate: negated values would be 0 and 1 no more.
    (minus, minus_values), (plus, plus_values) = (
        sides if pairs.direction is Direction.HIGHER else reversed(sides)
    )
    rest = pairs.pairs & ~basis
    unlabelled = rest if rest.any() else basis
    span = pairs.span_of_differences

    def ask(at_random: bool) -> Corrected:
        return corrected_difference(
            minus.human[basis],
            plus.human[basis],
            minus.judged[basis],
            plus.judged[basis],
            minus_values[unlabelled],
            plus_values[unlabelled],
            labels_are_random=at_random,
            lowest=span[0] if span else None,
            highest=span[1] if span else None,
        )

    return told(
        ask,
        plus.human[basis] - minus.human[basis],
        at_random=drawn,
        reason=None if rest.any() else ALL_LABELLED,
        clusters=clusters,
        basis=basis,
        scored=pairs.pairs,
        span=span,
    )
