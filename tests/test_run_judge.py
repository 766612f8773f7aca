"""The judge of a run: verdicts are found again, a question is asked once, and after an end none is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import pytest

from ragproof.catalogue import catalogue
from ragproof.evidence import Settings
from ragproof.judge.calls import BudgetExhausted, JudgeCall, JudgeFailure, JudgeRefused, JudgingEnds, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.group_read import GroupRead
from ragproof.judge.run_judge import RunJudge
from ragproof.judge.run_meter import RunMeter
from ragproof.judging import judge_case
from ragproof.scores import JudgeFailed
from tests.fakes.evidence import case, output
from tests.fakes.judge_questions import relevance
from tests.fakes.scripted_judge import ScriptedJudge

CONFIG = JudgeConfig(model="m")


class Kept:
    """Verdicts in memory: those of this run, and those of others."""

    def __init__(self, others: Mapping[str, Verdict] | None = None) -> None:
        self.others = dict(others or {})
        self.own: dict[str, Verdict | JudgeFailure] = {}
        self.copied: list[str] = []

    def verdicts(
        self, run_id: str, identities: Iterable[str], *, of_other_runs: bool
    ) -> Mapping[str, tuple[Verdict, bool]]:
        """Find some."""
        found: dict[str, tuple[Verdict, bool]] = {}
        for identity in identities:
            own = self.own.get(identity)
            if isinstance(own, Verdict):
                found[identity] = (own, True)
            elif of_other_runs and identity in self.others:
                found[identity] = (self.others[identity], False)
        return found

    async def end(
        self,
        run_id: str,
        call: JudgeCall,
        identity: str,
        ended: Verdict | JudgeFailure,
        *,
        copied: bool = False,
    ) -> None:
        """Keep one."""
        self.own[identity] = ended
        if copied:
            self.copied.append(identity)

    async def reserve(self, *_: object) -> None:
        """Nothing is metered here."""

    async def settle(self, *_: object) -> None:
        """Nothing is metered here."""

    def reclaim(self) -> int:
        """Nothing is metered here."""
        return 0


def judge(kept: Kept, client: ScriptedJudge, *, reuse: bool = True) -> tuple[RunJudge, RunMeter]:
    """Return the judge of a run over what is kept."""
    meter = RunMeter("run", CONFIG.cost_picodollars, kept, dict, {})
    return RunJudge("run", CONFIG, kept, meter, client, reuse=reuse), meter


def ask(run_judge: RunJudge, *calls: JudgeCall) -> list[Verdict | JudgeFailure]:
    """Ask at once."""

    async def together() -> list[Verdict | JudgeFailure]:
        return await asyncio.gather(*(run_judge.ask(call) for call in calls))

    return asyncio.run(together())


def test_two_cases_that_ask_the_same_are_one_call() -> None:
    """Each has the verdict under its own id."""
    kept, client = Kept(), ScriptedJudge()
    ended = ask(judge(kept, client)[0], relevance(case_id="q1"), relevance(case_id="q2"))
    assert [each.case_id for each in ended] == ["q1", "q2"]
    assert len(client.calls) == 1
    assert len(kept.own) == 1


def test_a_verdict_of_another_run_is_copied_and_not_paid_for() -> None:
    """Unless it is not to be used; this run's own always is."""
    call = relevance()
    identity = call.identity(CONFIG)
    (verdict,) = ask(judge(Kept(), ScriptedJudge())[0], call)
    assert isinstance(verdict, Verdict)

    kept, client = Kept({identity: verdict}), ScriptedJudge()
    assert ask(judge(kept, client)[0], call) == [verdict]
    assert (client.calls, kept.copied) == ([], [identity])

    kept, client = Kept({identity: verdict}), ScriptedJudge()
    run_judge, _ = judge(kept, client, reuse=False)
    ask(run_judge, call)
    ask(run_judge, call)
    assert (len(client.calls), kept.copied) == (1, [])


def test_a_failure_is_kept_and_asked_again() -> None:
    """No verdict comes of it for anybody."""
    kept, client = Kept(), ScriptedJudge(lambda *_: "no idea")
    for _ in range(2):
        (ended,) = ask(judge(kept, client)[0], relevance())
        assert isinstance(ended, JudgeFailure)
    assert len(client.calls) == 2


def test_a_stopped_run_is_not_said_to_have_spent_its_budget() -> None:
    """Whoever stopped it has another reason, and another status comes of it."""
    run_judge, meter = judge(Kept(), ScriptedJudge())
    meter.end(JudgingEnds("the run was stopped"))
    metric = catalogue().by_key["generation.answer_relevance"]
    settings = Settings(judge_configured=True)
    (score,) = asyncio.run(judge_case([metric], case(), output(), settings, run_judge))
    assert score.result == JudgeFailed(reason="the run was stopped")


@pytest.mark.parametrize(
    "end", [JudgeRefused("HTTP 401"), BudgetExhausted("spent")], ids=["refused", "budget"]
)
def test_after_the_end_nothing_starts_and_what_is_kept_is_found(end: JudgingEnds) -> None:
    """The first reason stays."""
    kept, client = Kept(), ScriptedJudge()
    run_judge, _ = judge(kept, client)
    ask(run_judge, relevance("known"))
    ending, meter = judge(kept, ScriptedJudge(lambda *_: end))
    with pytest.raises(type(end)):
        ask(ending, relevance("new"))
    meter.end(BudgetExhausted("later"))
    assert ending.ended is end
    with pytest.raises(type(end), match=str(end)):
        ask(ending, relevance("another"))
    assert isinstance(ask(ending, relevance("known"))[0], Verdict)


def test_a_crowd_of_questions_is_looked_up_in_few_reads() -> None:
    """Those that come while a read is under way are in the next; what reading raises reaches all who wait."""
    reads: list[list[str]] = []

    def read(keys: Sequence[str]) -> Mapping[str, str]:
        reads.append(list(keys))
        if "bad" in keys:
            raise ValueError("cannot be read")
        return {key: key.upper() for key in keys if key != "none"}

    async def crowd() -> list[str | BaseException | None]:
        found = GroupRead(read)
        first = await asyncio.gather(*(found.get(f"k{n % 10}") for n in range(100)), found.get("none"))
        last = await asyncio.gather(found.get("bad"), found.get("bad"), return_exceptions=True)
        return [*first, *last]

    *values, none, one, other = asyncio.run(crowd())
    assert values == [f"K{n % 10}" for n in range(100)]
    assert none is None
    assert isinstance(one, ValueError)
    assert isinstance(other, ValueError)
    assert len(reads) == 2
    assert len(reads[0]) == len(set(reads[0]))
