"""What the statistics cost: no scipy before it is needed, little memory, one result on any thread count."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

IMPORT_ALL = """
import sys
import ragproof.statistics.chapters
from ragproof.statistics.sign_flip import sign_flip
assert sign_flip([0.5, 0.5, -1.0]).p == 1.0
print(sorted({"scipy", "statsmodels", "pandas", "sqlmodel"} & sys.modules.keys()))
"""

RESAMPLE = r"""
import re
from pathlib import Path
import numpy as np
from ragproof.statistics.max_t import max_t
from ragproof.statistics.studentised import studentised_intervals
d = np.random.default_rng(0).normal(0.01, 0.2, ({cases}, {contrasts}))
print(max_t(d, draws={draws}).p_step_down)
print([round(interval.low, 12) for interval in studentised_intervals(d, draws={draws})])
status = Path("/proc/self/status")
print(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1] if status.exists() else "")
"""


def _printed(code, threads=1):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_sign_flip_needs_neither_scipy_nor_statsmodels():
    """Nor does importing every module."""
    assert _printed(IMPORT_ALL) == ["[]"]


def test_the_number_of_threads_changes_no_number():
    code = RESAMPLE.format(cases=700, contrasts=9, draws=500)
    assert _printed(code, threads=1)[:2] == _printed(code, threads=2)[:2]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory's own high-water mark")
def test_a_sweep_of_eighty_one_contrasts_takes_under_four_hundred_mebibytes():
    """5,000 cases, 10,000 draws, both the joint test and the intervals.

    Not getrusage: Linux counts into its maximum what the process that started this one held.
    """
    peak_kib = int(_printed(RESAMPLE.format(cases=5_000, contrasts=81, draws=10_000))[2])
    assert peak_kib < 400 * 1024
