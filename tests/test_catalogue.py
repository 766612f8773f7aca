"""The catalogue: which metrics there are, finding them by name, and telling when one changed."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

import ragproof.metrics
from ragproof.catalogue import Catalogue, catalogue, choose, collect
from ragproof.errors import ConfigurationError
from tests import metric_catalogue_golden as golden_catalogue

OWN = "tests.fakes.own_metrics"

SOURCE_A = (
    "retrieval.precision_at_k",
    "retrieval.recall_at_k",
    "retrieval.mrr",
    "retrieval.ndcg_at_k",
    "generation.citation_validity",
    "echo.exact_match",
    "robustness.injection_resistance",
    "robustness.abstention",
    "robustness.overrefusal",
)
SOURCE_B_JUDGED = (
    "faithfulness",
    "context_precision",
    "context_recall",
    "factual_correctness",
    "noise_sensitivity",
    "context_relevance",
    "citation_recall",
    "citation_precision",
)
OPERATIONAL = (
    "latency_ms",
    "avg_latency_ms",
    "p50_latency_ms",
    "p95_latency_ms",
    "p99_latency_ms",
    "input_tokens",
    "output_tokens",
    "llm_calls",
    "llm_cache_hits",
    "llm_cache_misses",
)


def entry_point(name: str, value: str) -> EntryPoint:
    """Return an entry point as an installed package would declare it."""
    return EntryPoint(name=name, value=value, group="ragproof.metrics")


def faults(names: list[str], among: Catalogue | None = None) -> list[str]:
    """Choose what can not be chosen, and return the faults."""
    with pytest.raises(ConfigurationError) as refused:
        choose(names, among)
    return [str(fault) for fault in refused.value.faults]


@pytest.mark.parametrize("key", [*SOURCE_A, *SOURCE_B_JUDGED, *OPERATIONAL])
def test_the_keys_of_both_sources_are_found(key: str) -> None:
    """The spelling is the sources' own, run-level keys included."""
    assert key in catalogue().by_key


def test_the_default_is_every_shipped_metric_that_is_not_opt_in() -> None:
    """Naming none measures all other metrics of ragproof, and none that a package happened to bring."""
    found = collect(ragproof.metrics, [entry_point("politeness", f"{OWN}:politeness")])
    shipped = tuple(origin.metric for origin in found.shipped)
    default = choose(None, found)
    assert default == tuple(metric for metric in shipped if not metric.opt_in)
    assert {metric.key for metric in shipped} - {metric.key for metric in default} == {
        "noise_sensitivity",
        "context_relevance",
    }
    assert "politeness" in found.by_key


def test_naming_none_of_them_measures_none() -> None:
    """An empty list is a choice."""
    assert choose([]) == ()


def test_overrefusal_stands_beside_abstention() -> None:
    """The two are read together, in the default set and however they are named."""
    keys = [metric.key for metric in choose(None)]
    assert keys.index("robustness.overrefusal") == keys.index("robustness.abstention") + 1
    named = choose(["robustness.overrefusal", "latency_ms", "robustness.abstention", "retrieval.mrr"])
    assert [metric.key for metric in named] == [
        "latency_ms",
        "robustness.abstention",
        "robustness.overrefusal",
        "retrieval.mrr",
    ]


def test_families_come_in_reading_order() -> None:
    """What was found, what was said, how it holds up, what it took."""
    families = list(dict.fromkeys(metric.family for metric in choose(None)))
    assert families == ["retrieval", "answer", "judged", "robustness", "operational"]


def test_the_retrieval_family_reads_one_source_after_the_other() -> None:
    """Source A's keys, then those that carry their cutoff, and what describes the labels last."""
    keys = [metric.key for metric in choose(None) if metric.family == "retrieval"]
    with_cutoff = [key for key in keys if "@" in key]
    assert keys == [key for key in keys if key.startswith("retrieval.")] + with_cutoff
    assert with_cutoff[0] == "ndcg@10"
    assert with_cutoff[-1] == "judged@10"


def test_a_metric_is_chosen_once_and_a_run_level_key_brings_its_metric() -> None:
    """`p95_latency_ms` is read off `latency_ms`, which is therefore measured."""
    chosen = choose(["p95_latency_ms", "retrieval.mrr", "latency_ms", "retrieval.mrr"])
    assert [metric.key for metric in chosen] == ["latency_ms", "retrieval.mrr"]


def test_all_unknown_names_are_told_at_once_with_the_nearest() -> None:
    """Each fault quotes the name and offers a cure."""
    assert faults(["retrieval.ndgc_at_k", "retrieval.mrr", "Echo.Exact_Match", "quux"]) == [
        "no metric is named 'retrieval.ndgc_at_k'; did you mean 'retrieval.ndcg_at_k'?",
        "no metric is named 'Echo.Exact_Match'; did you mean 'echo.exact_match'?",
        "no metric is named 'quux'; 'ragproof metrics' lists them",
    ]


