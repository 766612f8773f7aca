"""Whom a request trusts on its way: which certificates, and whether a proxy."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Sequence
from pathlib import Path

from ragproof.adapters.adapter import SECTION
from ragproof.errors import ConfigurationError, Fault


def is_here(host: str) -> bool:
    """Say whether a host is this machine, which no proxy can reach for us."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def trust(url: str, verify: bool | str, search_path: Sequence[Path]) -> ssl.SSLContext | bool:
    """Return what certificates are checked with; without TLS there are none, and loading them takes time."""
    if isinstance(verify, bool):
        return verify and url.startswith("https:")
    file = next((folder / verify for folder in search_path if (folder / verify).is_file()), Path(verify))
    try:
        return ssl.create_default_context(cafile=str(file))
    except (OSError, ssl.SSLError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        message = f"'{verify}' cannot be read as certificates: {reason}"
        raise ConfigurationError([Fault(message, f"{SECTION}.verify")]) from error
