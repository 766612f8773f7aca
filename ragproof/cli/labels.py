"""`ragproof labels`: what people say of a run's answers, and what that says of the judge."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")]
Project = Annotated[
    str | None, typer.Option(help="Whose runs `latest` and labels of runs mean.", metavar="NAME")
]

labels = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Keep people's labels of a run's answers, and correct the judge by them.",
)


@labels.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(help="JSON lines or CSV: case_id, metric, value; labeller and run_id if known.")
    ],
    run: Annotated[
        str | None,
        typer.Option(
            help="The run whose answers were labelled; rows may name one themselves.", metavar="RUN"
        ),
    ] = None,
    at_random: Annotated[
        bool,
        typer.Option("--random", help="Claim that the labelled cases were drawn at random from the run's."),
    ] = False,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Keep a file of people's verdicts.

    All of it, or nothing when a row is wrong. A label judges one run's answer to one case by one metric that
    a judge decides. It also serves another run of the project that gave the very same answer to the same
    case. Importing a file twice is importing it once. Only labels that were drawn at random correct the
    judge: say so with --random.
    """
    from ragproof.cli import labels_page
    from ragproof.labels.importing import import_labels
    from ragproof.reports.strict_json import strict_json
    from ragproof.store.opening import open_store

    with open_store(create=False) as store:
        imported = import_labels(store, file, run=run, project=project, at_random=at_random)
    if as_json:
        sys.stdout.write(strict_json(imported.model_dump(mode="json")))
    else:
        labels_page.print_imported(imported)


@labels.command()
def show(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, a label, or `latest`.")],
    against: Annotated[
        str | None, typer.Option(help="Correct the difference from this run, too.", metavar="BASELINE")
    ] = None,
    metric: Annotated[str | None, typer.Option(help="This metric alone.", metavar="KEY")] = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Show what labels make of the judge's means.

    The means as they are, as labels correct them (PPI++), and of the labels alone; or the reason why there is
    no correction: it takes 100 labels drawn at random, 10 of which differ from the
    judge, and for a metric of 0 and 1 10 of the rarer.
    """
    from ragproof.cli import labels_page
    from ragproof.labels.labelled_view import gather
    from ragproof.reports.strict_json import strict_json
    from ragproof.store.opening import open_store

    with open_store(create=False) as store:
        view = gather(store, run, against=against, metric=metric, project=project)
    if as_json:
        sys.stdout.write(strict_json(labels_page.as_json(view)))
    else:
        labels_page.print_view(view)


@labels.command("list")
def list_(
    run: Annotated[str | None, typer.Option(help="One run's labels.", metavar="RUN")] = None,
    project: Annotated[str | None, typer.Option(help="One project's labels.", metavar="NAME")] = None,
    as_json: Json = False,
) -> None:
    """List who labelled how many answers."""
    from ragproof.cli import labels_page
    from ragproof.comparing.references import named_run
    from ragproof.reports.strict_json import strict_json
    from ragproof.store.opening import open_store

    with open_store(create=False) as store:
        run_id = None if run is None else named_run(store, run, project=project).id
        groups = store.labels.groups(run_id, project)
    if as_json:
        sys.stdout.write(strict_json([group.model_dump(mode="json") for group in groups]))
    else:
        labels_page.print_groups(groups)


@labels.command()
def remove(
    run: Annotated[str | None, typer.Option(help="Of this run.", metavar="RUN")] = None,
    metric: Annotated[str | None, typer.Option(help="On this metric.", metavar="KEY")] = None,
    labeller: Annotated[str | None, typer.Option(help="By this person.", metavar="NAME")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Remove the labels of a run or of a person.

    What is named has to hold all at once. With --labeller alone the person's labels go from every run, and
    the name with them.
    """
    from ragproof.cli import labels_page
    from ragproof.comparing.references import named_run
    from ragproof.errors import ConfigurationError
    from ragproof.reports.strict_json import strict_json
    from ragproof.store import removing_labels
    from ragproof.store.opening import open_store

    if run is None and labeller is None:
        raise ConfigurationError("nothing says whose labels; expected --run RUN, --labeller NAME, or both")
    with open_store(create=False) as store:
        run_id = None if run is None else named_run(store, run).id
        unwanted = removing_labels.Unwanted(run_id=run_id, metric=metric, labeller=labeller)
        removed = removing_labels.plan(store, unwanted)
        if removed.labels:
            _ask(f"remove {labels_page.removed_in_words(removed)}", yes, as_json)
            removed = removing_labels.remove(store, unwanted)
    if as_json:
        sys.stdout.write(strict_json(removed.model_dump(mode="json")))
    else:
        labels_page.print_removed(removed)


def _ask(what: str, yes: bool, as_json: bool) -> None:
    """Go on when the answer is yes; nothing is removed by a script that did not say so."""
    from ragproof.errors import ConfigurationError

    if yes:
        return
    if as_json or not sys.stdin.isatty():
        raise ConfigurationError(f"this would {what}; --yes does it without asking")
    typer.confirm(f"{what}? It cannot be taken back.", abort=True)
