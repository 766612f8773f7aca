"""The configuration of an evaluation: a YAML file, variants of its pipeline, the environment, `--set`."""

from ragproof.config.loading import load
from ragproof.config.model import Content
from ragproof.config.resolved import EvalConfig
from ragproof.config.snapshots import again

__all__ = ["Content", "EvalConfig", "again", "load"]
