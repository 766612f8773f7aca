"""Secrets of the environment: which variables hold one, and which only sound or look like it."""

from __future__ import annotations

import base64

import pytest

from ragproof.redaction import Redactor
from ragproof.redaction.environment import secret_values
from ragproof.redaction.secret_words import has_secret_name, is_scrambled

RANDOM = "q7Rk2Zp9Xw4Lm8Tb3Vn6Ys1D"
HEX = "9f86d081884c7d659a2feaa0c55ad015"

SECRETS = [
    # why, name, value, what is secret in it
    ("a key", "SEARCH_API_KEY", "k-81.x!7", {"k-81.x!7"}),
    ("words run together", "MYAPIKEY", "k-81.x!7", {"k-81.x!7"}),
    ("small letters", "search_api_key", "k-81.x!7", {"k-81.x!7"}),
    ("a number after it", "API_KEY_2", "k-81.x!7", {"k-81.x!7"}),
    ("a key's id is half of a pair", "AWS_ACCESS_KEY_ID", "XKIA-12345", {"XKIA-12345"}),
    ("a token", "GITHUB_TOKEN", "t-81.x!7b", {"t-81.x!7b"}),
    ("a secret", "CLIENT_SECRET", "s-81.x!7b", {"s-81.x!7b"}),
    ("a password", "PGPASSWORD", "pw-81.x!7b", {"pw-81.x!7b"}),
    ("in short", "MYSQL_PWD", "pw-81.x!7b", {"pw-81.x!7b"}),
    ("passwd", "LDAP_PASSWD", "pw-81.x!7b", {"pw-81.x!7b"}),
    ("credentials", "SVC_CREDENTIALS", "c-81.x!7b", {"c-81.x!7b"}),
    ("three words are a passphrase", "DB_PASSWORD", "horse staple battery", {"horse staple battery"}),
    ("user and password", "PROXY_AUTH", "admin:pw-81.x!7b", {"admin:pw-81.x!7b", "pw-81.x!7b"}),
    ("with its scheme", "AUTH", "Bearer t-81.x!7b", {"Bearer t-81.x!7b", "t-81.x!7b"}),
    ("a URL's password", "DATABASE_URL", "postgresql://u:p%40ss-99@h/db", {"p%40ss-99", "p@ss-99"}),
    ("of a URL under any name", "UPSTREAM", "redis://:s3cr3t@h:6379/0", {"s3cr3t"}),
    ("a URL's user alone is a token", "REMOTE", f"https://{RANDOM}@git.example.org/x", {RANDOM}),
    ("a query's key", "FEED", "https://h/x?lang=en&api_key=k-81.x!7", {"k-81.x!7"}),
    ("a hook's path", "CHAT_WEBHOOK", "https://h.example.org/T0/B0/x9", {"h.example.org/T0/B0/x9"}),
    ("a connection string", "QUEUE_CONNECTION_STRING", "Host=h;Key=k-81.x!7;Ssl=on",
     {"k-81.x!7", "Host=h;Key=k-81.x!7;Ssl=on"}),
    ("its password under any name", "STORE", "Server=h;Password=pw-81.x!7b", {"pw-81.x!7b"}),
    ("random, whatever its name", "SEARCH", RANDOM, {RANDOM}),
    ("hexadecimal digits", "SEARCH", HEX, {HEX}),
    ("a random value may begin with a slash", "APP_SECRET", f"/{RANDOM}+{RANDOM}", {f"/{RANDOM}+{RANDOM}"}),
    ("outer blanks are not part of it", "APP_TOKEN", " t-81.x!7b\n", {"t-81.x!7b"}),
]  # fmt: skip

