"""What servers complain of, in the ways they do it."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.judge.complaints import Subject, complaint

SAID = [
    # why, body, subject, message
    (
        "OpenAI on temperature",
        {"error": {"message": "Unsupported value: 'temperature'", "param": "temperature"}},
        Subject.TEMPERATURE,
        "Unsupported value: 'temperature'",
    ),
    (
        "Anthropic on temperature",
        {"type": "error", "error": {"message": "`temperature` is deprecated"}},
        Subject.TEMPERATURE,
        "`temperature` is deprecated",
    ),
    (
        "OpenAI on the limit's name",
        {"error": {"message": "'max_tokens' is not supported. Use 'max_completion_tokens' instead."}},
        Subject.TOKEN_LIMIT_NAME,
        "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
    ),
    (
        "a limit too large is another matter",
        {"error": {"message": "max_tokens is too large: 9999 is not supported"}},
        None,
        "max_tokens is too large: 9999 is not supported",
    ),
    (
        "LM Studio on structure",
        {"error": "'response_format.type' must be 'json_schema' or 'text'"},
        Subject.STRUCTURE,
        "'response_format.type' must be 'json_schema' or 'text'",
    ),
    (
        "OpenAI on a schema",
        {"error": {"message": "Invalid schema for response_format 'v'"}},
        Subject.STRUCTURE,
        "Invalid schema for response_format 'v'",
    ),
    (
        "Anthropic on structure",
        {"error": {"message": "output_config: Extra inputs are not permitted"}},
        Subject.STRUCTURE,
        "output_config: Extra inputs are not permitted",
    ),
    (
        "FastAPI",
        {"detail": [{"loc": ["body", "response_format"], "msg": "extra fields not permitted"}]},
        Subject.STRUCTURE,
        "body.response_format: extra fields not permitted",
    ),
    (
        "Mistral",
        {"message": "Unknown field: response_format", "code": 1},
        Subject.STRUCTURE,
        "Unknown field: response_format",
    ),
    (
        "a mention is no refusal",
        {"error": {"message": "bad input: temperature and max_tokens"}},
        None,
        "bad input: temperature and max_tokens",
    ),
    ("text", "Bad request", None, "Bad request"),
    ("nothing", None, None, "no body"),
    ("an empty object", {}, None, "no body"),
    (
        "what the server echoes decides nothing",
        {"error": {"message": "bad", "input": "temperature response_format"}},
        None,
        "bad",
    ),
    (
        "nor does a late mention",
        {"error": {"message": "no. " + "x" * 600 + "unsupported response_format"}},
        None,
        "no. ... response_format",
    ),
    ("control characters are not passed on", {"error": {"message": "a\x1b[2J\nb"}}, None, "a\ufffd[2J b"),
]


@pytest.mark.parametrize(("why", "body", "subject", "message"), SAID, ids=[row[0] for row in SAID])
def test_a_complaint_is_about_one_thing(why: str, body: Any, subject: Subject | None, message: str) -> None:
    """What to leave out next time, and what to tell people."""
    told = complaint(body, "no body")
    assert (told.subject, told.message) == (subject, message)


FILTERED = [
    (
        "Azure",
        {"error": {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        True,
    ),
    (
        "by the inner code alone",
        {"error": {"code": "400", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        True,
    ),
    ("a gateway's metadata", {"error": {"message": "x", "metadata": {"flagged_input": "..."}}}, True),
    ("a message is not a code", {"error": {"message": "the content_filter parameter is wrong"}}, False),
    ("anything else", {"error": {"code": "unsupported_value"}}, False),
]


@pytest.mark.parametrize(("why", "body", "filtered"), FILTERED, ids=[row[0] for row in FILTERED])
def test_a_content_filter_is_known_by_its_codes(why: str, body: Any, filtered: bool) -> None:
    """A message may quote what was asked, and an answer must not choose how its own judging fails."""
    assert complaint(body, "").filtered is filtered
