"""`make bench`: what ragproof costs, printed; nothing here asserts on time.

`python -m tests.bench NAME ...` runs some of them.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping

from tests.bench import answers, comparing, evaluating, judging, ranking, similarity, statistics, waiting

BENCHES: Mapping[str, Callable[[], None]] = {
    "evaluating": evaluating.measure,
    "waiting": waiting.measure,
    "judging": judging.measure,
    "ranking": ranking.measure,
    "answers": answers.measure,
    "similarity": similarity.measure,
    "statistics": statistics.measure,
    "comparing": comparing.measure,
}


def main() -> None:
    """Run the benchmarks named, or all, and say on what machine."""
    chosen = sys.argv[1:] or [*BENCHES]
    unknown = [name for name in chosen if name not in BENCHES]
    if unknown:
        sys.exit(f"no benchmark is named {unknown}; there are {[*BENCHES]}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}")
    for name in chosen:
        print(f"\n{name}")
        BENCHES[name]()


main()
