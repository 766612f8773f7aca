"""Money as whole picodollars (a millionth of a millionth of a dollar): sums that are exact in every order.

A price of 0.15 dollars for a million tokens is 150,000 picodollars a token. What is to be paid is rounded up
and what may be spent is rounded down, so that no sum of roundings can pass a cap.
"""

from __future__ import annotations

import math
from decimal import Decimal

PICODOLLARS = 10**12
_TOKENS_A_PRICE = 10**6


def cap_picodollars(usd: float) -> int:
    """Return what may be spent, in picodollars, rounded down; `usd` is finite and at least 0."""
    return math.floor(Decimal(repr(usd)) * PICODOLLARS)


def cost_picodollars(
    input_tokens: int, output_tokens: int, input_usd_per_mtok: float, output_usd_per_mtok: float
) -> int:
    """Return what tokens cost, in picodollars, rounded up."""
    prices = ((input_tokens, input_usd_per_mtok), (output_tokens, output_usd_per_mtok))
    total = sum(tokens * Decimal(repr(price)) for tokens, price in prices)
    return math.ceil(total * (PICODOLLARS // _TOKENS_A_PRICE))


def usd(picodollars: int) -> float:
    """Return picodollars as dollars, for people and reports."""
    return picodollars / PICODOLLARS
