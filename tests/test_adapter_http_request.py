"""The http adapter's requests: templates filled once, keys from the environment, hosts that stay put."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.adapters import registry
from ragproof.adapters.adapter import Question
from ragproof.adapters.wire.templates import Values
from ragproof.cases import Turn
from ragproof.errors import ConfigurationError
from tests.fakes.http_server import Received, Reply, serving

HISTORY = (Turn(role="user", content="hi {k}"),)
QUESTION = Question(
    case_id="q/1", text='why {k}, env:HOME & "{question}"?', k=2, retrieve_k=3, history=HISTORY
)
TURNS = [{"role": "user", "content": "hi {k}"}]


def sent(environ=None, url="", question=QUESTION, **settings) -> Received:
    """Return what a server receives for one question."""
    with serving([Reply({"answer": "a"})]) as server:
        section = {"type": "http", "url": server.url + url, **settings}
        adapter = registry.parse(section).open(environ=environ or {})

        async def once():
            await adapter.ask(question)
            await adapter.close()

        asyncio.run(once())
        return server.received[0]


BODIES = [
    ("by default the question alone", None, {"question": QUESTION.text}),
    ("data is never expanded again", {"q": "<{question}>"}, {"q": f"<{QUESTION.text}>"}),
    ("{k} alone is a number", ["{k}", "k={k}", "{question}"], [2, "k=2", QUESTION.text]),
    ("{history} alone is a list", {"h": "{history}", "q": "{question}"}, {"h": TURNS, "q": QUESTION.text}),
    ("within a text it is JSON", ["{question}", "h {history}"],
     [QUESTION.text, 'h [{"role": "user", "content": "hi {k}"}]']),
    ("the case's id", {"q": "{question}", "id": "{case_id}"}, {"q": QUESTION.text, "id": "q/1"}),
    ("what is no text stays", [1, None, True, "{question}"], [1, None, True, QUESTION.text]),
    ("doubled braces are literal", "{{k}} {{{k}}} {question}", "{k} {2} " + QUESTION.text),
    ("keys are no templates", {"{k}": "{question}"}, {"{k}": QUESTION.text}),
]  # fmt: skip


@pytest.mark.parametrize(("why", "body", "arrived"), BODIES, ids=[row[0] for row in BODIES])
def test_a_body_is_filled_in_one_pass(why, body, arrived):
    """A question may contain anything: it arrives as it is."""
    received = sent(body=body)
    assert received.json == arrived
    assert received.headers["content-type"] == "application/json"


def test_a_question_with_half_a_surrogate_pair_is_sent():
    """JSON can carry it as an escape, and the pipeline decides what it makes of it."""
    question = QUESTION.model_copy(update={"text": "a\ud800"})
    assert sent(question=question).json == {"question": "a\ud800"}


def test_values_in_a_url_are_percent_encoded():
    """A question cannot leave its segment of the path, nor add parameters."""
    received = sent(url="/{case_id}/x?q={question}", query={"k": "{k}", "flag": True, "t": "{case_id}"})
    target = urlsplit(received.path)
    assert target.path == "/ask/q%2F1/x"
    assert parse_qsl(target.query) == [("q", QUESTION.text), ("k", "2"), ("flag", "true"), ("t", "q/1")]
    assert received.body == b""


def test_a_question_of_dots_does_not_climb_the_path():
    """`..` as a segment would name the parent folder."""
    assert (
        sent(url="/{question}/x", question=QUESTION.model_copy(update={"text": ".."})).path == "/ask/%2E%2E/x"
    )


def test_a_get_asks_in_its_query_by_default():
    """It has no body."""
    received = sent(method="get")
    assert (received.method, received.body) == ("GET", b"")
    assert parse_qsl(urlsplit(received.path).query) == [("question", QUESTION.text)]


ENVIRON = {
    "KEY": "s3cret",
    "OTHER": "x",
    "RAGPROOF_ALLOWED_ENV": "KEY, TEAM_*",
    "EMPTY": "",
    "BROKEN": "a\nb",
}


def test_references_in_headers_become_values_and_are_known_as_secrets():
    """Alone or after a scheme; the question's own `env:` is only text."""
    headers = {"Authorization": "Bearer env:KEY", "X-Other": "env:KEY", "X-Plain": "plain"}
    received = sent(headers=headers, environ=ENVIRON)
    assert received.headers["authorization"] == "Bearer s3cret"
    assert (received.headers["x-other"], received.headers["x-plain"]) == ("s3cret", "plain")
    assert "env:HOME" in received.json["question"]
    config = registry.parse({"type": "http", "url": "http://h/", "headers": headers})
    assert config.secrets(ENVIRON) == {"KEY": "s3cret"}
    assert "s3cret" not in config.model_dump_json()
    assert config.identity() == registry.parse(config.model_dump(mode="json")).identity()


UNRESOLVED = [
    ("not set", "env:KEEY", {"KEY": "1"}, "environment variable 'KEEY' is not set; did you mean 'KEY'?"),
    ("empty", "env:EMPTY", {"EMPTY": ""}, "environment variable 'EMPTY' is not set"),
    ("not allowed", "env:OTHER", ENVIRON, "'OTHER' is not among the variables that RAGPROOF_ALL"),
    ("nothing is", "env:KEY", {"KEY": "1", "RAGPROOF_ALLOWED_ENV": ""}, "'KEY' is not among the variables"),
    ("a line break", "env:BROKEN", {"BROKEN": "a\nb"}, "'BROKEN' holds a line break or outer space"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "value", "environ", "words"), UNRESOLVED, ids=[row[0] for row in UNRESOLVED])
