"""`ragproof metrics`: every metric there is, what it measures, and what it needs to be measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pydantic import JsonValue

    from ragproof.metric import Metric


HEADINGS = ("key", "measures", "better", "needs", "kinds", "cost", "version")
SENTENCE_MIN_CHARACTERS = 24


def metrics(
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON instead of a table.")] = False,
) -> None:
    """List the metrics: what each measures, which way is better, and what it needs."""
    from ragproof.catalogue import catalogue

    found = catalogue().metrics
    if as_json:
        typer.echo(as_strict_json(found))
    else:
        show(found)


def as_strict_json(found: Sequence[Metric]) -> str:
    """Return `{"metrics_version", "metrics": [...]}`; a run-level key names its metric in `of`."""
    from json import dumps

    from ragproof import METRICS_VERSION

    listing: list[JsonValue] = []
    for metric in found:
        whole = {"summary": metric.summary, **metric.definition(), "of": None}
        listing.append(whole)
        for derived in metric.run_level:
            own: dict[str, JsonValue] = {
                "key": derived.key,
                "summary": derived.summary,
                "statistics": [derived.statistic],
            }
            listing.append({**whole, **own, "run_level": {}, "of": metric.key})
    return dumps({"metrics_version": METRICS_VERSION, "metrics": listing}, indent=2, allow_nan=False)


def show(found: Sequence[Metric]) -> None:
    """Print a table with one row a key; names are whole at any width, and lines too when piped."""
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    rows = [row for metric in found for row in _rows(metric)]
    table = Table(box=SIMPLE_HEAD)
    for heading, *cells in zip(HEADINGS, *rows, strict=True):
        sentences = heading == "measures"
        width = SENTENCE_MIN_CHARACTERS if sentences else max(map(cell_len, (heading, *cells)))
        table.add_column(heading, no_wrap=not sentences, min_width=width)
    for row in rows:
        table.add_row(*row)
    console = Console(markup=False, emoji=False, highlight=False)
    # Rich cuts words to the window, and to 80 columns where there is none; a name that is cut is of no use.
    needed = Measurement.get(console, console.options.update(max_width=10_000), table)
    console.width = max(console.width, needed.minimum) if console.is_terminal else needed.maximum
    console.print(table)


def _rows(metric: Metric) -> list[tuple[str, ...]]:
    from ragproof.metric import ALL_KINDS

    needs = ", ".join(need.name.lower().replace("_", " ") for need in metric.needs) or "nothing"
    kinds = "all" if metric.kinds == ALL_KINDS else ", ".join(sorted(metric.kinds))
    about = (metric.direction.value, needs, kinds, metric.cost.value, str(metric.version))
    named = ((metric.key, metric.summary), *((derived.key, derived.summary) for derived in metric.run_level))
    return [(*names, *about) for names in named]
