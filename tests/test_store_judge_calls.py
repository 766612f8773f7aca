"""The judge's ledger: every request is reserved, settled and charged once, whatever dies in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from ragproof.budget import Budget, NeverFits, NoRoom, budget_of
from ragproof.errors import ConfigurationError
from ragproof.holders import Holder, this_process
from ragproof.judge.calls import JudgeFailure, JudgeFailureKind, Transcript, Verdict
from ragproof.judge.metering import Answer, Attempt, Basis, Spent, Stage, Tokens
from ragproof.ledger import CallKind, CallState
from ragproof.store.archiving import lines
from ragproof.store.erasable import Wanted
from ragproof.store.erasing import erase
from ragproof.store.leases import LeaseLost
from ragproof.store.opening import open_store
from ragproof.store.pruning import plan, prune
from ragproof.store.store import Store
from tests.fakes.databases import KINDS, execute, store_url
from tests.fakes.judge_questions import relevance
from tests.fakes.stores import started

CALL = relevance()
TRANSCRIPT = Transcript(
    prompt="p", prompt_hash="h", model="m", base_url="http://j", replies=('{"rating": 2}',)
)
VERDICT = Verdict(case_id="q1", value=2, quotes=("",), transcript=TRANSCRIPT)
FAILURE = JudgeFailure(
    case_id="q1", kind=JudgeFailureKind.INVALID_REPLY, message="quoting q1's words", transcript=TRANSCRIPT
)
ATTEMPT = Attempt(
    case_id="q1",
    call="call-1",
    request="request-1",
    number=1,
    stage=Stage.FIRST,
    worst_case=Tokens(input=100, output=50),
)
Caps = dict[str, int | None]
MUCH: Caps = {"run:r": 10**15}


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty store's address, on each database."""
    with store_url(request.param) as found:
        yield found


def reserve(store: Store, run: str, id: str, amount: int = 100, caps: Caps = MUCH) -> None:
    """Reserve one request."""
    asyncio.run(store.judge_calls.reserve(run, id, ATTEMPT, amount, caps))


def settle(store: Store, run: str, id: str, charged: int = 60, answer: str | None = "ok") -> None:
    """Settle it."""
    spent = Spent(tokens=Tokens(input=40, output=20), basis=Basis.REPORTED)
    reply = None if answer is None else Answer(text=answer)
    asyncio.run(store.judge_calls.settle(run, id, spent, charged, reply))


def verdict(store: Store, run: str, identity: str, *, of_other_runs: bool) -> tuple[Verdict, bool] | None:
    """Look one up."""
    return store.judge_calls.verdicts(run, [identity], of_other_runs=of_other_runs).get(identity)


def end(store: Store, run: str, ended: Verdict | JudgeFailure, *, copied: bool = False) -> None:
    """End its call."""
    asyncio.run(store.judge_calls.end(run, CALL, "call-1", ended, copied=copied))


def test_an_amount_moves_from_reserved_to_spent_once(url: str) -> None:
    """However often the same reservation or settlement is made: a broken commit is made again."""
    with open_store(url) as store:
        run = started(store)
        for _ in range(2):
            reserve(store, run, "a")
        balance = store.judge_calls.balance("run:r")
        assert (balance.spent, balance.reserved) == (0, 100)
        for _ in range(2):
            settle(store, run, "a")
        balance = store.judge_calls.balance("run:r")
        assert (balance.spent, balance.reserved) == (60, 0)
        assert store.judge_calls.spend(run).model_dump() == {
            "eval_cost_usd": 60 / 10**12,
            "eval_llm_calls": 1,
            "eval_input_tokens": 40,
            "eval_output_tokens": 20,
        }


def test_what_does_not_fit_waits_and_what_never_will_is_refused(url: str) -> None:
    """Under every account at once: nothing is set aside in one when another is full."""
    with open_store(url) as store:
        run = started(store)
        caps: Caps = {"run:r": 320, "month:2026-11": None, "project:p": 220}
        reserve(store, run, "a", 100, caps)
        reserve(store, run, "b", 100, caps)
        with pytest.raises(NoRoom):
            reserve(store, run, "c", 100, caps)
        assert store.judge_calls.balance("run:r").reserved == 200
        settle(store, run, "a", charged=10)
        reserve(store, run, "c", 100, caps)
        settle(store, run, "b", charged=100)
        settle(store, run, "c", charged=100)
        with pytest.raises(NeverFits, match="the cost cap of project 'p' is"):
            reserve(store, run, "d", 100, caps)
        assert store.judge_calls.balance("month:2026-11").spent == 210


