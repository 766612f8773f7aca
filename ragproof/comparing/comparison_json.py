"""A comparison as JSON, for programs: every number in full, null where there is none."""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.comparing.case_stories import CaseStory, score_changes
from ragproof.comparing.comparison import Comparison
from ragproof.comparing.metric_comparison import ALPHA, POWER, MetricComparison, Tested, Verdict
from ragproof.comparing.paired_scores import Arm
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.testing import CONFIDENCE
from ragproof.comparing.worsened_case import Side
from ragproof.reports.report import EXCERPT_CHARACTERS
from ragproof.statistics.interval import Interval
from ragproof.statistics.missing import Missingness


def as_json(comparison: Comparison) -> dict[str, JsonValue]:
    """Return a comparison as JSON values.

    Every `difference` is oriented where one way is better: + is better for the candidate. All cases that got
    worse are listed with their cause; the first few of `worse` and all of `better` with both answers.
    """
    pair = comparison.pair
    n_worse, n_better = len(comparison.worse), comparison.n_better
    return {
        "baseline": _run(pair.first),
        "candidate": _run(pair.second),
        "same_run": comparison.same_run,
        "cases": {
            "shared": len(pair.cases),
            "only_baseline": [*pair.only_first],
            "only_candidate": [*pair.only_second],
            "changed": [*pair.changed],
            "groups": comparison.n_groups,
        },
        "metrics_of_one_run": {
            "baseline": [key for key in pair.first.scores if key not in pair.second.scores],
            "candidate": [key for key in pair.second.scores if key not in pair.first.scores],
        },
        "lifted": [
            {"field": each.field, "baseline": each.first, "candidate": each.second} for each in pair.lifted
        ],
        "asked": [*comparison.asked],
        "alpha": ALPHA,
        "confidence": CONFIDENCE,
        "power": POWER,
        "verdicts": {verdict.value: [each.key for each in comparison.of(verdict)] for verdict in Verdict},
        "metrics": {each.key: _metric(each) for each in comparison.metrics},
        "changes": {
            "metrics": [*comparison.changes.metrics],
            "worse": n_worse,
            "better": n_better,
            "unchanged": len(pair.cases) - n_worse - n_better,
        },
        "root_causes": {cause.value: count for cause, count in comparison.causes().items()},
        "worse": [
            _story(comparison, each, whole=number < comparison.told)
            for number, each in enumerate(comparison.worse)
        ],
        "better": [_story(comparison, each, whole=True) for each in comparison.better],
        "tags": [
            {
                "metric": each.measure,
                "name": each.tag.name,
                "value": each.tag.value,
                "n": each.n,
                "difference": each.difference,
                "p": each.p,
                "p_holm": each.p_holm,
                "verdict": each.verdict.value if each.verdict else None,
            }
            for each in comparison.tags
        ],
        "groups": [
            {"metric": each.measure, "group": each.group, "n": each.n, "difference": each.difference}
            for each in comparison.groups
        ],
    }


def _run(run: ScoredRun) -> dict[str, JsonValue]:
    record = run.record.model_dump(mode="json")
    names = ("project", "pipeline", "label", "status", "status_reason", "started_at", "finished_at")
    versions = ("git_revision", "pipeline_version", "corpus_version", "dataset", "dataset_hash")
    return {
        "run_id": record["id"],
        "source": run.source,
        **{name: record[name] for name in (*names, *versions, "comparability_key", "cases")},
        "judge_served": [*run.served],
    }


def _metric(each: MetricComparison) -> dict[str, JsonValue]:
    first, second = each.pair_means or (None, None)
    effects = each.effects
    return {
        "direction": each.direction.value,
        "range": None if each.span is None else [*each.span],
        "verdict": each.verdict.value if each.verdict else None,
        "note": each.degenerate.value if each.degenerate else None,
        "baseline": _arm(each.first),
        "candidate": _arm(each.second),
        "n": each.n_pairs,
        "baseline_mean_of_pairs": first,
        "candidate_mean_of_pairs": second,
        "difference": each.difference,
        "interval": _interval(each.interval),
        "unit": each.unit.value,
        "n_units": each.n_units,
        **_tested(each.tested),
        "wins": effects.wins if effects else None,
        "ties": effects.ties if effects else None,
        "losses": effects.losses if effects else None,
        "effect_sizes": {
            "d_z": effects.d_z if effects else None,
            "g_z": effects.g_z if effects else None,
            "rank_biserial": effects.rank_biserial if effects else None,
            "risk_difference": each.risk_difference,
        },
        "detectable_effect": each.detectable,
        "missing": _missing(each.missing),
    }


def _tested(tested: Tested | None) -> dict[str, JsonValue]:
    flip = tested.sign_flip if tested else None
    return {
        "p": flip.p if flip else None,
        "mid_p": flip.mid_p if flip else None,
        "p_holm": tested.p_holm if tested else None,
        "p_bh": tested.p_bh if tested else None,
        "method": flip.method.value if flip else None,
        "exact": flip.assignments == 2**flip.n if flip else None,
        "n_nonzero": flip.n_nonzero if flip else None,
        "t": tested.t if tested else None,
        "t_p": tested.t_p if tested else None,
        "design_effect": tested.design_effect if tested else None,
    }


def _interval(interval: Interval | None) -> JsonValue:
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "method": interval.method,
        "flag": interval.flag.value if interval.flag else None,
    }


def _arm(arm: Arm) -> dict[str, JsonValue]:
    return {
        "mean": arm.mean,
        "scored": arm.scored,
        "expected": arm.expected,
        "missing": arm.missing,
        "absent": arm.absent,
        "missing_reasons": {**arm.missing_reasons},
        "absent_reasons": {**arm.absent_reasons},
    }


def _missing(missing: Missingness | None) -> JsonValue:
    if missing is None:
        return None
    return {
        "n_total": missing.n_total,
        "n_pairs": missing.n_pairs,
        "baseline": missing.missing_a,
        "candidate": missing.missing_b,
        "both": missing.missing_both,
        "p": missing.p_missing,
        "lowest_difference": missing.lowest_mean_difference,
        "highest_difference": missing.highest_mean_difference,
        "zero_filled_difference": missing.zero_filled_difference,
    }


def _story(comparison: Comparison, story: CaseStory, *, whole: bool) -> dict[str, JsonValue]:
    finding = story.finding
    brief: dict[str, JsonValue] = {
        "case_id": story.case_id,
        "change": story.change,
        "lost": {**story.lost},
        **({"root_cause": finding.cause.value, "why": finding.why} if finding else {}),
    }
    if not whole:
        return brief
    return {
        **brief,
        "gained": [*story.gained],
        "question": story.case.question[:EXCERPT_CHARACTERS] if story.case else None,
        "baseline": _side(story.before, comparison.absent[0]),
        "candidate": _side(story.after, comparison.absent[1]),
        "scores": {
            each.metric: {"baseline": each.before, "candidate": each.after}
            for each in score_changes(comparison.changes, story)
        },
    }


def _side(side: Side, absent: str) -> dict[str, JsonValue]:
    return {
        "answer": None if side.answer is None else side.answer[:EXCERPT_CHARACTERS],
        "failure": side.failure.reason if side.failure else None,
        "note": absent if side.outcome is None else None,
    }
