"""The `http` adapter: a pipeline behind a URL, asked with a JSON request made from a template.

Cases are independent: no cookie is kept from one to the next. No redirect is followed, since it could carry
the headers, and with them a key, to another host.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import ClassVar, Literal, Self
from urllib.parse import quote, urlencode

import httpx
from pydantic import Field, JsonValue, field_validator, model_validator

from ragproof import __version__
from ragproof.adapters.adapter import SECTION, AdapterConfig, CallFailed, Question
from ragproof.adapters.wire.addressing import check_headers, check_references, check_url
from ragproof.adapters.wire.attempts import CONNECT_SECONDS, Reply, exchange
from ragproof.adapters.wire.concurrency import AdaptiveLimit
from ragproof.adapters.wire.environment import resolved
from ragproof.adapters.wire.mapping import ResponsePaths
from ragproof.adapters.wire.patience import Policy
from ragproof.adapters.wire.templates import HISTORY, QUESTION, Values, placeholders
from ragproof.adapters.wire.timing import REAL_TIME, Timing
from ragproof.adapters.wire.trust import is_here, trust
from ragproof.datasets.wording import shown
from ragproof.outputs import FailureKind, PipelineOutput

_ASK: Mapping[str, JsonValue] = {QUESTION: f"{{{QUESTION}}}"}
_WITHOUT_BODY = ("GET", "DELETE")
_SHOWN_CHARACTERS = 200


class HttpConfig(AdapterConfig):
    """A pipeline behind a URL."""

    transport_fields: ClassVar[frozenset[str]] = frozenset(
        {"timeout_seconds", "retries", "retry_after_cap_seconds", "max_response_mb", "verify"}
    )

    type: Literal["http"] = "http"
    url: str
    """Where requests go; placeholders may stand in its path and query."""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    """The HTTP method."""
    query: dict[str, JsonValue] = {}
    """Parameters added to the URL; placeholders may stand in their values."""
    headers: dict[str, str] = {}
    """Sent as they are, except that `env:NAME` becomes the value of a variable of the environment."""
    body: JsonValue = None
    """JSON with placeholders; by default `{"question": "{question}"}`, unless url or query has that."""
    response: ResponsePaths = ResponsePaths()
    """Where the parts of the output are; by default under their usual names."""
    timeout_seconds: float | None = Field(default=None, gt=0)
    """For one attempt; null leaves it to run.case_timeout_seconds."""
    retries: int = Field(default=3, ge=0, le=20)
    """After a broken connection, 502, 503 or 504. A server that asks to wait (429) is waited for instead."""
    retry_after_cap_seconds: float = Field(default=120, ge=0)
    """The longest wait that a server may ask for, and how long it may refuse every call."""
    max_response_mb: float = Field(default=20, gt=0)
    """The largest response that is read."""
    verify: bool | str = True
    """Whether to check certificates, or the file of a certificate authority to check them with."""

    @field_validator("method", mode="before")
    @classmethod
    def _in_capitals(cls, method: object) -> object:
        return method.upper() if isinstance(method, str) else method

    @field_validator("url")
    @classmethod
    def _can_be_called(cls, url: str) -> str:
        check_url(url)
        placeholders(url)
        return url

    @field_validator("headers")
    @classmethod
    def _can_be_sent(cls, headers: dict[str, str]) -> dict[str, str]:
        check_headers(headers)
        return headers

    @field_validator("verify", mode="before")
    @classmethod
    def _is_a_choice_or_a_file(cls, verify: object) -> object:
        if not isinstance(verify, bool | str):
            raise ValueError(f"{shown(verify)} is not allowed; expected true, false or the name of a file")
        return verify

    @field_validator("query")
    @classmethod
    def _has_plain_values(cls, query: dict[str, JsonValue]) -> dict[str, JsonValue]:
        faults = [f"'{name}' is {shown(value)}" for name, value in query.items() if not _is_plain(value)]
        if faults:
            raise ValueError(f"{', '.join(faults)}; expected text, a number, true or false")
        return query

    @field_validator("query", "body")
    @classmethod
    def _can_be_filled(cls, value: JsonValue) -> JsonValue:
        check_references(value)
        placeholders(value)
        return value

    @model_validator(mode="after")
    def _sends_the_question(self) -> Self:
        if self.body is not None and QUESTION not in self._placeholders():
            raise ValueError("the question is sent nowhere; put '{question}' in body, query or url")
        return self

    def secrets(self, environ: Mapping[str, str] | None = None) -> Mapping[str, str]:
        """Return the values of the variables that the headers refer to."""
        return resolved(self.headers, environ, f"{SECTION}.headers")[1]

    def open(
        self,
        search_path: Sequence[Path] = (),
        environ: Mapping[str, str] | None = None,
        timing: Timing = REAL_TIME,
    ) -> HttpAdapter:
        """Resolve the headers; nothing is sent yet.

        Args:
            search_path: folders in which a relative `verify` is looked for.
            environ: the environment; None is this process's own.
            timing: how time passes.
        """
        headers, _ = resolved(self.headers, environ, f"{SECTION}.headers")
        return HttpAdapter(self, headers, trust(self.url, self.verify, search_path), timing)

    def template(self) -> tuple[dict[str, JsonValue], JsonValue]:
        """Return query and body; the question is added where the configuration does not say where it goes."""
        if self.body is not None or QUESTION in self._placeholders():
            return self.query, self.body
        if self.method in _WITHOUT_BODY:
            return {**self.query, QUESTION: f"{{{QUESTION}}}"}, None
        return self.query, dict(_ASK)

    def passes_history(self) -> bool:
        """Say whether `{history}` is sent."""
        return HISTORY in self._placeholders()

    def _placeholders(self) -> frozenset[str]:
        return placeholders([self.url, self.query, self.body])


CONFIG: type[AdapterConfig] = HttpConfig


class HttpAdapter:
    """An open pipeline behind a URL, with one pool of connections."""

    def __init__(
        self, config: HttpConfig, headers: Mapping[str, str], verify: ssl.SSLContext | bool, timing: Timing
    ) -> None:
        self._config = config
        self._headers = headers
        self._verify = verify
        self._timing = timing
        self._query, self._body = config.template()
        self._policy = Policy(
            timeout_seconds=config.timeout_seconds,
            retries=config.retries,
            retry_after_cap_seconds=config.retry_after_cap_seconds,
            max_response_bytes=int(config.max_response_mb * 1_000_000),
        )
        self._clients: dict[asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, AdaptiveLimit]] = {}

    @property
    def passes_history(self) -> bool:
        """Whether `{history}` is sent."""
        return self._config.passes_history()

    async def ask(self, question: Question) -> PipelineOutput:
        """Send the request, and read the parts of the output from its response."""
        client, limit = self._client()
        try:
            request = self._request(client, Values(question))
        except httpx.InvalidURL as error:
            message = f"the request cannot be built: {error}"
            raise CallFailed(FailureKind.EXCEPTION, message) from error
        reply = await exchange(client, request, self._policy, limit, self._timing)
        return self._config.response.read(_json(reply)).output(question.case_id, reply.latency_ms)

    async def close(self) -> None:
        """Close the connections."""
        opened = self._clients.pop(asyncio.get_running_loop(), None)
        if opened is not None:
            await opened[0].aclose()

    def _client(self) -> tuple[httpx.AsyncClient, AdaptiveLimit]:
        """Return what belongs to the running loop: the connections it opened, and who waits for a slot."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            client = httpx.AsyncClient(
                headers={"accept": "application/json", "user-agent": f"ragproof/{__version__}"},
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                follow_redirects=False,
                # Whoever asks limits how many calls run; waiting for the pool would count as latency.
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
                timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
                trust_env=not is_here(httpx.URL(self._config.url).host),
                verify=self._verify,
            )
            self._clients[loop] = client, AdaptiveLimit(timing=self._timing)
        return self._clients[loop]

    def _request(self, client: httpx.AsyncClient, values: Values) -> httpx.Request:
        url = values.url(self._config.url)
        query = {name: _written(values, value) for name, value in self._query.items()}
        if query:
            encoded = urlencode(query, quote_via=quote, errors="replace")
            url = f"{url}{'&' if '?' in url else '?'}{encoded}"
        if self._body is None:
            return client.build_request(self._config.method, url, headers=self._headers)
        return client.build_request(
            self._config.method,
            url,
            headers={"content-type": "application/json"}
            | {name.lower(): v for name, v in self._headers.items()},
            content=json.dumps(values.json(self._body)),
        )


def _is_plain(value: JsonValue) -> bool:
    return isinstance(value, str | int | float | bool)


def _written(values: Values, value: JsonValue) -> str:
    return values.text(value) if isinstance(value, str) else json.dumps(value)


def _json(reply: Reply) -> JsonValue:
    if not reply.content.strip():
        raise CallFailed(FailureKind.BAD_OUTPUT, "the response is empty, expected JSON")
    try:
        read: JsonValue = json.loads(reply.content)
        return read
    except (ValueError, RecursionError):
        shown = reply.content[:_SHOWN_CHARACTERS].decode(errors="replace").strip()
        kind = f" (its content type is '{reply.content_type}')" if reply.content_type else ""
        message = f"the response is not JSON{kind}; it begins: {shown}"
        raise CallFailed(FailureKind.BAD_OUTPUT, message) from None
