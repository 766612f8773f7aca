"""Progress of a run on the screen: a bar on a terminal, a plain line now and then in a pipe.

It reads the ledger's counts, so it is true whatever runner or process does the work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

POLL_SECONDS = 0.3
PLAIN_EVERY_SECONDS = 10.0


@dataclass(frozen=True)
class Standing:
    """How far a run is."""

    asked: int = 0
    cases: int = 0
    """Times they are repeated; 0 before the run is open."""
    repeats: int = 1
    verdicts: int = 0
    """Of the judge."""

    def __str__(self) -> str:
        judged = f", {self.verdicts} verdicts of the judge" if self.verdicts else ""
        asked = "cases asked" if self.repeats == 1 else f"calls made, {self.repeats} a case"
        return f"{self.asked} of {self.cases} {asked}{judged}"


Count = Callable[[], Standing]


@contextmanager
def shown(count: Count, console: Console) -> Iterator[None]:
    """Show progress while the block runs.

    Args:
        count: asked a few times a second; must be cheap.
        console: where to; its being a terminal decides the form.
    """
    stop = threading.Event()
    draw = _bar if console.is_terminal else _lines
    thread = threading.Thread(target=draw, args=(count, console, stop), name="ragproof-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _bar(count: Count, console: Console, stop: threading.Event) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("starting", total=None)
        while not stop.wait(POLL_SECONDS):
            standing = count()
            if standing.cases:
                judging = f", judging ({standing.verdicts} verdicts)" if standing.verdicts else ""
                progress.update(
                    bar,
                    description=f"asking the pipeline{judging}",
                    completed=standing.asked,
                    total=standing.cases,
                )


def _lines(count: Count, console: Console, stop: threading.Event) -> None:
    told, last = time.monotonic(), Standing()
    while not stop.wait(POLL_SECONDS):
        standing = count()
        if not standing.cases:
            told = time.monotonic()
        elif standing != last and time.monotonic() - told >= PLAIN_EVERY_SECONDS:
            console.print(str(standing), highlight=False)
            told, last = time.monotonic(), standing
