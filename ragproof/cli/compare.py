"""`ragproof compare`: a candidate run held against a baseline, with how sure the difference is."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ragproof.comparing.comparison import Comparison
    from ragproof.store.store import Store


class Shown(StrEnum):
    """How a comparison is written for people."""

    TEXT = "text"
    MARKDOWN = "markdown"


def compare(
    baseline: Annotated[
        str, typer.Argument(help="An id, the beginning of one, a label, `latest`, or an exported FILE.json.")
    ],
    candidate: Annotated[str, typer.Argument(help="The run held against it; the same ways to name one.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
    allow_mixed_judges: Annotated[
        bool, typer.Option("--allow-mixed-judges", help="Compare although another judge judged.")
    ] = False,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="Ask about this metric alone. May be repeated.", metavar="KEY"),
    ] = None,
    min_coverage: Annotated[
        float,
        typer.Option(help="The least share of the smaller run's cases that both have.", metavar="SHARE"),
    ] = 0.8,
    cases: Annotated[int, typer.Option(help="How many changed cases to tell, of either kind.", min=0)] = 5,
    seed: Annotated[int, typer.Option(help="Of random signs and resamples.", min=0)] = 0,
    format: Annotated[Shown, typer.Option(help="How to print it for people.")] = Shown.TEXT,
) -> None:
    """Compare two runs: what got better, what got worse, how sure that is, and why."""
    from ragproof.errors import ConfigurationError

    if not 0.0 <= min_coverage <= 1.0:
        raise ConfigurationError(f"--min-coverage is {min_coverage}; expected a share from 0 to 1")
    if as_json and format is not Shown.TEXT:
        raise ConfigurationError(f"--json and --format {format.value} exclude each other; give one of them")
    with _uncollected():
        comparison = _compared(
            baseline,
            candidate,
            metrics=metric or (),
            allow_mixed_judges=allow_mixed_judges,
            min_coverage=min_coverage,
            told=cases,
            seed=seed,
        )
    if as_json:
        from ragproof.comparing.comparison_json import as_json as values
        from ragproof.reports.strict_json import strict_json

        sys.stdout.write(strict_json(values(comparison)))
    elif format is Shown.MARKDOWN:
        from ragproof.comparing.comparison_markdown import render

        sys.stdout.write(render(comparison))
    else:
        from ragproof.cli.compare_page import print_comparison

        print_comparison(comparison)


def _compared(baseline: str, candidate: str, **asked: Any) -> Comparison:
    from ragproof.comparing.references import is_file
    from ragproof.store.opening import open_store

    if is_file(baseline) and is_file(candidate):
        return _of(None, baseline, candidate, **asked)
    with open_store(create=False) as store:
        return _of(store, baseline, candidate, **asked)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no garbage while two runs are read: it is a fifth of the time, and there is next to none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _of(store: Store | None, baseline: str, candidate: str, **asked: Any) -> Comparison:
    from ragproof.comparing.comparison import compare as compared
    from ragproof.comparing.references import find_run, is_file
    from ragproof.comparing.run_outputs import NoOutputs, StoredOutputs
    from ragproof.store.runs import LATEST

    second = find_run(candidate, store)
    # `latest` and a label mean another run than the candidate: none is a baseline of itself.
    project = second.record.project if baseline == LATEST else None
    first = find_run(baseline, store, project=project, apart_from=second.record.id)
    outputs = [
        NoOutputs() if store is None or is_file(name) else StoredOutputs(store, run.record)
        for name, run in ((baseline, first), (candidate, second))
    ]
    return compared(first, second, (outputs[0], outputs[1]), **asked)
