"""The judge's key where the environment has none: a Secret block of the Prefect server the run is on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from prefect.blocks.system import Secret

from ragproof.judge.environment import API_KEY

BLOCK = "ragproof-judge-api-key"
"""The name of the block."""


def with_judge_key(environ: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment with the judge's key in it, when there is one.

    Args:
        environ: of this process; a key in it is used as it is, and no block is looked for.
    """
    if environ.get(API_KEY):
        return environ
    try:
        block = cast("Secret[Any]", Secret.load(BLOCK))
    except ValueError:  # there is no such block: a judge on this machine may need no key
        return environ
    return {**environ, API_KEY: str(block.get())}
