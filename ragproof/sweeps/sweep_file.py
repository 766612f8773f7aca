"""Reading a sweep's file: a base configuration and the factors that vary over it.

A factor is one key with a list of values, or levels by name, each with the keys that it changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragproof.config.documents import read_file
from ragproof.config.keys import known
from ragproof.config.layers import KeyPath, Layer
from ragproof.datasets.wording import shown
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.sweeps.grid import Factor, Level, level_name

KEYS = ("config", "variant", "name", "max_cost_usd", "factors")
MOST_CELLS = 1_000
NAME_CHARACTERS = 40
_WITHIN = "pipeline."
_OWN_NAME = "pipeline.name"


@dataclass(frozen=True)
class SweepFile:
    """A sweep as written.

    Attributes:
        path: the file.
        name: what its runs are found by.
        config: the base configuration's file.
        variant: of the base, laid over it first; None for none.
        max_cost_usd: dollars for the judge of all cells together; None is no cap.
        factors: in the order of the file; at least one.
    """

    path: Path
    name: str
    config: Path
    variant: str | None
    max_cost_usd: float | None
    factors: tuple[Factor, ...]

    @property
    def cells(self) -> int:
        """How many combinations there are."""
        return math.prod(len(factor.levels) for factor in self.factors)

    def capped(self, max_cost_usd: float | None) -> SweepFile:
        """Return it with a lower cap; None, or a higher one, changes nothing."""
        caps = [cap for cap in (self.max_cost_usd, max_cost_usd) if cap is not None]
        return replace(self, max_cost_usd=min(caps, default=None))


def read(path: Path) -> SweepFile:
    """Read a sweep's file.

    Args:
        path: YAML; the configuration it names is looked for beside it.

    Raises:
        ConfigurationError: every fault of the file, each with its line.
    """
    layer, faults = read_file(path, path.name)
    if layer is None:
        raise ConfigurationError(faults)
    reading = _Reading(layer, path.name, faults)
    read = SweepFile(
        path=path,
        name=reading.text("name") or path.stem,
        config=path.parent / (reading.text("config", required=True) or ""),
        variant=reading.text("variant"),
        max_cost_usd=reading.dollars("max_cost_usd"),
        factors=tuple(reading.factors()),
    )
    reading.check_keys()
    if read.cells > MOST_CELLS:
        reading.fault(f"{read.cells:,} combinations; expected at most {MOST_CELLS:,}", ("factors",))
    if reading.faults:
        raise ConfigurationError(reading.faults)
    return read


class _Reading:
    """A file on its way to a sweep; every fault is kept."""

    def __init__(self, layer: Layer, name: str, faults: list[Fault]) -> None:
        self._layer, self._name, self.faults = layer, name, faults

    def fault(self, message: str, path: KeyPath) -> None:
        written = self._layer.find(path)
        place = written.place if written else self._name
        self.faults.append(Fault(f"{'.'.join(map(str, path))}: {message}", place))

    def check_keys(self) -> None:
        for key in self._layer.data:
            if key not in KEYS:
                self.fault(f"not a key of a sweep{nearest(key, KEYS)}", (key,))

    def text(self, key: str, *, required: bool = False) -> str | None:
        value = self._layer.data.get(key)
        if value is None and required:
            self.fault("missing; expected the base configuration's file", (key,))
        elif value is not None and not (isinstance(value, str) and value.strip()):
            self.fault(f"{shown(value)} is not allowed; expected text", (key,))
        return value if isinstance(value, str) else None

    def dollars(self, key: str) -> float | None:
        value = self._layer.data.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            self.fault(f"{shown(value)} is not allowed; expected dollars, 0 or more", (key,))
            return None
        return float(value)

    def factors(self) -> Iterator[Factor]:
        section = self._layer.data.get("factors")
        if not isinstance(section, dict) or not section:
            self.fault("expected at least one factor, by name", ("factors",))
            return
        changed: dict[str, str] = {}
        for name, written in section.items():
            path: KeyPath = ("factors", name)
            if len(name) > NAME_CHARACTERS or "=" in name or "," in name:
                self.fault(
                    f"expected a name of at most {NAME_CHARACTERS} characters without '=' and ','", path
                )
            if not isinstance(written, dict):
                self.fault(
                    f"{shown(written)} is no factor; expected KEY: [VALUE, ...], or levels by name", path
                )
                continue
            levels = tuple(self._levels(written, path))
            if len({level.name for level in levels}) < len(levels):
                self.fault("two levels are the same; expected each once", path)
            if len(levels) < 2:
                self.fault(f"{len(levels)} level{'s' * (len(levels) != 1)}; expected at least two", path)
            for key in dict.fromkeys(key for level in levels for key in level.changes):
                self._check_change(key, name, changed, path)
            yield Factor(name, levels)

    def _levels(self, written: dict[str, Any], path: KeyPath) -> Iterator[Level]:
        lists = [key for key, value in written.items() if isinstance(value, list)]
        if lists:
            if len(written) > 1:
                self.fault(
                    "one key with a list of values is a factor; expected levels by name for more", path
                )
            key = lists[0]
            for at, value in enumerate(written[key]):
                yield Level(level_name(value), {key: value}, self._place((*path, key, at)))
            return
        for level, changes in written.items():
            if isinstance(changes, dict):
                yield Level(level, changes, self._place((*path, level)))
            else:
                self.fault(f"{shown(changes)} is no level; expected the keys it changes", (*path, level))

    def _check_change(self, key: str, factor: str, changed: dict[str, str], path: KeyPath) -> None:
        if not key.startswith(_WITHIN) or key == _OWN_NAME:
            cure = (
                "expected a key of the pipeline, such as pipeline.adapter.options.NAME: anything else would"
            )
            self.fault(f"'{key}' cannot be a factor; {cure} change what numbers mean", path)
        elif not known(tuple(key.split("."))):
            self.fault(f"'{key}' is not a key of a configuration", path)
        elif changed.setdefault(key, factor) != factor:
            self.fault(f"'{key}' is changed by the factor '{changed[key]}' too; expected one of them", path)

    def _place(self, path: KeyPath) -> str:
        written = self._layer.find(path)
        return written.place if written else self._name
