"""What the runs of `ragproof rank` are called, and which of them a name means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, count
from pathlib import Path

from ragproof.errors import ConfigurationError, nearest
from ragproof.ranking.quoting import quoted, some


def titles(runs: Sequence[Path]) -> list[str]:
    """Return the file names, or the paths as they were given where names are not enough; each once."""
    names = [run.name for run in runs]
    told = names if len(set(names)) == len(names) else [str(run) for run in runs]
    found: list[str] = []
    for place, title in enumerate(told):
        free = chain([title], (f"{title} ({number})" for number in count(place)))
        found.append(next(each for each in free if each not in found))
    return found


def find(name: str, runs: Sequence[Path]) -> str:
    """Return the title of the run that a name means.

    Args:
        name: a run's title, its path, its file name, or that without its suffix.
        runs: their paths as they were given.

    Raises:
        ConfigurationError: no run is meant, or more than one.
    """
    known = titles(runs)
    spellings: tuple[Callable[[Path], str], ...] = (str, lambda run: run.name, lambda run: run.stem)
    for spelt in (known, *([spell(run) for run in runs] for spell in spellings)):
        meant = [place for place, spelling in enumerate(spelt) if spelling == name]
        if meant:
            _refuse_several(name, [runs[place] for place in meant], runs)
            return known[meant[0]]
    hint = nearest(name, known) or f"; there are {some(known, len(known))}"
    raise ConfigurationError(f"no run is named {quoted(name)}, expected the baseline among the runs{hint}")


def _refuse_several(name: str, meant: Sequence[Path], runs: Sequence[Path]) -> None:
    files = {run.resolve() for run in meant}
    if len(files) > 1:
        told = f"baseline {quoted(name)} means {len(meant)} of the runs: {some(meant, len(meant))}"
        raise ConfigurationError(f"{told}; expected one, which its path tells")
    times = sum(run.resolve() in files for run in runs)
    if times > 1:
        raise ConfigurationError(f"the baseline {quoted(meant[0])} is given {times} times, expected once")