def test_a_kept_reply_outlives_the_process_until_its_call_has_ended(url: str) -> None:
    """So that a crash between the reply and its verdict pays for nothing again."""
    with open_store(url) as store:
        run = started(store)
        reserve(store, run, "a")
        settle(store, run, "a", answer="the reply")
    with open_store(url) as store:
        assert store.judge_calls.lose(run) == 0
        assert store.judge_calls.unfinished(run) == {("call-1", "request-1"): Answer(text="the reply")}
        end(store, run, VERDICT)
        assert store.judge_calls.unfinished(run) == {}
        assert verdict(store, run, "call-1", of_other_runs=False) == (VERDICT, True)


def test_what_was_under_way_at_a_crash_is_charged_at_its_worst_and_listed(url: str) -> None:
    """And the late word of the dead changes nothing."""
    with open_store(url) as store:
        run = started(store)
        reserve(store, run, "a")
        assert store.judge_calls.lose(run) == 1
        balance = store.judge_calls.balance("run:r")
        assert (balance.spent, balance.reserved) == (100, 0)
        assert [call.case_id for call in store.calls.uncertain(run)] == ["q1"]
        assert store.judge_calls.spend(run).eval_input_tokens == 100
        settle(store, run, "a", charged=1)
        assert store.judge_calls.balance("run:r").spent == 100
        reserve(store, run, "b")
        settle(store, run, "b")
        end(store, run, VERDICT)
        assert store.calls.progress(run, CallKind.JUDGE) == {CallState.SETTLED: 1}
        assert [call.case_id for call in store.calls.uncertain(run)] == ["q1"]


def test_where_numbers_of_tokens_come_from_is_counted(url: str) -> None:
    """A provider that reports nothing, and one whose reply was lost, are told from one that reports."""
    with open_store(url) as store:
        run = started(store)
        for id, basis in (("a", Basis.REPORTED), ("b", Basis.REPORTED), ("c", Basis.ESTIMATED)):
            reserve(store, run, id)
            spent = Spent(tokens=Tokens(input=1, output=1), basis=basis)
            asyncio.run(store.judge_calls.settle(run, id, spent, 1, None))
        reserve(store, run, "lost")
        assert store.judge_calls.bases(run) == {Basis.REPORTED: 2, Basis.ESTIMATED: 1}
        store.judge_calls.lose(run)
        assert store.judge_calls.bases(run)[Basis.WORST_CASE] == 1


def test_only_runs_that_nobody_holds_are_reclaimed(url: str) -> None:
    """Their share of a common cap would be held back for ever."""
    with open_store(url) as store:
        mine, dead = started(store), started(store)
        store.leases.acquire(mine, this_process())
        store.leases.acquire(dead, Holder(process=1, machine="elsewhere"), seconds=-1)
        reserve(store, mine, "a")
        with open_store(url) as other:
            reserve(other, dead, "b")
        assert store.judge_calls.reclaim() == 1
        balance = store.judge_calls.balance("run:r")
        assert (balance.spent, balance.reserved) == (100, 100)


def test_a_process_that_lost_its_run_spends_no_more(url: str) -> None:
    """The fence is checked in the same transaction."""
    with open_store(url) as store, open_store(url) as other:
        run = started(store)
        store.leases.acquire(run, this_process(), seconds=-1)
        other.leases.acquire(run, Holder(process=1, machine="elsewhere"))
        with pytest.raises(LeaseLost):
            reserve(store, run, "a")
        assert store.judge_calls.balance("run:r").reserved == 0


