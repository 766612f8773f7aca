"""Waiting for a database that was there and is away: a server that restarts, a connection that broke."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from ragproof.errors import StoreError
from ragproof.store.faults import StoreAway

if TYPE_CHECKING:
    from ragproof.store.database import Database


class _Part(Protocol):
    _database: Database


Part = TypeVar("Part", bound=_Part)
P = ParamSpec("P")
T = TypeVar("T")


def outlasting(method: Callable[Concatenate[Part, P], T]) -> Callable[Concatenate[Part, P], T]:
    """Let a method of a part of the store outlast an outage of its `_database`.

    Only for methods that may run twice: what they write is an upsert or depends on what is there, and they
    use up none of their arguments (an iterator would be empty the second time).
    """

    @wraps(method)
    def lasting(part: Part, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return part._database.outlast(lambda: method(part, *args, **kwargs))

    return lasting


def again(work: Callable[[], T], patience_seconds: float) -> T:
    """Try until the database is back: at once, and then every half second or so.

    Args:
        work: what failed because the database was away.
        patience_seconds: after this long no new attempt is made.

    Raises:
        StoreError: what `work` raises for another reason, or the database stayed away.
    """
    from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random

    attempts = Retrying(
        retry=retry_if_exception_type(StoreAway),
        stop=stop_after_delay(patience_seconds),
        wait=wait_random(0.1, 0.9),
        reraise=True,
    )
    try:
        return attempts(work)
    except StoreAway as error:
        raise StoreError(
            f"{error}; it was tried for {patience_seconds:g} s, and nothing settled is lost"
        ) from None
