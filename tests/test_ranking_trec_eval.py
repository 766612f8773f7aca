"""Agreement with trec_eval 9.0.8: the digits that it printed, and pytrec_eval's values to 1e-12."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragproof.metrics.retrieval import evaluate
from tests.fakes.rankings import QRELS, RUNS, Qrels, Run

OURS = Path(__file__).parent / "data" / "ir"
SHARED = Path(__file__).parents[2] / "shared" / "data" / "ir"
"""Pairs that others own, where this machine has them."""
EXPECTED = "expected_trec_eval_9.0.8.tsv"

_AT_K = {"P": "precision", "recall": "recall", "success": "hit_rate", "map_cut": "map", "ndcg_cut": "ndcg"}
_WITHIN = {"recip_rank": "mrr", "Rprec": "r_precision", "map": "map", "ndcg": "ndcg"}
_NOT_OURS = ("num_ret", "num_rel", "set_P", "set_F")


def printed(folder: Path) -> dict[tuple[str, str, str], dict[tuple[str, str], str]]:
    """Return what trec_eval printed: by judgments, run and flags, each query's and measure's digits."""
    pairs: dict[tuple[str, str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    with (folder / EXPECTED).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            key = measure(row["measure"], row["flags"])
            if key is not None:
                pairs[row["qrels"], row["run"], row["flags"]][row["query"], key] = row["value"]
    return pairs


def measure(name: str, flags: str) -> str | None:
    """Return our key for trec_eval's name; `-M k` cuts every list at k first."""
    if name in _NOT_OURS:
        return None
    if name in _WITHIN:
        cut = flags.partition("-M ")[2]
        return f"{_WITHIN[name]}@{cut}" if cut else _WITHIN[name]
    base, _, k = name.rpartition("_")
    return f"{_AT_K[base]}@{k}"


def disagreements(folder: Path, pair: tuple[str, str, str]) -> list[str]:
    """Evaluate a pair of files, and return what differs from what trec_eval printed."""
    qrels, run, flags = pair
    digits = PRINTED[folder][pair]
    metrics = sorted({key for _, key in digits})
    level = 2 if "-l 2" in flags else 1
    found = evaluate(folder / qrels, folder / run, metrics=metrics, level=level, complete="-c" in flags)
    by_query = {**found.by_query(), "all": found.means}
    return [
        f"{query} {key}: {by_query[query][key]}, trec_eval {value}"
        for (query, key), value in digits.items()
        if f"{by_query[query][key]:.4f}" != value
    ]


PRINTED = {folder: printed(folder) for folder in (OURS, SHARED) if (folder / EXPECTED).exists()}


@pytest.mark.parametrize("pair", sorted(PRINTED[OURS]), ids=" ".join)
def test_our_pairs_have_the_digits_that_trec_eval_printed(pair: tuple[str, str, str]) -> None:
    """Every query and every mean, with ties, float32 ties, negative judgments and queries missing."""
    assert not disagreements(OURS, pair)


def test_the_pairs_of_others_have_the_digits_that_trec_eval_printed() -> None:
    """Its own test files among them, with tabs, double blanks and further columns."""
    others = sorted(PRINTED.get(SHARED, {}).keys() - PRINTED[OURS].keys())
    if not others:
        pytest.skip(f"{EXPECTED} with the files of other projects is not beside this checkout")
    assert not {pair: found for pair in others if (found := disagreements(SHARED, pair))}


KS = (1, 3, 10, 100)
ORACLE = {
    **{f"{ours}@{k}": f"{theirs}_{k}" for theirs, ours in _AT_K.items() for k in KS},
    **{ours: theirs for theirs, ours in _WITHIN.items()},
}


@settings(max_examples=200, deadline=None)
@given(qrels=QRELS, run=RUNS, level=st.integers(1, 3))
def test_pytrec_eval_agrees(qrels: Qrels, run: Run, level: int) -> None:
    """To 1e-12, on ties, float32 ties, ids of any script, negative judgments, short lists and levels."""
    assume(qrels.keys() & run.keys())
    # It crashes on a query whose judgments are all negative; one more of 0 changes nothing.
    padded = {query: {**gains, "one that no run has": 0} for query, gains in qrels.items()}
    names = {*(f"{name}.{','.join(map(str, KS))}" for name in _AT_K), *_WITHIN}
    theirs = pytrec_eval.RelevanceEvaluator(padded, names, relevance_level=level).evaluate(run)
    ours = evaluate(qrels, run, metrics=list(ORACLE), level=level).by_query()
    assert ours.keys() == theirs.keys()
    for query, values in ours.items():
        for key, name in ORACLE.items():
            assert values[key] == pytest.approx(theirs[query][name], abs=1e-12), (query, key)
