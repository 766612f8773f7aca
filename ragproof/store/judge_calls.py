"""The judge's side of the ledger: requests reserved and settled under caps, verdicts kept and found again.

A verdict belongs to the run and the case it was given for, and is copied into every run that asks the same:
erasing a person's cases or pruning a run takes nothing from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, select
from sqlalchemy import func as sql

from ragproof.errors import StoreError
from ragproof.judge.calls import JudgeCall, JudgeFailure, Verdict
from ragproof.judge.metering import Answer, Attempt, Basis, Spent
from ragproof.ledger import Call, CallKind, CallState
from ragproof.money import usd
from ragproof.runs import Spend
from ragproof.store.accounts import Balance, Caps, balances
from ragproof.store.attempt_statements import Move, forsaken, lose, make, tidy
from ragproof.store.call_statements import UNSETTLED, Step, portions
from ragproof.store.columns import to_json
from ragproof.store.cost_tables import ATTEMPT
from ragproof.store.database import Database
from ragproof.store.group_commit import Change, GroupCommit
from ragproof.store.leases import Leases
from ragproof.store.outages import outlasting
from ragproof.store.tables import CALL


class JudgeCalls:
    """The attempt and account tables, and the judge's rows of the call table."""

    def __init__(self, database: Database, leases: Leases, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock
        self._commits: GroupCommit[Move] = GroupCommit(database, self._take)

    @outlasting
    def verdicts(
        self, run_id: str, identities: Iterable[str], *, of_other_runs: bool
    ) -> dict[str, tuple[Verdict, bool]]:
        """Find the verdicts on questions.

        Args:
            run_id: the run that asks.
            identities: of the questions.
            of_other_runs: whether a verdict that another run was given serves too; the latest does.

        Returns:
            By identity, the verdict as it was kept, and whether this run has it already. A failure is none:
            it is asked again.
        """
        query = select(CALL.c.identity, CALL.c.run_id, CALL.c.output).where(
            CALL.c.kind == CallKind.JUDGE.value, CALL.c.state == CallState.SETTLED.value
        )
        if not of_other_runs:
            query = query.where(CALL.c.run_id == run_id)
        query = query.order_by(CALL.c.run_id == run_id, CALL.c.ended_at)
        found: dict[str, tuple[object, bool]] = {}
        with self._database.read() as connection:
            for part in portions(identities):
                for row in connection.execute(query.where(CALL.c.identity.in_(part))):
                    found[row.identity] = (row.output, row.run_id == run_id)
        return {identity: (Verdict.model_validate(kept), own) for identity, (kept, own) in found.items()}

    @outlasting
    def unfinished(self, run_id: str) -> dict[tuple[str, str], Answer]:
        """Read the replies to calls that had not ended when their process did, by call and request."""
        query = (
            select(ATTEMPT.c.identity, ATTEMPT.c.request, ATTEMPT.c.answer)
            .join(CALL, (CALL.c.run_id == ATTEMPT.c.run_id) & (CALL.c.identity == ATTEMPT.c.identity))
            .where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.answer.is_not(None), UNSETTLED)
        )
        with self._database.read() as connection:
            return {
                (row.identity, row.request): Answer.model_validate(row.answer)
                for row in connection.execute(query)
            }

    async def reserve(
        self,
        run_id: str,
        id: str,
        attempt: Attempt,
        amount: int,
        caps: Caps,
        kind: CallKind = CallKind.JUDGE,
    ) -> None:
        """Set an amount aside under every cap and commit that a request is about to leave.

        Args:
            run_id: the run that asks.
            id: new for each request; reserving it twice is reserving it once.
            attempt: the request.
            amount: the most it can cost, in picodollars; 0 for a judge without a price.
            caps: the accounts to set it aside in, with their caps.
            kind: whom it goes to; a call to the pipeline is planned and sent by `Calls`, and only paid here.

        Raises:
            NoRoom: it does not fit beside what is under way.
            NeverFits: too much is spent.
            StoreError: another process has the run, or the database cannot be written.
        """
        now = self._clock()
        call = Call(run_id=run_id, kind=CallKind.JUDGE, identity=attempt.call, case_id=attempt.case_id)
        row = {
            "of_run": run_id,
            "caps": caps,
            "call": None
            if kind is CallKind.PIPELINE
            else {**_row(call, now), "state": CallState.SENT.value, "attempts": 1, "sent_at": now},
            "attempt": {
                "id": id,
                "run_id": run_id,
                "kind": kind.value,
                "identity": attempt.call,
                "case_id": attempt.case_id,
                "request": attempt.request,
                "number": attempt.number,
                "stage": attempt.stage.value,
                "state": "sent",
                "reserved": amount,
                "spent": None,
                "input_tokens": attempt.worst_case.input,
                "output_tokens": attempt.worst_case.output,
                "basis": Basis.WORST_CASE.value,
                "sent_at": now,
                "ended_at": None,
                "accounts": sorted(caps),
                "served": None,
                "answer": None,
            },
        }
        await self._commits.commit(Change(Move.RESERVE, row))

    async def settle(self, run_id: str, id: str, spent: Spent, charged: int, answer: Answer | None) -> None:
        """Commit what a request used, and its reply; one that was given up for lost stays charged as it was.

        Raises:
            StoreError: another process has the run, or the database cannot be written.
        """
        row = {
            "of_run": run_id,
            "of_attempt": id,
            "charged": charged,
            "input": spent.tokens.input,
            "output": spent.tokens.output,
            "on_basis": spent.basis.value,
            "at": self._clock(),
            "model": None if answer is None else answer.model,
            "reply": None if answer is None else answer.model_dump(mode="json"),
        }
        await self._commits.commit(Change(Move.SETTLE, row))

    async def end(
        self,
        run_id: str,
        call: JudgeCall,
        identity: str,
        ended: Verdict | JudgeFailure,
        *,
        copied: bool = False,
    ) -> None:
        """Commit how a call ended; a verdict is never asked for again, a failure is when the run is resumed.

        Args:
            run_id: the run that asked.
            call: the question.
            identity: its identity.
            ended: how it ended.
            copied: the verdict is another run's, and nothing was sent in this one.

        Raises:
            StoreError: another process has the run, or the database cannot be written.
        """
        now = self._clock()
        planned = Call(
            run_id=run_id, kind=CallKind.JUDGE, identity=identity, case_id=call.case_id, trial=call.repeat
        )
        row = {
            "of_run": run_id,
            "copied": _row(planned, now) if copied else None,
            "step": Step.SETTLED if isinstance(ended, Verdict) else Step.FAILED,
            "end": {
                "of_run": run_id,
                "of_call": identity,
                "at": now,
                "latency": None,
                "reply": to_json(ended.model_dump(mode="json")),
            },
        }
        await self._commits.commit(Change(Move.END, row))

    @outlasting
    def lose(self, run_id: str) -> int:
        """Charge at its worst case what a run had under way when it stopped; return how many requests.

        Replies that their verdicts hold are let go of.
        """
        with self._database.write() as connection:
            self._leases.check(connection, [run_id])
            tidy(connection, run_id)
            return lose(connection, [run_id], self._clock())

    @outlasting
    def reclaim(self) -> int:
        """The same for every run that nobody works on any more: what it set aside would wait for ever."""
        with self._database.write() as connection:
            runs = forsaken(connection, self._clock())
            return lose(connection, runs, self._clock()) if runs else 0

    @outlasting
    def balance(self, name: str) -> Balance:
        """Read an account, in picodollars."""
        with self._database.read() as connection:
            return balances(connection, [name])[name]

    @outlasting
    def spend(self, run_id: str, *, priced: bool = True, kind: CallKind = CallKind.JUDGE) -> Spend:
        """Sum up what a run spent on its judge, requests given up for lost included.

        Args:
            run_id: the run; one that is not there spent nothing.
            priced: False when the judge has no price, and the cost is not known.
            kind: `pipeline` sums up what the pipeline's own calls cost, where the budget includes them.
        """
        query = select(
            sql.count(),
            sql.coalesce(sql.sum(ATTEMPT.c.spent), 0),
            sql.coalesce(sql.sum(ATTEMPT.c.input_tokens), 0),
            sql.coalesce(sql.sum(ATTEMPT.c.output_tokens), 0),
        ).where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.kind == kind.value, ATTEMPT.c.state != "sent")
        with self._database.read() as connection:
            calls, spent, input_tokens, output_tokens = connection.execute(query).one()
        return Spend(
            eval_cost_usd=usd(int(spent)) if priced or not calls else None,
            eval_llm_calls=calls,
            eval_input_tokens=int(input_tokens),
            eval_output_tokens=int(output_tokens),
        )

    @outlasting
    def served(self, run_id: str) -> tuple[str, ...]:
        """Read what servers called the models that replied in a run, by name."""
        query = select(ATTEMPT.c.served).distinct().where(ATTEMPT.c.run_id == run_id)
        with self._database.read() as connection:
            return tuple(sorted(served for served in connection.scalars(query) if served is not None))

    @outlasting
    def bases(self, run_id: str) -> dict[Basis, int]:
        """Count a run's requests that have ended by where their numbers of tokens come from."""
        query = (
            select(ATTEMPT.c.basis, sql.count())
            .where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.kind == CallKind.JUDGE.value)
            .where(ATTEMPT.c.state != "sent")
            .group_by(ATTEMPT.c.basis)
        )
        with self._database.read() as connection:
            found = {Basis(basis): count for basis, count in connection.execute(query)}
        return {basis: found[basis] for basis in Basis if basis in found}

    @outlasting
    def cases(self, run_id: str) -> int:
        """Count the cases that a run has asked its judge about."""
        query = select(sql.count(ATTEMPT.c.case_id.distinct())).where(
            ATTEMPT.c.run_id == run_id, ATTEMPT.c.kind == CallKind.JUDGE.value
        )
        with self._database.read() as connection:
            return connection.scalar(query) or 0

    def close(self) -> None:
        """Commit what was asked for so far, and take no more."""
        self._commits.close()

    def _take(self, connection: Connection, changes: Sequence[Change[Move]]) -> Mapping[int, StoreError]:
        lost = self._leases.lost(connection, [str(change.row["of_run"]) for change in changes])
        return lost | make(connection, changes, [at for at in range(len(changes)) if at not in lost])


def _row(call: Call, at: datetime) -> dict[str, object]:
    return {
        **call.model_dump(),
        "state": CallState.RESERVED.value,
        "attempts": 0,
        "uncertain_attempts": 0,
        "reserved_at": at,
        "sent_at": None,
    }
