"""Pipelines of every kind the python adapter meets, and look-alikes of what libraries return."""

from __future__ import annotations

import asyncio
import functools
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

# What LangChain, LlamaIndex and numpy return, by the attributes that matter.


class Document:
    """LangChain's: id may be None, the text is `page_content`."""

    def __init__(
        self, page_content: str, metadata: dict[str, Any] | None = None, id: str | None = None
    ) -> None:
        self.page_content = page_content
        self.metadata = metadata or {}
        self.id = id


class Message:
    """LangChain's chat message: content is text, or a list of blocks; `text` is a method."""

    def __init__(self, content: object, usage_metadata: dict[str, int] | None = None) -> None:
        self.content = content
        self.usage_metadata = usage_metadata

    def text(self) -> str:
        """Exists there, and must not be taken for the text."""
        return "never read"


class TextNode:
    """LlamaIndex's: no `id`; the text is behind `get_content()`."""

    def __init__(self, node_id: str, text: str, ref_doc_id: str | None = None) -> None:
        self.node_id = node_id
        self.metadata: dict[str, Any] = {"page": 3}
        self.ref_doc_id = ref_doc_id
        self._text = text

    def get_content(self) -> str:
        """Return the text."""
        return self._text


class NodeWithScore:
    """LlamaIndex's: a node and its score; `text` raises for some nodes, so it is not what to read."""

    def __init__(self, node: TextNode, score: float | None) -> None:
        self.node = node
        self.score = score

    @property
    def text(self) -> str:
        """Raise, as it does for a node without text."""
        raise ValueError("node must be a TextNode")


class Response:
    """LlamaIndex's."""

    def __init__(self, response: str | None, source_nodes: list[NodeWithScore]) -> None:
        self.response = response
        self.source_nodes = source_nodes


class Scalar:
    """A numpy scalar: not a Python number, `item()` and `tolist()` give one."""

    def __init__(self, value: object) -> None:
        self._value = value

    def item(self) -> object:
        """Return the Python value."""
        return self._value

    tolist = item


