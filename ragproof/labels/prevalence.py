"""A metric of 0 and 1 corrected by how often the judge errs on the labelled 1 and on the labelled 0.

The judge's share is that of the cases nobody labelled: the formula takes it for independent of the labels.
It asks for no 100 labels, and for no more than that both values occur among them.
"""

from __future__ import annotations

import numpy as np

from ragproof.comparing.clustering import Clusters, repeats
from ragproof.labels.correction import NOT_DRAWN, Adjusted
from ragproof.labels.estimates import ALL_LABELLED, GROUPED, NO_NUMBER, estimate
from ragproof.labels.labelled_scores import LabelledScores
from ragproof.statistics.interval import Flag
from ragproof.statistics.rogan_gladen import rogan_gladen

NOT_BINARY = "the metric is not of 0 and 1 alone"
ONE_VALUE = "the labels are all of one value"
_BINARY = (0.0, 1.0)


def adjusted(labels: LabelledScores, clusters: Clusters, *, drawn: bool) -> Adjusted | str:
    """Correct the judge's share of 1.

    Args:
        labels: of one metric.
        clusters: the cluster of each case.
        drawn: whether the labelled cases were drawn at random.

    Returns:
        The corrected share, or why there is none.
    """
    human, judged = labels.human[labels.basis], labels.judged[labels.basis]
    rest = labels.unlabelled
    if not human.size:
        return NO_NUMBER
    if (
        labels.scores.traits.span != _BINARY
        or not np.isin(np.concatenate([human, judged, rest]), _BINARY).all()
    ):
        return NOT_BINARY
    if not rest.size:
        return ALL_LABELLED
    if not drawn:
        return NOT_DRAWN
    if repeats(clusters, labels.scores.scored):
        return GROUPED
    positives, negatives = human == 1.0, human == 0.0
    if not (positives.any() and negatives.any()):
        return ONE_VALUE
    found = rogan_gladen(
        int(rest.sum()),
        rest.size,
        true_positives=int(judged[positives].sum()),
        human_positives=int(positives.sum()),
        true_negatives=int((judged[negatives] == 0.0).sum()),
        human_negatives=int(negatives.sum()),
    )
    if found.estimate is None:
        return Flag.NO_BETTER_THAN_CHANCE.value
    return Adjusted(
        share=estimate(found.estimate, found.lang_reiczigel_interval),
        sensitivity=found.sensitivity,
        specificity=found.specificity,
    )
