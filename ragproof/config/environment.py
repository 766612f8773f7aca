"""Configuration from the environment: `RAGPROOF_RUN__K=10` stands for `run.k: 10`.

A variable that begins with RAGPROOF_ and means nothing is a fault: it was set for a reason. Variables of
ragproof that are no keys (the store's address, the judge, ceilings of cost) are read elsewhere and passed
over here. An empty variable is not set, as shells and CI systems clear variables that way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragproof.config.judge_metrics import KEY as JUDGE_METRICS_KEY
from ragproof.config.judge_metrics import VARIABLE as JUDGE_METRICS
from ragproof.config.keys import keys, known, sections
from ragproof.config.layers import Layer
from ragproof.config.outside import one_value
from ragproof.errors import Fault, nearest
from ragproof.judge.config import JudgeConfig
from ragproof.similarity.weights import VARIABLE as SIMILARITY_MODEL

PREFIX = "RAGPROOF_"

ELSEWHERE: Mapping[str, str] = {
    "RAGPROOF_STORE_URL": "The database that keeps runs; a password in it never reaches a file or a report.",
    "RAGPROOF_CONFIG_DIR": "The folder in which a deployment looks for configurations.",
    "RAGPROOF_RESULTS": "The folder in which Prefect keeps the results it caches.",
    "RAGPROOF_DEBUG": "Anything: an error that is a bug of ragproof prints its traceback.",
    "RAGPROOF_SOAK": "Anything: tests that repeat run at their full count.",
    SIMILARITY_MODEL: "The folder of all-MiniLM-L6-v2, where its package is not installed.",
    "RAGPROOF_JUDGE_API_KEY": "The key of the judge's API; it is kept nowhere.",
    "RAGPROOF_MAX_COST_USD_CEILING": "Dollars that one run may spend on its judge, whatever its cap says.",
    "RAGPROOF_PROJECT_COST_USD_CEILING": "Dollars that all runs of one project may spend together.",
    "RAGPROOF_MONTH_COST_USD_CEILING": "Dollars that all runs of the store may spend in one month (UTC).",
}
"""Variables that are no keys of a configuration, and what they are for."""

RESERVED = ("RAGPROOF_ALLOWED_ENV",)
"""How names begin that belong to other parts of an installation, and are not for a configuration to judge."""

_JUDGE = "RAGPROOF_JUDGE_"
SHORT: Mapping[str, str] = {
    "RAGPROOF_MAX_COST_USD": "budget.max_cost_usd",
    JUDGE_METRICS: ".".join(JUDGE_METRICS_KEY),
    **{f"{_JUDGE}{name.upper()}": f"judge.{name}" for name in JudgeConfig.model_fields},
}
"""Variables with a name of their own for a key, besides the one that `variable` gives it."""


def variable(name: str) -> str:
    """Return the environment variable of a dotted key: `run.k` is `RAGPROOF_RUN__K`."""
    return PREFIX + name.replace(".", "__").upper()


def read(environ: Mapping[str, str]) -> tuple[Layer, list[Fault]]:
    """Read the keys that are set in an environment.

    Args:
        environ: variables by name; those that are not ours are passed over.

    Returns:
        A layer, empty when nothing is set, and a fault for every variable that means nothing.
    """
    layer, faults = Layer(), list[Fault]()
    for name, text in _ours(environ):
        place = f"environment {name}"
        path = tuple(
            SHORT[name].split(".") if name in SHORT else name.removeprefix(PREFIX).lower().split("__")
        )
        if not known(path):
            hint = nearest(name, _names()) or f"; expected a name such as {variable('run.k')}"
            faults.append(Fault(f"'{name}' is not a setting{hint}", place))
            continue
        value, wrong = one_value(path, text, place)
        faults += wrong
        layer = layer.under(value)
    return layer, faults


def _ours(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in sorted(environ):  # a section before its keys, which then lie over it
        reserved = name in ELSEWHERE or name.startswith(RESERVED)
        ours = name.startswith(PREFIX) or name in SHORT
        if ours and environ[name] and not reserved:
            yield name, environ[name]


def _names() -> list[str]:
    return [variable(name) for name in (*keys(), *sections())] + [*ELSEWHERE, *SHORT]
