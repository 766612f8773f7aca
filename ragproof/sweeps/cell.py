"""Where a run stands in a sweep: the levels of its factors, and the cap that all its cells share."""

from __future__ import annotations

from ragproof.frozen import Frozen


class Cell(Frozen):
    """One combination of levels."""

    sweep: str
    """The sweep's id, the same in all its cells."""
    sweep_name: str
    factors: dict[str, str]
    """The name of the level by factor, in the order of the file."""
    max_cost_usd: float | None = None
    """Dollars that the judge of all cells together may cost; None is no cap."""

    @property
    def name(self) -> str:
        """What people call it: `reranker=true, retriever=bm25`."""
        return ", ".join(f"{factor}={level}" for factor, level in self.factors.items())
