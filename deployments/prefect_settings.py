"""How ragproof's own commands want Prefect to behave; to be called before Prefect is imported."""

from __future__ import annotations

import os

_WANTED = {
    # Starting the temporary server took up to 19 s the first time (its migrations); Prefect gives it 20.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    # The command tells the story itself. INFO still reaches the server, and so Prefect's UI.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
}


def apply() -> None:
    """Set what the user has not set."""
    for name, value in _WANTED.items():
        os.environ.setdefault(name, value)


def server_url() -> str | None:
    """Return the address of the server that will be used; None means a temporary one of our own.

    Imports Prefect: the address may come from its profile as well as from the environment.
    """
    from prefect.settings import get_current_settings

    return get_current_settings().api.url
