"""A process measured from outside: its wall clock, its CPU and its peak memory."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Cost:
    """What one process, or the median of several, took."""

    wall_s: float
    cpu_s: float
    """In user and system mode."""
    peak_mib: float | None
    """None when it stayed below what this process takes: a child's high-water mark begins at its parent's."""

    @property
    def shown_peak(self) -> str:
        """The peak for a table, in MiB."""
        return "-" if self.peak_mib is None else f"{self.peak_mib:.0f}"


def run(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Run `python -m ARGUMENTS` in a folder; this checkout is importable.

    Raises:
        RuntimeError: it failed.
    """
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}")
    return Cost(time.perf_counter() - started, used.ru_utime + used.ru_stime, _peak(used))


def median(measure: Callable[[], Cost], repeats: int) -> Cost:
    """Measure several times; each figure is the median of its own."""
    costs = [measure() for _ in range(repeats)]
    peaks = [cost.peak_mib for cost in costs if cost.peak_mib is not None]
    return Cost(
        statistics.median(cost.wall_s for cost in costs),
        statistics.median(cost.cpu_s for cost in costs),
        statistics.median(peaks) if peaks else None,
    )


def _peak(used: resource.struct_rusage) -> float | None:
    if used.ru_maxrss <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
        return None
    return used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
