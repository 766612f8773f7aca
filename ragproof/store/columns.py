"""Column types that give back exactly what was put in, on SQLite and on PostgreSQL.

False friend: SQLAlchemy's own `JSON`, `String` and `DateTime` each lose something (lone surrogates, NUL
characters, the time zone). Two losses remain: SQLite writes the floating-point number -0.0 as 0.0, and two
halves of a character that stand side by side become that character, because JSON cannot tell them from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import DateTime, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

_ENCODER = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))
MARK = "\N{SYMBOL FOR ESCAPE}"
"""Opens a text that is kept as a JSON string, because no database takes it as it is."""


def to_json(value: object) -> str:
    """Write a value as ASCII JSON, keys in their order; what `Json` columns hold."""
    return "{}" if value == {} else _ENCODER.encode(value)  # most details are empty, and there are many


class Json(TypeDecorator[object]):
    """A JSON value as ASCII text: any text inside it fits any database. None is SQL's NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object | None, _dialect: Dialect) -> str | None:
        """Write the value."""
        return None if value is None else to_json(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> object | None:
        """Read it back."""
        return None if value is None else json.loads(value)


class AnyText(TypeDecorator[str]):
    """Text that may hold anything. Equal texts are stored equal, so it can be a key.

    Sorted by code point on both databases: PostgreSQL would else sort as its server's language does.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        """Return the text type of a database."""
        return Text(collation="C") if dialect.name == "postgresql" else Text()

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Write the text."""
        return None if value is None else stored(value)

    def result_processor(self, _dialect: Dialect, _coltype: object) -> Callable[[str | None], str | None]:
        """Read without asking the implementation first: reports read hundreds of thousands of keys."""
        return _read

    def process_result_value(self, value: str | None, _dialect: Dialect) -> str | None:
        """Undo the escape, where there is one."""
        return _read(value)


def _read(value: str | None) -> str | None:
    if value is None or value[:1] != MARK:
        return value
    return str(json.loads(value[1:]))


def stored(text: str) -> str:
    """Return a text as `AnyText` columns hold it: ordinary text as it is, for people who read the tables."""
    if _storable(text):
        return text
    whole = joined(text)
    return whole if _storable(whole) else MARK + to_json(whole)


def joined(text: str) -> str:
    """Join halves of characters that stand side by side; a half that stands alone stays one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _storable(text: str) -> bool:
    if "\0" in text:
        return False
    if text.isascii():  # MARK is not
        return True
    if text.startswith(MARK):
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Instant(TypeDecorator[datetime]):
    """A moment, kept in UTC to the microsecond; what comes back is in UTC and aware of it."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Turn the moment to UTC, so that text order is time order."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Say the time zone that SQLite does not keep; PostgreSQL gives a moment in the session's."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
