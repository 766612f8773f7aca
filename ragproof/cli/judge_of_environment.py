"""The judge that the environment alone configures, where no configuration file is named."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ValidationError

from ragproof.config import environment
from ragproof.config.explaining import explain
from ragproof.errors import ConfigurationError
from ragproof.judge.config import JudgeConfig


class _Judged(BaseModel):
    """The one section that counts here."""

    judge: JudgeConfig | None = None


def judge_of_environment(environ: Mapping[str, str]) -> JudgeConfig | None:
    """Return the judge of an environment; None when it names none.

    Raises:
        ConfigurationError: a variable means nothing or its value is not allowed; all of them at once.
    """
    layer, faults = environment.read(environ)
    try:
        judge = _Judged.model_validate(dict(layer.data)).judge
    except ValidationError as error:
        faults += [fault for _, fault in explain(error, layer, "environment")]
        judge = None
    if faults:
        raise ConfigurationError(faults)
    return judge
