"""The sections of a configuration file: every key, its default, its bounds and its meaning.

The reference page, the JSON schema, the names of environment variables and the words of faults are all read
off these models, so a key is described here and nowhere else.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    PlainValidator,
    SerializeAsAny,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from ragproof.adapters import registry
from ragproof.adapters.adapter import AdapterConfig
from ragproof.config.early_stop_section import EarlyStopSection
from ragproof.config.gate_section import GateSection
from ragproof.config.section import Name, Section
from ragproof.errors import ConfigurationError
from ragproof.evidence import SourceMatch
from ragproof.judge.config import JudgeConfig

ADAPTER_FAULTS = "adapter_faults"
"""Type of the validation error that carries an adapter's own faults, as `faults`."""

_ADAPTER_EXAMPLE = '{type: python, target: "my_package.rag:Pipeline"}'


class Content(StrEnum):
    """How much of the cases a published result shows."""

    NONE = "none"
    """Numbers alone."""
    IDS = "ids"
    """Case ids beside the numbers."""
    FULL = "full"
    """Questions, answers and chunks too."""


def _names(value: object) -> object:
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    return value


def _adapter(value: object) -> AdapterConfig:
    if isinstance(value, AdapterConfig):
        return value
    if not isinstance(value, dict):
        raise PydanticCustomError("dict_type", "expected a section")
    try:
        return registry.parse(value)
    except ConfigurationError as error:
        raise PydanticCustomError(ADAPTER_FAULTS, "{told}", {"told": str(error)}) from error


Names = Annotated[tuple[Name, ...], BeforeValidator(_names, json_schema_input_type=tuple[Name, ...] | str)]
AnyAdapter = Annotated[
    SerializeAsAny[AdapterConfig],
    PlainValidator(_adapter),
    WithJsonSchema({"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]}),
]


class DatasetSection(Section):
    """What is asked."""

    path: Annotated[str, Field(min_length=1, examples=["cases.jsonl"])]
    """The file of cases, or the folder of a format that has several: looked for beside the configuration,
    then in the current directory. `dataset: FILE` is short for this key alone."""
    format: str | None = None
    """The format's name; without it the file's name and first bytes tell."""
    limit: Annotated[int, Field(ge=1)] | None = None
    """Ask only this many cases, from the first."""


class PipelineSection(Section):
    """What is evaluated."""

    name: Annotated[Name, Field(examples=["baseline"])]
    """The variant's name: results of one name are one series."""
    version: str | None = None
    """The pipeline's own version, kept with each run."""
    corpus_version: str | None = None
    """The version of the documents it searches, kept with each run."""
    adapter: Annotated[AnyAdapter, Field(examples=[_ADAPTER_EXAMPLE])]
    """How the pipeline is called: `type` and that type's options."""


class RunSection(Section):
    """How it is asked, and what the scores mean."""

    k: Annotated[int, Field(ge=1, le=10_000)] = 5
    """Cutoff of the `retrieval.*_at_k` metrics, and how many chunks an answering pipeline is asked for."""
    metric_k: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Cutoff of the metrics whose key carries one, such as `ndcg@10`."""
    retrieve_k: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """How many chunks a separate retrieve() is asked for; without it the larger of `k` and `metric_k`,
    doubled when chunks are matched by document."""
    source_match: SourceMatch = SourceMatch.CHUNK
    """Whether expected source ids name chunks or documents (`metadata.document_id`, else the chunk's id)."""
    judge_metrics: Names | None = None
    """Which of `faithfulness`, `context_precision`, `context_recall`, `factual_correctness`,
    `noise_sensitivity`, `context_relevance`, `citation_recall` and `citation_precision` a judge measures, in
    place of those among `metrics`; all other metrics stay. RAG_EVAL_JUDGE_METRICS is short for it."""
    concurrency: Annotated[int, Field(ge=1, le=1_024)] = 8
    """Calls to the pipeline under way at once, in each process."""
    case_timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    """How long one call may take, from the moment it starts."""
    shard_size: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """Cases a task works through; without it chosen by the size of the dataset."""
    repeats: Annotated[int, Field(ge=1, le=100)] = 1
    """How often each case is asked, and judged: its numbers are the means of its trials, and the report says
    how much of the spread is the case's and how much the trial's."""
    max_error_rate: Annotated[float, Field(ge=0, le=1)] = 0.1
    """A run with a larger share of failed cases ends as `failed:pipeline`."""


class BudgetSection(Section):
    """What the evaluation may cost."""

    max_cost_usd: Annotated[float, Field(ge=0, le=1_000_000_000)] | None = None
    """Dollars the run's judge may cost, every attempt counted at the most it can come to before it is made.
    The machine that runs it may have lower ceilings in its environment."""
    include_pipeline: bool = False
    """Count calls to the pipeline under the same cap, at `prices`."""
    pipeline_call_usd: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    """The most that one call to the pipeline can cost, set aside before it; `include_pipeline` needs it."""


class PricesSection(Section):
    """What the pipeline's own tokens cost."""

    input_cost_per_mtok: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    """Dollars for a million tokens that the pipeline reports as sent to its model."""
    output_cost_per_mtok: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    """Dollars for a million tokens that it reports as received."""


class PublishSection(Section):
    """What others get to see."""

    content: Content | None = None
    """How much of the cases artifacts show; without it `ids` on a Prefect server that others may share, and
    `full` on a temporary one."""


def _from_path(value: object) -> object:
    return {"path": value} if isinstance(value, str) else value


class Sections(Section):
    """A configuration file, whole."""

    project: Annotated[Name, Field(examples=["handbook"])]
    """Runs of one project are listed and compared together."""
    dataset: Annotated[
        DatasetSection,
        BeforeValidator(_from_path, json_schema_input_type=str | DatasetSection),
        Field(examples=["cases.jsonl"]),
    ]
    pipeline: PipelineSection
    run: RunSection = RunSection()
    metrics: Names | None = None
    """Keys of `ragproof metrics`, or `module:function`; without it every metric that is on by default."""
    early_stop: EarlyStopSection | None = None
    """Without it every case is asked."""
    gate: GateSection | None = None
    """Without it there is nothing to gate on."""
    judge: JudgeConfig | None = None
    """Without it, and without RAGPROOF_JUDGE_MODEL, what only a judge can measure is skipped."""
    budget: BudgetSection = BudgetSection()
    prices: PricesSection = PricesSection()
    publish: PublishSection = PublishSection()
