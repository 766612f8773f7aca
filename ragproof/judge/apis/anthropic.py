"""Anthropic's Messages API, version 2023-06-01, with structured output under `output_config.format`."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ragproof.judge.apis.api import NoReply, entry, joined, text, texts, tokens
from ragproof.judge.complaints import Subject
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Structure, Terms
from ragproof.judge.metering import Answer
from ragproof.judge.rendered import Rendered

_VERSION = "2023-06-01"
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicApi:
    """`POST {base_url}/messages`; a base URL without `/v1` gets one."""

    steps = (Structure.JSON_SCHEMA, Structure.PROMPT)
    optional = frozenset({Subject.TEMPERATURE, Subject.STRUCTURE})

    def url(self, config: JudgeConfig) -> str:
        """Return where calls go."""
        return joined(config.home if "/v1" in config.home else joined(config.home, "/v1"), "/messages")

    def headers(self, config: JudgeConfig, key: str) -> Mapping[str, str]:  # noqa: ARG002  # as every API
        """Return the headers of a call."""
        return {"anthropic-version": _VERSION} | ({"x-api-key": key} if key else {})

    def body(
        self, config: JudgeConfig, prompt: Rendered, terms: Terms, fault: str | None
    ) -> dict[str, JsonValue]:
        """Return what is sent."""
        by_schema = terms.structure is Structure.JSON_SCHEMA
        return {
            "model": config.model,
            "system": prompt.system_message(with_schema=not by_schema),
            "messages": [{"role": "user", "content": prompt.user_message(fault)}],
            "max_tokens": terms.limit(config.max_tokens, prompt.room(config.max_tokens)),
            **({"temperature": config.temperature} if terms.temperature else {}),
            **(
                {"output_config": {"format": {"type": "json_schema", "schema": prompt.reply_schema}}}
                if by_schema
                else {}
            ),
        }

    def answer(self, body: JsonValue) -> Answer:
        """Find the text blocks of the reply; blocks of thinking are none."""
        if not isinstance(entry(body, "content"), list):
            raise NoReply("the response has no content")
        return Answer(
            text=texts(entry(body, "content"), ("text",)),
            finish_reason=text(entry(body, "stop_reason")),
            model=text(entry(body, "model")),
            usage=tokens(entry(body, "usage"), _INPUT, "output_tokens"),
        )