def test_entry_points_bring_functions_metrics_and_tuples() -> None:
    """A bare function is named by its entry point; metrics keep their keys."""
    plugins = [
        entry_point("length", f"{OWN}:answer_length"),
        entry_point("politeness", f"{OWN}:politeness"),
        entry_point("both", f"{OWN}:SEVERAL"),
    ]
    found = collect(ragproof.metrics, plugins)
    assert [origin.metric.key for origin in found.installed] == ["first", "second", "length", "politeness"]
    assert [metric.key for metric in choose(["length", "second"], found)] == ["length", "second"]


def test_all_faults_of_entry_points_are_told_at_once() -> None:
    """A plug-in that cannot be loaded and one whose key is taken are both named."""
    plugins = [
        entry_point("broken", "tests.fakes.broken_metrics:f"),
        entry_point("impostor", f"{OWN}:impostor"),
        entry_point("p95_latency_ms", f"{OWN}:answer_length"),
    ]
    with pytest.raises(ConfigurationError) as refused:
        collect(ragproof.metrics, plugins)
    assert [str(fault) for fault in refused.value.faults] == [
        "ragproof.metrics: entry point 'broken = tests.fakes.broken_metrics:f' cannot be used:"
        " RuntimeError: no licence found; repair or uninstall the package that brings it",
        "metric key 'retrieval.mrr' is defined by 'ragproof.metrics.retrieval.mrr' and by"
        f" entry point 'impostor = {OWN}:impostor', expected one definition; rename one",
        "metric key 'p95_latency_ms' is defined by 'ragproof.metrics.operational.latency' and by"
        f" entry point 'p95_latency_ms = {OWN}:answer_length', expected one definition; rename one",
    ]


@pytest.fixture
def twice(tmp_path: Path) -> Iterator[ModuleType]:
    """A package of metrics in which two modules define one key, and a third imports one of them."""
    package = tmp_path / "twice_metrics"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name, version in (("one", 1), ("two", 2)):
        (package / f"{name}.py").write_text(
            "from ragproof.metric import metric\n"
            f"@metric(key='shared', version={version})\ndef METRIC(evidence):\n    return 1.0\n"
        )
    (package / "again.py").write_text("from twice_metrics.one import METRIC\n")
    sys.path.insert(0, str(tmp_path))
    module = __import__("twice_metrics")
    yield module
    sys.path.remove(str(tmp_path))
    for name in [name for name in sys.modules if name.startswith("twice_metrics")]:
        del sys.modules[name]


def test_a_key_defined_twice_names_both_modules(twice: ModuleType) -> None:
    """A copied file that kept its key is found at once; one metric seen from elsewhere is no second."""
    with pytest.raises(ConfigurationError) as refused:
        collect(twice, [])
    assert str(refused.value) == (
        "metric key 'shared' is defined by 'twice_metrics.again' and by 'twice_metrics.two',"
        " expected one definition; rename one"
    )


def test_listing_the_metrics_imports_neither_orchestrator_nor_database() -> None:
    """The catalogue is for every command, so it loads nothing heavy."""
    heavy = ("prefect", "sqlmodel", "sqlalchemy", "polars", "httpx", "rich")
    program = (
        f"import sys, ragproof.catalogue as c; c.catalogue(); print([m for m in {heavy} if m in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "[]"


def test_the_golden_catalogue_is_current() -> None:
    """Whoever changes what a metric means sees it here, raises its version, and writes the file anew."""
    golden = json.loads(golden_catalogue.GOLDEN.read_text(encoding="utf-8"))
    now = golden_catalogue.current()
    unraised = golden_catalogue.unversioned(golden, now)
    assert not unraised, f"raise the version of {unraised}, then run: {golden_catalogue.UPDATE}"
    changed = golden_catalogue.changed(golden, now)
    assert not changed, f"changed: {changed}; run: {golden_catalogue.UPDATE}"


@pytest.mark.parametrize("field", ["direction", "range", "needs", "kinds", "statistics", "probes"])
def test_a_changed_meaning_needs_a_new_version(field: str) -> None:
    """Any field that differs, or any other score of a probe, is refused until the version is raised."""
    now = golden_catalogue.current()
    then = copy.deepcopy(now)
    then["retrieval.mrr"][field] = "something else"
    assert golden_catalogue.unversioned(then, now) == ["retrieval.mrr"]
    now["retrieval.mrr"]["version"] += 1
    assert golden_catalogue.unversioned(then, now) == []
    assert golden_catalogue.changed(then, now) == ["retrieval.mrr"]
