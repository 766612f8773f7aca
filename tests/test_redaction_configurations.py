"""A configuration that holds a secret is refused, at its line, without saying it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.config.snapshots import again
from ragproof.errors import ConfigurationError
from tests.fakes.configs import BASE, faults, loaded

KEY = "ghp_" + "0aB1" * 9
PYTHON = BASE.rpartition("\n  adapter")[0] + "\n  adapter:\n    type: python\n    target: a:b\n    options:\n"
HTTP = BASE.rpartition("\n  adapter")[0] + "\n  adapter:\n    type: http\n"
CURE = (
    "which must not stand in a configuration; keep it in an environment variable, which a header names as "
    "'env:NAME' and Python code reads itself"
)

GITHUB = f" (github-token), {CURE}"

REFUSED = [
    (
        "a key by its format",
        PYTHON + f"      model: {KEY}\n",
        f"eval.yaml:9:7: pipeline.adapter.options.model: the value looks like a secret{GITHUB}",
    ),
    (
        "deep inside an option",
        PYTHON + f"      models: [{{a: x, b: 'see {KEY}'}}]\n",
        "eval.yaml:9:23: pipeline.adapter.options.models.0.b: the value looks like a secret" + GITHUB,
    ),
    (
        "a URL's password",
        PYTHON + "      database: postgres://u:s3cr3t@h/db\n",
        "eval.yaml:9:7: pipeline.adapter.options.database: the value looks like a secret (url-credentials), "
        + CURE,
    ),
    (
        "a random text under a secret's name",
        PYTHON + "      api_key: q7Rk2Zp9Xw4Lm8Tb3Vn6\n",
        f"eval.yaml:9:7: pipeline.adapter.options.api_key: the value looks like a secret, {CURE}",
    ),
    (
        "a header that no rule of headers knows",
        HTTP + f"    url: http://h/ask\n    headers: {{X-Custom: {KEY}}}\n",
        f"eval.yaml:8:15: pipeline.adapter.headers.X-Custom: the value looks like a secret{GITHUB}",
    ),
]


@pytest.mark.parametrize(("why", "text", "fault"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_secret_in_a_file_is_refused(tmp_path: Path, why: str, text: str, fault: str) -> None:
    """Prefect shows a configuration as a parameter, and every run keeps it."""
    assert [told.replace(str(tmp_path) + "/", "") for told in faults(tmp_path, text)] == [fault]


def test_an_ordinary_value_under_a_secret_name_is_kept(tmp_path: Path) -> None:
    """A name alone is no proof."""
    config = loaded(tmp_path, PYTHON + "      cache_key: handbook-2024\n      tokens: 100000000\n")
    assert config.adapter().model_dump()["options"]["cache_key"] == "handbook-2024"


def test_a_secret_of_the_command_line_is_refused(tmp_path: Path) -> None:
    """On a new run, and where a run is gone on with."""
    pair = f"pipeline.adapter.options.model={KEY}"
    (told,) = faults(tmp_path, overrides=[pair])
    assert told.startswith("--set pipeline.adapter.options.model: ")
    assert KEY not in told
    with pytest.raises(ConfigurationError, match="looks like a secret") as caught:
        again(loaded(tmp_path).snapshot(), [pair])
    assert KEY not in str(caught.value)


def test_other_faults_do_not_quote_a_secret(tmp_path: Path) -> None:
    """A key in the wrong place is quoted by the fault about that place."""
    told = "\n".join(faults(tmp_path, BASE + f"run: {{k: {KEY}}}\nmetrics: ['my-token-81.x7']\n",
                            environ={"MY_TOKEN": "my-token-81.x7"}))  # fmt: skip
    assert KEY not in told
    assert "my-token-81.x7" not in told
    assert "[redacted:MY_TOKEN]" in told
