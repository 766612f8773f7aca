"""The call ledger in the store: every call's state, committed before the run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, select
from sqlalchemy import func as sql

from ragproof.errors import StoreError
from ragproof.ledger import Call, CallKind, CallState
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput
from ragproof.store.call_statements import AGAIN, LOST, Step, key_of, portions, standing, take, where
from ragproof.store.columns import to_json
from ragproof.store.database import Database
from ragproof.store.group_commit import Change, GroupCommit
from ragproof.store.leases import Leases
from ragproof.store.outages import outlasting
from ragproof.store.tables import CALL
from ragproof.store.upserts import insert_new


class Calls:
    """The call table, as `ragproof.ledger.Ledger`."""

    def __init__(self, database: Database, leases: Leases, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock
        self._commits: GroupCommit[Step] = GroupCommit(database, self._take)

    @outlasting
    def reserve(self, calls: Sequence[Call]) -> Mapping[str, Outcome]:
        """Plan calls in one transaction; return the outcomes of those already settled, by identity.

        Args:
            calls: new and known ones; empty does nothing.

        Returns:
            The kept outputs. Every call that is not among them is to be sent: those found failed are reserved
            again, those found `sent` are now `uncertain`.

        Raises:
            StoreError: a call's run is not in the store, or the database cannot be written.
        """
        asked = {key_of(call): call for call in sorted(calls, key=key_of)}  # two who lock rows in one order
        if not asked:
            return {}
        with self._database.write() as connection:
            self._leases.check(connection, {call.run_id for call in calls})
            known = standing(connection, asked)
            new = [_row(call, self._clock()) for key, call in asked.items() if key not in known]
            if new:
                connection.execute(insert_new(CALL, self._database.dialect), new)
            for state, statement in ((CallState.SENT, LOST), (CallState.FAILED, AGAIN)):
                found = [where(key) for key, row in known.items() if row.state == state]
                if found:
                    connection.execute(statement, found)
        settled = (row for row in known.values() if row.state == CallState.SETTLED)
        return {row.identity: PipelineOutput.model_validate(row.output) for row in settled}

    async def sent(self, call: Call) -> None:
        """Commit that the call is about to leave; counts one attempt.

        Raises:
            StoreError: the call was never reserved or is settled by now, or the database cannot be written.
        """
        await self._commits.commit(Change(Step.SENT, {**where(key_of(call)), "at": self._clock()}))

    async def settle(self, call: Call, output: PipelineOutput) -> None:
        """Commit the reply. The first reply to a call stays, whatever comes after it.

        Raises:
            StoreError: the call was never reserved, or the database cannot be written.
        """
        await self._end(call, Step.SETTLED, output)

    async def fail(self, call: Call, failure: CaseFailure) -> None:
        """Commit the failure, unless a reply has been kept.

        Raises:
            StoreError: the call was never reserved, or the database cannot be written.
        """
        await self._end(call, Step.FAILED, failure)

    def outcomes(
        self, run_id: str, case_ids: Iterable[str] | None = None, trial: int = 0
    ) -> dict[str, Outcome]:
        """Read how the calls to the pipeline ended.

        Args:
            run_id: the run; one that is not there has none.
            case_ids: whose; None is every case of the run.
            trial: the repeat, 0 for the first.

        Returns:
            An outcome by case id, in the order of ids, for those whose call has ended; the latest of several.
        """
        ended = (*_ended(run_id), CALL.c.trial == trial)
        query = select(CALL.c.case_id, CALL.c.output, CALL.c.failure).where(*ended)
        if case_ids is None:
            return self._outcomes([query])
        return self._outcomes([query.where(CALL.c.case_id.in_(ids)) for ids in portions(case_ids)])

    @outlasting
    def failures(self, run_id: str) -> tuple[CaseFailure, ...]:
        """Read the calls to the pipeline that ended without an output; no output is read on the way.

        Args:
            run_id: the run; one that is not there has none.

        Returns:
            Failures in the order of case ids, the first trial's of each case; none of a trial that was
            answered later.
        """
        failed = select(CALL.c.case_id).where(*_ended(run_id), CALL.c.state == CallState.FAILED.value)
        query = (
            select(CALL.c.case_id, CALL.c.trial, CALL.c.failure)
            .where(*_ended(run_id), CALL.c.case_id.in_(failed))
            .order_by(CALL.c.case_id, CALL.c.trial.desc(), CALL.c.ended_at)
        )
        with self._database.read() as connection:
            latest = {(row.case_id, row.trial): row.failure for row in connection.execute(query)}
        first = {case_id: failure for (case_id, _), failure in latest.items() if failure}
        return tuple(CaseFailure.model_validate(failure) for failure in first.values())

    @outlasting
    def answered(self, run_id: str, trials: int) -> int:
        """Count the cases that the pipeline answered in every one of `trials` trials."""
        settled = (
            select(CALL.c.case_id)
            .where(
                CALL.c.run_id == run_id,
                CALL.c.kind == CallKind.PIPELINE.value,
                CALL.c.state == CallState.SETTLED.value,
            )
            .group_by(CALL.c.case_id)
            .having(sql.count(CALL.c.trial.distinct()) >= trials)
        )
        with self._database.read() as connection:
            return connection.scalar(select(sql.count()).select_from(settled.subquery())) or 0

    @outlasting
    def progress(self, run_id: str, kind: CallKind = CallKind.PIPELINE) -> dict[CallState, int]:
        """Count a run's calls by state, from an index alone; states without calls are absent."""
        query = (
            select(CALL.c.state, sql.count())
            .where(CALL.c.run_id == run_id, CALL.c.kind == kind.value)
            .group_by(CALL.c.state)
        )
        with self._database.read() as connection:
            return {CallState(state): count for state, count in connection.execute(query)}

    @outlasting
    def uncertain(self, run_id: str) -> tuple[Call, ...]:
        """Read the calls that may have been made without their reply being kept, by case id.

        A call stays among them after it was asked again: the pipeline may have been called once more than
        the run shows.
        """
        query = (
            select(CALL.c.run_id, CALL.c.kind, CALL.c.identity, CALL.c.case_id, CALL.c.trial)
            .where(CALL.c.run_id == run_id, CALL.c.uncertain_attempts > 0)
            .order_by(CALL.c.case_id, CALL.c.trial)
        )
        with self._database.read() as connection:
            return tuple(Call.model_validate(dict(row._mapping)) for row in connection.execute(query))

    def close(self) -> None:
        """Commit what was asked for so far, and take no more."""
        self._commits.close()

    @outlasting
    def _outcomes(self, queries: Sequence[Select[Any]]) -> dict[str, Outcome]:
        with self._database.read() as connection:
            return {
                row.case_id: _outcome(row)
                for query in queries
                for row in connection.execute(query.order_by(CALL.c.case_id, CALL.c.ended_at))
            }

    def _take(self, connection: Connection, changes: Sequence[Change[Step]]) -> Mapping[int, StoreError]:
        """Take what this process may still write; calls of a run that was taken over are refused."""
        lost = self._leases.lost(connection, [str(change.row["of_run"]) for change in changes])
        mine = [at for at in range(len(changes)) if at not in lost]
        faults = take(connection, [changes[at] for at in mine])
        return lost | {mine[at]: fault for at, fault in faults.items()}

    async def _end(self, call: Call, step: Step, outcome: Outcome) -> None:
        row = {
            **where(key_of(call)),
            "at": self._clock(),
            "latency": outcome.latency_ms,
            "reply": to_json(outcome.model_dump()),
        }
        await self._commits.commit(Change(step, row))


def _row(call: Call, at: datetime) -> dict[str, object]:
    return {
        **call.model_dump(),
        "state": CallState.RESERVED.value,
        "attempts": 0,
        "uncertain_attempts": 0,
        "reserved_at": at,
    }


def _ended(run_id: str) -> tuple[ColumnElement[bool], ...]:
    """Which calls to the pipeline have ended."""
    return (
        CALL.c.run_id == run_id,
        CALL.c.kind == CallKind.PIPELINE.value,
        CALL.c.state.in_([CallState.SETTLED.value, CallState.FAILED.value]),
    )


def _outcome(row: Row[*tuple[Any, ...]]) -> Outcome:
    return (
        PipelineOutput.model_validate(row.output) if row.output else CaseFailure.model_validate(row.failure)
    )
