"""Stopping a run at a sure regression: cases in random order, held against a baseline as they come.

The bet is `ragproof.statistics.sequential`'s: whenever one looks, a run whose mean did not drop by the margin
is stopped with a chance of at most 1 %. Cases that erred count as the best they could have been, so that an
outage never stops a run. False friend: the mean so far, which is no estimate of anything once a run may stop.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof.cases import Case
from ragproof.comparability import conflicts
from ragproof.comparing.scored_run import ScoredRun, Traits
from ragproof.config.early_stop_section import EarlyStopSection
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.metric import Direction
from ragproof.runs import RunRecord
from ragproof.statistics.sequential import betting_e_process


def random_order(cases: int, seed: int) -> tuple[int, ...]:
    """Return every position once, in an order that the seed decides."""
    positions = [*range(cases)]
    random.Random(seed).shuffle(positions)
    return tuple(positions)


@dataclass(frozen=True)
class Watch:
    """What a run is held against while it goes on.

    Attributes:
        metric: what must not drop.
        max_drop: the drop that is allowed, above 0.
        traits: of the metric; its range is closed.
        baseline: the baseline's values by content hash of the case; a case without one is passed over.
        source: the baseline, for people.
    """

    metric: str
    max_drop: float
    traits: Traits
    baseline: Mapping[str, float]
    source: str

    @classmethod
    def of(cls, section: EarlyStopSection, baseline: ScoredRun, run: RunRecord) -> Watch:
        """Prepare to watch a run.

        Args:
            section: what must not drop, and by how much.
            baseline: the run to hold it against.
            run: the run that begins.

        Raises:
            ConfigurationError: the two cannot be compared, or the metric has no direction, no range or no
                values in the baseline; every fault.
        """
        scores = baseline.scores.get(section.metric)
        faults = _faults(section, baseline, run)
        if faults or scores is None:
            raise ConfigurationError(faults)
        values = scores.values()
        known = {
            case.content_hash: float(values[at])
            for at, case in enumerate(baseline.cases)
            if scores.scored[at]
        }
        return cls(section.metric, section.max_drop, scores.traits, known, baseline.source)

    def sure_after(self, seen: Sequence[tuple[Case, float | None]], cases: Sequence[str]) -> int | None:
        """Say after how many cases the drop was sure.

        Args:
            seen: the cases so far in the order asked, each with its value; None where it erred.
            cases: content hashes of all cases of the run.

        Returns:
            The number of cases of `seen`, or None while nothing is sure.
        """
        span = self.traits.span
        assert span is not None
        sign = -1.0 if self.traits.direction is Direction.LOWER else 1.0
        best = span[1] if sign > 0 else span[0]
        at, differences = [], []
        for position, (case, value) in enumerate(seen, 1):
            before = self.baseline.get(case.content_hash())
            if before is not None:
                at.append(position)
                differences.append(sign * ((best if value is None else value) - before))
        if not differences:
            return None
        width = span[1] - span[0]
        process = betting_e_process(
            differences,
            margin=self.max_drop,
            n_planned=sum(case in self.baseline for case in cases),
            lowest=-width,
            highest=width,
        )
        return None if process.stop_at is None else at[process.stop_at - 1]

    def reason(self, sure_after: int, cases: int) -> str:
        """Say why the run stops."""
        return (
            f"{sure_after} of {cases} cases, in random order, show that {self.metric} dropped by more than"
            f" {self.max_drop:g} against run '{self.source}' (a false stop has a chance of at most 1 %);"
            " their mean is no estimate and is not shown"
        )


def _measured(run: RunRecord) -> list[str]:
    metrics = run.comparability.get("metrics")
    return [*metrics] if isinstance(metrics, dict) else []


def _faults(section: EarlyStopSection, baseline: ScoredRun, run: RunRecord) -> list[Fault]:
    faults = [
        Fault(f"run '{baseline.source}' cannot be the baseline: {difference}", "early_stop.baseline")
        for difference in conflicts(baseline.record.comparability, run.comparability)
    ]
    if section.metric not in _measured(run):
        told = f"'{section.metric}' is no metric of this run{nearest(section.metric, _measured(run))}"
        faults.append(Fault(told, "early_stop.metric"))
    scores = baseline.scores.get(section.metric)
    if scores is None or not scores.scored.any():
        told = f"run '{baseline.source}' has no value of '{section.metric}'; name one that did measure it"
        return [*faults, Fault(told, "early_stop.baseline")]
    span = scores.traits.span
    if scores.traits.direction is Direction.NONE:
        faults.append(
            Fault(f"'{section.metric}' ranks nothing; name a metric with a direction", "early_stop.metric")
        )
    if span is None:
        told = f"'{section.metric}' has no range, so no drop is ever sure; name a metric with one"
        faults.append(Fault(told, "early_stop.metric"))
    elif not section.max_drop < span[1] - span[0] or not math.isfinite(section.max_drop):
        told = (
            f"{section.max_drop:g} is not allowed; expected less than the whole range, {span[1] - span[0]:g}"
        )
        faults.append(Fault(told, "early_stop.max_drop"))
    return faults
