"""ragproof: evaluation of retrieval-augmented generation pipelines, the domain library.

It thinks and knows no orchestrator: the Prefect flows stand beside it in `flows/` and `tasks/`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragproof.evaluating import evaluate as evaluate

__version__ = "0.1.0"

METRICS_VERSION = "1.7"
"""Version of the metric definitions as a set; part of every run's comparability key (source B)."""


def __getattr__(name: str) -> object:
    """Load what is offered here when it is first used: the command has to start at once."""
    if name == "evaluate":
        from ragproof.evaluating import evaluate

        return evaluate
    raise AttributeError(f"module 'ragproof' has no attribute '{name}'")
