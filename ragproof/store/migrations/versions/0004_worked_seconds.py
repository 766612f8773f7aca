"""How long a run was worked on, which its first start and its last end no longer tell once it was resumed.

A revision is history: it names plain column types, never those of `ragproof.store`, which may change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SECONDS_BETWEEN = {
    "sqlite": "(julianday(finished_at) - julianday(started_at)) * 86400",
    "postgresql": "extract(epoch FROM finished_at - started_at)",
}


def upgrade() -> None:
    dialect = op.get_context().dialect.name
    # SQLite would write the columns behind the constraints, where no table of ours has one
    with op.batch_alter_table("run", recreate="always" if dialect == "sqlite" else "auto") as run:
        run.add_column(sa.Column("worked_seconds", sa.Float(), nullable=False, server_default="0"))
        run.add_column(sa.Column("working_since", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        f"UPDATE run SET worked_seconds = {SECONDS_BETWEEN[dialect]}"  # noqa: S608 - from the lines above
        " WHERE finished_at > started_at"
    )
    op.execute("UPDATE run SET working_since = started_at WHERE finished_at IS NULL")
