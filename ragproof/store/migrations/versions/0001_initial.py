"""The first schema: store_meta, dataset, dataset_case, run, call, score, summary.

A revision is history: it names plain column types, never those of `ragproof.store`, which may change.
"""

import uuid
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "dataset",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("reader_version", TEXT, nullable=False),
        sa.Column("path", TEXT, nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_dataset")),
    )
    op.create_table(
        "run",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("project", TEXT, nullable=False),
        sa.Column("pipeline", TEXT, nullable=False),
        sa.Column("label", TEXT, nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("status_reason", TEXT, nullable=True),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("git_revision", TEXT, nullable=True),
        sa.Column("pipeline_version", TEXT, nullable=True),
        sa.Column("corpus_version", TEXT, nullable=True),
        sa.Column("dataset", TEXT, nullable=False),
        sa.Column("dataset_hash", sa.String(), nullable=True),
        sa.Column("comparability", sa.Text(), nullable=False),
        sa.Column("comparability_key", sa.String(), nullable=True),
        sa.Column("cases_total", sa.Integer(), nullable=False),
        sa.Column("cases_ok", sa.Integer(), nullable=False),
        sa.Column("cases_failed", sa.Integer(), nullable=False),
        sa.Column("eval_cost_usd", sa.Float(), nullable=False),
        sa.Column("eval_llm_calls", sa.Integer(), nullable=False),
        sa.Column("eval_input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("eval_output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("flow_run_id", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(op.f("ix_run_flow_run_id"), "run", ["flow_run_id"])
    op.create_index(op.f("ix_run_project_started_at"), "run", ["project", "started_at"])
    op.create_index(op.f("ix_run_started_at"), "run", ["started_at"])
    op.create_table(
        "store_meta",
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("identity", name=op.f("pk_store_meta")),
    )
    op.create_table(
        "call",
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("case_id", TEXT, nullable=False),
        sa.Column("trial", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("uncertain_attempts", sa.Integer(), nullable=False),
        sa.Column("reserved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("latency_ms", sa.Float(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(state = 'failed') = (failure IS NOT NULL)", name=op.f("ck_call_failure_when_failed")
        ),
        sa.CheckConstraint(
            "(state = 'settled') = (output IS NOT NULL)", name=op.f("ck_call_output_when_settled")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_call_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "identity", name=op.f("pk_call")),
    )
    op.create_index(op.f("ix_call_run_id_case_id"), "call", ["run_id", "case_id"])
    op.create_index(op.f("ix_call_run_id_kind_state"), "call", ["run_id", "kind", "state"])
    op.create_table(
        "dataset_case",
        sa.Column("dataset_hash", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("case_id", TEXT, nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_hash"], ["dataset.hash"], name=op.f("fk_dataset_case_dataset"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("dataset_hash", "position", name=op.f("pk_dataset_case")),
        sa.UniqueConstraint("dataset_hash", "case_id", name=op.f("uq_dataset_case_dataset_hash_case_id")),
    )
    op.create_table(
        "score",
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("case_id", TEXT, nullable=False),
        sa.Column("metric", TEXT, nullable=False),
        sa.Column("trial", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("reason", TEXT, nullable=True),
        sa.Column("details", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "(outcome = 'scored') = (reason IS NULL)", name=op.f("ck_score_reason_when_not_scored")
        ),
        sa.CheckConstraint(
            "(outcome = 'scored') = (value IS NOT NULL)", name=op.f("ck_score_value_when_scored")
        ),
        sa.CheckConstraint("value * 0 = 0", name=op.f("ck_score_value_is_finite")).ddl_if(dialect="postgresql"),
        sa.CheckConstraint(
            "outcome IN ('scored', 'skipped', 'not_applicable', 'judge_error', 'case_failed')",
            name=op.f("ck_score_outcome"),
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_score_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "case_id", "metric", "trial", name=op.f("pk_score")),
    )
    op.create_table(
        "summary",
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("metric", TEXT, nullable=False),
        sa.Column("tag_name", TEXT, nullable=False),
        sa.Column("tag_value", TEXT, nullable=False),
        sa.Column("direction", sa.String(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=True),
        sa.Column("p50", sa.Float(), nullable=True),
        sa.Column("p95", sa.Float(), nullable=True),
        sa.Column("p99", sa.Float(), nullable=True),
        sa.Column("scored", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("not_applicable", sa.Integer(), nullable=False),
        sa.Column("judge_error", sa.Integer(), nullable=False),
        sa.Column("case_failed", sa.Integer(), nullable=False),
        sa.Column("lowest_mean", sa.Float(), nullable=True),
        sa.Column("highest_mean", sa.Float(), nullable=True),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_summary_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "metric", "tag_name", "tag_value", name=op.f("pk_summary")),
    )

    store_meta = sa.table(
        "store_meta", sa.column("identity", sa.String()), sa.column("created_at", sa.DateTime(timezone=True))
    )
    op.bulk_insert(store_meta, [{"identity": str(uuid.uuid4()), "created_at": datetime.now(UTC)}])
