"""Human labels: what people say of a run's answers.

A revision is history: it names plain column types, never those of `ragproof.store`, which may change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "label",
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("case_id", TEXT, nullable=False),
        sa.Column("metric", TEXT, nullable=False),
        sa.Column("trial", sa.Integer(), nullable=False),
        sa.Column("labeller", TEXT, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("at_random", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("value * 0 = 0", name=op.f("ck_label_value_is_finite")).ddl_if(
            dialect="postgresql"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_label_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint(
            "run_id", "case_id", "metric", "trial", "labeller", name=op.f("pk_label")
        ),
    )
