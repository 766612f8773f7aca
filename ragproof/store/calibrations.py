"""Calibrations in the store: how well a judge agreed with people, each time it was tried."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import select

from ragproof.judge.calibration.calibration import Calibration
from ragproof.store.cost_tables import CALIBRATION
from ragproof.store.database import Database
from ragproof.store.outages import outlasting


class Calibrations:
    """The calibration table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, found: Calibration) -> None:
        """Keep a calibration.

        Raises:
            StoreError: the database cannot be written.
        """
        row = {
            "id": uuid4().hex,
            "judge": found.judge.identity,
            "made_at": found.at,
            "content": found.model_dump(mode="json"),
        }
        with self._database.write() as connection:
            connection.execute(CALIBRATION.insert(), row)

    @outlasting
    def latest(self, judge: str) -> Calibration | None:
        """Return the last calibration of a judge, by its identity; None when it was never calibrated."""
        query = select(CALIBRATION.c.content).where(CALIBRATION.c.judge == judge)
        with self._database.read() as connection:
            content = connection.scalar(query.order_by(CALIBRATION.c.made_at.desc()).limit(1))
        return None if content is None else Calibration.model_validate(content)
