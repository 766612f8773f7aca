"""Every spelling under which a known secret may come back.

As it is, percent-encoded, escaped as in JSON or HTML, and in base64: alone, or inside a longer base64 text as
Basic authentication has it.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

SHORTEST_SECRET = 4
"""In characters; anything shorter would tear ordinary words apart."""
_SHORTEST_CORE = 8


def spellings(secret: str) -> Iterator[str]:
    """Yield every spelling of a secret, some of them more than once."""
    for plain in (secret, *_credentials(secret)):
        yield plain
        yield json.dumps(plain)[1:-1]
        yield json.dumps(plain, ensure_ascii=False)[1:-1]
        yield html.escape(plain)
        for encoded in (
            quote(plain, safe="", errors="replace"),
            quote(plain, errors="replace"),
            quote_plus(plain, errors="replace"),
        ):
            yield encoded
            yield re.sub("%..", lambda escape: escape[0].lower(), encoded)
        for spelled in _base64(plain):
            yield spelled
            yield spelled.translate(str.maketrans("+/", "-_"))


def _credentials(secret: str) -> tuple[str, ...]:
    """Return what is inside a secret that is itself Basic authentication: both parts, and the password."""
    try:
        inside = base64.b64decode(secret, validate=True).decode()
    except (binascii.Error, ValueError):
        return ()
    password = inside.partition(":")[2]
    return (inside, password) if len(password) >= SHORTEST_SECRET else ()


def _base64(plain: str) -> Iterator[str]:
    """Yield it in base64: alone, and what is left of it inside a longer text, at each of three offsets."""
    data = plain.encode(errors="replace")
    alone = base64.b64encode(data).decode()
    yield alone
    if len(data) >= _SHORTEST_CORE:
        yield alone.rstrip("=")
    for offset, before in enumerate((0, 2, 3)):
        shifted = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        core = shifted[before : len(shifted) - (1 if (offset + len(data)) % 3 else 0)]
        if len(core) >= _SHORTEST_CORE:
            yield core
