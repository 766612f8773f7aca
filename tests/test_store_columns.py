"""Column types give back what was put in, and equal values are stored equal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy.dialects import registry
from sqlalchemy.engine import Dialect

from ragproof.store.columns import MARK, AnyText, Instant, Json, joined

DIALECTS: tuple[Dialect, ...] = (registry.load("sqlite")(), registry.load("postgresql")())
ANY_TEXT = st.text(
    st.sampled_from("a\0\ud800\udc00é日") | st.characters(exclude_categories=())
) | st.text().map(lambda text: MARK + text)
"""Half characters and NUL among it, and what looks like an escape and is none."""
WHOLE_TEXT = ANY_TEXT.map(joined)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WHOLE_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WHOLE_TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(text=ANY_TEXT)
@example(text="\ud83d\ude00")
@example(text="\ude00\ud83d\ud83d\ude00")
def test_any_text_comes_back(text: str) -> None:
    """What is stored is valid UTF-8 without NUL, which both databases take, and reads back as it was.

    But two halves of a character side by side: they are that character.
    """
    for dialect in DIALECTS:
        stored = AnyText().process_bind_param(text, dialect)
        assert stored is not None
        assert "\0" not in stored
        stored.encode()
        assert AnyText().process_result_value(stored, dialect) == joined(text)


@given(one=ANY_TEXT, other=ANY_TEXT)
@example(one="\ud83d\ude00", other="\N{GRINNING FACE}")
def test_two_texts_are_stored_alike_only_when_they_are_one(one: str, other: str) -> None:
    """A text can be a key."""
    stored = [AnyText().process_bind_param(text, DIALECTS[0]) for text in (one, other)]
    assert (stored[0] == stored[1]) == (joined(one) == joined(other))


@pytest.mark.parametrize(
    "text", ["", "case-1", "größe", "日本語", "a 'quoted' \"thing\"", "C:\\data\\cases.jsonl"]
)
def test_ordinary_text_is_stored_as_it_is(text: str) -> None:
    """People read these tables too."""
    assert AnyText().process_bind_param(text, DIALECTS[0]) == text


@given(value=JSON)
def test_json_comes_back(value: object) -> None:
    """Floats to the last bit, keys in their order, text of any kind; None is SQL's NULL."""
    stored = Json().process_bind_param(value, DIALECTS[0])
    assert stored is None or stored.isascii()
    assert repr(Json().process_result_value(stored, DIALECTS[0])) == repr(value)


@pytest.mark.parametrize(
    ("why", "text", "whole"),
    [
        ("halves side by side are the character", "\ud83d\ude00", "\N{GRINNING FACE}"),
        ("the wrong way round they are halves", "\ude00\ud83d", "\ude00\ud83d"),
        ("a half alone stays one", "a\ud83db", "a\ud83db"),
        ("ordinary text stays", "größe 日本", "größe 日本"),
        ("nothing stays nothing", "", ""),
    ],
)
def test_halves_of_a_character_are_joined(why: str, text: str, whole: str) -> None:
    """As UTF-16 reads them."""
    assert joined(text) == whole, why


@given(
    moment=st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2100, 1, 1)),
    hours=st.integers(-12, 12),
)
def test_a_moment_comes_back_in_utc(moment: datetime, hours: int) -> None:
    """The same moment, wherever it was written down."""
    local = moment.replace(tzinfo=timezone(timedelta(hours=hours)))
    stored = Instant().process_bind_param(local, DIALECTS[0])
    assert stored is not None
    read = Instant().process_result_value(stored.replace(tzinfo=None), DIALECTS[0])
    assert read == local
    assert read is not None
    assert read.tzinfo is UTC


def test_nothing_is_null() -> None:
    """None is absent in every type."""
    for kind in (AnyText(), Json(), Instant()):
        assert kind.process_bind_param(None, DIALECTS[0]) is None
        assert kind.process_result_value(None, DIALECTS[0]) is None
