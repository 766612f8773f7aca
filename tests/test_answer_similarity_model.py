"""The similarity model on this machine: found, checked, and the vectors that torch computes with it."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import threading
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from ragproof import evaluate
from ragproof.errors import ConfigurationError
from ragproof.metrics.answer.answer_similarity import cosine
from ragproof.similarity import minilm
from ragproof.similarity.minilm import MiniLM
from ragproof.similarity.model import ModelOnRecord
from ragproof.similarity.weights import ENGINE, INSTALL, PACKAGE, SHA256, VARIABLE, WEIGHTS, locate, verify

RECORDED = Path(__file__).parent / "data" / "similarity_vectors.jsonl"
"""Vectors of torch 2.14.1 with transformers 5.24.0: 32 bit, mean pooling, unit length, cut at 256 tokens."""
PAGE = Path(__file__).parent.parent / "docs" / "answer-similarity.md"
MODEL = minilm.installed()


def real_model(test: Callable[..., None]) -> Callable[..., None]:
    """Skip a test that needs the weights where there are none."""
    reason = f"the similarity model is not installed; {INSTALL} install it"
    return pytest.mark.skipif(MODEL is None, reason=reason)(test)


def installed() -> MiniLM:
    """Return the model of this machine."""
    assert MODEL is not None
    return MODEL


def folder_in(root: Path, *names: str) -> Path:
    """Make a folder with files of those names."""
    root.mkdir(parents=True, exist_ok=True)
    for name in names:
        (root / name).write_bytes(b"not the model")
    return root


def packages(*names: str, root: Path | None = None) -> Callable[[str], ModuleSpec | None]:
    """Return what finds those packages; that of the weights lies in `root`."""

    def find(name: str) -> ModuleSpec | None:
        if name not in names:
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(root)] if root else None
        return spec

    return find


def test_the_package_is_found_with_all_that_computes(tmp_path: Path) -> None:
    """The folder `model` inside the package, which is not imported."""
    there = folder_in(tmp_path / "model", *SHA256)
    assert locate({}, packages(*ENGINE, PACKAGE, root=tmp_path)) == there


@pytest.mark.parametrize("missing", [*ENGINE, PACKAGE])
def test_a_package_that_is_missing_is_no_model(tmp_path: Path, missing: str) -> None:
    """Nothing is wrong with a machine that has no model: the metric is skipped there."""
    folder_in(tmp_path / "model", *SHA256)
    others = {*ENGINE, PACKAGE} - {missing}
    assert locate({}, packages(*others, root=tmp_path)) is None


@pytest.mark.parametrize("there", [None, ()], ids=["a namespace", "an empty package"])
def test_a_package_without_its_files_is_no_model(tmp_path: Path, there: tuple[str, ...] | None) -> None:
    """Half of an installation is none."""
    root = None if there is None else folder_in(tmp_path)
    assert locate({}, packages(*ENGINE, PACKAGE, root=root)) is None


def test_a_folder_of_the_environment_comes_before_the_package(tmp_path: Path) -> None:
    """For a machine that keeps its models in a place of its own."""
    folder_in(tmp_path / "package" / "model", *SHA256)
    named = folder_in(tmp_path / "named", *SHA256)
    find = packages(*ENGINE, PACKAGE, root=tmp_path / "package")
    assert locate({VARIABLE: str(named)}, find) == named
    assert locate({VARIABLE: ""}, find) == tmp_path / "package" / "model"


def test_a_folder_of_the_environment_that_is_wrong_is_an_error(tmp_path: Path) -> None:
    """It was named for a reason: every file and package that is missing is told, and nothing is skipped."""
    with pytest.raises(ConfigurationError) as raised:
        locate({VARIABLE: str(tmp_path)}, packages("safetensors"))
    told = [str(fault) for fault in raised.value.faults]
    assert [each.split("'")[1] for each in told] == ["tokenizers", "threadpoolctl", *[str(tmp_path)] * 2]
    assert all(each.startswith(f"environment {VARIABLE}: ") for each in told)
    assert [name for name in SHA256 if any(f"no file '{name}'" in each for each in told)] == [*SHA256]


def test_other_weights_are_refused_with_both_sums(tmp_path: Path) -> None:
    """Their numbers would not mean the same; the sum that was found tells which ones they are."""
    folder = folder_in(tmp_path, *SHA256)
    with pytest.raises(ConfigurationError) as raised:
        verify(folder)
    found = hashlib.sha256(b"not the model").hexdigest()
    for fault, (name, expected) in zip(raised.value.faults, SHA256.items(), strict=True):
        assert all(f"'{each}'" in fault.message for each in (folder / name, found, expected))


def test_files_that_changed_are_read_again(tmp_path: Path) -> None:
    """A sum is kept for a file as it was, not for its name."""
    folder = folder_in(tmp_path, *SHA256)
    for changed_ns, content in enumerate((b"one", b"two")):  # of one length, so that only the time tells
        (folder / WEIGHTS).write_bytes(content)
        os.utime(folder / WEIGHTS, ns=(0, changed_ns))
        with pytest.raises(ConfigurationError, match=hashlib.sha256(content).hexdigest()):
            verify(folder)


def test_files_that_are_gone_are_told(tmp_path: Path) -> None:
    """Between finding a model and reading it, a disk may have been taken away."""
    with pytest.raises(ConfigurationError, match="cannot be read: No such file") as raised:
        MiniLM(tmp_path / "gone").embed(["a"])
    assert len(raised.value.faults) == len(SHA256)


def test_the_model_of_a_finished_run_measures_nothing() -> None:
    """It says that a model was there; asking it is a fault of the program."""
    with pytest.raises(ValueError, match="expected one that is installed"):
        ModelOnRecord("f" * 64).embed(["a"])


def test_without_the_model_the_metric_is_skipped_and_the_others_are_not() -> None:
    """In a notebook as in a run: a reason with its cure where it is missing, a number where it is there."""
    cases = [{"id": "one", "question": "?", "expected_answers": ["It is Paris."]}]
    found = evaluate({"one": "Paris"}, cases, ["answer_similarity", "token_f1"])
    similar, shared = found.scores
    assert shared.value is not None
    if MODEL is None:
        assert similar.value is None
        assert INSTALL in str(similar.reason)
    else:
        assert similar.value == pytest.approx(0.85, abs=0.1)


@real_model
def test_the_vectors_are_those_of_torch() -> None:
    """In several scripts and beyond the limit, to a millionth of the vector's length."""
    recorded = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    found = installed().embed([each["text"] for each in recorded])
    assert [each.tokens + 2 for each in found] == [each["tokens"] for each in recorded]
    assert [each.cut for each in found] == [each["tokens"] == 256 for each in recorded]
    for each, expected in zip(found, recorded, strict=True):
        assert np.abs(each.vector - np.array(expected["vector"])).max() < 1e-6


