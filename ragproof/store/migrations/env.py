"""Alembic's entry: migrate over the connection, and inside the transaction, that `migrating` hands over."""

from alembic import context

from ragproof.store.schema import VERSION_TABLE
from ragproof.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