class Array:
    """A numpy array: not a list; `item()` refuses when there are several values."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def item(self) -> object:
        """Raise, as it does for more than one value."""
        raise ValueError("can only convert an array of size 1")

    def tolist(self) -> list[Any]:
        """Return a list."""
        return self._values


@dataclass
class Reply:
    """A result as a dataclass."""

    answer: str | None = "from a dataclass"
    retrieved: list[dict[str, str]] | None = field(default_factory=lambda: [{"id": "d1", "text": "one"}])


class ReplyModel(BaseModel):
    """A result as a pydantic model."""

    answer: str = "from a model"
    citations: list[int] = [1, 2]


# Pipelines.


class Full:
    """Answers with k and history, retrieves with k."""

    def __init__(self, prefix: str = "", fail: bool = False) -> None:
        if fail:
            raise OSError("no index at /data")
        self.prefix = prefix

    def answer(self, question: str, k: int, history: list[dict[str, str]]) -> dict[str, object]:
        """Return what it was given."""
        return {"answer": f"{self.prefix}{question} k={k} history={[turn['content'] for turn in history]}"}

    def retrieve(self, question: str, k: int) -> list[dict[str, object]]:
        """Return k chunks."""
        return [{"id": f"c{rank}", "text": question, "score": 1 / rank} for rank in range(1, k + 1)]


class AnswersWithChunks(Full):
    """Its answer brings its own chunks, so that nobody asks retrieve()."""

    def answer(self, question: str, k: int, history: list[dict[str, str]]) -> dict[str, object]:
        """Return an answer with its chunks."""
        return {"answer": "a", "retrieved": [{"id": "own"}]}

    def retrieve(self, question: str, k: int) -> list[dict[str, object]]:
        """Raise: nobody should ask."""
        raise AssertionError("the answer brought its chunks")


class RetrievesOnly:
    """Has no answer."""

    def retrieve(self, question: str, count: int, /) -> list[str]:
        """Take k as a second positional argument of any name."""
        return [f"{question} {rank}" for rank in range(count)]


class AsyncPipeline:
    """Answers asynchronously; its lock belongs to one loop, like the clients of real ones."""

    def __init__(self) -> None:
        self._lock: asyncio.Lock | None = None

    async def answer(self, question: str) -> str:
        """Wait and answer."""
        if self._lock is None:
            self._lock = asyncio.Lock()
        async with self._lock:
            await asyncio.sleep(0)
        return f"async {question}"


class AsyncCallable:
    """Is called, asynchronously."""

    async def __call__(self, question: str, **anything: object) -> str:
        """Say which extras came."""
        return f"called with {', '.join(sorted(anything))}"


class Runnable:
    """A LangChain runnable: `**kwargs` goes on to the model and must stay empty."""

    def invoke(self, input: object, config: object = None, **kwargs: object) -> object:
        """Answer, or retrieve nothing."""
        assert not kwargs
        return {"input": input, "context": [Document("ctx", {"source": "a.pdf"})], "answer": f"ran {input}"}

    async def ainvoke(self, input: object, config: object = None, **kwargs: object) -> object:
        """Raise: the synchronous one is preferred."""
        raise AssertionError("the synchronous twin is preferred")


class AsyncRunnable:
    """A runnable that is asynchronous only."""

    async def ainvoke(self, input: str) -> Message:
        """Answer with a message in blocks."""
        return Message([{"type": "text", "text": "block "}, {"type": "tool_use"}, "two"], {"input_tokens": 7})


class QueryEngine:
    """A LlamaIndex query engine."""

    def query(self, str_or_query_bundle: str) -> Response:
        """Answer with nodes."""
        return Response(
            f"queried {str_or_query_bundle}", [NodeWithScore(TextNode("n1", "node text", "d1"), 0.9)]
        )

    def retrieve(self, query_bundle: object) -> list[NodeWithScore]:
        """Raise: it wants another kind of question."""
        raise NotImplementedError


class AsyncQueryEngine:
    """An engine that is asynchronous only."""

    async def aquery(self, question: str) -> Response:
        """Answer None."""
        return Response(None, [])


def answer(question: str) -> str:
    """Answer, plainly."""
    return f"plain {question}"


def any_name(text_to_answer: str) -> str:
    """Answer: one required parameter, no options."""
    return f"any {text_to_answer}"


def with_temperature(question: str, temperature: float = 0.5, k: int = 1) -> str:
    """Answer with an option."""
    return f"{question} at {temperature} with {k}"


def build(size: int = 1) -> Full:
    """Build a pipeline: nothing is required."""
    return Full(f"size {size}: ")


def build_from(index: str, model: str) -> Full:
    """Build a pipeline from two required options."""
    return Full(f"{index}/{model}: ")


async def build_async() -> Full:
    """Build asynchronously, which is refused."""
    return Full()


def retrieve(query: str, k: int = 3) -> list[Document]:
    """Retrieve, as a plain function."""
    return [Document(f"{query} {k}", {"chunk_id": 17})]


def returns_awaitable(question: str) -> Awaitable[str]:
    """Look synchronous and return a coroutine."""
    return AsyncPipeline().answer(question)


def undisguised(wrapped: Callable[[str], str]) -> Callable[..., str]:
    """Decorate without saying what is behind."""

    def wrapper(*args: Any, **kwargs: Any) -> str:
        return wrapped(*args, **kwargs)

    return wrapper


decorated = undisguised(answer)
partly = functools.partial(with_temperature, temperature=0.1)
keyword_only = lambda *, question, history: f"{question} {len(history)}"  # noqa: E731  # as users write it
runnable = Runnable()
not_a_pipeline = 42


class Nest:
    """Holds a pipeline as an attribute."""

    inside = Full("nested: ")


def exits(question: str) -> str:
    """End the process, as a script does."""
    sys.exit(3)


def fails(question: str) -> str:
    """Raise from a line of its own."""
    raise KeyError("passage")


def stops(question: str) -> str:
    """Raise what a future cannot carry."""
    raise StopIteration


async def cancels_itself(question: str) -> str:
    """Leak a cancellation that nobody asked for."""
    raise asyncio.CancelledError


async def exits_async(question: str) -> str:
    """End the process, asynchronously."""
    raise SystemExit(4)


def hangs(question: str) -> str:
    """Never answer, unless asked not to hang."""
    if question == "quick":
        return "quick"
    threading.Event().wait()
    return "never"


class Blocks:
    """Blocks the loop it runs in, as asynchronous code should not, until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.finished = False

    async def answer(self, question: str) -> str:
        """Answer late."""
        self.let_go.wait(10)
        self.finished = True
        return "late"


def slow(question: str) -> str:
    """Take a tenth of a second."""
    time.sleep(0.1)
    return question


def thread_name(question: str) -> str:
    """Say in which thread it runs."""
    return threading.current_thread().name


def own_timeout(question: str) -> str:
    """Give up by itself."""
    raise TimeoutError("the index took too long")


def needs_session(question: str, session: str) -> str:
    """Need what nobody gives it."""
    return session


def tokens(question: str) -> object:
    """Stream."""
    yield from question.split()
