"""The secrets among the variables of an environment, and the secrets inside their values.

A URL or a connection string is not a secret as a whole: its password is, and what stands under a secret's
name in it. A password that is an ordinary word is left: it would tear texts apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from urllib.parse import unquote

from ragproof.redaction.secret_words import (
    has_secret_name,
    is_identity,
    is_scrambled,
    is_unlike_a_setting,
)

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:([^\s/?#]*)@)?([^\s?#]*)")
_SETTINGS = re.compile(r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z_ -]{0,40})=([^;&\s]+)")
_SCHEME = re.compile(r"(?:basic|bearer|token|apikey)\s+", re.IGNORECASE)
_SHORTEST_PASSWORD = 6
_LONGEST_READ = 10_000
"""In characters; a longer value is a document, known as a whole or not at all."""


def secret_values(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names of variables and secret values, several for one name where its value has parts."""
    for name, value in environ.items():
        for secret in _secrets(name, value):
            yield name, secret


@lru_cache(maxsize=1024)
def _secrets(name: str, value: str) -> tuple[str, ...]:
    value = value.strip()
    named = has_secret_name(name)
    found = list(_inside(value, named)) if "=" in value or "://" in value else []
    if named and is_unlike_a_setting(value):
        found.append(value)
        found += _parts(value)
    elif not named and not is_identity(name) and is_scrambled(value):
        found.append(value)
    return tuple(dict.fromkeys(found))


def _inside(value: str, named: bool) -> Iterator[str]:
    """Yield the password of a URL, its path under a secret's name, and the secrets of `Key=value` pairs."""
    value = value[:_LONGEST_READ]
    url = _URL.match(value)
    if url:
        user, colon, password = (url[1] or "").partition(":")
        secret = password if colon else user
        if is_unlike_a_setting(secret, _SHORTEST_PASSWORD if colon else 16):
            yield secret
            yield unquote(secret)
        if named and not secret and "/" in url[2].rstrip("/"):
            yield url[2]
    for name, secret in _SETTINGS.findall(value):
        if has_secret_name(name) and is_unlike_a_setting(secret, _SHORTEST_PASSWORD):
            yield secret
            yield unquote(secret)


def _parts(value: str) -> Iterator[str]:
    """Yield what follows `Bearer`, and the password of `user:password`."""
    scheme = _SCHEME.match(value)
    if scheme and is_unlike_a_setting(value[scheme.end() :]):
        yield value[scheme.end() :]
    user, colon, password = value.partition(":")
    if colon and ":" not in password and user.isprintable() and is_unlike_a_setting(password):
        yield password
