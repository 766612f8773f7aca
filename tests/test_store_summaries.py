"""Summaries come back as they were, and replace those of the same metric and tag."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from ragproof.metric import Direction
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.summaries import Summary, Tag
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import ANY_TEXT, WHOLE_TEXT, started

NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.integers(0, 2**31 - 1)
SUMMARIES = st.builds(
    Summary,
    metric=ANY_TEXT,
    direction=st.sampled_from(Direction),
    tag=st.none() | st.builds(Tag, name=WHOLE_TEXT.filter(bool), value=ANY_TEXT),
    **dict.fromkeys(("mean", "p50", "p95", "p99", "lowest_mean", "highest_mean"), NUMBERS),
    **dict.fromkeys(("scored", "skipped", "not_applicable", "judge_error", "case_failed"), COUNTS),
    reasons=st.dictionaries(ANY_TEXT, COUNTS, max_size=4),
)


@pytest.fixture(scope="module", params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """One store for all tests here; each test takes a run of its own."""
    with store_url(request.param) as url, open_store(url) as store:
        yield store


@settings(max_examples=60, deadline=None)
@given(summaries=st.lists(SUMMARIES, max_size=6, unique_by=lambda summary: (summary.metric, summary.tag)))
def test_summaries_come_back_as_they_were(store: Store, summaries: list[Summary]) -> None:
    """Floats to the last bit, any text, reasons in their order, and the same again when put again."""
    run = started(store)
    for _ in range(2):
        store.summaries.put(run, summaries)
        read = {(summary.metric, summary.tag): summary for summary in store.summaries.get(run)}
        assert read == {(summary.metric, summary.tag): summary for summary in summaries}
        for summary in summaries:
            assert list(read[summary.metric, summary.tag].reasons) == list(summary.reasons)


def test_all_cases_come_before_the_tags(store: Store) -> None:
    """The order in which a report tells them."""
    run = started(store)
    tags = (Tag(name="language", value="de"), None, Tag(name="language", value=""))
    store.summaries.put(
        run, [Summary(metric=metric, direction=Direction.HIGHER, tag=tag) for metric in "ba" for tag in tags]
    )
    assert [(summary.metric, summary.tag and str(summary.tag)) for summary in store.summaries.get(run)] == [
        ("a", None),
        ("b", None),
        ("a", "language="),
        ("b", "language="),
        ("a", "language=de"),
        ("b", "language=de"),
    ]


def test_a_summary_replaces_the_one_before_it_in_every_column(store: Store) -> None:
    """A run that is aggregated again after a resume has one summary."""
    run = started(store)
    before = Summary(
        metric="m", direction=Direction.HIGHER, mean=0.5, scored=1, skipped=9, reasons={"no judge": 9}
    )
    after = Summary(metric="m", direction=Direction.LOWER, lowest_mean=0.0, highest_mean=1.0, judge_error=10)
    store.summaries.put(run, [before])
    store.summaries.put(run, [after])
    assert store.summaries.get(run) == (after,)


def test_a_tag_has_a_name() -> None:
    """An empty one would read as all cases."""
    with pytest.raises(ValidationError, match="at least 1 character"):
        Tag(name="", value="de")
