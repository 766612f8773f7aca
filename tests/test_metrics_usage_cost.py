"""Cost: reported tokens at configured prices, and nothing where either is missing."""

from __future__ import annotations

import pytest

from ragproof.evidence import Prices, Settings
from ragproof.metrics.operational.usage_cost import METRIC
from ragproof.outputs import Usage
from ragproof.scores import Measured, Scored, Skipped
from ragproof.scoring import score
from tests.fakes.evidence import case, output

PRICED = Settings(prices=Prices(input_usd_per_mtok=0.15, output_usd_per_mtok=0.6))
NO_PRICES = "no prices are set; set prices.input_cost_per_mtok and prices.output_cost_per_mtok"

TABLE: list[tuple[str, Settings, Usage | None, Measured]] = [
    (
        "both prices",
        PRICED,
        Usage(input_tokens=2_000, output_tokens=500),
        Scored(value=(2_000 * 0.15 + 500 * 0.6) / 1_000_000),
    ),
    ("nothing was used", PRICED, Usage(input_tokens=0, output_tokens=0), Scored(value=0.0)),
    (
        "a free model costs nothing",
        Settings(prices=Prices(0.0, 0.0)),
        Usage(input_tokens=9, output_tokens=9),
        Scored(value=0.0),
    ),
    ("no price is not free", Settings(), Usage(input_tokens=9, output_tokens=9), Skipped(reason=NO_PRICES)),
    ("no usage is not nothing", PRICED, None, Skipped(reason="adapter reports no usage")),
    (
        "half a report",
        PRICED,
        Usage(input_tokens=9),
        Skipped(reason="adapter reports no output_tokens"),
    ),
]


@pytest.mark.parametrize(("why", "settings", "usage", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_tokens_at_their_prices(
    why: str, settings: Settings, usage: Usage | None, expected: Measured
) -> None:
    """In dollars."""
    assert score(METRIC, case(), output(usage=usage), settings).result == expected, why
