"""A label as it serves a run: of one of its answers, whoever's answer it was given to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Served:
    """One person's verdict on an answer of a run.

    Attributes:
        case_id: whose answer, as the run calls the case.
        trial: which of its answers, from 0.
        labeller: who gave it; empty is nobody named.
        value: the verdict.
        at_random: whether its case was drawn at random from the run's.
        given_to: the other run to whose answer, the very same, it was given; None where it is the run's own.
    """

    case_id: str
    trial: int
    labeller: str
    value: float
    at_random: bool
    given_to: str | None = None


Serving = Mapping[str, tuple[Served, ...]]
"""The labels that serve a run, by metric; a metric without any is absent."""
