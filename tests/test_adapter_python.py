"""The python adapter: what a target may be, what it is given, and what opening one says no to."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import CallFailed, Question
from ragproof.adapters.calling.roles import able
from ragproof.adapters.python import PythonAdapter, PythonConfig
from ragproof.cases import Turn
from ragproof.errors import ConfigurationError
from ragproof.outputs import FailureKind, PipelineOutput
from tests.fakes import pipelines

QUESTION = Question(case_id="q1", text="why?", k=2, retrieve_k=3, history=(Turn(role="user", content="hi"),))


def config(name: str, **settings) -> PythonConfig:
    target = name if ":" in name else f"{pipelines.__name__}:{name}"
    return registry.parse({"type": "python", "target": target, **settings})


def asked(adapter: PythonAdapter, question: Question = QUESTION) -> PipelineOutput:
    async def once() -> PipelineOutput:
        try:
            return await adapter.ask(question)
        finally:
            await adapter.close()

    return asyncio.run(once())


ANSWERS = [
    ("a class, built and asked with k and history", "Full", {}, "why? k=2 history=['hi']"),
    ("a class with options", "Full", {"options": {"prefix": "so: "}}, "so: why? k=2 history=['hi']"),
    ("an attribute of an attribute", "Nest.inside", {}, "nested: why? k=2 history=['hi']"),
    ("a method of an object", "Nest.inside.answer", {}, "nested: why? k=2 history=['hi']"),
    ("a factory needs nothing", "build", {}, "size 1: why? k=2 history=['hi']"),
    ("a factory with an option", "build", {"options": {"size": 9}}, "size 9: why? k=2 history=['hi']"),
    ("a factory with all it requires", "build_from", {"options": {"index": "i", "model": "m"}},
     "i/m: why? k=2 history=['hi']"),
    ("a function that answers", "answer", {}, "plain why?"),
    ("one required parameter answers, whatever its name", "any_name", {}, "any why?"),
    ("k is passed by name", "with_temperature", {}, "why? at 0.5 with 2"),
    ("options of a function that answers", "with_temperature", {"options": {"temperature": 0}},
     "why? at 0 with 2"),
    ("a partial function", "partly", {}, "why? at 0.1 with 2"),
    ("a question by name only", "keyword_only", {}, "why? 1"),
    ("a decorator that hides what it decorates", "decorated", {}, "plain why?"),
    ("**kwargs takes k and history", "AsyncCallable", {}, "called with history, k"),
    ("an asynchronous method", "AsyncPipeline", {}, "async why?"),
    ("an awaitable from a synchronous function", "returns_awaitable", {}, "async why?"),
    ("a runnable, without extras", "runnable", {}, "ran why?"),
    ("a runnable that takes a mapping", "Runnable", {"input_key": "input"}, "ran {'input': 'why?'}"),
    ("an asynchronous runnable", "AsyncRunnable", {}, "block two"),
    ("a query engine", "QueryEngine", {}, "queried why?"),
    ("an asynchronous query engine that says nothing", "AsyncQueryEngine", {}, None),
]  # fmt: skip


@pytest.mark.parametrize(("why", "name", "settings", "answer"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_a_target_is_asked_in_the_way_it_can_be(why, name, settings, answer):
    """Each kind of target gets the question, and what else its signature takes."""
    assert asked(config(name, **settings).open()).answer == answer


RANKINGS = [
    ("a separate retrieve() is asked for retrieve_k", "Full", ("c1", "c2", "c3")),
    ("the chunks that came with the answer are preferred", "AnswersWithChunks", ("own",)),
    ("a query engine's own nodes, though it has a retrieve()", "QueryEngine", ("n1",)),
    ("nothing retrieves", "answer", None),
    ("a function named retrieve is a retriever", "retrieve", ("17",)),
    ("a method named retrieve is a retriever", "Nest.inside.retrieve", ("c1", "c2", "c3")),
]


@pytest.mark.parametrize(("why", "name", "ids"), RANKINGS, ids=[row[0] for row in RANKINGS])
def test_the_ranking_comes_with_the_answer_or_from_retrieve(why, name, ids):
    """What the answer used is what is scored; a separate call stands in where that is not told."""
    retrieved = asked(config(name).open()).retrieved
    assert (None if retrieved is None else tuple(chunk.id for chunk in retrieved)) == ids


def test_a_pipeline_that_only_retrieves_has_no_answer():
    """Its latency is that of retrieve(), and k is its second positional parameter whatever the name."""
    output = asked(config("RetrievesOnly").open())
    assert output.answer is None
    assert [chunk.text for chunk in output.retrieved] == ["why? 0", "why? 1", "why? 2"]


class Watched:
    """A pipeline on a clock that it moves itself: 2 s to answer, 40 to retrieve."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def answer(self, question: str) -> str:
        self.seconds += 2
        return "a"

    def retrieve(self, question: str) -> list[str]:
        self.seconds += 40
        return []


def test_latency_is_the_answers_alone():
    """A separate retrieve() is our question, not part of the pipeline's answer."""
    watched = Watched()
    output = asked(PythonAdapter(able(watched, "watched"), now=lambda: watched.seconds))
    assert (output.latency_ms, watched.seconds) == (2000, 42)


