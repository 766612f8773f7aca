"""When a dataset was last used, so that pruning leaves one alone that was loaded and is named by no run yet.

A revision is history: it names plain column types, never those of `ragproof.store`, which may change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # SQLite would write the column behind the constraints, where no table of ours has one
    on_sqlite = op.get_context().dialect.name == "sqlite"
    with op.batch_alter_table("dataset", recreate="always" if on_sqlite else "auto") as dataset:
        dataset.add_column(sa.Column("used_at", sa.DateTime(timezone=True), nullable=True))
