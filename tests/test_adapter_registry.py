"""The registry of adapters: which there are, and how their settings are checked."""

from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint
from typing import Literal, get_args

import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import AdapterConfig
from ragproof.errors import ConfigurationError

PYTHON = {"type": "python", "target": "module:attribute"}
HTTP = {"type": "http", "url": "http://localhost:8000/ask"}


class EchoConfig(AdapterConfig):
    """An adapter of someone else's package."""

    type: Literal["echo"] = "echo"
    loud: bool = False


PLUGINS = (
    EntryPoint("echo", f"{__name__}:EchoConfig", registry.PLUGIN_GROUP),
    EntryPoint("broken", "no_such_package:Config", registry.PLUGIN_GROUP),
    EntryPoint("odd", "json:dumps", registry.PLUGIN_GROUP),
    EntryPoint("http", f"{__name__}:EchoConfig", registry.PLUGIN_GROUP),
)


def faults(section: object, plugins: tuple[EntryPoint, ...] = ()) -> list[str]:
    with pytest.raises(ConfigurationError) as refused:
        registry.parse(section, plugins=plugins)
    return [str(fault) for fault in refused.value.faults]


@pytest.mark.parametrize("name", registry.built_in())
def test_every_file_is_an_adapter_named_as_its_type(name):
    """Adding an adapter is adding a file: nothing lists them."""
    config = importlib.import_module(f"ragproof.adapters.{name}").CONFIG
    assert issubclass(config, AdapterConfig)
    assert get_args(config.model_fields["type"].annotation) == (name,)
    undocumented = [
        key for key, field in config.model_fields.items() if key != "type" and not field.description
    ]
    assert not undocumented


@pytest.mark.parametrize("section", [PYTHON, HTTP], ids=["python", "http"])
def test_settings_survive_being_kept(section):
    """A run reads its configuration back from the store, and is the same run."""
    config = registry.parse(section)
    again = registry.parse(config.model_dump(mode="json"))
    assert (again, again.identity()) == (config, config.identity())


def test_identity_tells_pipelines_apart_and_ignores_patience():
    """Another target is another pipeline; a longer timeout is not."""
    identity = registry.parse(HTTP).identity()
    assert (
        registry.parse({**HTTP, "timeout_seconds": 5, "retries": 0, "verify": False}).identity() == identity
    )
    others = [
        {**HTTP, "query": {"a": 1}},
        {**HTTP, "headers": {"X-Team": "b"}},
        {**HTTP, "url": "http://h/"},
        PYTHON,
    ]
    assert identity not in {registry.parse(other).identity() for other in others}


FAULTS = [
    ("no section", "python", ["pipeline.adapter: 'python' is not an adapter; expected a section"]),
    ("no type", {}, ["pipeline.adapter.type: no type is given; expected '"]),
    ("a near type", {"type": "pyton"},
     ["pipeline.adapter.type: 'pyton' is not an adapter; did you mean 'python'?"]),
    ("another type", {"type": 3}, ["pipeline.adapter.type: 3 is not an adapter; expected '"]),
    ("a part is no adapter", {"type": "wire"}, ["pipeline.adapter.type: 'wire' is not an adapter"]),
    ("nor is the registry", {"type": "registry"}, ["pipeline.adapter.type: 'registry' is not an adapter"]),
    (
        "everything at once",
        {"type": "http", "urll": "x", "method": "PSOT", "retries": -1, "response": {"anwser": "$.a"}},
        [
            "pipeline.adapter.url: missing; expected Where requests go",
            "pipeline.adapter.method: 'PSOT' is not allowed; expected 'GET', 'POST', 'PUT', 'PATCH' or 'DEL",
            "pipeline.adapter.response.anwser: 'anwser' is not a key; did you mean 'answer'?",
            "pipeline.adapter.retries: -1 is not allowed: input should be greater than or equal to 0",
            "pipeline.adapter.urll: 'urll' is not a key; did you mean 'url'?",
        ],
    ),
    ("a target without an attribute", {"type": "python", "target": "rag"},
     ["pipeline.adapter.target: 'rag' is not a target; expected 'package.module:attribute'"]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "section", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_every_fault_is_told_with_its_place_and_cure(why, section, told):
    """Unknown keys come with the nearest that exists."""
    found = faults(section)
    assert len(found) == len(told)
    for fault, beginning in zip(sorted(found), sorted(told), strict=True):
        assert fault.startswith(beginning), fault


def test_another_package_brings_an_adapter():
    """It is found by its entry point and checked like our own."""
    assert registry.parse({"type": "echo", "loud": True}, plugins=PLUGINS) == EchoConfig(loud=True)
    assert faults({"type": "echo", "lod": 1}, PLUGINS) == [
        "pipeline.adapter.lod: 'lod' is not a key; did you mean 'loud'?"
    ]


def test_another_package_does_not_replace_ours():
    """A package that is merely installed must not receive the questions meant for another adapter."""
    assert registry.parse(HTTP, plugins=PLUGINS).type == "http"
    assert not isinstance(registry.parse(HTTP, plugins=PLUGINS), EchoConfig)


def test_a_broken_package_harms_only_who_asks_for_it():
    """The others are not even loaded."""
    assert faults({"type": "broken"}, PLUGINS)[0].startswith(
        "pipeline.adapter.type: 'no_such_package:Config' does not load: ModuleNotFoundError"
    )
    assert "'odd' is broken: its config is no AdapterConfig" in faults({"type": "odd"}, PLUGINS)[0]
