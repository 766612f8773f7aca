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
    """Return `{"metrics_version", "metrics": [...], "of_run": [...]}`.

    A run-level key names its metric in `of`; what judging takes is of no metric, and in every report. What
    may ask a judge has `judge_calls`: how many questions it costs on a case of a usual size.
    """
    from json import dumps

    from ragproof import METRICS_VERSION
    from ragproof.calls_a_case import calls_a_case
    from ragproof.metric import Direction
    from ragproof.reports.judge_spend import JUDGE_SPEND

    listing: list[JsonValue] = []
    for metric in found:
        calls = {"judge_calls": calls_a_case([metric])} if metric.judged else {}
        described = {"summary": metric.summary, **metric.definition(), **calls, "of": None}
        listing.append(described)
        for derived in metric.run_level:
            own: dict[str, JsonValue] = {
                "key": derived.key,
                "summary": derived.summary,
                "statistics": [derived.statistic],
            }
            listing.append({**described, **own, "run_level": {}, "of": metric.key})
    of_run: list[JsonValue] = [
        {"key": key, "summary": summary, "direction": Direction.LOWER.value}
        for key, summary in JUDGE_SPEND.items()
    ]
    whole = {"metrics_version": METRICS_VERSION, "metrics": listing, "of_run": of_run}
    return dumps(whole, indent=2, allow_nan=False)


def show(found: Sequence[Metric]) -> None:
    """Print a table with one row a key; names are whole at any width, and lines too when piped."""
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    rows = [*(row for metric in found for row in _rows(metric)), *_of_run()]
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


def _of_run() -> list[tuple[str, ...]]:
    """Return what is in every report without being measured on a case."""
    from ragproof.metric import Cost, Direction
    from ragproof.reports.judge_spend import JUDGE_SPEND

    about = (Direction.LOWER.value, "nothing", "the run", Cost.FREE.value, "")
    return [(key, summary, *about) for key, summary in JUDGE_SPEND.items()]


def _rows(metric: Metric) -> list[tuple[str, ...]]:
    from ragproof.metric import ALL_KINDS

    needs = ", ".join(need.name.lower().replace("_", " ") for need in metric.needs) or "nothing"
    kinds = "all" if metric.kinds == ALL_KINDS else ", ".join(sorted(metric.kinds))
    about = (metric.direction.value, needs, kinds, _cost(metric), str(metric.version))
    named = ((metric.key, metric.summary), *((derived.key, derived.summary) for derived in metric.run_level))
    return [(*names, *about) for names in named]


def _cost(metric: Metric) -> str:
    """Return what computing a metric takes, with the questions to the judge on a case of a usual size."""
    from ragproof.calls_a_case import calls_a_case
    from ragproof.metric import Cost

    calls = calls_a_case([metric]) if metric.cost is Cost.JUDGE else 0
    told = f", {calls} {'call' if calls == 1 else 'calls'} a case" if calls else ""
    return f"{metric.cost.value}{told}{' (opt in)' if metric.opt_in else ''}"
