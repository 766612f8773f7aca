"""The lock: which prompts and fixtures were last calibrated, with which judge, and how far it agreed.

A test holds it against the files, so that nobody changes a prompt and forgets what the agreement was about.
Low agreement is recorded as it is and satisfies the lock; `calibrated` of null says that no real judge has
been asked with these files yet. `python -m ragproof.judge.calibration.lock [CALIBRATION.json]` writes it,
from what `ragproof calibrate --json` printed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from ragproof.frozen import Frozen
from ragproof.judge.calibration.agreement import Agreement
from ragproof.judge.calibration.calibration import Calibration
from ragproof.judge.calibration.fixtures import fixture_hash
from ragproof.judge.calibration.metrics import judged_metrics, metric_of
from ragproof.judge.calibration.source import FIXTURES
from ragproof.judge.prompting import load, names
from ragproof.reports.strict_json import strict_json

FILE = Path(__file__).parents[1] / "calibration.lock.json"
REFRESH = "python -m ragproof.judge.calibration.lock"


class Calibrated(Frozen):
    """The last agreement on one prompt."""

    on: str
    """The day, as 2026-01-31."""
    judge: str
    """The model as it was asked for."""
    cases: int
    exact: int
    within_band: int
    judge_errors: int


class Locked(Frozen):
    """One prompt with its fixtures."""

    prompt: str
    """sha256 of the template."""
    fixtures: str
    """sha256 of the fixture file."""
    calibrated: Calibrated | None = None
    """None when no judge has been asked with these two."""


def current(before: Mapping[str, Locked], calibration: Calibration | None = None) -> dict[str, Locked]:
    """Return the lock that fits the files.

    Args:
        before: the lock so far; what it says of files that have not changed stays.
        calibration: of the fixtures, every one of a prompt; None records no new one.

    Raises:
        ValueError: the calibration is not of the fixtures, or of other prompts than there are now.
    """
    return {name: _locked(name, before.get(name), calibration) for name in names()}


def read(path: Path = FILE) -> dict[str, Locked]:
    """Return a lock by prompt; empty when there is none."""
    if not path.exists():
        return {}
    return {name: Locked.model_validate(each) for name, each in json.loads(path.read_text("utf-8")).items()}


def stale(locked: Mapping[str, Locked]) -> tuple[str, ...]:
    """Return what has changed since the lock was written, a sentence each; empty when nothing has."""
    told = []
    for name, now in current({}).items():
        then = locked.get(name)
        if then is None:
            told.append(f"prompt '{name}' is not in the lock")
        else:
            told += [
                f"{what} of prompt '{name}' changed since the last recorded calibration"
                for what, one, other in (
                    ("the template", then.prompt, now.prompt),
                    ("the fixtures", then.fixtures, now.fixtures),
                )
                if one != other
            ]
    return (*told, *(f"prompt '{name}' is in the lock alone" for name in locked if name not in names()))


def _locked(name: str, before: Locked | None, calibration: Calibration | None) -> Locked:
    now = Locked(prompt=load(name).prompt_hash, fixtures=fixture_hash(name))
    if calibration is not None:
        metric = metric_of(name, judged_metrics()).key  # wordings of one question share its agreement
        found = next((each for each in calibration.agreements if each.metric == metric), None)
        if found is not None:
            return now.model_copy(update={"calibrated": _calibrated(name, now, found, calibration)})
    same = before is not None and (before.prompt, before.fixtures) == (now.prompt, now.fixtures)
    return before if same and before is not None else now


def _calibrated(name: str, now: Locked, found: Agreement, calibration: Calibration) -> Calibrated:
    if calibration.source.name != FIXTURES or calibration.source.is_sample:
        raise ValueError("the calibration is not of all fixtures; expected one without --labels and --limit")
    if calibration.prompts[name] != now.prompt:
        raise ValueError(f"the calibration asked another text of prompt '{name}'; calibrate again")
    return Calibrated(
        on=calibration.at.date().isoformat(),
        judge=calibration.judge.model,
        cases=found.cases,
        exact=found.exact.count,
        within_band=found.within_band.count,
        judge_errors=found.judge_errors,
    )


def write(path: Path, printed: str | None) -> None:
    """Write the lock.

    Args:
        path: where it is.
        printed: what `ragproof calibrate --json` printed; None records the files alone.

    Raises:
        ValueError: it is something else, or cannot be recorded.
    """
    calibration = None if printed is None else _read_printed(printed)
    locked = current(read(path), calibration)
    path.write_text(strict_json({name: each.model_dump() for name, each in locked.items()}), encoding="utf-8")


def _read_printed(printed: str) -> Calibration:
    try:
        return Calibration.model_validate(json.loads(printed)["calibration"])
    except (ValidationError, KeyError, TypeError) as error:
        raise ValueError(
            "no calibration is in there; expected what `ragproof calibrate --json` prints"
        ) from error


if __name__ == "__main__":
    try:
        write(FILE, Path(sys.argv[1]).read_text("utf-8") if sys.argv[1:] else None)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
