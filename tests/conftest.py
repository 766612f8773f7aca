"""How hypothesis runs here: the same examples every time, and no example is failed by a slow machine."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "every time", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("soak", deadline=None, database=None, max_examples=1_000, print_blob=True)
settings.load_profile("soak" if os.environ.get("RAGPROOF_SOAK") else "every time")
