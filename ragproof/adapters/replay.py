"""The `replay` adapter: what a pipeline has answered before, scored without it.

A file of JSON lines holds recorded outputs, as `ragproof record` writes them, or the spans of traces with the
attributes of OpenInference or of OpenTelemetry's GenAI conventions. Latency is the
recorded one, of a failure too, and absent where none was recorded: never what reading the file takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from ragproof.adapters.adapter import SECTION, AdapterConfig, CallFailed, Question, RecordedFailure
from ragproof.adapters.recorded.recording import Recording
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.outputs import PipelineOutput

_PLACE = f"{SECTION}.path"


class ReplayConfig(AdapterConfig):
    """A pipeline that has answered before."""

    is_recorded: ClassVar[bool] = True

    type: Literal["replay"] = "replay"
    path: str
    """The file of recorded outputs or spans, beside the configuration or in the current directory."""

    def open(
        self,
        search_path: Sequence[Path] = (),
        environ: Mapping[str, str] | None = None,  # noqa: ARG002  # a file knows no environment
    ) -> ReplayAdapter:
        """Read the file."""
        folders = search_path or (Path.cwd(),)
        file = next((folder / self.path for folder in folders if (folder / self.path).is_file()), None)
        if file is None:
            where = " nor in ".join(f"'{folder}'" for folder in folders)
            near = nearest(Path(self.path).name, _files_beside(self.path, folders))
            raise ConfigurationError([Fault(f"there is no file '{self.path}' in {where}{near}", _PLACE)])
        try:
            return ReplayAdapter(Recording(file))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ConfigurationError([Fault(f"'{self.path}' cannot be read: {reason}", _PLACE)]) from error


CONFIG: type[AdapterConfig] = ReplayConfig


class ReplayAdapter:
    """An open recording."""

    passes_history = True
    """Earlier turns were sent then, or not; it is too late to ask."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    async def ask(self, question: Question) -> PipelineOutput:
        """Return what was answered to a case then."""
        try:
            return self._recording.answer(question)
        except RecordedFailure:
            raise
        except CallFailed as failed:
            raise RecordedFailure(failed.kind, failed.message) from failed

    async def close(self) -> None:
        """Nothing is held open."""


def _files_beside(path: str, folders: Sequence[Path]) -> list[str]:
    beside = [(folder / path).parent for folder in folders]
    return [file.name for folder in beside if folder.is_dir() for file in folder.iterdir()]
