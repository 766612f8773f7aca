"""llama.cpp's own HTTP server with one small model: one question at a time, on one core.

It speaks the chat completions API, keeps replies to the JSON schema of a request, and counts the model's own
tokens. The same question gets the same reply.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from ragproof.errors import RagproofError
from ragproof.local_judge.weights import ENGINE, MODEL

HOST = "127.0.0.1"
CONTEXT_TOKENS = 8_192
"""What the model was trained for; a longer question is refused with 400."""
_ERRORS_ALONE = 1


class Engine:
    """A running server; it ends with the process."""

    def __init__(self, weights: Path) -> None:
        """Load the model, about a second, and listen on a free port.

        Args:
            weights: a GGUF file.

        Raises:
            RagproofError: the model does not load.
        """
        library: Any = import_module(ENGINE)
        try:
            self._server = library.Server(_settings(library, weights))
        except RuntimeError as error:
            raise RagproofError(f"the model '{weights}' cannot be served: {error}") from error
        self.url: str = self._server.listening_address


def _settings(library: Any, weights: Path) -> Any:
    settings = library.CommonParams()
    settings.model.path = str(weights)
    settings.model_alias = {MODEL}  # in place of the path, which is nobody's business
    settings.hostnames, settings.port = [HOST], 0
    settings.cors_origins = ""  # any page in a browser on this machine could ask it otherwise
    settings.ui = settings.endpoint_slots = False
    settings.offline = True
    settings.n_ctx, settings.n_parallel = CONTEXT_TOKENS, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    # A prompt that is half remembered is computed in other batches, and the same question gets another reply.
    settings.cache_prompt, settings.cache_ram_mib = False, 0
    settings.verbosity = _ERRORS_ALONE
    return settings