SETTINGS = [
    # why, name, value
    ("too short", "API_KEY", "k-81.x!"),
    ("unset", "API_KEY", ""),
    ("a word", "PASSWORD", "required"),
    ("a word in capitals", "AUTH", "DISABLED"),
    ("two words", "AUTH", "single-tenant"),
    ("a number", "MAX_TOKENS", "100000000"),
    ("a date", "KEY_ROTATION_KEY", "2024-01-01"),
    ("a path", "GOOGLE_APPLICATION_CREDENTIALS", "/home/someone/keys/service-1.json"),
    ("a path from home", "DEPLOY_KEY", "~/.ssh/id_ed25519"),
    ("a path on Windows", "DEPLOY_KEY", r"C:\keys\id_1"),
    ("a socket", "SSH_AUTH_SOCK", "/tmp/ssh-XXXXq7Rk2Z/agent.1234"),
    ("a keyboard", "KEYBOARD", "qwertz-105.de"),
    ("a monkey", "MONKEY", "capuchin-1.2"),
    ("a tokenizer", "TOKENIZER", "model-1.5b/v2"),
    ("about a key, not one", "KEY_ALGORITHM", "aes-256-gcm.1"),
    ("about a token, not one", "TOKEN_LIMIT", "4k-per-minute"),
    ("where a token is had", "TOKEN_URL", "https://login.example.org/oauth2/token"),
    ("an address without a password", "DATABASE_URL", "postgresql://localhost:5432/db"),
    ("a password that is a word", "DATABASE_URL", "postgresql://postgres:postgres@localhost/db"),
    ("a user's name", "REMOTE", "ssh://git@git.example.org/x"),
    ("a commit", "GIT_COMMIT", HEX + "deadbeef"),
    ("a checksum", "PYTHON_SHA256", HEX + HEX),
    ("an id", "INVOCATION_ID", HEX),
    ("a UUID", "SESSION", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
    ("a list of paths", "PATH", "/usr/local/bin:/usr/bin"),
    ("a long name", "PLATFORM", "x86_64-unknown-linux-gnu-2019"),
    ("a reference", "API_KEY", "env:OTHER_KEY_1"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "name", "value", "secret"), SECRETS, ids=[row[0] for row in SECRETS])
def test_a_secret_variable_is_found(why, name, value, secret):
    """By its name, by its shape, or inside a URL or a connection string."""
    assert set(secret_values({name: value})) == {(name, part) for part in secret}


@pytest.mark.parametrize(("why", "name", "value"), SETTINGS, ids=[row[0] for row in SETTINGS])
def test_a_setting_is_no_secret(why, name, value):
    """A word, a number, a path or an id under a secret's name would tear honest texts apart."""
    assert list(secret_values({name: value})) == []


def test_what_the_environment_holds_is_replaced_by_its_name():
    """In every spelling, as the values that a configuration refers to."""
    redactor = Redactor({}, environ={"DATABASE_URL": "postgresql://u:s3cr3t-99@h/db", "HOME": "/root"})
    encoded = base64.b64encode(b"u:s3cr3t-99").decode()
    assert redactor.text("login s3cr3t-99 failed in /root") == "login [redacted:DATABASE_URL] failed in /root"
    assert "[redacted:DATABASE_URL]" in redactor.text(f"x-proxy: {encoded}")


def test_a_reference_of_the_configuration_gives_the_name():
    """The same value may stand in two variables."""
    redactor = Redactor({"MINE": "t-81.x!7b"}, environ={"A_TOKEN": "t-81.x!7b"})
    assert redactor.text("t-81.x!7b") == "[redacted:MINE]"


@pytest.mark.parametrize(
    ("name", "secret"),
    [("apiKey", True), ("openai_api_key", True), ("keyFile", False), ("keyboard", False), ("", False)],
)
def test_names_of_options_are_read_in_either_spelling(name, secret):
    """Capitals begin words where nothing else does."""
    assert has_secret_name(name) is secret


@pytest.mark.parametrize(
    "text", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a1" * 20, "eu-west-1a/eu-west-1b/eu-west-1c"]
)
def test_a_pattern_is_not_random(text):
    """Few different characters, or few changes between digits and letters."""
    assert not is_scrambled(text)
