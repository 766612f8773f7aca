"""What of the environment a pipeline gets: `env:NAME` or `Bearer env:NAME` in a header, names for a command.

A configuration names variables; the operator says which it may, in RAGPROOF_ALLOWED_ENV: patterns such as
`RAG_*`, separated by commas; everything when it is not set, nothing when it is empty. ragproof's own secrets
are never sent to a pipeline.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ragproof.errors import ConfigurationError, Fault, nearest

ALLOWED = "RAGPROOF_ALLOWED_ENV"
OUR_OWN = ("PREFECT_*", "RAGPROOF_STORE_URL", "RAGPROOF_JUDGE_API_KEY")
_REFERENCE = re.compile(r"(?<![\w:])env:([A-Za-z_][A-Za-z0-9_]*)")


def references(value: str) -> tuple[str, ...]:
    """Return the names of the variables that a header value refers to."""
    return tuple(_REFERENCE.findall(value))


def is_reference(value: str) -> bool:
    """Say whether a whole value is a reference."""
    return _REFERENCE.fullmatch(value) is not None


def is_our_own(name: str) -> bool:
    """Say whether a variable holds a secret of ragproof or of its orchestrator."""
    return any(fnmatchcase(name.upper(), pattern) for pattern in OUR_OWN)


def resolved(
    headers: Mapping[str, str], environ: Mapping[str, str] | None, place: str
) -> tuple[dict[str, str], dict[str, str]]:
    """Put the values of variables where headers refer to them.

    Args:
        headers: as configured.
        environ: the environment; None is this process's own.
        place: what the places of faults begin with.

    Returns:
        The headers as they are sent, and the values by name of the variable.

    Raises:
        ConfigurationError: a variable is not set, not allowed or cannot be a header; all faults at once.
    """
    environment = os.environ if environ is None else environ
    faults = [
        Fault(fault, f"{place}.{header}")
        for header, value in headers.items()
        for name in references(value)
        for fault in (*_faults(name, environment), *_no_header(name, environment))
    ]
    if faults:
        raise ConfigurationError(faults)
    secrets = {name: environment[name] for value in headers.values() for name in references(value)}
    return {
        header: _REFERENCE.sub(lambda found: secrets[found[1]], value) for header, value in headers.items()
    }, secrets


def named(names: Sequence[str], environ: Mapping[str, str] | None, place: str) -> dict[str, str]:
    """Return the values of variables, whatever they hold.

    Args:
        names: of the variables.
        environ: the environment; None is this process's own.
        place: what the faults are said of.

    Raises:
        ConfigurationError: a variable is not set or not allowed; all faults at once.
    """
    environment = os.environ if environ is None else environ
    faults = [Fault(fault, place) for name in names for fault in _faults(name, environment)]
    if faults:
        raise ConfigurationError(faults)
    return {name: environment[name] for name in names}


def _faults(name: str, environment: Mapping[str, str]) -> Iterator[str]:
    patterns = [pattern.strip() for pattern in environment.get(ALLOWED, "*").split(",")]
    if not any(fnmatchcase(name, pattern) for pattern in patterns):
        # Says nothing of whether it is set: that too is the operator's.
        yield f"'{name}' is not among the variables that {ALLOWED} allows ({', '.join(patterns)})"
    elif not environment.get(name):
        # Other names of the environment are nobody's business, unless they are allowed too.
        allowed = [
            other
            for other in environment
            if not is_our_own(other) and any(fnmatchcase(other, pattern) for pattern in patterns)
        ]
        yield f"environment variable '{name}' is not set{nearest(name, allowed)}"


def _no_header(name: str, environment: Mapping[str, str]) -> Iterator[str]:
    value = environment.get(name, "")
    if not value.isprintable() or value != value.strip():
        yield f"environment variable '{name}' holds a line break or outer space, which no header can have"