@real_model
def test_the_identity_is_that_of_the_weights() -> None:
    """What a run keeps is the sum of the file that it used."""
    content = (installed().folder / WEIGHTS).read_bytes()
    assert installed().sha256 == hashlib.sha256(content).hexdigest()


@real_model
def test_the_same_call_has_the_same_vectors_whatever_was_asked_before() -> None:
    """To the last bit, so that the same answer has the same score; in other company, to a millionth."""
    texts = ["The lift stops on the third floor.", "third floor", "Where is the lift?"]
    alone = [installed().embed([text])[0].vector for text in texts]
    together = minilm._Loaded(installed().folder).embed(texts)
    again = minilm._Loaded(installed().folder)
    for text in texts:
        again.embed([text])
    assert [each.vector.tobytes() for each in again.embed(texts)] == [
        each.vector.tobytes() for each in together
    ]
    assert all(np.abs(a - b.vector).max() < 1e-6 for a, b in zip(alone, together, strict=True))


@real_model
def test_hostile_text_is_embedded_like_any_other() -> None:
    """Half a character, control characters and markers of the model's own language break nothing."""
    texts = ["\ud800", "\x00\x1b[0m", "[CLS] [MASK] [PAD]", "a" * 10_000, "", "\u202e\u200b"]
    found = installed().embed(texts)
    assert len(found) == len(texts)
    assert all(math.isfinite(number) for each in found for number in each.vector.tolist())
    assert found[4].tokens == 0


def documented() -> list[tuple[str, str, str]]:
    """Return reference, answer and similarity of each row of the page's table."""
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (?:yes|no) \| ([0-9.]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    return [(reference, answer, similarity) for reference, answer, similarity in rows]


def test_the_page_has_figures() -> None:
    """A warning without a number is not read; the pair that everybody can judge comes first."""
    assert documented()[0] == ("safe", "not safe", "0.89")
    assert len(documented()) >= 5


@real_model
@pytest.mark.parametrize(("reference", "answer", "similarity"), documented())
def test_the_figures_of_the_page_are_those_of_the_model(reference: str, answer: str, similarity: str) -> None:
    """What the page warns of is measured: wrong answers that are closer than right ones."""
    first, second = installed().embed([reference, answer])
    assert f"{cosine(first.vector, second.vector):.2f}" == similarity


@real_model
def test_threads_take_turns_and_find_the_same() -> None:
    """Shards may be scored in several threads of one process."""
    found: list[bytes] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(installed().embed(["one text", "another"])[0].vector.tobytes())
        )
        for _ in range(min(8, 4 * (os.cpu_count() or 1)))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(threads)
    assert len(set(found)) == 1
