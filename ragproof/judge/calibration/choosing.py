"""Which labels are asked about: those of some prompts, and the first few of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ragproof.errors import ConfigurationError, nearest
from ragproof.judge.calibration.labelled import Label, Labelled
from ragproof.judge.calibration.metrics import own_prompt
from ragproof.metric import Metric


def choose(
    labelled: Sequence[Labelled],
    metrics: Mapping[str, Metric],
    prompts: Sequence[str] = (),
    limit: int | None = None,
) -> tuple[Labelled, ...]:
    """Choose labels; an answer that none is left of is left out.

    Args:
        labelled: all there are, in order.
        metrics: at least those that are labelled, by key.
        prompts: those whose metrics are asked about; empty is all.
        limit: how many labels of each metric, the first ones, at least 1; None is all.

    Raises:
        ConfigurationError: a prompt decides none of the labelled metrics, or the limit leaves nothing.
    """
    if limit is not None and limit < 1:
        raise ConfigurationError(f"--limit '{limit}' leaves nothing to ask; expected 1 or more")
    known = dict.fromkeys(own_prompt(metrics[key]) for each in labelled for key in each.labels)
    for prompt in prompts:
        if prompt not in known:
            hint = nearest(prompt, known) or f"; expected one of {', '.join(known)}"
            raise ConfigurationError(f"no label is about prompt '{prompt}'{hint}")
    taken: Counter[str] = Counter()
    chosen: list[Labelled] = []
    for each in labelled:
        labels: dict[str, Label] = {}
        for key, label in each.labels.items():
            wanted = not prompts or own_prompt(metrics[key]) in prompts
            if wanted and (limit is None or taken[key] < limit):
                taken[key] += 1
                labels[key] = label
        if labels:
            chosen.append(each.model_copy(update={"labels": labels}))
    return tuple(chosen)
