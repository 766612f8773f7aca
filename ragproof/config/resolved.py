"""A configuration ready to run: every layer resolved, every name checked, and nothing secret in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from ragproof.adapters.adapter import AdapterConfig
from ragproof.catalogue import catalogue, choose
from ragproof.config.judge_metrics import with_judged
from ragproof.config.model import DatasetSection, Sections
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.evidence import Prices, Settings, SourceMatch
from ragproof.metric import Metric
from ragproof.similarity import minilm
from ragproof.sweeps.cell import Cell

_CUTOFF = re.compile(r"@([1-9][0-9]*)$")
"""What a metric's key ends with when it has a cutoff of its own, as in `ndcg@10`."""


class LocatedDataset(DatasetSection):
    """A dataset whose file has been found."""

    location: Path

    def resolved(self) -> Path:
        """Return the absolute path of the file."""
        return self.location


class EvalConfig(Sections):
    """One evaluation: what a file says, and where it was said.

    `model_validate(config.snapshot())` gives it back, so that another process can go on with it.
    """

    dataset: LocatedDataset
    path: Path
    """The file it was loaded from, absolute."""
    search_path: tuple[Path, ...]
    """Folders in which the Python adapter looks for modules, in this order; absolute."""
    variant: str | None = None
    label: str | None = None
    """A word to find the run by."""
    cell: Cell | None = None
    """Where it stands in a sweep; None when it is of none."""

    def adapter(self) -> AdapterConfig:
        """Return how the pipeline is called."""
        return self.pipeline.adapter

    def settings(self) -> Settings:
        """Return what gives scores their meaning, the similarity model of this machine included.

        Raises:
            ConfigurationError: the environment names a similarity model that cannot be used.
        """
        return replace(
            Settings() if self.judge is None else self.judge.settings(),
            k=self.run.k,
            metric_k=self.run.metric_k,
            source_match=self.run.source_match,
            prices=self._prices(),
            similarity_model=minilm.installed(),
        )

    def chosen_metrics(self) -> tuple[Metric, ...]:
        """Return the metrics of the run; the user's own are looked for where the pipeline is."""
        named = choose(self.metrics, search_path=self.search_path, metric_k=self.run.metric_k)
        return with_judged(named, self.run.judge_metrics)

    def retrieve_k(self) -> int:
        """Return how many chunks a separate retrieve() is asked for: as many as the deepest metric looks at.

        Several chunks of one document collapse to one when matched by document, so that many are not enough.
        """
        if self.run.retrieve_k is not None:
            return self.run.retrieve_k
        named = (_CUTOFF.search(metric.key) for metric in self.chosen_metrics())
        largest = max(self.run.k, self.run.metric_k, *(int(cutoff[1]) for cutoff in named if cutoff))
        return 2 * largest if self.run.source_match is SourceMatch.DOCUMENT else largest

    def _prices(self) -> Prices | None:
        sent, received = self.prices.input_cost_per_mtok, self.prices.output_cost_per_mtok
        return None if sent is None or received is None else Prices(sent, received)

    def folder(self) -> Path:
        """Return the folder of the configuration file."""
        return self.path.parent

    def snapshot(self) -> dict[str, JsonValue]:
        """Return it as plain JSON; what is secret is a reference to the environment, here as everywhere."""
        return self.model_dump(mode="json")

    def narrowed(
        self,
        *,
        dataset: Path | None = None,
        metrics: Sequence[str] | None = None,
        limit: int | None = None,
        label: str | None = None,
        judge: bool | None = None,
        max_cost_usd: float | None = None,
    ) -> EvalConfig:
        """Change what a person who may start a run may choose; None leaves a choice as it is.

        Args:
            dataset: another file, whose format is told by its name and content.
            metrics: keys of the catalogue, or names the configuration itself has: a stranger's
                `module:function` would import any module.
            limit: ask only this many cases.
            label: a word to find the run by.
            judge: False measures without one; True insists on the configured one.
            max_cost_usd: a lower cap; a higher one than the configuration's changes nothing.

        Returns:
            The changed configuration.

        Raises:
            ConfigurationError: a metric's name is neither, or there is no judge to insist on; all at once.
        """
        known, own = catalogue(), self.metrics or ()
        allowed = {*known.by_key, *own}
        unknown = [name for name in metrics or () if name not in own and known.find(name) is None]
        faults = [
            Fault(f"no metric is named '{name}'{nearest(name, allowed)}", "metrics") for name in unknown
        ]
        if judge and self.judge is None:
            faults.append(Fault("no judge is configured; set RAGPROOF_JUDGE_MODEL", "judge"))
        if faults:
            raise ConfigurationError(faults)
        caps = [cap for cap in (self.budget.max_cost_usd, max_cost_usd) if cap is not None]
        asked = self.dataset
        if dataset is not None:
            asked = LocatedDataset(path=self._relative(dataset), location=dataset, limit=asked.limit)
        return self.model_copy(
            update={
                "dataset": asked if limit is None else asked.model_copy(update={"limit": limit}),
                "metrics": self.metrics if metrics is None else tuple(metrics),
                "run": self.run if metrics is None else self.run.model_copy(update={"judge_metrics": None}),
                "label": self.label if label is None else label,
                "judge": None if judge is False else self.judge,
                "budget": self.budget.model_copy(update={"max_cost_usd": min(caps, default=None)}),
            }
        )

    def _relative(self, file: Path) -> str:
        return str(file.relative_to(self.folder()) if file.is_relative_to(self.folder()) else file)
