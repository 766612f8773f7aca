"""Metrics of the user's own: `module:function` in a configuration, bare or decorated, usable or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragproof.cases import CaseKind
from ragproof.catalogue import choose
from ragproof.errors import ConfigurationError
from ragproof.metric import Cost, Direction, Need, Range
from ragproof.scoring import score
from tests.fakes import own_metrics
from tests.fakes.evidence import evidence

OWN = "tests.fakes.own_metrics"


def faults(names: list[str]) -> list[str]:
    """Choose what can not be chosen, and return the faults."""
    with pytest.raises(ConfigurationError) as refused:
        choose(names)
    return [str(fault) for fault in refused.value.faults]


def test_a_bare_function_is_a_metric() -> None:
    """It needs nothing, is unbounded, and is named as the configuration names it."""
    (mine,) = choose([f"{OWN}:answer_length"])
    assert (mine.key, mine.family, mine.range) == (f"{OWN}:answer_length", "user", Range(None, None))
    assert (mine.needs, mine.direction, mine.cost) == ((), Direction.HIGHER, Cost.FREE)
    assert mine.summary == "Count the characters of the answer."
    whole = evidence()
    assert score(mine, whole.case, whole.output, whole.settings).value == len(
        "The capital of France is Paris."
    )


def test_a_decorated_function_declares_what_it_is() -> None:
    """Key, needs, kinds, direction and range are its own, and it is skipped like any other."""
    (mine,) = choose([f"{OWN}:politeness"])
    assert (mine.key, mine.needs, mine.range) == ("politeness", (Need.ANSWER,), Range(0.0, 1.0))
    assert (mine.kinds, mine.direction, mine.version) == (frozenset({CaseKind.QA}), Direction.LOWER, 3)
    assert mine.summary == "Say whether the answer says please."
    assert mine.measure(evidence()) == 0.0


def test_a_decorated_function_without_a_key_is_named_by_its_place() -> None:
    """The key is `module:function` then too."""
    assert own_metrics.keyless.key == f"{OWN}:keyless"


def test_a_callable_object_and_a_nested_one_can_be_named() -> None:
    """Whatever takes the evidence is a function, wherever in the module it stands."""
    assert [each.key for each in choose([f"{OWN}:Shelf.shortest", f"{OWN}:limit_of_40"])] == [
        f"{OWN}:Shelf.shortest",
        f"{OWN}:limit_of_40",
    ]


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Path]:
    """A folder with metrics in it, that is not on the Python path."""
    (tmp_path / "metrics_beside_the_config.py").write_text("def one(evidence):\n    return 1.0\n")
    (tmp_path / "script_beside_the_config.py").write_text("raise SystemExit('usage: ...')\n")
    before = list(sys.path)
    yield tmp_path
    sys.path[:] = before
    sys.modules.pop("metrics_beside_the_config", None)


def test_a_function_beside_the_configuration_is_found(beside: Path) -> None:
    """The configuration's folder is looked in where it is given, and only there."""
    name = "metrics_beside_the_config:one"
    assert "cannot be imported" in faults([name])[0]
    assert [metric.key for metric in choose([name], search_path=[beside])] == [name]


def test_a_script_that_exits_does_not_end_the_command(beside: Path) -> None:
    """Leaving the interpreter while being imported is a fault like any other."""
    with pytest.raises(ConfigurationError, match="SystemExit: usage"):
        choose(["script_beside_the_config:main"], search_path=[beside])


EXPECTED = "expected a function of one argument, the evidence"
UNUSABLE = [
    # why, name, fault
    (
        "no such module",
        "no_such_module:f",
        "metric 'no_such_module:f' cannot be imported: ModuleNotFoundError: No module named 'no_such_module';"
        " expected module:function on the Python path",
    ),
    (
        "the module raises",
        "tests.fakes.broken_metrics:f",
        "metric 'tests.fakes.broken_metrics:f' cannot be imported: RuntimeError: no licence found;"
        " expected module:function on the Python path",
    ),
    (
        "no such function",
        f"{OWN}:politenes",
        f"metric '{OWN}:politenes' does not exist: no 'politenes' in '{OWN}'; did you mean 'politeness'?",
    ),
    ("no name after the colon", f"{OWN}:", f"metric '{OWN}:' does not exist: no '' in '{OWN}'"),
    ("a number", f"{OWN}:LIMIT", f"metric '{OWN}:LIMIT' cannot be used: it is a int, {EXPECTED}"),
    ("a class", f"{OWN}:Shelf", f"metric '{OWN}:Shelf' cannot be used: it is a class, {EXPECTED}"),
    (
        "no argument",
        f"{OWN}:nullary",
        f"metric '{OWN}:nullary' cannot be used: it takes () -> 'float', {EXPECTED}",
    ),
    (
        "async",
        f"{OWN}:later",
        f"metric '{OWN}:later' cannot be used: it is async, {EXPECTED}, that returns its number at once",
    ),
    (
        "its arguments are secret",
        "builtins:max",
        f"metric 'builtins:max' cannot be used: its arguments cannot be read, {EXPECTED}",
    ),
]


@pytest.mark.parametrize(("why", "name", "fault"), UNUSABLE, ids=[row[0] for row in UNUSABLE])
def test_a_function_that_cannot_be_used_is_told_with_the_cure(why: str, name: str, fault: str) -> None:
    """The fault names the metric, what was found, and what was expected."""
    assert faults([name]) == [fault]


def test_a_key_of_ones_own_may_not_hide_a_shipped_one() -> None:
    """Two definitions of one key are refused, and both places are named."""
    assert faults([f"{OWN}:impostor", "retrieval.mrr"]) == [
        f"metric key 'retrieval.mrr' is defined by '{OWN}:impostor' and by"
        " 'ragproof.metrics.retrieval.mrr', expected one definition; rename one"
    ]
