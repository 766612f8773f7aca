"""The request for a question, and what it may cost at most, without sending anything."""

from __future__ import annotations

import json

from ragproof.judge.apis.anthropic import AnthropicApi
from ragproof.judge.apis.api import Api
from ragproof.judge.apis.openai import OpenAiApi
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Terms
from ragproof.judge.metering import Tokens
from ragproof.judge.rendered import Rendered

_BEST = Terms()


def api_of(config: JudgeConfig) -> Api:
    """Return the API a judge is asked through."""
    return AnthropicApi() if config.provider == "anthropic" else OpenAiApi()


def written(config: JudgeConfig, prompt: Rendered, terms: Terms = _BEST, fault: str | None = None) -> bytes:
    """Return the body of a request.

    Args:
        config: whom it goes to.
        prompt: what is asked.
        terms: what the server is known to take.
        fault: what was wrong with an earlier reply; None in a first request.

    Returns:
        JSON in UTF-8, other scripts as they are: a token is at least one byte of it.
    """
    body = api_of(config).body(config, prompt, terms, fault)
    return json.dumps(body, ensure_ascii=False).encode()


def worst_case(config: JudgeConfig, prompt: Rendered, request: bytes, terms: Terms = _BEST) -> Tokens:
    """Return the most that one attempt can use: a token for every byte, and its whole token limit."""
    limit = terms.limit(config.max_tokens, prompt.room(config.max_tokens))
    return Tokens(input=len(request), output=limit)
