"""`python -m ragproof.local_judge --port 0` prints the local judge's base URL and serves until stopped."""

from __future__ import annotations

import os
import sys
import threading
from typing import Annotated

import typer

from ragproof.cli.main import run
from ragproof.errors import EXIT_OK
from ragproof.local_judge.endpoint import Endpoint
from ragproof.local_judge.engine import Engine
from ragproof.local_judge.weights import locate

app = typer.Typer(name="python -m ragproof.local_judge", add_completion=False, rich_markup_mode=None)


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Where to listen; 0 finds a free port.")],
    until_input_ends: Annotated[
        bool, typer.Option("--until-input-ends", help="End when standard input does, as a child should.")
    ] = False,
) -> None:
    """Serve SmolLM2-135M on loopback, as a judge that speaks the chat completions API."""
    engine = Engine(locate())  # a name of its own, for the server ends with it
    endpoint = Endpoint(engine.url, port)
    print(endpoint.base_url, flush=True)
    serving = threading.Thread(target=endpoint.serve_forever, daemon=True)
    serving.start()
    try:
        if until_input_ends:
            sys.stdin.buffer.read()
        else:
            serving.join()
    except KeyboardInterrupt:
        pass
    # The engine's threads may be in the middle of a reply that nobody waits for any more.
    os._exit(EXIT_OK)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], app))
