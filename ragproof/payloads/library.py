"""The payload library, and what a case's `adversarial_payload` means.

An id of the library names its payload. A string that begins as the ids do and is none is a mistake, never a
marker: taken as a marker it would stand in no answer and every pipeline would look immune. Any other string
is a literal marker.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.frozen import Frozen
from ragproof.payloads.disguises import DISGUISES
from ragproof.payloads.payload import PREFIX, AttackClass, Payload
from ragproof.payloads.readings import fold


class Entry(Frozen):
    """One table of `attacks.toml`."""

    attack_class: AttackClass
    sentinel: str
    instruction: str
    disguise: str = "plain"
    cover: str = "{hidden}"

    def payload(self, name: str) -> Payload:
        """Put the sentinel into the instruction, disguise it, and lay the cover around it."""
        hidden = DISGUISES[self.disguise](self.instruction.replace("{sentinel}", self.sentinel))
        return Payload(
            id=PREFIX + name,
            attack_class=self.attack_class,
            sentinel=self.sentinel,
            attack=self.cover.replace("{hidden}", hidden),
        )


@cache
def library() -> Mapping[str, Payload]:
    """Return every payload by id, in the order of their ids."""
    tables = tomllib.loads(files("ragproof.payloads").joinpath("attacks.toml").read_text(encoding="utf-8"))
    payloads = (Entry.model_validate(tables[name]).payload(name) for name in sorted(tables))
    return {payload.id: payload for payload in payloads}


def resolve(adversarial_payload: str) -> Payload:
    """Return the payload that a case names or spells out.

    Args:
        adversarial_payload: an id of the library, or a literal marker.

    Returns:
        The library's payload, or one whose id, sentinel and attack are all the marker.

    Raises:
        ConfigurationError: it begins like an id (in any case of letters) and is none, or it holds nothing
            that a reader could see.
    """
    known = library()
    if adversarial_payload in known:
        return known[adversarial_payload]
    if adversarial_payload.strip().casefold().startswith(PREFIX):
        raise ConfigurationError(_unknown(adversarial_payload))
    if not fold(adversarial_payload):
        raise ConfigurationError(
            f"{adversarial_payload!a} has no visible character; "
            f"expected a payload id such as '{next(iter(known))}', or a marker that an answer would contain"
        )
    return Payload(
        id=adversarial_payload,
        attack_class=AttackClass.LITERAL,
        sentinel=adversarial_payload,
        attack=adversarial_payload,
    )


def choose(names: Iterable[str]) -> tuple[Payload, ...]:
    """Return the payloads of these names, each once, in the library's order.

    Args:
        names: ids, with or without the prefix; empty means the whole library.

    Returns:
        At least one payload.

    Raises:
        ConfigurationError: a name is in the library neither with nor without the prefix; all such at once.
    """
    known = library()
    wanted = {name if name.startswith(PREFIX) else PREFIX + name for name in names}
    faults = [Fault(_unknown(name)) for name in sorted(wanted - known.keys())]
    if faults:
        raise ConfigurationError(faults)
    return tuple(payload for payload in known.values() if not wanted or payload.id in wanted)


def _unknown(name: str) -> str:
    known = library()
    suggestion = nearest(name.strip(), known)
    names = ", ".join(f"'{known_name}'" for known_name in known)
    return f"no payload is named '{name}'{suggestion or f'; the library has {names}'}"
