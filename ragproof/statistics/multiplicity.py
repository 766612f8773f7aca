"""Many metrics: Holm for claims, Benjamini-Hochberg for exploration.

Holm 1979 holds the chance of any false claim; Benjamini and Hochberg 1995
(doi:10.1111/j.2517-6161.1995.tb02031.x) the share of false ones among those called. Both agree with
statsmodels' `multipletests` (a test holds them together), whose import alone costs more than a second of CPU
in every comparison. One primary metric needs neither.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.samples import FloatArray


def holm(p: ArrayLike) -> tuple[float, ...]:
    """Adjust p values so that the chance of any false claim stays under alpha.

    Args:
        p: p values in [0, 1], shape (m,); empty gives an empty result.

    Returns:
        Adjusted p in [0, 1], in the given order.

    Raises:
        ValueError: when a value lies outside [0, 1] or is not a number.
    """
    values = _p_values(p)
    order = np.argsort(values, kind="stable")
    steps = np.arange(values.size, 0, -1)
    return _restored(np.maximum.accumulate(values[order] * steps), order)


def benjamini_hochberg(p: ArrayLike) -> tuple[float, ...]:
    """Adjust p values so that the expected share of false calls among all calls stays under alpha.

    Args:
        p: p values in [0, 1], shape (m,); empty gives an empty result.

    Returns:
        Adjusted p in [0, 1], in the given order.

    Raises:
        ValueError: when a value lies outside [0, 1] or is not a number.
    """
    values = _p_values(p)
    order = np.argsort(values, kind="stable")
    raised = values[order] * values.size / np.arange(1, values.size + 1)
    return _restored(np.minimum.accumulate(raised[::-1])[::-1], order)


def _p_values(p: ArrayLike) -> FloatArray:
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"'p' has shape {values.shape}; expected one p value a test")
    odd = values[~((values >= 0.0) & (values <= 1.0))]
    if odd.size:
        raise ValueError(f"'p' holds {odd[0]}; expected numbers from 0 to 1")
    return values


def _restored(ascending: FloatArray, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[float, ...]:
    given = np.empty(ascending.size)
    given[order] = np.minimum(ascending, 1.0)
    return tuple(float(value) for value in given)
