"""ragproof: evaluation of retrieval-augmented generation pipelines, the domain library.

It thinks and knows no orchestrator: the Prefect flows stand beside it in `flows/` and `tasks/`.
"""

__version__ = "0.1.0"

METRICS_VERSION = "1.7"
"""Version of the metric definitions as a set; part of every run's comparability key (source B)."""
