"""Progress of a run on the screen: a bar on a terminal, a plain line now and then in a pipe.

It reads the ledger's counts, so it is true whatever runner or process does the work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

POLL_SECONDS = 0.3
PLAIN_EVERY_SECONDS = 10.0

Count = Callable[[], tuple[int, int]]
"""How many cases are done, of how many; (0, 0) before the run is open."""


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
            done, total = count()
            if total:
                progress.update(bar, description="asking the pipeline", completed=done, total=total)


def _lines(count: Count, console: Console, stop: threading.Event) -> None:
    told = time.monotonic()
    while not stop.wait(POLL_SECONDS):
        done, total = count()
        if not total:
            told = time.monotonic()
        elif done < total and time.monotonic() - told >= PLAIN_EVERY_SECONDS:
            console.print(f"{done} of {total} cases asked", highlight=False)
            told = time.monotonic()
