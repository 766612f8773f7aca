"""What `ragproof labels show` is about: a run's corrections, and its difference from another run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.comparing.pairing import pair
from ragproof.comparing.references import named_run
from ragproof.comparing.stored_run import read_run
from ragproof.errors import ConfigurationError, nearest
from ragproof.labels.correction import CorrectedDifference, Correction
from ragproof.labels.corrections import corrections_of, labelled_keys
from ragproof.labels.differences import differences_of
from ragproof.labels.serving import serving
from ragproof.reports.order import known_metrics
from ragproof.runs import RunRecord
from ragproof.store.runs import LATEST

if TYPE_CHECKING:
    from ragproof.store.store import Store


@dataclass(frozen=True)
class LabelledView:
    """A run and what its labels say.

    Attributes:
        run: the run.
        corrections: one a labelled metric; empty when no label serves it.
        baseline: the run it is held against; None when there is none.
        differences: one for each metric that either has labels of; empty without a baseline.
        cases: those that both have; None without a baseline.
    """

    run: RunRecord
    corrections: tuple[Correction, ...]
    baseline: RunRecord | None = None
    differences: tuple[CorrectedDifference, ...] = ()
    cases: int | None = None


def gather(
    store: Store,
    reference: str,
    *,
    against: str | None = None,
    metric: str | None = None,
    project: str | None = None,
) -> LabelledView:
    """Collect what labels say of a run.

    Args:
        store: an open store.
        reference: the run, by id, the beginning of one, a label, or `latest`.
        against: the run it is compared with, named likewise; None is none.
        metric: a labelled metric, in any spelling; None is all.
        project: whose runs `latest` and labels mean; None is any.

    Raises:
        StoreError: no run is meant, or the store cannot be read.
        Incomparable: the two runs' numbers do not mean the same.
        ConfigurationError: no label is on `metric`.
    """
    run = named_run(store, reference, project=project)
    baseline = None
    if against is not None:
        of = run.project if against == LATEST else project
        baseline = named_run(store, against, project=of, apart_from=run.id)
    keys = labelled_keys(store, run)
    if baseline is not None:
        keys |= labelled_keys(store, baseline)
    if metric is not None:
        keys = frozenset({_meant(metric, keys, run)})
    candidate = read_run(store, run, keys)
    served = serving(store, candidate)
    found = corrections_of(candidate, served)
    if baseline is None:
        return LabelledView(run, found)
    first = read_run(store, baseline, keys)
    both = pair(first, candidate)
    return LabelledView(
        run, found, baseline, differences_of(both, serving(store, first), served), len(both.cases)
    )


def _meant(name: str, keys: frozenset[str], run: RunRecord) -> str:
    known = known_metrics().find(name)
    key = name if name in keys or known is None else known.key
    if key in keys:
        return key
    hint = nearest(name, keys) or (
        f"; expected one of {', '.join(sorted(keys))}"
        if keys
        else "; 'ragproof labels import FILE' adds some"
    )
    raise ConfigurationError(f"run '{run.id}' has no labels on a metric '{name}'{hint}")
