"""The judge's key: in the environment alone, never in YAML, in a configuration or in anything kept."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pydantic import SecretStr

from ragproof.errors import ConfigurationError, Fault

API_KEY = "RAGPROOF_JUDGE_API_KEY"


def api_key(environ: Mapping[str, str] | None = None) -> SecretStr | None:
    """Return the key; None when there is none, which a server on this machine may be content with.

    Raises:
        ConfigurationError: it cannot be a header; its value is not shown.
    """
    key = (os.environ if environ is None else environ).get(API_KEY, "")
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise ConfigurationError(
            [
                Fault(
                    "holds a line break, outer space or a character outside of ASCII; expected the key alone",
                    API_KEY,
                )
            ]
        )
    return SecretStr(key)
