"""The judge: each request to it, what is spent under each cap, and how well it agreed with people.

A revision is history: it names plain column types, never those of `ragproof.store`, which may change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("case_id", TEXT, nullable=False),
        sa.Column("request", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reserved", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("basis", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("accounts", sa.Text(), nullable=False),
        sa.Column("served", TEXT, nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state IN ('sent', 'settled', 'uncertain')", name=op.f("ck_attempt_state")
        ),
        sa.CheckConstraint(
            "(state = 'sent') = (spent IS NULL)", name=op.f("ck_attempt_spent_when_ended")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_attempt_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
    )
    op.create_index(op.f("ix_attempt_run_id_identity"), "attempt", ["run_id", "identity"])
    op.create_index(op.f("ix_attempt_run_id_state"), "attempt", ["run_id", "state"])
    op.create_table(
        "account",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.Column("reserved", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("spent >= 0", name=op.f("ck_account_spent")),
        sa.CheckConstraint("reserved >= 0", name=op.f("ck_account_reserved")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_account")),
    )
    op.create_table(
        "calibration",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("judge", TEXT, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calibration")),
    )
    op.create_index(op.f("ix_calibration_judge_made_at"), "calibration", ["judge", "made_at"])
    op.create_index(op.f("ix_call_identity"), "call", ["identity"])
    # nothing reads scores by metric any more, and every score paid for it
    op.drop_index(op.f("ix_score_run_id_metric"), table_name="score")
    with op.batch_alter_table("run") as run:
        run.alter_column("eval_cost_usd", existing_type=sa.Float(), existing_nullable=False, nullable=True)
