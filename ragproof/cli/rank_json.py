"""What `ragproof rank --json` prints.

`{"runs": [{"name", "queries", "missing_in_run", "unjudged_queries", "means": {KEY: value}, "per_query"}],
"test"}`: each run over its own queries. `test` is there with `--test` alone, over the queries that all runs
are scored on:

- `queries` how many, `left_out` ids that some runs alone are scored on, `complete`, `baseline` (null: every
  pair), `seed`, `draws`, `alpha`, `confidence`;
- `primary`: the key of the measure that decides;
- `measures`: by key `{"exact", "assignments", "runs", "contrasts"}`;
- of these `runs`, in the order given, `{"name", "mean", "letters", "differs_from_baseline"}`: two share a
  letter exactly when they are not told apart; `letters` is null with a baseline, `differs_from_baseline`
  without one and of the baseline itself;
- a contrast: `run`, `against`, `difference` (run minus against), `interval` `{"low", "high", "method",
  "flag"}`, `p` (adjusted over the contrasts of the measure), `p_raw`, `p_over_measures` (null when one
  measure is tested), `unresolvable` (the three p are null then), `separated`, `wins`, `ties`, `losses`,
  `d_z`, `g_z`, `rank_biserial` (null without spread), `degenerate` (why there is none, else null).
"""

from __future__ import annotations

from collections.abc import Mapping

from ragproof.ranking.contrasts import ALPHA, CONFIDENCE, Contrast
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.significance import MeasureTest, RunTest
from ragproof.reports.strict_json import strict_json


def as_strict_json(evaluations: Mapping[str, Evaluation], per_query: bool, test: RunTest | None) -> str:
    """Write evaluations as JSON, with every query's values and with a test where they are asked for."""
    told: dict[str, object] = {"runs": [_run(name, run, per_query) for name, run in evaluations.items()]}
    if test is not None:
        told["test"] = _test(test)
    return strict_json(told)


def _run(name: str, run: Evaluation, per_query: bool) -> dict[str, object]:
    told: dict[str, object] = {
        "name": name,
        "queries": len(run.queries),
        "missing_in_run": list(run.missing_in_run),
        "unjudged_queries": list(run.unjudged_queries),
        "means": run.means,
    }
    return {**told, "per_query": run.by_query()} if per_query else told


def _test(test: RunTest) -> dict[str, object]:
    return {
        "queries": len(test.shared.queries),
        "left_out": list(test.shared.left_out),
        "complete": test.shared.complete,
        "baseline": test.baseline,
        "seed": test.seed,
        "draws": test.draws,
        "alpha": ALPHA,
        "confidence": CONFIDENCE,
        "primary": test.measures[0].measure,
        "measures": {each.measure: _measure(test, each) for each in test.measures},
    }


def _measure(test: RunTest, measure: MeasureTest) -> dict[str, object]:
    separated = {each.run: each.separated for each in measure.contrasts}
    letters = measure.letters or (None,) * len(test.runs)
    runs = [
        {
            "name": name,
            "mean": run.means[measure.measure],
            "letters": told,
            "differs_from_baseline": None if test.baseline is None else separated.get(name),
        }
        for (name, run), told in zip(test.shared.evaluations.items(), letters, strict=True)
    ]
    return {
        "exact": measure.exact,
        "assignments": measure.assignments,
        "runs": runs,
        "contrasts": [_contrast(each) for each in measure.contrasts],
    }


def _contrast(each: Contrast) -> dict[str, object]:
    effects, interval = each.effects, each.interval
    return {
        "run": each.run,
        "against": each.against,
        "difference": effects.mean_difference,
        "interval": {
            "low": interval.low,
            "high": interval.high,
            "method": interval.method,
            "flag": None if interval.flag is None else interval.flag.value,
        },
        "p": None if each.unresolvable else each.p,
        "p_raw": None if each.unresolvable else each.p_raw,
        "p_over_measures": None if each.unresolvable else each.p_over_measures,
        "unresolvable": each.unresolvable,
        "separated": each.separated,
        "wins": effects.wins,
        "ties": effects.ties,
        "losses": effects.losses,
        "d_z": effects.d_z,
        "g_z": effects.g_z,
        "rank_biserial": effects.rank_biserial,
        "degenerate": None if each.degenerate is None else each.degenerate.value,
    }
