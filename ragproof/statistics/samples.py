"""Reading samples: what a caller passes becomes a checked float64 array, once, at the door.

Two numbers closer than floating-point dust are one number: 0.3 - 0.1 and 0.7 - 0.5 differ in their last bit
and are the same difference. The tolerance is relative, so that costs of 1e-6 and latencies of 1e4 are read
alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]

TIE_TOLERANCE = 1e-9
"""Two statistics closer than this, relative to their spread, are tied."""

FLOAT_DUST = 1e-12
"""A difference below this in the metric's own unit is rounding."""


def sample(values: ArrayLike, name: str = "d") -> FloatArray:
    """Read one number a case.

    Args:
        values: finite numbers, shape (n,); empty is refused.
        name: what the values are called in an error.

    Returns:
        A float64 array of at least one finite number.

    Raises:
        ValueError: when the values are empty, not one dimensional, or not finite.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"'{name}' has shape {array.shape}; expected one number a case, at least one case")
    _refuse_unless(np.isfinite(array), array, name, "expected finite numbers; leave a missing case out")
    return array


def columns(values: ArrayLike, name: str = "columns") -> FloatArray:
    """Read one row a case and one column a contrast; NaN or None is a case that a contrast does not have.

    Args:
        values: shape (n, m); a contrast without any case is refused.
        name: what the values are called in an error.

    Returns:
        A float64 array, NaN where a case is missing.

    Raises:
        ValueError: when the shape is another, a number is infinite, or a column holds no number.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"'{name}' has shape {array.shape}; expected one row a case, one column a contrast")
    _refuse_unless(~np.isinf(array), array, name, "expected finite numbers, or NaN for a missing case")
    empty = np.flatnonzero(np.isnan(array).all(axis=0))
    if empty.size:
        raise ValueError(f"column {empty[0]} of '{name}' holds no number; expected at least one case")
    return array


def optional_sample(values: Sequence[float | None] | FloatArray, name: str) -> FloatArray:
    """Read one number a case where None or NaN is a missing one.

    Args:
        values: shape (n,); empty is refused.
        name: what the values are called in an error.

    Returns:
        A float64 array, NaN where a value is missing.

    Raises:
        ValueError: when the values are empty, not one dimensional, or infinite.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"'{name}' has shape {array.shape}; expected one value a case, at least one case")
    _refuse_unless(~np.isinf(array), array, name, "expected finite numbers, or None for a missing one")
    return array


def without_dust(array: FloatArray) -> FloatArray:
    """Set differences that are rounding to zero, column by column.

    Args:
        array: shape (n,) or (n, m); NaN stays.

    Returns:
        A new array of the same shape.
    """
    size = np.abs(array)
    largest = np.nanmax(size, axis=0)
    return np.where(size <= np.maximum(TIE_TOLERANCE * largest, FLOAT_DUST), 0.0, array)


def all_equal(array: FloatArray) -> bool:
    """Tell whether a sample is one number repeated, rounding aside; one number is.

    Args:
        array: shape (n,), without NaN.

    Returns:
        True when nothing varies.
    """
    return bool(np.ptp(array) <= max(TIE_TOLERANCE * float(np.abs(array).max()), FLOAT_DUST))


def probability(value: float, name: str) -> float:
    """Read a number strictly between 0 and 1.

    Args:
        value: an error rate, a power or a confidence.
        name: what it is called in an error.

    Returns:
        The value.

    Raises:
        ValueError: when it is 0, 1, outside, or not a number.
    """
    if not 0.0 < value < 1.0:
        raise ValueError(f"'{name}' is {value}; expected a number between 0 and 1")
    return float(value)


def ends(lowest: float | None, highest: float | None) -> tuple[float, float] | None:
    """Read the ends of a metric's range.

    Args:
        lowest: the smallest possible value; None when there is none.
        highest: the largest.

    Returns:
        Both, or None when the range is open at either end.

    Raises:
        ValueError: when they are in the wrong order or not finite.
    """
    if lowest is None or highest is None:
        return None
    if not (math.isfinite(lowest) and math.isfinite(highest) and lowest < highest):
        raise ValueError(f"the range is {lowest} to {highest}; expected two finite ends, the lower one first")
    return float(lowest), float(highest)


def _refuse_unless(fine: NDArray[np.bool_], array: FloatArray, name: str, cure: str) -> None:
    if not fine.all():
        place = tuple(int(index) for index in np.argwhere(~fine)[0])
        shown = place[0] if len(place) == 1 else place
        raise ValueError(f"'{name}' holds {array[place]} at {shown}; {cure}")
