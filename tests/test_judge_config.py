"""The judge's configuration: YAML under the environment, and no key in anything that is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from ragproof.errors import ConfigurationError
from ragproof.judge.apis.anthropic import AnthropicApi
from ragproof.judge.apis.openai import OpenAiApi
from ragproof.judge.client import JudgeClient
from ragproof.judge.config import JudgeConfig
from ragproof.judge.environment import api_key
from ragproof.judge.ladder import Ladder
from ragproof.judge.metering import Tokens
from tests.fakes.configs import BASE, loaded
from tests.fakes.judge_server import KEY, RecordingMeter

CURE = (
    "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK and RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK (0 for a model that costs"
    " nothing), or take back the cap: budget.max_cost_usd or RAGPROOF_MAX_COST_USD_CEILING or"
    " RAGPROOF_PROJECT_COST_USD_CEILING or RAGPROOF_MONTH_COST_USD_CEILING"
)
URLS = [
    # why, provider, base URL, where calls go
    ("OpenAI's own", "openai", "", "https://api.openai.com/v1/chat/completions"),
    ("Anthropic's own", "anthropic", "", "https://api.anthropic.com/v1/messages"),
    ("Ollama", "openai", "http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
    (
        "a slash at the end",
        "openai",
        "http://localhost:1234/v1/",
        "http://localhost:1234/v1/chat/completions",
    ),
    (
        "Gemini's compatible endpoint",
        "openai",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
    ),
    (
        "Azure by deployment keeps its query",
        "openai",
        "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
        "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
    ),
    ("the whole path of a call", "openai", "http://h/v1/chat/completions", "http://h/v1/chat/completions"),
    ("a gateway without /v1", "anthropic", "http://h/proxy", "http://h/proxy/v1/messages"),
    ("a gateway with it", "anthropic", "http://h/v1", "http://h/v1/messages"),
    ("the whole path of a message", "anthropic", "http://h/v1/messages", "http://h/v1/messages"),
]


@pytest.mark.parametrize(("why", "provider", "base_url", "url"), URLS, ids=[row[0] for row in URLS])
def test_calls_go_where_the_base_url_says(why: str, provider: Any, base_url: str, url: str) -> None:
    """As the documentation of each server writes its base URL."""
    config = JudgeConfig(provider=provider, model="m", base_url=base_url)
    assert (AnthropicApi() if provider == "anthropic" else OpenAiApi()).url(config) == url


def test_azure_has_a_header_of_its_own_for_keys() -> None:
    """And without a key there is no header that would hold one."""
    azure = JudgeConfig(model="m", base_url="https://x.openai.azure.com/openai/v1")
    assert OpenAiApi().headers(azure, "k") == {"api-key": "k"}
    assert OpenAiApi().headers(JudgeConfig(model="m"), "k") == {"authorization": "Bearer k"}
    assert OpenAiApi().headers(JudgeConfig(model="m"), "") == {}
    assert "x-api-key" not in AnthropicApi().headers(JudgeConfig(model="m"), "")


def test_the_environment_lies_over_the_section(tmp_path: Path) -> None:
    """Empty variables are not set; the key is not among the settings."""
    environ = {
        "RAGPROOF_JUDGE_MODEL": "from-environment",
        "RAGPROOF_JUDGE_BASE_URL": "",
        "RAGPROOF_JUDGE_PROVIDER": "anthropic",
        "RAGPROOF_JUDGE_CONCURRENCY": "32",
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0.15",
        "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "0.6",
        "RAGPROOF_JUDGE_API_KEY": KEY,
        "RAGPROOF_MAX_COST_USD": "2.5",
        "OTHER": "x",
    }
    section = "judge: {model: from-yaml, temperature: 0.5, concurrency: 4}\n"
    config = loaded(tmp_path, BASE + section, environ=environ)
    assert config.budget.max_cost_usd == 2.5
    assert config.judge == JudgeConfig(
        provider="anthropic",
        model="from-environment",
        temperature=0.5,
        concurrency=32,
        input_cost_per_mtok=0.15,
        output_cost_per_mtok=0.6,
    )


def test_without_a_model_no_judge_is_configured(tmp_path: Path) -> None:
    """A key alone configures nothing."""
    assert loaded(tmp_path, environ={"RAGPROOF_JUDGE_API_KEY": KEY}).judge is None


FAULTS = [
    # why, section, environment, every fault
    (
        "settings without a model",
        "judge: {concurrency: 3}",
        {},
        ["judge.model: missing; expected one line of text, at most 300 characters, such as gpt-4o-mini"],
    ),
    (
        "all at once, each at its place",
        "judge: {model: m, modle: x, temperature: true}",
        {"RAGPROOF_JUDGE_MODLE": "m", "RAGPROOF_JUDGE_CONCURRENCY": "many"},
        [
            "judge.temperature: true is not allowed; expected a number from 0 to 2",
            "'judge.modle' is not a key; did you mean 'judge.model'?",
            "judge.concurrency: 'many' is not allowed; expected a whole number from 1 to 1024",
            "'RAGPROOF_JUDGE_MODLE' is not a setting; did you mean 'RAGPROOF_JUDGE_MODEL'?",
        ],
    ),
    (
        "a price that is no number",
        "judge: {model: m}",
        {"RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "nan"},
        ["judge.input_cost_per_mtok: 'nan' is not allowed; expected a number from 0 to 1000000, or null"],
    ),
    (
        "a cap that is no amount",
        "budget: {max_cost_usd: .nan}",
        {},
        ["budget.max_cost_usd: nan is not allowed; expected a number from 0 to 1000000000, or null"],
    ),
    (
        "a negative cap",
        "budget: {max_cost_usd: -1}",
        {},
        ["budget.max_cost_usd: -1 is not allowed; expected a number from 0 to 1000000000, or null"],
    ),
    (
        "a cap on a judge without a price",
        "judge: {model: in-house-7b}\nbudget: {max_cost_usd: 5}",
        {},
        ["a cost cap is set and judge model 'in-house-7b' has no price; set " + CURE],
    ),
    (
        "a ceiling on a judge without a price",
        "judge: {model: in-house-7b, input_cost_per_mtok: 1}",
        {"RAGPROOF_MONTH_COST_USD_CEILING": "5"},
        ["a cost cap is set and judge model 'in-house-7b' has no price; set " + CURE],
    ),
    (
        "calls to the pipeline without a price",
        "budget: {include_pipeline: true, max_cost_usd: 1}\nprices: {input_cost_per_mtok: 1}",
        {},
        [
            "budget.include_pipeline: needs budget.pipeline_call_usd and prices.output_cost_per_mtok, or a"
            " call could not be priced"
        ],
    ),
    (
        "a ceiling that is no amount",
        "judge: {model: m}",
        {"RAGPROOF_MAX_COST_USD_CEILING": "-1"},
        ["'-1' is not allowed; expected dollars, 0 or more"],
    ),
    (
        "a credential in the address",
        'judge: {model: m, base_url: "http://h/v1?api_key=abc"}',
        {},
        ["judge.base_url: 'api_key' in base_url is a credential; set RAGPROOF_JUDGE_API_KEY instead"],
    ),
]


@pytest.mark.parametrize(("why", "section", "environ", "faults"), FAULTS, ids=[row[0] for row in FAULTS])
def test_what_is_wrong_is_said_at_once(
    tmp_path: Path, why: str, section: str, environ: dict[str, str], faults: list[str]
) -> None:
    """Before anything is asked, and the command ends with exit code 3."""
    with pytest.raises(ConfigurationError) as error:
        loaded(tmp_path, BASE + section, environ=environ)
    assert sorted(fault.message for fault in error.value.faults) == sorted(faults), why


BAD_URLS = [
    ("no host", "localhost:11434/v1"),
    ("a password", "http://user:pass@h/v1"),
    ("a key in the query", "http://h/v1?api_key=abc"),
    ("a key by another name", "http://h/v1?subscription-key=abc"),
    ("a placeholder", "http://h/{question}"),
    ("a fragment", "http://h/v1#x"),
]


@pytest.mark.parametrize(("why", "url"), BAD_URLS, ids=[row[0] for row in BAD_URLS])
def test_a_base_url_holds_no_secret_and_names_a_host(why: str, url: str) -> None:
    """It is recorded with every run."""
    with pytest.raises(ValidationError):
        JudgeConfig(model="m", base_url=url)


BOUNDS: list[dict[str, Any]] = [
    {"model": ""},
    {"model": " m"},
    {"temperature": -0.1},
    {"temperature": 2.1},
    {"max_tokens": 0},
    {"concurrency": 0},
    {"timeout_seconds": 0},
    {"retry_after_cap_seconds": -1},
    {"input_cost_per_mtok": -1},
    {"output_cost_per_mtok": float("inf")},
    {"provider": "Openai"},
    {"api_key": KEY},
]


@pytest.mark.parametrize("settings", BOUNDS, ids=[str(row) for row in BOUNDS])
def test_a_setting_out_of_bounds_is_refused(settings: dict[str, Any]) -> None:
    """And there is no setting for a key."""
    with pytest.raises(ValidationError):
        JudgeConfig(**{"model": "m", **settings})


COSTS = [
    # why, input price, output price, dollars for 2 Mtok in and 1 Mtok out
    ("both prices", 0.5, 2.0, 2 * 0.5 + 1 * 2.0),
    ("free is a price", 0.0, 0.0, 0.0),
    ("no price is not free", None, None, None),
    ("one price is none", 0.5, None, None),
]


@pytest.mark.parametrize(("why", "sent", "received", "cost"), COSTS, ids=[row[0] for row in COSTS])
def test_tokens_cost_what_both_prices_say(
    why: str, sent: float | None, received: float | None, cost: float | None
) -> None:
    """In dollars for a million tokens."""
    config = JudgeConfig(model="m", input_cost_per_mtok=sent, output_cost_per_mtok=received)
    picodollars = config.cost_picodollars(Tokens(input=2_000_000, output=1_000_000))
    assert picodollars == (None if cost is None else cost * 10**12)
    assert config.is_priced is (cost is not None)


def test_a_key_is_shown_by_nothing() -> None:
    """Neither by what holds it nor by the client that sends it."""
    key = api_key({"RAGPROOF_JUDGE_API_KEY": KEY})
    assert key == SecretStr(KEY)
    client = JudgeClient(JudgeConfig(model="m"), key=key, meter=RecordingMeter(), ladder=Ladder())
    assert KEY not in f"{key!r} {key} {client!r} {vars(client)!r}"
    assert api_key({"RAGPROOF_JUDGE_API_KEY": ""}) is None


@pytest.mark.parametrize("value", ["s3cret\n", " s3cret", "s3cret\x00", "schlüssel"])
def test_a_key_that_cannot_be_a_header_is_refused_unseen(value: str) -> None:
    """The message does not repeat it."""
    with pytest.raises(ConfigurationError) as error:
        api_key({"RAGPROOF_JUDGE_API_KEY": value})
    assert value.strip("\n\0 ") not in str(error.value)