def test_a_reference_that_cannot_be_sent_is_a_fault(why, value, environ, words):
    """It is said before the first question, by the header it stands in."""
    config = registry.parse({"type": "http", "url": "http://h/", "headers": {"X-Key": value}})
    for use in (config.secrets, lambda environ: config.open(environ=environ)):
        with pytest.raises(ConfigurationError) as refused:
            use(environ)
        assert words in str(refused.value)
        assert [fault.place for fault in refused.value.faults] == ["pipeline.adapter.headers.X-Key"]


def test_every_missing_variable_is_told_at_once():
    """One round of setting them is enough."""
    config = registry.parse({"type": "http", "url": "http://h/", "headers": {"A": "env:A", "B": "env:B"}})
    with pytest.raises(ConfigurationError) as refused:
        config.open(environ={})
    assert len(refused.value.faults) == 2


REFUSED = [
    ("our judge's key", {"headers": {"X": "env:RAGPROOF_JUDGE_API_KEY"}}, "is ragproof's own and"),
    ("our store", {"headers": {"X": "a env:RAGPROOF_STORE_URL"}}, "is ragproof's own and"),
    ("our orchestrator's", {"headers": {"X": "env:PREFECT_API_KEY"}}, "is ragproof's own and"),
    ("a key in the file", {"headers": {"authorization": "Bearer sk-1"}}, "must not stand in a file; write"),
    ("a header with a line break", {"headers": {"X": "a\r\nY: b"}}, "'X' holds a line break"),
    ("a header's name", {"headers": {"X Y": "a"}}, "'X Y' is not the name of a header"),
    ("a reference in the query", {"query": {"key": "env:KEY"}}, "'env:KEY' is resolved in headers alone"),
    ("a reference in the body", {"body": ["{question}", "env:KEY"]}, "'env:KEY' is resolved in"),
    ("an unknown placeholder", {"body": {"q": "{questoin}"}}, "'questoin'; did you mean 'question'?"),
    ("all of them", {"body": ["{question}", "{a}", "{b}"]}, "named 'a'; expected question, k, case_id, his"),
    ("an attribute", {"body": "{question.__class__}"}, "no placeholder is named 'question.__class__'"),
    ("a brace alone", {"body": '{"q": "{question}"}'}, "'{' stands alone; write '{{' for a literal brace"),
    ("no question", {"body": {"q": "why?"}}, "the question is sent nowhere; put '{question}'"),
    ("a list in the query", {"query": {"a": [1]}}, "'a' is a list; expected text, a number, true or false"),
    ("no scheme", {"url": "localhost:8000/ask"}, "begins with neither http:// nor https://"),
    ("a file", {"url": "file:///etc/passwd"}, "begins with neither http:// nor https://"),
    ("no host", {"url": "http:///ask"}, "names no host"),
    ("a bad port", {"url": "http://h:port/"}, "is not a URL: port could not be cast to integer"),
    ("a password", {"url": "http://user:pass@h/"}, "must not hold a user or password; set a"),
    ("data as the host", {"url": "http://{question}/"}, "has a placeholder in its host"),
    ("a fragment", {"url": "http://h/#{question}"}, "has a fragment, which is never sent"),
    ("a bad path", {"response": {"answer": "$.a["}}, "'$.a[' is not a JSONPath: "),
    ("chunks all alike", {"response": {"chunks": "$.c", "chunk": {"score": "$.s"}}}, "by its id or its text"),
    ("a chunk of no list", {"response": {"chunk": {"id": "$.id"}}}, "chunk is given without chunks"),
    ("verify", {"verify": ["x"]}, "a list is not allowed; expected true, false or the name of a file"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "settings", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_settings_that_must_not_be_sent_are_faults(why, settings, words):
    """They are found when the configuration is read; nothing has been sent anywhere."""
    with pytest.raises(ConfigurationError) as refused:
        registry.parse({"type": "http", "url": "http://localhost/ask", **settings})
    assert words in str(refused.value)
    assert len(refused.value.faults) == 1


def test_a_missing_certificate_file_is_a_fault(tmp_path):
    """It is looked for beside the configuration, and read before the first question."""
    config = registry.parse({"type": "http", "url": "https://h/", "verify": "ca.pem"})
    with pytest.raises(
        ConfigurationError, match=r"^pipeline.adapter.verify: 'ca.pem' cannot be read as certifi"
    ):
        config.open([tmp_path])


@pytest.mark.parametrize(
    ("settings", "passes"),
    [
        ({"body": {"q": "{question}", "h": "{history}"}}, True),
        ({"query": {"h": "{history}"}}, True),
        ({}, False),
        ({"body": {"q": "{question} {{history}}"}}, False),
    ],
)
def test_history_is_passed_when_the_template_has_it(settings, passes):
    """Multi-turn cases are only worth asking a pipeline that sees the turns."""
    assert registry.parse({"type": "http", "url": "http://h/", **settings}).open().passes_history is passes


@given(text=st.text())
def test_any_question_arrives_as_it_is(text):
    """Filling is the inverse of nothing: braces and all."""
    values = Values(QUESTION.model_copy(update={"text": text}))
    assert values.json({"q": "{question}", "a": "<{question}{k}>"}) == {"q": text, "a": f"<{text}2>"}
