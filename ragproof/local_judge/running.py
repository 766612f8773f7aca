"""The local judge as a child process while a block lasts; it ends with its parent, however that ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ragproof.errors import RagproofError
from ragproof.local_judge.weights import locate

_COMMAND = (sys.executable, "-m", "ragproof.local_judge", "--port", "0", "--until-input-ends")
_PATIENCE_SECONDS = 10


@contextmanager
def local_judge() -> Iterator[str]:
    """Serve the local judge while the block lasts.

    Yields:
        Its base URL.

    Raises:
        ConfigurationError: a package is missing.
        RagproofError: the server did not start; its own words are on stderr.
    """
    locate()
    with subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().strip()
            if not base_url:
                raise RagproofError("the local judge ended before it served; its own words are above")
            yield base_url
        finally:
            _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
