"""What looks like a secret by its name, and what by its shape.

A name looks secret when one of its words says so (`OPENAI_API_KEY`, `pgPassword`) and its last word does not
say that it is about a secret rather than one (`TOKEN_LIMIT`, `KEY_FILE`). A value is one when it is long
enough and neither a word, a number, a path nor a URL. False friends: `KEYBOARD`, `SSH_AUTH_SOCK`.
"""

from __future__ import annotations

import re
from itertools import pairwise

SHORTEST_VALUE = 8
"""In characters; what is shorter is a setting, or would tear ordinary words apart."""
SHORTEST_SCRAMBLED = 24
_SHORTEST_HEX = 32
_LEAST_CHANGES = 0.25
"""Of neighbouring characters, between digits, capitals and small letters; random ones have 0.4 and more."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PARTS = re.compile(r"[^A-Z0-9]+")
_SECRET = re.compile(
    r"(?:[A-Z0-9]*(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASSCODE|CREDENTIALS?|APIKEYS?|ACCESSKEY|AUTHKEY"
    r"|SECRETKEY|PRIVATEKEY|ACCOUNTKEY|CONNECTIONSTRING|CONNSTR|WEBHOOK|COOKIE)"
    r"|KEYS?|AUTH|AUTHORIZATION|BEARER|JWT|DSN|PASS|PWD|CREDS?|PAT|SAS|SIG|HMAC|SALT)\d*"
)
_ABOUT = re.compile(
    r"ALGO(?:RITHM)?|AUDIENCE|BACKEND|CLASS|COUNT|DIR(?:ECTORY)?|DURATION|ENABLED|ENDPOINT|EXPIRES|EXPIRY"
    r"|FILE|FILENAME|FOLDER|FORMAT|HEADER|HOST|ISSUER|LENGTH|LEVEL|LIMIT|LOCATION|METHOD|MODE|NAME|PATH|POLICY"
    r"|PORT|PREFIX|PROVIDER|REALM|REGION|SCHEME|SCOPES?|SIZE|SOCK(?:ET)?|STRATEGY|TIMEOUT|TTL|TYPE|UR[IL]"
    r"|USER(?:NAME)?|VERSION"
)
_IDENTITY = re.compile(
    r"(?:SHA\d*|MD5|COMMIT|REVISION|REV|DIGEST|HASH|CHECKSUM|FINGERPRINT|ID|UUID|GUID|BUILD|VERSION|IMAGE|HOSTNAME)"
)
_CASES = r"(?:[a-z]{1,16}|[A-Z]{1,16}|[A-Z][a-z]{1,15})"
_ORDINARY = re.compile(
    rf"{_CASES}(?:[-_ .]{_CASES})?"  # one word, or two
    r"|[\d\s.,:;+/_-]+"  # a number, a date, a version
    r"|[a-z][a-z0-9+.-]*://\S*"
    r"|env:\w+"
)
_PATH = re.compile(r"(?:~|\.{1,2})?/|[A-Za-z]:[\\/]")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]+")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def has_secret_name(name: str) -> bool:
    """Say whether the name of a variable or an option says that its value is a secret."""
    words = _words(name)
    if not words or _ABOUT.fullmatch(words[-1]):
        return False
    joined = "_".join(words)
    return (
        any(_SECRET.fullmatch(word) for word in words) or re.search("CONN(?:ECTION)?_STR", joined) is not None
    )


def is_unlike_a_setting(value: str, shortest: int = SHORTEST_VALUE) -> bool:
    """Say whether a value under a secret's name is one: no short text, word, number, path or URL."""
    return len(value) >= shortest and not _ORDINARY.fullmatch(value) and not _is_path(value)


def is_scrambled(value: str, shortest: int = SHORTEST_SCRAMBLED) -> bool:
    """Say whether a value looks random: one run of base64 or hexadecimal digits, letters and digits mixed."""
    if len(value) < shortest or not _TOKEN.fullmatch(value) or _UUID.fullmatch(value):
        return False
    if _HEX.fullmatch(value) and len(value) < _SHORTEST_HEX:
        return False
    kinds = [_kind(character) for character in value]
    changes = sum(a != b for a, b in pairwise(kinds) if a and b)
    return (
        {"digit"} < set(kinds)
        and changes >= _LEAST_CHANGES * len(value)
        and len(set(value)) >= SHORTEST_VALUE
    )


def is_identity(name: str) -> bool:
    """Say whether a name is a fingerprint's or an id's, which looks random and is no secret."""
    return any(_IDENTITY.fullmatch(word) for word in _words(name))


def _words(name: str) -> list[str]:
    return [word for word in _PARTS.split(_CAMEL.sub("_", name).upper()) if word]


def _is_path(value: str) -> bool:
    return _PATH.match(value) is not None and not any(map(is_scrambled, value.split("/")))


def _kind(character: str) -> str:
    if character.isdigit():
        return "digit"
    if character.isalpha():
        return "capital" if character.isupper() else "small"
    return ""
