"""A gate as JSON, for programs: every verdict with every number it rests on. Nothing is rounded."""

from __future__ import annotations

import dataclasses

from pydantic import JsonValue

from ragproof.comparing.pairing import Pair
from ragproof.comparing.scored_run import ScoredRun
from ragproof.gating.gate import Gate
from ragproof.gating.ruling import Ruling

_OF_A_RUN = ("id", "project", "pipeline", "label", "status", "status_reason", "git_revision")
_VERSIONS = ("pipeline_version", "corpus_version", "dataset", "dataset_hash", "comparability_key")


def as_json(gate: Gate) -> dict[str, JsonValue]:
    """Return a gate as JSON values; a number that does not exist is null."""
    runs, section = gate.runs, gate.section
    return {
        "verdict": gate.verdict.value,
        "exit_code": gate.exit_code,
        "run": _run(runs.run),
        "baseline": None if runs.baseline is None else _run(runs.baseline),
        "problem": runs.run_problem or runs.problem,
        "differences": [dataclasses.asdict(each) for each in runs.differences],
        "stopped_early": gate.stopped,
        "settings": {
            "confidence": section.confidence,
            "min_coverage": section.min_coverage,
            "inconclusive": section.inconclusive,
        },
        "cases": None if runs.pair is None else _cases(runs.pair),
        "rules": [_ruling(ruling) for ruling in gate.rulings],
        "failing_cases": [
            {"case": each.id, "reasons": {reason: [*keys] for reason, keys in each.reasons.items()}}
            for each in gate.failing
        ],
        "cautions": [*gate.cautions],
        "notes": [*gate.notes],
    }


def _run(run: ScoredRun) -> dict[str, JsonValue]:
    record = run.record.model_dump(mode="json")
    return {
        **{name: record[name] for name in (*_OF_A_RUN, *_VERSIONS)},
        "started_at": record["started_at"],
        "source": run.source,
    }


def _cases(pair: Pair) -> dict[str, JsonValue]:
    return {
        "shared": len(pair.cases),
        "only_baseline": [*pair.only_first],
        "only_run": [*pair.only_second],
        "changed": [*pair.changed],
        "judge_differences_allowed": [dataclasses.asdict(each) for each in pair.lifted],
    }


def _ruling(ruling: Ruling) -> dict[str, JsonValue]:
    demand, counts, numbers = ruling.demand, ruling.counts, ruling.numbers
    return {
        "rule": demand.rule,
        "metric": demand.metric,
        "statistic": demand.statistic,
        "demand": demand.kind.value,
        "limit": demand.limit,
        "noise_floor": demand.noise_floor,
        "tag": None if ruling.tag is None else {"name": ruling.tag.name, "value": ruling.tag.value},
        "verdict": ruling.verdict.value,
        "reason": ruling.reason,
        "tags_tested": ruling.tags_tested,
        "counts": None if counts is None else dataclasses.asdict(counts),
        "numbers": None if numbers is None else dataclasses.asdict(numbers),
        "fallen": [dataclasses.asdict(each) for each in ruling.fallen],
    }
