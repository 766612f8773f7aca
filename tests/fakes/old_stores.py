"""Stores as older ragproofs left them: an older schema, and rows that were written under it."""

from __future__ import annotations

from alembic import command

from ragproof.store.database import Database
from ragproof.store.locations import locate
from ragproof.store.migrating import configuration

RUN = """
INSERT INTO run (id, project, pipeline, status, config, dataset, dataset_hash, comparability, cases_total,
  cases_ok, cases_failed, eval_cost_usd, eval_llm_calls, eval_input_tokens, eval_output_tokens, started_at)
VALUES ('old', 'p', 'b', 'completed', '{}', 'cases.jsonl', '%(hash)s', '{}', 1, 0, 0, 0, 0, 0, 0,
  '2024-01-01 12:00:00.000000')
"""
DATASET = (
    "INSERT INTO dataset (hash, reader_version, path, cases) VALUES ('%(hash)s', 'jsonl@1', 'c.jsonl', 1)"
)
CASE = """
INSERT INTO dataset_case (dataset_hash, position, case_id, content_hash, kind, content)
VALUES ('%(hash)s', 0, 'a', 'h', 'qa', '{"id": "a", "question": "?"}')
"""


def old_store(url: str, revision: str) -> None:
    """Make a store of an older schema with one run and one dataset of one case in it."""
    database = Database(locate(url))
    with database.write() as connection:
        command.upgrade(configuration(connection), revision)
        for statement in (DATASET, CASE, RUN):
            connection.exec_driver_sql(statement % {"hash": "d" * 64})
    database.close()
