"""The bar a judge has to clear on every prompt: source A's 70 % exact and 90 % within band."""

from __future__ import annotations

from pydantic import Field, ValidationError

from ragproof.errors import ConfigurationError, Fault
from ragproof.frozen import Frozen

_OPTIONS = {"min_exact": "--min-exact", "min_band": "--min-band"}


class Thresholds(Frozen):
    """The least agreement, as shares; reached counts as cleared."""

    min_exact: float = Field(default=0.7, ge=0, le=1)
    min_band: float = Field(default=0.9, ge=0, le=1)


DEFAULT_THRESHOLDS = Thresholds()


def thresholds(min_exact: float, min_band: float) -> Thresholds:
    """Make thresholds of what someone wrote.

    Raises:
        ConfigurationError: one is not from 0 to 1; both faults at once.
    """
    try:
        return Thresholds(min_exact=min_exact, min_band=min_band)
    except ValidationError as error:
        raise ConfigurationError(
            [_fault(str(told["loc"][0]), told["input"]) for told in error.errors()]
        ) from error


def _fault(name: str, value: float) -> Fault:
    percent = f"; write {value / 100:g} for {value:g} %" if 1 < value <= 100 else ""
    return Fault(f"'{value:g}' is no share; expected a number from 0 to 1{percent}", _OPTIONS[name])
