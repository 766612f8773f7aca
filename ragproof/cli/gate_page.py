"""A gate on the screen: the verdict, then every rule with its numbers and its reason, then what is next."""

from __future__ import annotations

import shlex

from ragproof.cli import screen
from ragproof.errors import EXIT_INCONCLUSIVE
from ragproof.gating.gate import Gate
from ragproof.gating.verdict import Verdict
from ragproof.gating.wording import HEADINGS, first_line, row
from ragproof.reports.visible import excerpt, visible
from ragproof.reports.wording import some

CASES_SHOWN = 10
NAMES_SHOWN = 4
TEXT_CHARACTERS = 160
_STYLES = {Verdict.PASS: "bold green", Verdict.INCONCLUSIVE: "bold yellow"}


def show(gate: Gate) -> None:
    """Print a gate."""
    screen.say(visible(first_line(gate)), _STYLES.get(gate.verdict, "bold red"))
    for note in gate.notes:
        screen.say(visible(note))
    if gate.stopped is not None:
        screen.say(visible(f"the run was stopped early, which is a FAIL: {gate.stopped}"))
    screen.say()
    _rulings(gate)
    _differences(gate)
    _cautions(gate)
    _failing(gate)
    _next(gate)


def _rulings(gate: Gate) -> None:
    """Print a table; on a screen too narrow for it the reasons follow, a line each."""
    rows = [row(ruling) for ruling in gate.rulings]
    drawn = screen.laid_out(HEADINGS, rows, HEADINGS)
    if screen.fits(drawn):
        screen.draw(drawn)
        return
    screen.table(HEADINGS[:-1], [cells[:-1] for cells in rows], ("bound", "verdict"))
    screen.say()
    for metric, rule, *_, verdict, reason in rows:
        screen.say(visible(f"{verdict}, {metric} {rule}: {reason}"))


def _differences(gate: Gate) -> None:
    if gate.runs.differences:
        screen.heading("what differs in what gives numbers their meaning")
        for difference in gate.runs.differences:
            screen.say(f"  {visible(str(difference))}")


def _cautions(gate: Gate) -> None:
    grouped = any(ruling.counts is not None and ruling.counts.groups is not None for ruling in gate.rulings)
    if grouped or gate.cautions:
        screen.say()
    for caution in gate.cautions:
        screen.say(visible(f"warning: {caution}"), "yellow")
    if grouped:
        screen.say(
            "cases come several to a group and are not independent: a verdict needs the cluster-robust bound"
            " (CR1) to clear, too"
        )


def _failing(gate: Gate) -> None:
    rows = [
        (case.id, excerpt(reason, TEXT_CHARACTERS), some(keys, NAMES_SHOWN))
        for case in gate.failing
        for reason, keys in case.reasons.items()
    ]
    if rows:
        screen.heading(f"cases that failed ({len(gate.failing)})")
        screen.table(("case", "reason", "metrics"), rows[:CASES_SHOWN], ("case",))
        if len(rows) > CASES_SHOWN:
            screen.say(f"and {len(rows) - CASES_SHOWN} more")


def _next(gate: Gate) -> None:
    if gate.verdict is Verdict.INCONCLUSIVE and gate.exit_code == EXIT_INCONCLUSIVE:
        screen.say("\nexits 4; gate.inconclusive: 0 would let such a run through, and 1 stop it as a FAIL")
    runs = gate.runs
    if runs.pair is not None and gate.verdict is not Verdict.PASS and runs.baseline is not None:
        words = ["ragproof", "compare", runs.baseline.source, runs.run.source]
        screen.say(f"\nnext: {visible(shlex.join(words))}", "bold")
