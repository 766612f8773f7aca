"""Leases: who works on a run; scores of one metric found by an index.

A revision is history: it names plain column types, never those of `ragproof.store`, which may change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "lease",
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("process", sa.Integer(), nullable=True),
        sa.Column("machine", TEXT, nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_lease_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_lease")),
    )
    op.create_index(op.f("ix_score_run_id_metric"), "score", ["run_id", "metric"])
