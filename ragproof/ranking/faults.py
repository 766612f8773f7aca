"""Faults of an input, gathered while it is read: all of them counted, and the first twenty told."""

from __future__ import annotations

from ragproof.errors import ConfigurationError, Fault

_TOLD = 20


class Faults:
    """A growing list that a file of a million bad lines cannot make too long to read."""

    def __init__(self) -> None:
        self._told: list[Fault] = []
        self._count = 0

    def add(self, message: str, place: str) -> None:
        """Note one fault."""
        self._count += 1
        if len(self._told) < _TOLD:
            self._told.append(Fault(message, place))

    def extend(self, others: Faults) -> None:
        """Note the faults of what comes next."""
        self._count += others._count
        self._told += others._told[: _TOLD - len(self._told)]

    def __bool__(self) -> bool:
        return self._count > 0

    def told(self, place: str) -> list[Fault]:
        """Return the faults; the last one says how many more `place` has."""
        more = self._count - len(self._told)
        return [*self._told, Fault(f"and {more:,} more faults", place)] if more else [*self._told]

    def raise_any(self, place: str) -> None:
        """Raise them all.

        Raises:
            ConfigurationError: there is one.
        """
        if self:
            raise ConfigurationError(self.told(place))
