"""`ragproof calibrate`: the judge held against labels that people gave."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragproof.config import EvalConfig
    from ragproof.judge.ask import Judge
    from ragproof.judge.calibration.calibrating import Tell
    from ragproof.judge.calibration.calibration import Calibration
    from ragproof.judge.config import JudgeConfig

    Opening = Callable[[JudgeConfig, EvalConfig | None], AbstractAsyncContextManager[Judge]]
    """Opens a judge within its ledger and budget; the configuration is None when the environment names it."""
    Keeping = Callable[[Calibration], None]
    """Keeps a calibration, for reports to show."""


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    config: Path | None = None
    min_exact: float = 0.7
    min_band: float = 0.9
    labels: Path | None = None
    prompts: tuple[str, ...] = ()
    """Empty is all of them."""
    limit: int | None = None


def command(
    opening: Opening, keeping: Keeping, environ: Mapping[str, str] = os.environ
) -> Callable[..., None]:
    """Return the command.

    Args:
        opening: opens the judge.
        keeping: keeps what was found.
        environ: the environment, which may name the judge.
    """

    def calibrate(
        config: Annotated[
            Path | None, typer.Argument(help="An evaluation's YAML file, for its judge.", show_default=False)
        ] = None,
        config_: Annotated[
            Path | None, typer.Option("--config", help="The same.", metavar="CONFIG", show_default=False)
        ] = None,
        min_exact: Annotated[
            float, typer.Option("--min-exact", help="The least share in the same band, from 0 to 1.")
        ] = 0.7,
        min_band: Annotated[
            float, typer.Option("--min-band", help="The least share within one band, from 0 to 1.")
        ] = 0.9,
        labels: Annotated[
            Path | None,
            typer.Option(
                "--labels", help="Your own labelled answers, instead of ours.", metavar="FILE.jsonl"
            ),
        ] = None,
        prompt: Annotated[
            list[str] | None,
            typer.Option("--prompt", help="Only this prompt; repeat for several.", metavar="NAME"),
        ] = None,
        limit: Annotated[
            int | None, typer.Option("--limit", help="Only so many labels a metric: a sample.", metavar="N")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
    ) -> None:
        """Measure how far the judge agrees with labelled answers; exit 1 when that is not far enough."""
        from ragproof.cli import calibrate_page
        from ragproof.errors import EXIT_GATE, ConfigurationError

        if config and config_ and config != config_:
            raise ConfigurationError(f"'{config}' and --config '{config_}' are two files; expected one")
        request = Request(config or config_, min_exact, min_band, labels, tuple(prompt or ()), limit)
        with _shown() as tell:
            found = calibrated(request, environ, opening, tell)
        keeping(found)
        calibrate_page.print_json(found) if as_json else calibrate_page.print_page(found)
        if found.below():
            raise typer.Exit(EXIT_GATE)

    return calibrate


def calibrated(request: Request, environ: Mapping[str, str], opening: Opening, tell: Tell) -> Calibration:
    """Calibrate as asked; all that can be refused is refused before a call.

    Args:
        request: what is asked for.
        environ: the environment, which may name the judge.
        opening: opens the judge.
        tell: told how far it is.

    Raises:
        ConfigurationError: no judge is configured, or a file, a threshold or a prompt's name is wrong.
        RagproofError: nothing was learnt about the judge.
    """
    from ragproof import config as configuration
    from ragproof.judge.calibration import calibrating, fixtures, labels
    from ragproof.judge.calibration.choosing import choose
    from ragproof.judge.calibration.metrics import judged_metrics
    from ragproof.judge.calibration.source import FIXTURES, source_of
    from ragproof.judge.calibration.thresholds import thresholds
    from ragproof.runs import now

    bar = thresholds(request.min_exact, request.min_band)
    loaded = configuration.load(request.config, environ=environ) if request.config else None
    judge = _judge(loaded, environ)
    metrics = judged_metrics(loaded.chosen_metrics() if loaded else ())
    given = labels.read(request.labels, metrics) if request.labels else fixtures.fixtures(metrics)
    there = choose(given, metrics, request.prompts)
    asked = choose(there, metrics, limit=request.limit)
    source = source_of(request.labels.name if request.labels else FIXTURES, asked, there)

    async def ask() -> Calibration:
        async with opening(judge, loaded) as opened:
            return await calibrating.calibrate(
                opened, asked, metrics, config=judge, source=source, at=now(), thresholds=bar, tell=tell
            )

    return asyncio.run(ask())


def _judge(loaded: EvalConfig | None, environ: Mapping[str, str]) -> JudgeConfig:
    from ragproof.cli.judge_of_environment import judge_of_environment
    from ragproof.errors import ConfigurationError
    from ragproof.metric import Need

    judge = judge_of_environment(environ) if loaded is None else loaded.judge
    if judge is None:
        raise ConfigurationError(f"{Need.JUDGE.value} or the section 'judge' of a configuration")
    return judge


@contextmanager
def _shown() -> Iterator[Tell]:
    """Show progress on a terminal; a pipe is told the end alone."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ragproof.cli import screen

    console = screen.console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        bar = bars.add_task("asking the judge", total=None)
        yield lambda done, of: bars.update(bar, completed=done, total=of)


def _opened(judge: JudgeConfig, config: EvalConfig | None) -> AbstractAsyncContextManager[Judge]:
    from ragproof.cli.judge_to_calibrate import opened

    return opened(judge, config)


def _kept(found: Calibration) -> None:
    from ragproof.cli.judge_to_calibrate import keep

    keep(found)


calibrate = command(_opened, _kept)
