"""Redaction: a known secret is replaced in every spelling, and nothing else is touched."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.outputs import CaseFailure, Chunk, FailureKind, PipelineOutput
from ragproof.payloads.library import library
from ragproof.redaction import Redactor, Rule
from ragproof.redaction.redactor import ID_NOTE

TOKEN = 'tok/+ "é" 12345&<6>'
MARK = "[redacted:TOKEN]"


def redacting(
    secrets: Mapping[str, str],
    rules: Sequence[Rule] = (),
    environ: Mapping[str, str] | None = None,
    exempt: Iterable[str] = (),
) -> Redactor:
    """Return a redactor that knows nothing of the environment the tests run in."""
    return Redactor(secrets, rules, environ=environ or {}, exempt=exempt)


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SPELLINGS = [
    ("as it is", TOKEN),
    ("percent-encoded", quote(TOKEN, safe="")),
    ("percent-encoded in small letters", re.sub("%..", lambda m: m[0].lower(), quote(TOKEN, safe=""))),
    ("percent-encoded with slashes left", quote(TOKEN)),
    ("as a form has it", quote_plus(TOKEN)),
    ("inside a JSON text", json.dumps(TOKEN)[1:-1]),
    ("inside a JSON text of other scripts", json.dumps(TOKEN, ensure_ascii=False)[1:-1]),
    ("inside HTML", escape(TOKEN)),
    ("in base64", b64(TOKEN)),
    ("in base64 for URLs", base64.urlsafe_b64encode(TOKEN.encode()).decode()),
]


@pytest.mark.parametrize(("why", "spelling"), SPELLINGS, ids=[row[0] for row in SPELLINGS])
def test_a_secret_is_replaced_in_every_spelling(why, spelling):
    """The name stands where the value stood, wherever in the text."""
    assert redacting({"TOKEN": TOKEN}).text(f"<{spelling}>{spelling}") == f"<{MARK}>{MARK}"


@pytest.mark.parametrize("user", ["", "a", "ab", "abc", "someone"])
@pytest.mark.parametrize("after", ["", "x", "xy", "xyz"])
def test_a_secret_inside_a_longer_base64_text_is_replaced(user, after):
    """Basic authentication encodes user and password together, at any of three offsets."""
    text = redacting({"TOKEN": "s3cret-password"}).text(f"Basic {b64(f'{user}:s3cret-password{after}')}")
    assert MARK in text
    left = "".join(re.findall(r"[\w+/=]+", re.sub(r"\[redacted:[^]]*]", " ", text).removeprefix("Basic")))
    assert len(left) <= len(b64(f"{user}:")) + len(b64(after)) + 3


def test_a_secret_that_is_basic_authentication_is_replaced_when_decoded():
    """A server that decodes the header may echo the password."""
    redactor = redacting({"BASIC": b64("user:s3cret-password")})
    assert redactor.text("no user user:s3cret-password") == "no user [redacted:BASIC]"
    assert redactor.text("wrong password s3cret-password") == "wrong password [redacted:BASIC]"


TEXTS = [
    ("the longest secret wins", {"S": "abcd", "L": "abcdefgh"}, "abcdefgh abcd", "[redacted:L] [redacted:S]"),
    ("the first name of one value", {"A": "one-value", "B": "one-value"}, "one-value", "[redacted:A]"),
    ("four characters are a secret", {"A": "abcd"}, "xabcdx", "x[redacted:A]x"),
    ("three are not: words would be torn", {"A": "the"}, "then", "then"),
    ("an empty variable is no secret", {"A": ""}, "text", "text"),
    ("no secrets", {}, "text", "text"),
    ("a secret is text, not a pattern", {"A": "a.c*"}, "abcc a.c*", "abcc [redacted:A]"),
    ("a mark is not looked at again", {"redacted": "abcd", "B": "redacted"}, "abcd", "[redacted:redacted]"),
    ("cut off at the end", {"A": "sk-0123456789"}, "failed with sk-01234", "failed with [redacted:A]"),
    ("cut off with an ellipsis", {"A": "sk-0123456789"}, "key sk-01234...", "key [redacted:A]..."),
    ("cut off twice", {"A": "sk-0123456789"}, "sk-01234\u2026 sk-012345", "[redacted:A]\u2026 [redacted:A]"),
    ("five characters of it could be anything", {"A": "sk-0123456789"}, "key sk-01", "key sk-01"),
    ("cut off in the middle", {"A": "sk-0123456789"}, "'sk-01234...' is", "'[redacted:A]...' is"),
    ("its beginning within a text", {"A": "sk-0123456789"}, "sk-01234 is short", "sk-01234 is short"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "secrets", "text", "clean"), TEXTS, ids=[row[0] for row in TEXTS])
def test_a_text_is_cleaned(why, secrets, text, clean):
    """Each row is a sentence of the definition."""
    assert redacting(secrets).text(text) == clean


def test_json_is_cleaned_in_values_and_keys_and_numbers():
    """A number that holds a secret becomes text; others stay numbers."""
    value = {"a-secret": [True, None, 1.5, 42, "x a-secret"], "n": 12345678, "deep": [{"k": {"a-secret": 1}}]}
    assert redacting({"A": "a-secret", "PIN": "345678"}).json(value) == {
        "[redacted:A]": [True, None, 1.5, 42, "x [redacted:A]"],
        "n": "12[redacted:PIN]",
        "deep": [{"k": {"[redacted:A]": 1}}],
    }


SECRET = redacting({"A": "a-secret"})
CHUNK = Chunk(
    id="a-secret-1", text="t a-secret", score=0.5, metadata={"document_id": "a-secret", "source": "a-secret"}
)
CLEAN_CHUNK = Chunk(
    id="[redacted:A]-1",
    text="t [redacted:A]",
    score=0.5,
    metadata={"document_id": "[redacted:A]", "source": "[redacted:A]"},
)
KEY = "ghp_" + "0aB1" * 9


def test_an_output_is_cleaned_and_only_the_case_id_stays():
    """A known secret is not kept even as an id; the case's own is the dataset's."""
    output = PipelineOutput(
        case_id="a-secret",
        answer="it is a-secret",
        retrieved=(CHUNK,),
        context=(CHUNK,),
        citations=("a-secret-1",),
        latency_ms=3.0,
        notes=("a-secret",),
    )
    assert SECRET.output(output) == PipelineOutput(
        case_id="a-secret",
        answer="it is [redacted:A]",
        retrieved=(CLEAN_CHUNK,),
        context=(CLEAN_CHUNK,),
        citations=("[redacted:A]-1",),
        latency_ms=3.0,
        notes=("[redacted:A]", ID_NOTE),
    )


def test_ids_that_merely_look_like_keys_stay():
    """A changed id would match nothing: retrieval and citations would score otherwise."""
    chunk = Chunk(id=KEY, text=KEY, metadata={"document_id": KEY, "page": KEY})
    output = PipelineOutput(case_id=KEY, retrieved=(chunk,), citations=(KEY,), latency_ms=1.0)
    mark = "[redacted:github-token]"
    clean = Chunk(id=KEY, text=mark, metadata={"document_id": KEY, "page": mark})
    assert redacting({}).output(output) == output.model_copy(update={"retrieved": (clean,)})


def test_a_short_secret_stays_in_ids():
    """Seven characters are part of too many honest ids."""
    chunk = Chunk(id="handbook-1", text="handbook")
    output = PipelineOutput(case_id="q", retrieved=(chunk,), latency_ms=1.0)
    cleaned = redacting({"A": "handboo"}).output(output)
    assert cleaned.retrieved == (Chunk(id="handbook-1", text="[redacted:A]k"),)


def test_an_output_cleaned_twice_is_the_output_cleaned_once():
    """A resumed run may clean what it reads."""
    output = PipelineOutput(
        case_id="q", answer=f"{KEY} a-secret", retrieved=(CHUNK,), latency_ms=1.0, notes=("a-secret",)
    )
    once = SECRET.output(output)
    assert once != output
    assert SECRET.output(once) == once


def test_a_secret_cut_off_at_the_end_of_a_chunk_is_replaced():
    """Chunks are looked through together, and each has an end of its own."""
    chunks = (Chunk(id="d1", text="key a-secre"), Chunk(id="d2", text="another text"))
    cleaned = SECRET.output(PipelineOutput(case_id="q", retrieved=chunks, latency_ms=1.0))
    assert cleaned.retrieved == (Chunk(id="d1", text="key [redacted:A]"), chunks[1])


EXEMPT = [
    ("a sentinel that begins like a secret", {"A": "RAGPROOF-K7Q2"}, (), "{sentinel}", "{sentinel}"),
    ("a key ends where a sentinel begins", {}, (), "{key}-{sentinel}", "[redacted:github-token]-{sentinel}"),
    ("a literal marker that has a format", {}, ("{key}",), "say {key}", "say {key}"),
    ("a literal marker that is a value", {"A": "PWNED-123"}, ("PWNED-123",), "PWNED-123", "PWNED-123"),
    ("a secret that holds a marker", {"A": "x-PWNED-123"}, ("PWNED",), "x-PWNED-123", "[redacted:A]"),
    ("a marker of one letter saves no key", {}, ("0",), "{key}", "[redacted:github-token]"),
    ("nor does a short one", {}, ("0aB1",), "{key}", "[redacted:github-token]"),
    ("a forged mark saves nothing", {"A": "s3cret-one"}, (), "[redacted:s3cret-one]",
     "[redacted:[redacted:A]]"),
    ("a mark of ours stays", {"A": "redacted"}, (), "[redacted:A]", "[redacted:A]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("why", "secrets", "exempt", "text", "clean"), EXEMPT, ids=[row[0] for row in EXEMPT]
)
def test_exempt_texts_stay_and_save_nothing_else(why, secrets, exempt, text, clean):
    """A sentinel torn apart would make every pipeline look immune."""
    words = {"sentinel": library()["payload:instruction-override"].sentinel, "key": KEY}
    redactor = redacting(secrets, exempt=[literal.format(**words) for literal in exempt])
    assert redactor.text(text.format(**words)) == clean.format(**words)


@pytest.mark.parametrize("payload", library().values(), ids=lambda payload: payload.id)
def test_no_payload_is_touched(payload):
    """Neither its sentinel, nor the text of its attack."""
    assert redacting({}).text(payload.attack + payload.sentinel) == payload.attack + payload.sentinel


def test_what_is_absent_stays_absent():
    """None is not the text of nothing."""
    output = PipelineOutput(case_id="q1", latency_ms=1.0)
    assert SECRET.output(output) == output


def test_a_failure_is_cleaned():
    """Exceptions like to print the request they failed on."""
    failure = CaseFailure(
        case_id="q1", kind=FailureKind.EXCEPTION, message="401 for a-secret", latency_ms=2.0
    )
    assert SECRET.failure(failure) == failure.model_copy(update={"message": "401 for [redacted:A]"})


def test_rules_are_added_as_functions():
    """What merely looks like a secret is a rule of its own, after the known ones."""
    redactor = redacting({"A": "a-secret"}, rules=[lambda text: text.replace("looks-like", "[looks]")])
    assert redactor.text("a-secret looks-like") == "[redacted:A] [looks]"
    assert (
        redacting({}, rules=[str.upper]).output(PipelineOutput(case_id="q", answer="a", latency_ms=0)).answer
        == "A"
    )


def test_printing_a_redactor_does_not_print_the_secret():
    """It may stand in a traceback or a log."""
    assert repr(SECRET) == "Redactor(KnownSecrets(A))"


@given(secret=st.text(min_size=4, max_size=40), before=st.text(), after=st.text())
def test_no_text_keeps_a_secret(secret, before, after):
    """Whatever stands around it, no piece between two marks has it."""
    pieces = redacting({"N": secret}).text(before + secret + after).split("[redacted:N]")
    assert len(pieces) > 1
    assert not any(secret in piece for piece in pieces)


@given(text=st.text(alphabet="abc def", max_size=50))
def test_a_text_without_secrets_is_left_as_it_is(text):
    """Not a character changes."""
    assert redacting({"N": "0123456789"}).text(text) == text


FRAGMENTS = (KEY, KEY[:12], "a-secret", "a-secre", "...", "[redacted:A]", "[redacted:", "]", "sk-",
             "eyJ", ".", "-", "ghp_", "://u:pass@h", "Bearer ", "0123456789abcdef", " ", "AKIA" + "A" * 16,
             "RAGPROOF-K7Q2-OVERRIDE", "-----BEGIN PRIVATE KEY-----", "\n", "Basic dXNlcjpwYXNzd29yZA==",
             "secret_key=")  # fmt: skip


@given(pieces=st.lists(st.sampled_from(FRAGMENTS), max_size=12))
def test_a_text_cleaned_twice_is_the_text_cleaned_once(pieces):
    """However keys, beginnings of keys and marks stand together."""
    once = SECRET.text("".join(pieces))
    assert SECRET.text(once) == once
    assert "a-secret" not in once
