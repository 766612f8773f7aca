"""One real Prefect server for the whole test run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.prefect_server import PrefectServer, prefect_serving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A real Prefect server, started once and stopped at the end."""
    with prefect_serving(tmp_path_factory.mktemp("prefect")) as server:
        yield server
