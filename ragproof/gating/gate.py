"""The story of a gate: every demand is judged, and the worst verdict is the gate's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.config.gate_section import GateSection
from ragproof.errors import EXIT_EXECUTION, EXIT_GATE, EXIT_OK
from ragproof.gating.cautions import cautions
from ragproof.gating.demands import Demand
from ragproof.gating.failing_cases import FailingCase, failing_cases
from ragproof.gating.held_runs import HeldRuns
from ragproof.gating.judging import Judged, judge
from ragproof.gating.ruling import Ruling
from ragproof.gating.verdict import Verdict, worst

NO_ESTIMATES = "the run was stopped early, and the numbers of what it asked are no estimates"


@dataclass(frozen=True)
class Gate:
    """What a gate says of a run.

    Attributes:
        runs: the run and its baseline.
        section: the gate's settings.
        rulings: one for each demand and set of cases, in the order of the configuration; at least one.
        stopped: why the run was stopped at a regression, which is a FAIL of its own; None when it was not.
        failing: cases that failed, whatever the rules are about.
        cautions: what a reader should be warned of.
        notes: how the runs were found.
    """

    runs: HeldRuns
    section: GateSection
    rulings: tuple[Ruling, ...]
    stopped: str | None
    failing: tuple[FailingCase, ...]
    cautions: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst of all."""
        own = [] if self.stopped is None else [Verdict.FAIL]
        return worst([*own, *(ruling.verdict for ruling in self.rulings)])

    @property
    def exit_code(self) -> int:
        """0 PASS, 1 FAIL, 2 ERROR; INCONCLUSIVE is 4 unless the configuration makes it 0 or 1."""
        codes = {
            Verdict.PASS: EXIT_OK,
            Verdict.FAIL: EXIT_GATE,
            Verdict.ERROR: EXIT_EXECUTION,
            Verdict.INCONCLUSIVE: self.section.inconclusive,
        }
        return codes[self.verdict]

    def of(self, verdict: Verdict) -> tuple[Ruling, ...]:
        """Return the rulings of one verdict."""
        return tuple(ruling for ruling in self.rulings if ruling.verdict is verdict)


def gate(
    demands: Sequence[Demand],
    runs: HeldRuns,
    section: GateSection,
    *,
    project: str,
    notes: Sequence[str] = (),
) -> Gate:
    """Judge a run.

    Args:
        demands: at least one.
        runs: the run and its baseline.
        section: the gate's settings.
        project: of the configuration.
        notes: how the runs were found.

    Returns:
        The verdicts; nothing is raised for what is wrong with a run, which is an ERROR.
    """
    judged = [_judged(demand, runs, section) for demand in demands]
    record = runs.run.record
    return Gate(
        runs=runs,
        section=section,
        rulings=tuple(ruling for each in judged for ruling in each.rulings),
        stopped=(record.status_reason or record.status.value) if runs.stopped_early else None,
        failing=failing_cases(runs.run),
        cautions=cautions(project, runs, judged),
        notes=tuple(notes),
    )


def _judged(demand: Demand, runs: HeldRuns, section: GateSection) -> Judged:
    if runs.run_problem is not None:
        return Judged((Ruling(demand, None, Verdict.ERROR, runs.run_problem),))
    if runs.stopped_early:
        return Judged((Ruling(demand, None, Verdict.INCONCLUSIVE, NO_ESTIMATES),))
    return judge(demand, runs, section)
