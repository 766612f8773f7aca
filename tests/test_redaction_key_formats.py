"""Keys by their format: each kind is found, what resembles it is not, and hostile text is read in one pass.

The keys are put together here, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.redaction import Redactor
from ragproof.redaction.key_formats import FORMATS, KINDS, kinds_in

CLEAN = Redactor({}, environ={}).text
A = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
HEX = "9f86d081884c7d659a2feaa0c55ad015"
BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"
BASIC = base64.b64encode(b"user:pass-word").decode()


def pem(kind: str, lines: str) -> str:
    return f"-----BEGIN {kind}-----{lines}-----END {kind}-----"


KEYS = [
    # why, text, redacted
    ("AWS", f"id AKIA{'Q' * 16}.", "id [redacted:aws-access-key-id]."),
    ("AWS, temporary", f"ASIA{'Q1' * 8}", "[redacted:aws-access-key-id]"),
    ("AWS, with its secret", f"AKIA{'Q' * 16} / {A}/+aB ok", "[redacted:aws-access-key-id] ok"),
    ("AWS, the secret", f'"SecretAccessKey": "{A}/+aB"',
     '"SecretAccessKey": "[redacted:aws-secret-access-key]"'),
    ("AWS, in a file", f"aws_secret_access_key = {A}/+aB",
     "aws_secret_access_key = [redacted:aws-secret-access-key]"),
    ("OpenAI", f"key sk-{A}, ok", "key [redacted:openai-key], ok"),
    ("OpenAI, of a project", f"sk-proj-{A}-_{A}", "[redacted:openai-key]"),
    ("Anthropic", f"sk-ant-api03-{A}_-", "[redacted:anthropic-key]"),
    ("GitHub", f"ghp_{A}", "[redacted:github-token]"),
    ("GitHub, OAuth", f"gho_{A}", "[redacted:github-token]"),
    ("GitHub, fine-grained", f"github_pat_11{A}_{A}", "[redacted:github-token]"),
    ("GitLab", "glpat-aB3dE5gH7jK9mN1pQ3sT", "[redacted:gitlab-token]"),
    ("Slack", f"xoxb-123456789012-{A}", "[redacted:slack-token]"),
    ("Slack, a hook", f"https://hooks.slack.com/services/T0/B0/{A}",
     "https://hooks.slack.com/services/[redacted:slack-webhook]"),
    ("Google", f"?key=AIza{A[:35]}&x", "?key=[redacted:google-key]&x"),
    ("Stripe", f"sk_live_{A}", "[redacted:stripe-key]"),
    ("Stripe, restricted", f"rk_live_{A}", "[redacted:stripe-key]"),
    ("Hugging Face", f"hf_{A[:34]}", "[redacted:huggingface-token]"),
    ("npm", f"npm_{A}", "[redacted:npm-token]"),
    ("PyPI", f"pypi-AgEIcHlwaS5vcmc{A}", "[redacted:pypi-token]"),
    ("SendGrid", f"SG.{A[:22]}.{A}", "[redacted:sendgrid-key]"),
    ("Twilio", f"SK{HEX}", "[redacted:twilio-key]"),
    ("Telegram: the bot's number is public", f"bot123456789:AA{A[:33]}",
     "bot123456789[redacted:telegram-token]"),
    ("a JWT", f"t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{A}.", "t=[redacted:jwt]."),
    ("a JWT, cut off", "eyJhbGciOiJIUzI1NiJ9.eyJzdWI...", "[redacted:jwt]..."),
    ("a private key", pem("RSA PRIVATE KEY", f"\n{BODY}\n{BODY}\nabc=\n") + " ok",
     "[redacted:private-key] ok"),
    ("in one line", pem("PRIVATE KEY", f" {BODY} {BODY} abc= "), "[redacted:private-key]"),
    ("inside JSON", pem("PRIVATE KEY", f"\\n{BODY}\\nabc=\\n"), "[redacted:private-key]"),
    ("encrypted", pem("RSA PRIVATE KEY", f"\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,A0\n\n{BODY}\n"),
     "[redacted:private-key]"),
    ("cut off", f"-----BEGIN PRIVATE KEY-----\n{BODY}\n{BODY}... more", "[redacted:private-key]... more"),
    ("a URL's user and password", "at postgres://u:p@ss-1@h:5432/db",
     "at postgres://[redacted:url-credentials]@h:5432/db"),
    ("a URL's password alone", "redis://:pw@h", "redis://[redacted:url-credentials]@h"),
    ("a URL's token", f"https://{A}@h/x", "https://[redacted:url-credentials]@h/x"),
    ("a header", "Authorization: Bearer t-81.x7b", "Authorization: Bearer [redacted:authorization]"),
    ("printed by Python", f"{{'Authorization': 'Basic {BASIC}'}}",
     "{'Authorization': 'Basic [redacted:authorization]'}"),
    ("without a scheme", "authorization=t-81.x7b", "authorization=[redacted:authorization]"),
    ("a scheme alone", f"sent Bearer {HEX} there", "sent Bearer [redacted:bearer-token] there"),
    ("user and password in base64", f"basic {BASIC}", "basic [redacted:basic-credentials]"),
    ("a key's header", "x-api-key: k-0123456789ab", "x-api-key: [redacted:api-key]"),
    ("Azure", f"AccountName=x;AccountKey={A}{A}==;Suffix=y",
     "AccountName=x;AccountKey=[redacted:azure-key];Suffix=y"),
    ("Azure, signed", f"?sv=1&sig={A}%3D&se=2", "?sv=1&sig=[redacted:azure-key]&se=2"),
    ("two of them", f"ghp_{A} ghp_{A}", "[redacted:github-token] [redacted:github-token]"),
    ("where a letter has two small ones", f"İ Bearer {HEX}", "İ Bearer [redacted:bearer-token]"),
]  # fmt: skip

RESEMBLING = [
    ("a class of a style sheet", "sk-spinner-three-bounce-child"),
    ("part of a word", "a task-force-" + "x" * 30),
    ("a module's name", "hf_hub_download and npm_config_registry_setting"),
    ("a code in capitals", "SKU-2024 and SK1234"),
    ("a base64 text without a dot", "eyJhbGciOiJIUzI1NiJ9 is a cursor"),
    ("a certificate", pem("CERTIFICATE", f"\n{BODY}\n")),
    ("a public key", pem("PUBLIC KEY", f"\n{BODY}\n")),
    ("a URL with a port", "http://localhost:8080/a@b and https://example.org/@someone"),
    ("a URL with a user", "ssh://git@example.org and mailto:someone@example.org"),
    ("a bearer of good news", "bearer authentication, the bearer instrument and Basic authentication"),
    ("words about a header", "Authorization: required. Authorization: Bearer authentication"),
    ("basic in prose", "basic understanding/knowledge and Basic JavaScriptKnowledge"),
    ("a secret key in prose", "the secret key: keep it safe; api-key: see below"),
    ("a sentence about a private key", "begin with BEGIN PRIVATE KEY, as files do"),
    ("a hash", HEX + HEX),
]


@pytest.mark.parametrize(("why", "text", "redacted"), KEYS, ids=[row[0] for row in KEYS])
def test_a_key_is_replaced_by_its_kind(why, text, redacted):
    """What stands around it stays; a second pass changes nothing."""
    assert CLEAN(text) == redacted
    assert CLEAN(redacted) == redacted


@pytest.mark.parametrize(("why", "text"), RESEMBLING, ids=[row[0] for row in RESEMBLING])
def test_what_resembles_a_key_stays(why, text):
    """Honest text is not torn apart."""
    assert CLEAN(text) == text
    assert kinds_in(text) == ()


@pytest.mark.parametrize(
    "format",
    [format for format in FORMATS if format.expression.startswith("(?<![A-Za-z0-9])")],
    ids=lambda f: f.tell,
)
def test_a_format_begins_with_its_tell(format):
    """Only where the tell stands is the expression tried."""
    plain = format.expression.removeprefix("(?<![A-Za-z0-9])").replace("\\", "")
    assert plain.lower().startswith(format.tell.lower()) or format.kind == "slack-token"


def test_a_kind_is_a_word():
    """It stands in a mark, which no other mark may begin."""
    assert all(kind.replace("-", "").isalnum() and kind.islower() for kind in KINDS)


HOSTILE = ["sk-", "-eyJ", "eyJaaaaaaaa.", "://a:b", "://a:bbb@", "-----BEGIN PRIVATE KEY-----", "bearer ",
           "SG.", "authorization: ", "basic aaaaaaaaaaaa", "secret_key=", "[redacted:", "...", "a",
           "ghp_" + A]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_one_pass(piece):
    """A quarter of a million characters that nearly match; two ways to read them would take hours."""
    text = piece * (250_000 // len(piece))
    assert len(CLEAN(text)) > 0


@given(before=st.text(max_size=20), after=st.text(max_size=20))
def test_a_key_is_found_among_any_words(before, after):
    """Whatever stands around it, as long as it stands apart."""
    assert f"ghp_{A}" not in CLEAN(f"{before} ghp_{A} {after}")
