"""What ragproof asks of a pipeline, whatever it is made of: one call a case, an output or a `CallFailed`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from ragproof.cases import Case, Turn, canonical_hash
from ragproof.frozen import Described, Frozen
from ragproof.outputs import FailureKind, PipelineOutput

SECTION = "pipeline.adapter"
"""Where an adapter's settings stand in a configuration; the places of its faults begin with it."""


class Question(Frozen):
    """What is sent for one case."""

    case_id: str
    text: str
    k: int
    """How many chunks an answering pipeline is asked to use (`run.k`)."""
    retrieve_k: int
    """How many a separate retrieve() is asked for."""
    history: tuple[Turn, ...] = ()
    trace_id: str | None = None
    """The trace in which the pipeline has answered it before, as `metadata.trace_id` of the case says."""

    @classmethod
    def of(cls, case: Case, *, k: int, retrieve_k: int) -> Question:
        """Return the question of a case; k and retrieve_k as above."""
        trace_id = case.metadata.get("trace_id")
        return cls(
            case_id=case.id,
            text=case.question,
            k=k,
            retrieve_k=retrieve_k,
            history=case.history,
            trace_id=None if trace_id is None else str(trace_id),
        )


class CallFailed(Exception):
    """A call ended without a usable output; the message is for the person who owns the pipeline."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class RecordedFailure(CallFailed):
    """Nothing was asked now: a call failed when it was recorded, or what was recorded cannot be read."""

    def __init__(self, kind: FailureKind, message: str, latency_ms: float | None = None) -> None:
        """Keep what is known.

        Args:
            kind: why it has no output.
            message: for the person who owns the pipeline.
            latency_ms: what the recorded call took, at least 0; None when that is not recorded.
        """
        super().__init__(kind, message)
        self.latency_ms = latency_ms


class Adapter(Protocol):
    """A pipeline that can be asked. One is opened per process and shared by concurrent calls."""

    @property
    def passes_history(self) -> bool:
        """Whether earlier turns reach the pipeline."""
        ...

    async def ask(self, question: Question) -> PipelineOutput:
        """Ask one question. The clock of `latency_ms` runs while the pipeline works, and only then.

        A wait that is not the pipeline's work (before a retry, say) belongs inside `calling.clock.paused()`.

        Raises:
            CallFailed: the pipeline failed, or what it returned cannot be read.
        """
        ...

    async def close(self) -> None:
        """Release connections and threads."""
        ...


class AdapterConfig(Described):
    """The `pipeline.adapter` section: each adapter's own fields, and how to open it."""

    type: str

    transport_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields that change how long or how often it is tried, and never what is called."""
    is_recorded: ClassVar[bool] = False
    """Asking costs nobody anything, because nobody is asked."""

    def identity(self) -> str:
        """Return a fingerprint of what is called; environment references by name, never by value."""
        return canonical_hash(self.model_dump(mode="json", exclude=set(self.transport_fields)))

    def secrets(self, environ: Mapping[str, str] | None = None) -> Mapping[str, str]:  # noqa: ARG002  # a default for those without
        """Return the values of every `env:NAME` reference, by name, for redaction.

        Args:
            environ: the environment; None is this process's own.

        Raises:
            ConfigurationError: a variable is not set, or must not be sent to a pipeline; all faults at once.
        """
        return {}

    def open(self, search_path: Sequence[Path] = (), environ: Mapping[str, str] | None = None) -> Adapter:
        """Build the adapter.

        Args:
            search_path: folders in which a pipeline's own code is looked for, the first wins.
            environ: the environment; None is this process's own.

        Raises:
            ConfigurationError: the target does not exist or cannot be used; all faults at once.
        """
        raise NotImplementedError