def test_latency_of_a_pipeline_that_only_retrieves_is_its_retrievers():
    """There is nothing else to measure."""
    watched = Watched()
    output = asked(PythonAdapter(able(watched.retrieve, "watched"), now=lambda: watched.seconds))
    assert (output.latency_ms, output.retrieved) == (40_000, ())


@pytest.mark.parametrize(
    ("name", "passes"),
    [("Full", True), ("keyword_only", True), ("AsyncCallable", True), ("answer", False), ("runnable", False)],
)
def test_history_reaches_what_takes_it(name, passes):
    """Multi-turn cases are only worth asking a pipeline that sees the turns."""
    assert config(name).open().passes_history is passes


def test_the_thread_of_a_call_is_named_for_its_case():
    """A hung call is found by its case in a dump of threads."""
    assert asked(config("thread_name").open()).answer == "ragproof-case-q1"


def test_calls_of_one_asynchronous_pipeline_share_a_loop():
    """A lock or client made in one call must serve the next, from any loop that waits."""
    adapter = config("AsyncPipeline").open()

    async def three():
        return [output.answer for output in await asyncio.gather(*(adapter.ask(QUESTION) for _ in range(3)))]

    assert asyncio.run(three()) == ["async why?"] * 3
    assert asked(adapter).answer == "async why?"


def test_a_retriever_that_fails_fails_the_case():
    """A ranking that could not be had must not look like a pipeline without one."""

    class Broken(pipelines.Full):
        def retrieve(self, question, k):
            return None

    with pytest.raises(CallFailed, match=r"^the result of retrieve\(\) is None") as failed:
        asked(PythonAdapter(able(Broken(), "broken")))
    assert failed.value.kind is FailureKind.BAD_OUTPUT


REFUSED = [
    ("no such module", "ragprof.rag:Pipeline", {}, "no module is named 'ragprof'; is it installed, or"),
    ("no such attribute", "anwser", {}, "there is no 'anwser'; did you mean 'answer'?"),
    ("no such attribute of one", "Nest.outside", {}, "there is no 'outside'; did you mean 'inside'?"),
    ("not a pipeline", "not_a_pipeline", {}, "an object of class 'int'; expected a function, or"),
    ("options for an object", "runnable", {"options": {"k": 1}}, "is an object, which takes no options"),
    ("an unknown option", "Full", {"options": {"prefx": ""}}, "no option 'prefx'; did you mean 'prefix'?"),
    ("an option of nothing", "answer", {"options": {"zzz": 1}}, "no option 'zzz'; it has 'question'"),
    ("missing options", "build_from", {"options": {"index": "i"}}, "'model' would be missing; name"),
    ("a class that raises", "Full", {"options": {"fail": True}}, "OSError: no index at /data (pipe"),
    ("an asynchronous factory", "build_async", {}, "is an async factory; expected a plain function"),
    ("a parameter nobody gives", "needs_session", {}, "needs 'session', which it is not given; give"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "name", "settings", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_target_that_cannot_be_used_is_a_fault_of_the_configuration(why, name, settings, words):
    """It is said before the first question, with the cure, at its place."""
    with pytest.raises(ConfigurationError) as refused:
        config(name, **settings).open()
    assert words in str(refused.value)
    assert {fault.place for fault in refused.value.faults} == {"pipeline.adapter.target"}


def test_all_wrong_options_are_told_at_once():
    """One round of mending is enough."""
    with pytest.raises(ConfigurationError) as refused:
        config("Full", options={"prefx": "", "fial": 1}).open()
    assert len(refused.value.faults) == 2


@pytest.fixture
def folders(tmp_path):
    """Two folders that each have a `variant_pipeline.py`, and a path that is put back."""
    before = list(sys.path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "variant_pipeline.py").write_text(f"def answer(question): return '{name}'\n")
    yield tmp_path / "one", tmp_path / "two"
    sys.path[:] = before
    sys.modules.pop("variant_pipeline", None)


def test_a_module_is_looked_for_where_the_configuration_says(folders):
    """Two variants may have modules of one name; neither is taken for the other."""
    one, two = (config("variant_pipeline:answer").open([folder]) for folder in folders)
    assert (asked(one).answer, asked(two).answer) == ("one", "two")


def test_a_misspelt_module_is_told_by_what_is_there(folders):
    """The nearest name is the cure."""
    with pytest.raises(ConfigurationError, match=r"'varient_pipeline'; did you mean 'variant_pipeline'\?"):
        config("varient_pipeline:answer").open(folders)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "import absent_library",
            "ModuleNotFoundError: No module named 'absent_library' (broken_pipeline.py:1)",
        ),
        ("\n1 / 0", "ZeroDivisionError: division by zero (broken_pipeline.py:2)"),
        ("raise SystemExit(1)", "SystemExit: 1 (broken_pipeline.py:1)"),
        ("def answer(:", "SyntaxError: "),
    ],
)
def test_a_module_that_does_not_import_says_where(folders, source, words):
    """A script that ends the process, too, is only a module that does not import."""
    folder: Path = folders[0]
    (folder / "broken_pipeline.py").write_text(source)
    with pytest.raises(ConfigurationError) as refused:
        config("broken_pipeline:answer").open([folder])
    assert f"'broken_pipeline' does not import: {words}" in str(refused.value)
