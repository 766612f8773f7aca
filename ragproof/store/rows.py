"""What all tables have in common: our own metadata, names of constraints, and the tie to a run."""

from __future__ import annotations

from sqlalchemy import ForeignKeyConstraint, MetaData, Table
from sqlalchemy.orm import registry
from sqlmodel import SQLModel

CONVENTION = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Rows(SQLModel, registry=registry(metadata=MetaData(naming_convention=CONVENTION))):
    """Our own metadata, apart from the tables of anyone else who uses SQLModel in this process."""


def of_run() -> ForeignKeyConstraint:
    """Return what ties a row to its run: it goes when the run goes."""
    return ForeignKeyConstraint(["run_id"], ["run.id"], ondelete="CASCADE")


def table_of(row: type[Rows]) -> Table:
    """Return the table of a class of rows."""
    return Rows.metadata.tables[str(row.__tablename__)]
