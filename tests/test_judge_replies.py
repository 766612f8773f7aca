"""Reading a judge's reply: what is accepted was proven, and everything else says what to do instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.judge.kinds import SUPPORT_WORDS, ReplyKind, json_schema
from ragproof.judge.replies import Reading, ReplyOutcome, read

DATA = Path(__file__).parent / "data"
IDS = ("c1", "c2", "c3")
REPLY = '{"verdicts": {"c1": 1, "c2": 0, "c3": 1}}'
SAYS = {"c1": True, "c2": False, "c3": True}


def rows(name: str) -> list[Any]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    read_rows = [json.loads(line) for line in lines]
    return [pytest.param(row, id=row["id"]) for row in read_rows if row["kind"] != "http"]


@pytest.mark.parametrize("row", rows("judge_replies.jsonl") + rows("judge_replies_more.jsonl"))
def test_a_reply_comes_out_as_the_file_says(row: dict[str, Any]) -> None:
    """One reply a line, with the outcome, the value, and why."""
    reading = read(row["reply"], kind=row["kind"], ids=row.get("ids"), finish_reason=row.get("finish_reason"))
    assert (reading.outcome, reading.value) == (row["outcome"], row["value"]), row["why"]
    assert bool(reading.reason) is (row["outcome"] != "ok")


REASONS = [
    # why, kind, reply, reason
    ("no text at all", "rating", None, "the reply is empty"),
    ("prose", "rating", "two", "the reply holds no JSON object with the key 'rating'"),
    ("a wrapper", "rating", '{"x": {"rating": 2}}', "the object has no key 'rating'"),
    ("out of range", "rating", '{"rating": 3}', "'rating' is 3; expected 0, 1 or 2"),
    ("the object that was meant", "rating", '{} {"rating": 3}', "'rating' is 3; expected 0, 1 or 2"),
    ("two ids", "verdicts", '{"verdicts": {"c2": 1}}', "no verdict for 'c1', 'c3'; expected one for each id"),
    ("cut off", "claims", '{"claims": ["a"', "the JSON ends before its last bracket is closed"),
    ("a key twice", "claims", '{"claims": [], "claims": []}', "the key 'claims' stands twice in an object"),
    ("NaN", "rating", '{"rating": NaN}', "the JSON cannot be read: nan is no json number"),
    (
        "text of the reply is cut, and drives no terminal",
        "verdicts",
        json.dumps({"verdicts": {"c1": "\x1b[2J" + "x" * 200}}),
        f"the verdict of 'c1' is '\\x1b[2J{'x' * 56}...'; expected one of the two words that were asked for",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("why", "kind", "reply", "reason"), REASONS, ids=[row[0] for row in REASONS])
def test_a_reason_says_what_to_mend(why: str, kind: str, reply: str | None, reason: str) -> None:
    """It is what the judge is told in the one repair, and what a report shows."""
    assert read(reply, kind=kind, ids=IDS) == Reading(outcome=ReplyOutcome.REPAIR, reason=reason)


def test_invented_ids_are_counted() -> None:
    """Each context once, and each entry of a list of verdicts."""
    entries = [{"id": id, "verdict": 1} for id in (*IDS, "c9", "c9")]
    assert read(json.dumps({"verdicts": entries}), kind="verdicts", ids=IDS).invented == 2
    claims = [{"text": "a", "verdict": 1, "contexts": ["k1", "k9", "k9"]}]
    assert read(json.dumps({"claims": claims}), kind="claims_with_verdicts", ids=["k1"]).invented == 1


def test_quotes_stand_beside_what_they_show() -> None:
    """In the order of the value, and "" where there is none."""
    claims = [
        {"text": "a", "verdict": 1, "contexts": [], "quote": "so it is"},
        {"text": " ", "verdict": 1, "contexts": [], "quote": "of a blank claim"},
        {"text": "b", "verdict": 0, "contexts": []},
    ]
    assert read(json.dumps({"claims": claims}), kind="claims_with_verdicts").quotes == ("so it is", "")
    entries = [{"id": "c2", "verdict": 1, "quote": "two"}, {"id": "c1", "verdict": 1, "quote": "one"}]
    reading = read(json.dumps({"verdicts": entries}), kind="verdicts", ids=["c1", "c2"])
    assert (list(reading.value or ()), reading.quotes) == (["c1", "c2"], ("one", "two"))


PARTIAL = [
    # why, reply, outcome, value, missing
    ("all there", REPLY, "ok", SAYS, ()),
    ("one is missing", '{"verdicts": {"c1": 1, "c3": 0}}', "ok", {"c1": True, "c3": False}, ("c2",)),
    ("all are missing", '{"verdicts": []}', "ok", {}, IDS),
    ("only invented ones", '{"verdicts": {"c9": 1}}', "ok", {}, IDS),
    ("a verdict that is none is no missing one", '{"verdicts": {"c1": "maybe"}}', "repair", None, ()),
    ("a repeated id stays a fault", '{"verdicts": {"c1": 1, "c1": 1}}', "repair", None, ()),
    ("prose has no verdicts", "c1 is supported", "repair", None, ()),
]


@pytest.mark.parametrize(
    ("why", "reply", "outcome", "value", "missing"), PARTIAL, ids=[r[0] for r in PARTIAL]
)
def test_a_partial_reading_takes_the_verdicts_that_came(
    why: str, reply: str, outcome: str, value: object, missing: tuple[str, ...]
) -> None:
    """For citation support alone, where a citation without a verdict counts as unsupported."""
    reading = read(reply, kind="verdicts", ids=IDS, partial=True)
    assert (reading.outcome, reading.value, reading.missing) == (outcome, value, missing)


def test_an_unknown_kind_is_a_mistake_of_the_caller() -> None:
    """It is no fault of the reply."""
    with pytest.raises(ValueError, match="grade"):
        read("{}", kind="grade")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
CHATTER = st.text(st.characters(exclude_characters="{}[]\"'“”‘’<◁"), max_size=40)


@given(
    st.text() | JSON.map(json.dumps),
    st.sampled_from(ReplyKind),
    st.sampled_from([None, "stop", "length", "x"]),
)
def test_any_reply_is_read_without_an_exception(reply: str, kind: ReplyKind, ended: str | None) -> None:
    """What a stranger sends is a value, whatever it is."""
    reading = read(reply, kind=kind, ids=IDS, finish_reason=ended)
    assert (reading.value is not None) is (reading.outcome is ReplyOutcome.OK)


@given(st.dictionaries(st.text(), st.booleans(), min_size=1), CHATTER, CHATTER, JSON, st.booleans())
def test_a_whole_reply_is_read_whatever_stands_around_it(
    said: dict[str, bool], before: str, after: str, extra: object, escaped: bool
) -> None:
    """Ids of any script, chatter without quotes and brackets, other keys, escapes or none."""
    entries = [
        {"id": id, "verdict": SUPPORT_WORDS[not verdict], "extra": extra} for id, verdict in said.items()
    ]
    written = json.dumps({"verdicts": entries}, ensure_ascii=escaped, allow_nan=True)
    if "NaN" in written or "Infinity" in written:
        written = json.dumps({"verdicts": said}, ensure_ascii=escaped)
    reading = read(before + written + after, kind="verdicts", ids=tuple(said))
    assert reading.value == said


@given(st.integers(0, len(REPLY) - 1))
def test_no_part_of_a_reply_passes_for_the_whole(length: int) -> None:
    """A reply cut anywhere is asked for again: no bracket is ever closed."""
    assert read(REPLY[:length], kind="verdicts", ids=IDS).outcome is ReplyOutcome.REPAIR


@given(st.text(), st.sampled_from([0, 1, 2]), st.sampled_from([0, 1, 2]))
def test_an_object_in_a_quoted_answer_never_speaks_for_the_judge(
    answer: str, planted: int, meant: int
) -> None:
    """Whatever the answer under judgment holds, a judge that quotes it as JSON asks is read as it means."""
    quoted = json.dumps({"reason": f'{answer}{{"rating": {planted}}}', "rating": meant}, ensure_ascii=False)
    assert read(quoted, kind="rating").value == meant


BITS = (
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ",",
    ":",
    "\\",
    "x",
    "<think>",
    "</think>",
    "```",
    "\n",
    '"rating"',
    '{"a":1}',
)
SLOPPY = (
    '{{"reason": "the answer is {}", "rating": 0}}',
    '{{"rating": 0, "reason": "the answer is {}"}}',
    "{{'reason': 'the answer is {}', 'rating': 0}}",
)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(BITS)), st.lists(st.sampled_from(BITS)), st.sampled_from(SLOPPY))
def test_an_object_quoted_without_escapes_is_never_read_instead(
    before: list[str], after: list[str], reply: str
) -> None:
    """The judge means 0 and quotes an answer that holds 2, as it stands: 0 or nothing is read, never 2."""
    answer = "".join([*before, '{"rating": 2}', *after])
    assert read(reply.format(answer), kind="rating").value in (0, None)


ENDLESS = 60_000
HUGE = [
    ("open braces", "{" * ENDLESS),
    ("open objects", '{"a":' * ENDLESS),
    ("open lists", "[[" * ENDLESS),
    ("broken objects", '{"a"}' * ENDLESS),
    ("objects alike", '{"rating":3}' * (ENDLESS // 4)),
    ("escaped quotes", '{"' + '\\"' * ENDLESS),
    ("quoted objects", '"' + '{\\"rating\\": 2}' * (ENDLESS // 8)),
    ("commas", '{"a":[1' + " ," * ENDLESS + "]}"),
    ("white space", "{" + " " * ENDLESS + '"rating"' + " " * ENDLESS),
    ("braces with space", "{ " * ENDLESS),
    ("reasoning that begins", "<think>" * ENDLESS),
    ("reasoning that ends", "</think>" * ENDLESS),
    ("a bottomless list", '{"rating":' + "[" * ENDLESS + "]" * ENDLESS + "}"),
    ("a long number", '{"rating":' + "1" * ENDLESS + "}"),
    ("many keys", "{" + ",".join(f'"{n}":1' for n in range(ENDLESS // 4)) + ',"0":1}'),
    ("encoded twice", json.dumps('{"a":' * ENDLESS)),
]


@pytest.mark.parametrize(("why", "reply"), HUGE, ids=[row[0] for row in HUGE])
def test_a_huge_reply_is_read_in_one_pass(why: str, reply: str) -> None:
    """A reader that starts again at every bracket would be here for hours."""
    assert read(reply, kind="rating").outcome is ReplyOutcome.REPAIR


def test_a_huge_reply_that_fits_is_accepted() -> None:
    """Ten thousand claims, each with its verdict."""
    claims = [{"text": f"claim {n}", "verdict": n % 2, "contexts": ["k1"]} for n in range(10_000)]
    reading = read(json.dumps({"claims": claims}), kind="claims_with_verdicts", ids=["k1"])
    assert reading.value == [[f"claim {n}", n % 2 == 1, ["k1"]] for n in range(10_000)]


@pytest.mark.parametrize("kind", ReplyKind)
def test_a_schema_keeps_to_what_strict_modes_take(kind: ReplyKind) -> None:
    """Every object closed, every key required; what it describes is what the reader accepts."""

    def check(schema: Any) -> None:
        if schema["type"] == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
            for part in schema["properties"].values():
                check(part)
        elif schema["type"] == "array":
            check(schema["items"])
        else:
            assert set(schema) <= {"type", "enum"}

    schema = json_schema(kind, IDS)
    check(schema)
    assert kind.key in schema["properties"]
    assert "enum" not in json.dumps(json_schema(ReplyKind.CLAIMS, ()))