def test_a_verdict_serves_every_run_and_a_failure_none(url: str) -> None:
    """A copy in each run, so that none loses what another gives up."""
    with open_store(url) as store:
        first, second = started(store), started(store)
        reserve(store, first, "a")
        end(store, first, FAILURE)
        assert verdict(store, second, "call-1", of_other_runs=True) is None
        end(store, first, VERDICT)
        assert verdict(store, second, "call-1", of_other_runs=False) is None
        assert verdict(store, second, "call-1", of_other_runs=True) == (VERDICT, False)
        end(store, second, VERDICT, copied=True)
        execute(url, f"DELETE FROM run WHERE id = '{first}'")
        assert verdict(store, second, "call-1", of_other_runs=True) == (VERDICT, True)


def test_a_pruned_run_gives_back_what_it_had_set_aside_and_nothing_it_spent(url: str) -> None:
    """The project's account stays true."""
    with open_store(url) as store:
        run = started(store)
        reserve(store, run, "a", 100, {f"run:{run}": None, "project:p": None})
        execute(url, f"UPDATE run SET status = 'interrupted' WHERE id = '{run}'")
        later = datetime(2030, 1, 1, tzinfo=UTC)
        assert prune(store, plan(store, later)).runs == (run,)
        balance = store.judge_calls.balance("project:p")
        assert (balance.spent, balance.reserved) == (100, 0)
        assert execute(url, "SELECT name FROM account") == [("project:p",)]


def test_an_erased_case_leaves_what_it_cost_and_no_word_of_it(url: str) -> None:
    """Neither its id nor a reply nor the reason of a judge error."""
    with open_store(url) as store:
        run = started(store)
        reserve(store, run, "a")
        settle(store, run, "a", answer="words of q1")
        end(store, run, FAILURE)
        erase(store, Wanted(case_id="q1"))
        assert store.judge_calls.spend(run).eval_llm_calls == 1
        rows = execute(url, "SELECT * FROM attempt") + execute(url, "SELECT * FROM call")
        assert "q1" not in str(rows)


def test_an_archive_holds_every_request(url: str) -> None:
    """With what it was charged."""
    with open_store(url) as store:
        run = started(store)
        reserve(store, run, "a")
        settle(store, run, "a")
        written = [json.loads(line) for line in lines(store, store.runs.get(run))]
    (request,) = [line for line in written if line["type"] == "attempt"]
    assert (request["spent"], request["state"]) == (60, "settled")


CAPS = [
    # why, configured dollars, environment, the run's cap in picodollars
    ("none", None, {}, None),
    ("the configured one", 1.5, {}, 1_500_000_000_000),
    ("a lower ceiling", 1.5, {"RAGPROOF_MAX_COST_USD_CEILING": "0.25"}, 250_000_000_000),
    ("a higher ceiling", 1.5, {"RAGPROOF_MAX_COST_USD_CEILING": "9"}, 1_500_000_000_000),
    ("a ceiling alone", None, {"RAGPROOF_MAX_COST_USD_CEILING": "9"}, 9_000_000_000_000),
    ("an empty variable", None, {"RAGPROOF_MAX_COST_USD_CEILING": ""}, None),
    ("exactly, as it is written", 0.1, {}, 100_000_000_000),
]


@pytest.mark.parametrize(("why", "dollars", "environ", "cap"), CAPS, ids=[row[0] for row in CAPS])
def test_the_lowest_cap_counts(
    why: str, dollars: float | None, environ: dict[str, str], cap: int | None
) -> None:
    """A ceiling is the machine's, and cannot be raised by a configuration."""
    budget = budget_of("r", "p", dollars, environ)
    assert (budget.run_cap, budget.is_capped) == (cap, cap is not None), why


def test_ceilings_that_are_no_amounts_are_all_told() -> None:
    """A typing error must not lift a ceiling."""
    environ = {"RAGPROOF_MAX_COST_USD_CEILING": "nan", "RAGPROOF_MONTH_COST_USD_CEILING": "ten"}
    with pytest.raises(ConfigurationError) as error:
        budget_of("r", "p", None, environ)
    assert len(error.value.faults) == 2


def test_a_month_is_counted_by_the_clock_in_utc() -> None:
    """The account of the moment in which a call is made."""
    budget = Budget(run_id="r", project="p", month_cap=5)
    assert budget.accounts(datetime(2026, 11, 30, 23, 59, tzinfo=UTC)) == {
        "run:r": None,
        "project:p": None,
        "month:2026-11": 5,
    }
