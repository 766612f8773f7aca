"""What a URL and headers of a configuration may be, before anything is sent anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ragproof.adapters.wire import environment
from ragproof.errors import nearest

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIALS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"})


def check_url(url: str) -> None:
    """Refuse a URL that names no host, hides a credential, or lets data choose the host.

    Raises:
        ValueError: what is wrong with it.
    """
    try:
        address = urlsplit(url)
        host, _ = address.hostname, address.port
    except ValueError as error:
        raise ValueError(f"'{url}' is not a URL: {str(error).lower()}") from None
    if address.scheme not in ("http", "https"):
        hint = nearest(address.scheme, ("http", "https")) if address.scheme else ""
        raise ValueError(f"'{url}' begins with neither http:// nor https://{hint}")
    if not host:
        raise ValueError(f"'{url}' names no host; expected 'http://host/path'")
    if "@" in address.netloc:
        raise ValueError("a URL must not hold a user or password; set a header to 'Basic env:NAME'")
    if address.fragment:
        raise ValueError(f"'{url}' has a fragment, which is never sent; write '%23' for a literal '#'")
    if "{" in address.netloc:
        raise ValueError(f"'{url}' has a placeholder in its host; expected placeholders in path and query")


def check_headers(headers: Mapping[str, str]) -> None:
    """Refuse headers that cannot be sent, or must not be.

    Raises:
        ValueError: everything that is wrong with them.
    """
    faults: list[str] = []
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            faults.append(f"'{name}' is not the name of a header")
        if not value.isprintable():
            faults.append(f"'{name}' holds a line break or control character")
        referred = environment.references(value)
        faults += [
            f"'{variable}' is ragproof's own and is never sent to a pipeline"
            for variable in referred
            if environment.is_our_own(variable)
        ]
        if name.lower() in _CREDENTIALS and not referred:
            faults.append(f"'{name}' is a credential, which must not stand in a file; write 'env:NAME'")
    if faults:
        raise ValueError("; ".join(faults))


def check_references(value: object) -> None:
    """Refuse a reference to the environment where it would be sent as it is written.

    Raises:
        ValueError: a text is `env:NAME`.
    """
    if isinstance(value, str) and environment.is_reference(value):
        raise ValueError(f"'{value}' is resolved in headers alone; set a header instead")
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            check_references(entry)
