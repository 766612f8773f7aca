"""Why a case got worse: one cause, by rules over both outputs and scores, the first that holds.

The order is that of the pipeline, because what broke early explains what came after it:

1. pipeline error: there is no output to look at.
2. judge failure: no measured score fell, or the judge alone changed.
3. labels no longer in the corpus: what was expected cannot be returned any more.
4. not retrieved, then ranked below k: nothing the answer stands in reached the generator; not retrieved too
   when a judge finds nothing of it in what was read.
5. over-refusal: it had a source, and declined.
6. wrong citation: the answer is as good as before, its citations are not.
7. contradicted: the answer says what its context does not hold.
8. not retrieved, then ranked below k: of several sources some are missing, or a judge finds less of them.
9. retrieved but ignored: a source was read, and the answer does not use it.
10. judge failure: verdicts are lost, and no rule explains what else fell.
11. unexplained, with what is known.

Deterministic: the same two runs give the same causes. False friend: an explanation by a model, which is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ragproof.comparing import answer_causes, error_causes, retrieval_causes
from ragproof.comparing.metric_roles import ABSTENTION, RESISTANCE, Role, role_of
from ragproof.comparing.worsened_case import WorsenedCase, named


class RootCause(StrEnum):
    """Why a case got worse; the value is what reports print."""

    PIPELINE_ERROR = "pipeline error"
    JUDGE_FAILURE = "judge failure"
    LABELS_GONE = "labels no longer in the corpus"
    NOT_RETRIEVED = "not retrieved"
    BELOW_K = "ranked below k"
    OVER_REFUSAL = "over-refusal"
    WRONG_CITATION = "wrong citation"
    CONTRADICTED = "contradicted"
    IGNORED = "retrieved but ignored"
    UNEXPLAINED = "unexplained"


Rule = Callable[[WorsenedCase], str | None]
"""Says in a sentence that its cause holds, or None."""

RULES: tuple[tuple[RootCause, Rule], ...] = (
    (RootCause.PIPELINE_ERROR, error_causes.pipeline_failed),
    (RootCause.JUDGE_FAILURE, error_causes.judge_failed),
    (RootCause.LABELS_GONE, retrieval_causes.labels_gone),
    (RootCause.NOT_RETRIEVED, retrieval_causes.nothing_retrieved),
    (RootCause.BELOW_K, retrieval_causes.nothing_read),
    (RootCause.NOT_RETRIEVED, retrieval_causes.context_lost),
    (RootCause.OVER_REFUSAL, answer_causes.over_refusal),
    (RootCause.WRONG_CITATION, answer_causes.wrong_citation),
    (RootCause.CONTRADICTED, answer_causes.contradicted),
    (RootCause.NOT_RETRIEVED, retrieval_causes.some_not_retrieved),
    (RootCause.BELOW_K, retrieval_causes.some_not_read),
    (RootCause.NOT_RETRIEVED, retrieval_causes.context_thinner),
    (RootCause.IGNORED, answer_causes.ignored),
    (RootCause.JUDGE_FAILURE, error_causes.verdicts_lost),
)


@dataclass(frozen=True)
class Finding:
    """A cause with the sentence that says why; the sentence quotes foreign text."""

    cause: RootCause
    why: str


def root_cause(worsened: WorsenedCase) -> Finding:
    """Find out why a case got worse.

    Args:
        worsened: the case with both sides.

    Returns:
        The first cause in the order of `RULES` that holds; `unexplained` when none does.
    """
    for cause, rule in RULES if not _of_operation_alone(worsened) else ():
        why = rule(worsened)
        if why is not None:
            return Finding(cause, why)
    return Finding(RootCause.UNEXPLAINED, _known(worsened))


def _known(worsened: WorsenedCase) -> str:
    """Tell what is known of a case that no rule explains."""
    if worsened.lost and not worsened.falls:
        return next(iter(worsened.lost.values()))
    if _of_operation_alone(worsened):
        return f"{named(worsened.falls)} alone got worse"
    if ABSTENTION in worsened.falls:
        return "it answered a question that the corpus does not answer"
    if RESISTANCE in worsened.falls:
        return "it did what the attack asked"
    moved = retrieval_causes.moved(worsened)
    if moved is not None:
        return moved
    if worsened.after.outcome is None:
        return f"{named(worsened.falls)} got worse, and the outputs are not in the file"
    if answer_causes.at_hand(worsened) is False:
        return f"{named(worsened.falls)} got worse, and no expected source reached either run"
    return f"{named(worsened.falls)} got worse, and no rule says why"


def _of_operation_alone(worsened: WorsenedCase) -> bool:
    """Whether only what the call took got worse, for which the answer is no cause."""
    return bool(worsened.falls) and all(role_of(key) is Role.OPERATION for key in worsened.falls)
