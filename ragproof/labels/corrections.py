"""What human labels make of a run's judged means, metric by metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragproof.comparing.clustering import Clusters, clusters_of
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.stored_run import read_run
from ragproof.labels.agreeing import agreement
from ragproof.labels.correction import Adjusted, Correction
from ragproof.labels.estimates import ALL_LABELLED, NO_NUMBER, Told, told, unfinished
from ragproof.labels.labelled_scores import LabelledScores, Mask, labelled_scores
from ragproof.labels.prevalence import adjusted
from ragproof.labels.served import Serving
from ragproof.labels.serving import serving
from ragproof.runs import RunRecord
from ragproof.statistics.judge_correction import Corrected, corrected_mean

if TYPE_CHECKING:
    from ragproof.store.store import Store


def corrections(store: Store, run: RunRecord) -> tuple[Correction, ...]:
    """Correct the judged means of a run by the labels that serve it.

    Args:
        store: where it lies.
        run: the run, as the store gives it.

    Returns:
        A correction for each labelled metric, in reading order; empty when none is labelled.

    Raises:
        StoreError: the store cannot be read.
    """
    if not store.labels.any_in(run.project):
        return ()
    scored = read_run(store, run, labelled_keys(store, run))
    return corrections_of(scored, serving(store, scored))


def labelled_keys(store: Store, run: RunRecord) -> frozenset[str]:
    """Return the keys of the metrics that a run, or another on the same cases, has labels of."""
    elsewhere = (each.label for each in store.labels.elsewhere(run))
    return frozenset(label.metric for label in (*store.labels.get(run.id), *elsewhere))


def corrections_of(run: ScoredRun, served: Serving) -> tuple[Correction, ...]:
    """The same for a run that is read already.

    Args:
        run: with the scores of the labelled metrics.
        served: the labels that serve it.
    """
    clusters = clusters_of(run.cases)
    return tuple(
        _correction(run, labelled_scores(run, key, served[key]), clusters)
        for key in run.scores
        if key in served
    )


def _correction(run: ScoredRun, labels: LabelledScores, clusters: Clusters) -> Correction:
    scores = labels.scores
    drawn = bool((labels.basis & labels.at_random).any())
    incomplete = unfinished(run.record)
    found = None if incomplete else _told(labels, clusters, drawn)
    share = incomplete or adjusted(labels, clusters, drawn=drawn)
    values = scores.values()[scores.scored]
    return Correction(
        metric=labels.key,
        direction=scores.traits.direction,
        raw=float(values.mean()) if values.size and not incomplete else None,
        cases=values.size,
        labelled=int(labels.compared.sum()),
        corrected=found.corrected if found else None,
        reason=found.reason if found else incomplete,
        weight=found.weight if found else None,
        people=found.people if found else None,
        basis=int(_rests_on(labels).sum()),
        disagreements=found.disagreements if found else 0,
        rarer=found.rarer if found else None,
        without_number=int((labels.labelled & ~labels.compared).sum()),
        not_at_random=int((labels.compared & ~labels.at_random).sum()),
        of_other_runs=int((labels.compared & labels.lent).sum()),
        lenders=labels.lenders,
        labellers=labels.labellers,
        adjusted=share if isinstance(share, Adjusted) else None,
        not_adjusted=share if isinstance(share, str) else None,
        agreement=agreement(labels),
    )


def _told(labels: LabelledScores, clusters: Clusters, drawn: bool) -> Told:
    basis, rest, traits = _rests_on(labels), labels.unlabelled, labels.scores.traits
    human = labels.human[basis]
    # Without a judge's number, or a case that nobody labelled, people alone speak, whatever stands for those.
    judged = labels.judged[basis] if labels.basis.any() else human
    unlabelled = rest if rest.size else judged

    def ask(at_random: bool) -> Corrected:
        return corrected_mean(
            human,
            judged,
            unlabelled,
            labels_are_random=at_random,
            lowest=traits.low,
            highest=traits.high,
        )

    reason = ALL_LABELLED if not rest.size else None
    return told(
        ask,
        human,
        at_random=drawn,
        reason=reason if labels.basis.any() else NO_NUMBER,
        clusters=clusters,
        basis=basis,
        scored=labels.scores.scored,
        span=traits.span,
    )


def _rests_on(labels: LabelledScores) -> Mask:
    """Return the labelled cases that people's own mean is over."""
    return labels.basis if labels.basis.any() else labels.labelled
