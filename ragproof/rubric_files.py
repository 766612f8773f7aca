"""Rubrics in files: `rubric:NAME` in a configuration's `metrics` is `rubrics/NAME.yaml` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ragproof.config.documents import read_file
from ragproof.config.layers import Layer
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.metric import Metric
from ragproof.rubrics import PREFIX, Rubric

FOLDER = "rubrics"
_SUFFIX = ".yaml"
_NAME = re.compile(r"\w[\w.-]{0,99}")
_EXPECTED: Mapping[str, str] = {
    "question": "a question of at most 2,000 characters",
    "reads": "a list of 'question', 'answer', 'contexts' and 'expected_answers', or some of them",
    "verdicts": "two or three verdicts, the highest value first, such as polite: {value: 1, when: ...}",
    "value": "a number from 0 to 1",
    "when": "a text of at most 2,000 characters that says when it is the right verdict",
    "summary": "a text of at most 2,000 characters",
    "direction": "'higher' or 'lower'",
    "kinds": "a list of 'qa', 'unanswerable' and 'injection', or some of them",
    "version": "a whole number of 1 or more",
}
_INNER = ("value", "when")
"""The keys of a verdict."""


def read(name: str, search_path: Sequence[Path]) -> Metric:
    """Read a rubric as a metric.

    Args:
        name: `rubric:NAME`, with or without `.yaml`.
        search_path: folders in which `rubrics` is looked for, in this order.

    Returns:
        The metric, whose key is `rubric:NAME`.

    Raises:
        ConfigurationError: there is none of this name, or all that is wrong in it, each with its place.
    """
    stem = name.removeprefix(PREFIX).removesuffix(_SUFFIX)
    path = _locate(name, stem, search_path)
    place = f"{FOLDER}/{path.name}"
    layer, faults = read_file(path, place)
    if layer is None and any(fault.message.startswith("the file is empty") for fault in faults):
        faults = [Fault("the file is empty; expected question, reads and verdicts", place)]
    rubric: Rubric | None = None
    if layer is not None:
        try:
            rubric = Rubric.model_validate(layer.data)
        except ValidationError as error:
            told = {fault.place for fault in faults}
            faults += [fault for fault in _explained(error, layer, place) if fault.place not in told]
    if faults or rubric is None:
        raise ConfigurationError(faults)
    return rubric.metric(f"{PREFIX}{stem}")


def _locate(name: str, stem: str, search_path: Sequence[Path]) -> Path:
    if not _NAME.fullmatch(stem):
        raise ConfigurationError(
            f"metric '{name}' names no rubric; expected {PREFIX}NAME for the file {FOLDER}/NAME{_SUFFIX}"
        )
    folders = [folder / FOLDER for folder in search_path]
    for folder in folders:
        if (folder / f"{stem}{_SUFFIX}").is_file():
            return folder / f"{stem}{_SUFFIX}"
    there = [
        f"{PREFIX}{file.stem}" for folder in folders if folder.is_dir() for file in folder.glob(f"*{_SUFFIX}")
    ]
    raise ConfigurationError(
        f"metric '{name}' has no file '{FOLDER}/{stem}{_SUFFIX}' beside the configuration"
        f"{nearest(f'{PREFIX}{stem}', there)}"
    )


def _explained(error: ValidationError, layer: Layer, source: str) -> Iterator[Fault]:
    for detail in error.errors(include_url=False):
        path = tuple(detail["loc"])
        written = layer.find(path)
        yield Fault(_told(path, detail), written.place if written else source)


def _told(path: tuple[str | int, ...], detail: ErrorDetails) -> str:
    steps = [step for step in path if step != "[key]"]
    dotted = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
    match detail["type"]:
        case "value_error":
            return f"{dotted}: {detail['msg'].removeprefix('Value error, ')}"
        case "extra_forbidden":
            known = _INNER if len(steps) > 1 else tuple(key for key in _EXPECTED if key not in _INNER)
            cure = nearest(str(steps[-1]), known) or f"; expected {one_of(known)}"
            return f"{shown(dotted)} is not a key{cure}"
        case "missing":
            return f"{dotted}: missing; expected {_expected(steps)}"
        case "too_short" | "too_long":
            return f"{dotted}: {detail['ctx']['actual_length']} of them; expected {_expected(steps)}"
        case _ if "[key]" in path:
            return f"verdicts: {shown(steps[-1])} is not allowed; expected a word that begins with a letter"
        case _:
            return f"{dotted}: {shown(detail['input'])} is not allowed; expected {_expected(steps)}"


def _expected(steps: Sequence[str | int]) -> str:
    """Return what the innermost key that we know expects; a verdict's word may be called as any of them."""
    inner = len(steps) > 2 and steps[0] == "verdicts"
    return _EXPECTED[str(steps[2] if inner else steps[0])]
