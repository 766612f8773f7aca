"""`make bench`: what ragproof costs, printed; nothing here asserts on time."""

from __future__ import annotations

import os
import platform
import sys

from tests.bench import evaluating


def main() -> None:
    """Run every benchmark and say on what machine."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    evaluating.measure()


main()
