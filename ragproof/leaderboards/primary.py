"""The metric that decides: one, chosen before the numbers are looked at, so that none is picked for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragproof.comparing.scored_run import ScoredRun
from ragproof.errors import ConfigurationError, nearest
from ragproof.metric import Direction
from ragproof.reports.order import known_metrics


def primary(runs: Sequence[ScoredRun]) -> str | None:
    """Choose the metric that runs are ranked by.

    Args:
        runs: of one division, in order of start, at least one; their numbers need not be read yet.

    Returns:
        The first key, in the order of the latest run's `metrics` or else of the catalogue, that all have
        scored a case with and that is better when higher; without one, the first that is better when lower;
        None without either.
    """
    in_order = _in_order(runs[-1])
    for direction in (Direction.HIGHER, Direction.LOWER):
        for key in in_order:
            if all(_scored(run, key) and run.summaries[key].direction is direction for run in runs):
                return key
    return None


def meant(name: str, measured: Iterable[str]) -> str:
    """Find the key that a name means.

    Args:
        name: a key, in any spelling that the catalogue reads.
        measured: the keys that some run has numbers of.

    Raises:
        ConfigurationError: no run has it, it is a number of a whole run, or it ranks nothing.
    """
    keys = list(dict.fromkeys(measured))
    known = known_metrics()
    found = known.find(name)
    key = name if name in keys or found is None else found.key
    if found is not None and any(name == derived.key for derived in found.run_level):
        raise ConfigurationError(
            f"'{name}' is one number a run and cannot be tested; expected a metric with a number a case, such"
            f" as '{found.key}'"
        )
    if key not in keys:
        raise ConfigurationError(
            f"no run here has measured '{name}'; 'ragproof show RUN' lists what one has{nearest(name, keys)}"
        )
    if found is not None and found.direction is Direction.NONE:
        raise ConfigurationError(f"'{name}' describes and ranks nothing; expected a metric with a direction")
    return key


def measured_by(run: ScoredRun) -> tuple[str, ...]:
    """Return the keys that a run has a number a case of, in reading order."""
    versions = run.record.comparability.get("metrics")
    return tuple(key for key in run.summaries if isinstance(versions, dict) and key in versions)


def _in_order(run: ScoredRun) -> tuple[str, ...]:
    """The metrics as the run's configuration names them, and the catalogue's order after those."""
    measured, known = measured_by(run), known_metrics()
    named = run.record.config.get("metrics")
    keys = [str(name) for name in named] if isinstance(named, list) else []
    found = [(each.key if (each := known.find(name)) else name) for name in keys]
    return tuple(dict.fromkeys([*(key for key in found if key in measured), *measured]))


def _scored(run: ScoredRun, key: str) -> bool:
    return key in measured_by(run) and run.summaries[key].scored > 0
