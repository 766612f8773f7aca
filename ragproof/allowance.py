"""What calls to the pipeline under test may cost, where the budget includes them.

What one call will cost is not known before it: `budget.pipeline_call_usd` says the most it can, which is set
aside before the call and settled at the tokens the pipeline reports, at `prices`. A call that reports none,
or fails, is charged at that most, for it may have cost it.
"""

from __future__ import annotations

from typing import Protocol

from ragproof.judge.metering import Attempt, Basis, Spent, Stage, Tokens
from ragproof.judge.run_meter import RunMeter
from ragproof.ledger import Call
from ragproof.outputs import Outcome, PipelineOutput


class Allowance(Protocol):
    """Lets calls to the pipeline through as long as they fit."""

    async def reserve(self, call: Call) -> str:
        """Set the most it can cost aside.

        Raises:
            BudgetExhausted: it does not fit any more.
        """
        ...

    async def settle(self, reservation: str, outcome: Outcome) -> None:
        """Charge what it cost.

        Raises:
            Overbilled: that is more than the most it could.
        """
        ...


class MeteredAllowance:
    """An allowance over the run's meter."""

    def __init__(self, meter: RunMeter, most: int) -> None:
        """Bind to a run.

        Args:
            meter: of the run's calls to its pipeline; it has their price.
            most: what one call can cost at most, in picodollars.
        """
        self._meter = meter
        self._most = most

    async def reserve(self, call: Call) -> str:
        """Set the most aside; see `Allowance`."""
        attempt = Attempt(
            case_id=call.case_id,
            call=call.identity,
            request=call.identity,
            number=1,
            stage=Stage.FIRST,
            worst_case=Tokens(),
        )
        return await self._meter.reserve(attempt, self._most)

    async def settle(self, reservation: str, outcome: Outcome) -> None:
        """Charge the tokens that were reported; see `Allowance`."""
        usage = outcome.usage if isinstance(outcome, PipelineOutput) else None
        if usage is None or usage.input_tokens is None or usage.output_tokens is None:
            spent = Spent(tokens=Tokens(), basis=Basis.WORST_CASE)
        else:
            tokens = Tokens(input=usage.input_tokens, output=usage.output_tokens)
            spent = Spent(tokens=tokens, basis=Basis.REPORTED)
        await self._meter.settle(reservation, spent, None)
