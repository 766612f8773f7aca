"""The judge in the environment: `RAGPROOF_JUDGE_MODEL` and its like lie over the YAML section `judge`.

The key is here alone: never in YAML, never in a configuration object, never in anything that is kept.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from pydantic import JsonValue, SecretStr, ValidationError

from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.judge.config import JudgeConfig

PREFIX = "RAGPROOF_JUDGE_"
API_KEY = "RAGPROOF_JUDGE_API_KEY"


def judge_config(
    section: Mapping[str, JsonValue] | None, environ: Mapping[str, str] | None = None
) -> JudgeConfig | None:
    """Return the judge of a run.

    Args:
        section: `judge` of a configuration file; None and {} say nothing.
        environ: the environment; None is this process's own. An empty variable is not set.

    Returns:
        None when neither names a model: no judge is configured.

    Raises:
        ConfigurationError: a value is wrong, a variable means nothing, or there is no model; all at once.
    """
    given = dict(os.environ if environ is None else environ)
    set_here, faults = _layer(given)
    merged = {**(section or {}), **set_here}
    if not faults and not merged:
        return None
    try:
        config = JudgeConfig.model_validate(merged)
    except ValidationError as error:
        faults += [_fault(dict(told), set_here) for told in error.errors()]
    if faults:
        raise ConfigurationError(faults)
    return config


def api_key(environ: Mapping[str, str] | None = None) -> SecretStr | None:
    """Return the key; None when there is none, which a server on this machine may be content with.

    Raises:
        ConfigurationError: it cannot be a header; its value is not shown.
    """
    key = (os.environ if environ is None else environ).get(API_KEY, "")
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise ConfigurationError(
            [
                Fault(
                    "holds a line break, outer space or a character outside of ASCII; expected the key alone",
                    API_KEY,
                )
            ]
        )
    return SecretStr(key)


def _layer(environ: Mapping[str, str]) -> tuple[dict[str, JsonValue], list[Fault]]:
    """Return the settings of an environment by key, and a fault for every variable that means nothing."""
    keys = {PREFIX + key.upper(): key for key in JudgeConfig.model_fields}
    names = [
        name for name in sorted(environ) if name.startswith(PREFIX) and environ[name] and name != API_KEY
    ]
    faults = [
        Fault(f"'{name}' is not a setting{nearest(name, [*keys, API_KEY])}", f"environment {name}")
        for name in names
        if name not in keys
    ]
    return {keys[name]: environ[name] for name in names if name in keys}, faults


def _fault(told: Mapping[str, object], set_here: Mapping[str, JsonValue]) -> Fault:
    location = told["loc"]
    key = str(location[0]) if isinstance(location, tuple) and location else ""
    place = f"environment {PREFIX}{key.upper()}" if key in set_here else f"judge.{key}" if key else "judge"
    if told["type"] == "missing":
        return Fault(f"is missing; set {PREFIX}{key.upper()} or judge.{key}", place)
    if told["type"] == "extra_forbidden":
        return Fault(f"'{key}' is not a key of judge{nearest(key, JudgeConfig.model_fields)}", place)
    message = str(told["msg"]).removeprefix("Value error, ")
    return Fault(f"'{told['input']}' is not allowed; {message[:1].lower()}{message[1:]}", place)
