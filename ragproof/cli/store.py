"""`ragproof store`: looking after the database that holds the runs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragproof.store.erasable import Wanted

STDOUT = "-"
UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_KEEP = re.compile(rf"(\d{{1,5}})([{''.join(UNITS)}])")

Json = Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be removed, and remove nothing.")]

store = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Look after the store: the database that holds the runs.",
)


@store.command()
def migrate(as_json: Json = False) -> None:
    """Make the store, or bring an old one up to date.

    Stop the runs that use it first: older processes do not know the newer tables.
    """
    from ragproof.cli import store_page
    from ragproof.store.opening import migrate_store

    name, migration = migrate_store()
    if as_json:
        store_page.as_json({"store": name, "before": migration.before, "after": migration.after})
    elif migration.before == migration.after:
        store_page.say(f"the store '{name}' has the newest schema already ({migration.after})")
    elif migration.before is None:
        store_page.say(f"made the store '{name}' (schema {migration.after})")
    else:
        store_page.say(f"brought the store '{name}' from schema {migration.before} to {migration.after}")


@store.command()
def check(as_json: Json = False) -> None:
    """Say whether the store is sound, and what is in it.

    Exits with 2 when something is damaged or missing.
    """
    from ragproof.cli import store_page
    from ragproof.errors import EXIT_EXECUTION
    from ragproof.store import checking
    from ragproof.store.opening import open_store

    with open_store(create=False) as opened:
        checked = checking.check(opened)
    if as_json:
        store_page.as_json({"sound": checked.sound, **checked.model_dump(mode="json")})
    else:
        store_page.print_checked(checked)
    if not checked.sound:
        raise typer.Exit(EXIT_EXECUTION)


@store.command()
def prune(
    keep: Annotated[str, typer.Option(help="How old runs may be, such as 90d, 12w or 48h.", metavar="AGE")],
    project: Annotated[str | None, typer.Option(help="One project's runs alone.", metavar="NAME")] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Remove old runs, and datasets that no run names.

    A run that somebody works on stays, however old it is. An SQLite file is made smaller afterwards.
    """
    from ragproof.cli import store_page
    from ragproof.runs import now
    from ragproof.store import pruning
    from ragproof.store.opening import open_store

    before = now() - _age(keep)
    with open_store(create=False) as opened:
        pruned = pruning.plan(opened, before, project)
        if not dry_run:
            if pruned.runs or pruned.datasets:
                _ask(f"remove {store_page.pruned_in_words(pruned)}", yes, as_json)
            pruned = pruning.prune(opened, pruned)
    if as_json:
        store_page.as_json({"dry_run": dry_run, **pruned.model_dump(mode="json")})
    else:
        store_page.print_pruned(pruned, dry_run)


@store.command()
def delete(
    case: Annotated[str | None, typer.Option(help="The case of this id.", metavar="ID")] = None,
    tag: Annotated[str | None, typer.Option(help="Every case with this tag.", metavar="NAME=VALUE")] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Erase a person's data from every run.

    Goes: the cases, and every call, score and label of them, in every project. Take the cases out of the
    dataset's file as well, or the next run keeps them again. Reports that were written, and Prefect's own
    records, are not in the store.
    """
    from ragproof.cli import store_page
    from ragproof.store import erasing
    from ragproof.store.opening import open_store

    wanted = _wanted(case, tag)
    with open_store(create=False) as opened:
        erased = erasing.plan(opened, wanted)
        if not dry_run:
            _ask(f"erase {store_page.erased_in_words(erased)}", yes, as_json)
            erased = erasing.erase(opened, wanted)
    if as_json:
        store_page.as_json({"dry_run": dry_run, **erased.model_dump(mode="json")})
    else:
        store_page.print_erased(erased, dry_run)


@store.command()
def export(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")],
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.", metavar="FILE")],
    as_json: Json = False,
) -> None:
    """Write a run to a file of JSON lines.

    A line each for the run, its cases, calls, scores, summaries and labels, and a last one that counts them.
    """
    from ragproof.cli import store_page
    from ragproof.errors import ConfigurationError
    from ragproof.store import archiving
    from ragproof.store.opening import open_store

    if out == STDOUT and as_json:
        raise ConfigurationError("--json and --out - cannot share stdout; name a file")
    with open_store(create=False) as opened:
        record = opened.runs.get(run)
        lines = archiving.lines(opened, record)
        if out == STDOUT:
            sys.stdout.writelines(lines)
            return
        written = _write(Path(out), lines)
    if as_json:
        store_page.as_json({"run_id": record.id, "file": out, "lines": written})
    else:
        store_page.say(f"wrote {written:,} lines of run {record.id} to {out}")


def _age(text: str) -> timedelta:
    from ragproof.errors import ConfigurationError

    found = _KEEP.fullmatch(text.strip())
    if found is None:
        raise ConfigurationError(
            f"--keep '{text}' is no age; expected a number and h, d or w (hours, days, weeks), such as '90d'"
        )
    return timedelta(**{UNITS[found[2]]: int(found[1])})


def _wanted(case: str | None, tag: str | None) -> Wanted:
    from ragproof.errors import ConfigurationError
    from ragproof.store.erasable import Wanted
    from ragproof.summaries import Tag

    if (case is None) == (tag is None):
        raise ConfigurationError("expected either --case ID or --tag NAME=VALUE")
    if tag is None:
        return Wanted(case_id=case)
    name, equals, value = tag.partition("=")
    if not name or not equals:
        raise ConfigurationError(f"--tag '{tag}' is no tag; expected NAME=VALUE, such as 'customer=1234'")
    return Wanted(tag=Tag(name=name, value=value))


def _ask(what: str, yes: bool, as_json: bool) -> None:
    """Go on when the answer is yes; nothing is removed by a script that did not say so."""
    from ragproof.errors import ConfigurationError

    if yes:
        return
    if as_json or not sys.stdin.isatty():
        raise ConfigurationError(f"this would {what}; --yes does it without asking, --dry-run only tells")
    typer.confirm(f"{what}? It cannot be taken back.", abort=True)


def _write(path: Path, lines: Iterable[str]) -> int:
    """Write a file whole or not at all; return how many lines it has."""
    from ragproof.errors import RagproofError

    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("w", encoding="ascii", newline="\n") as file:
                count = 0
                for line in lines:
                    file.write(line)
                    count += 1
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RagproofError(f"'{path}' cannot be written: {error.strerror}; name another file") from error
    return count
