"""The key under which a verdict is kept: all that could change it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.judge.config import JudgeConfig
from tests.fakes.judge_questions import grounding, relevance

IDENTITY = [
    # why, settings, fields of the call, whether it is the same call
    ("another case that asks the same", {}, {"case_id": "q2"}, True),
    ("prices", {"input_cost_per_mtok": 3.0}, {}, True),
    ("patience", {"timeout_seconds": 5, "retries": 0, "retry_after_cap_seconds": 1}, {}, True),
    ("concurrency", {"concurrency": 64}, {}, True),
    ("a slash at the end of the URL", {"base_url": "http://h/v1/"}, {}, True),
    ("another URL", {"base_url": "http://h2/v1"}, {}, False),
    ("another model", {"model": "m2"}, {}, False),
    ("another API", {"provider": "anthropic"}, {}, False),
    ("another temperature", {"temperature": 0.5}, {}, False),
    ("another limit", {"max_tokens": 512}, {}, False),
    ("another way of reading", {}, {"partial": True}, False),
    ("another repeat", {}, {"repeat": 1}, False),
    ("another answer", {}, {"answer": "no"}, False),
]


@pytest.mark.parametrize(("why", "settings", "fields", "same"), IDENTITY, ids=[row[0] for row in IDENTITY])
def test_a_verdict_is_kept_under_all_that_could_change_it(
    why: str, settings: dict[str, Any], fields: dict[str, Any], same: bool
) -> None:
    """And under nothing else."""
    plain = {"model": "m", "base_url": "http://h/v1"}
    one = relevance().identity(JudgeConfig(**plain))
    other = relevance(**fields).identity(JudgeConfig(**{**plain, **settings}))
    assert (one == other) is same


def test_a_verdict_of_another_template_is_another_verdict() -> None:
    """One changed word in a rubric."""
    config = JudgeConfig(model="m")
    call = grounding()
    prompts = [
        call.prompt.model_copy(update=update)
        for update in (
            {},
            {"prompt_hash": "0" * 64},
            {"rules": "x"},
            {"words": ("true", "false")},
            {"ids": ("a",)},
        )
    ]
    identities = {call.model_copy(update={"prompt": prompt}).identity(config) for prompt in prompts}
    assert len(identities) == len(prompts)
