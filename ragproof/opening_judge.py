"""Opening the judge of a run: its connections, its meter, and what is refused before a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.budget import Budget, unpriced
from ragproof.errors import ConfigurationError
from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgingEnds, Verdict
from ragproof.judge.client import JudgeClient
from ragproof.judge.config import JudgeConfig
from ragproof.judge.environment import api_key
from ragproof.judge.ladder import Ladder
from ragproof.judge.run_judge import RunJudge
from ragproof.judge.run_meter import RunMeter
from ragproof.redaction import Redactor
from ragproof.store.store import Store

NO_SECRETS: Mapping[str, str] = {}


@dataclass(frozen=True)
class OpenJudge:
    """A judge ready to be asked, within its budget; it belongs to the event loop it is used in."""

    run_judge: RunJudge
    meter: RunMeter
    client: JudgeClient

    @property
    def ended(self) -> JudgingEnds | None:
        """Why nothing new is asked; None while it may be."""
        return self.meter.ended

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Ask one question; see `RunJudge.ask`."""
        return await self.run_judge.ask(call)

    def start_nothing_more(self, why: JudgingEnds) -> None:
        """Let what is under way end; a question that was answered before still has its verdict."""
        self.meter.end(why)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


def open_judge(
    judge: JudgeConfig,
    budget: Budget,
    *,
    store: Store,
    ladder: Ladder,
    environ: Mapping[str, str],
    secrets: Mapping[str, str] = NO_SECRETS,
    reuse: bool,
) -> OpenJudge:
    """Open the judge of a run; nothing is sent yet.

    Args:
        judge: which one.
        budget: the run, which is in the store, and its caps.
        store: keeps calls and what is spent.
        ladder: what is known of servers.
        environ: where the key is.
        secrets: values by name that are replaced in replies before they are kept.
        reuse: whether verdicts that other runs were given serve.

    Raises:
        ConfigurationError: the key cannot be used, or a cap is set and the judge has no price.
    """
    faults = unpriced(judge, budget)
    if faults:
        raise ConfigurationError(faults)
    meter = RunMeter(
        budget.run_id,
        judge.cost_picodollars,
        store.judge_calls,
        lambda: budget.accounts(store.clock()),
        store.judge_calls.unfinished(budget.run_id),
    )
    client = JudgeClient(
        judge,
        key=api_key(environ),
        meter=meter,
        ladder=ladder,
        redactor=Redactor(secrets, environ=environ),
    )
    asked = RunJudge(budget.run_id, judge, store.judge_calls, meter, client, reuse=reuse)
    return OpenJudge(asked, meter, client)
