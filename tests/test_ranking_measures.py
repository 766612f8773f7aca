"""Names of ranking measures: ours, those of ir_measures and trec_eval, and what is said of the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.ranking.measures import NAMES, Measure, deepest, default_measures, read_measure, read_measures

SPELLINGS = [
    # why, as written, as printed
    ("ours", "ndcg@10", "ndcg@10"),
    ("any cutoff", "complete_recall@250", "complete_recall@250"),
    ("case does not matter", "Hit_Rate@5", "hit_rate@5"),
    ("space around a name does not matter", " f1@3 ", "f1@3"),
    ("ir_measures: nDCG", "nDCG@10", "ndcg@10"),
    ("ir_measures: RR", "RR@10", "mrr@10"),
    ("ir_measures: P", "P@5", "precision@5"),
    ("ir_measures: a level of its own", "P(rel=2)@5", "precision(rel=2)@5"),
    ("ir_measures: blanks in the options", "R( rel = 3 )@5", "recall(rel=3)@5"),
    ("ir_measures: R", "R@100", "recall@100"),
    ("ir_measures: the whole list", "AP", "map"),
    ("ir_measures: AP with a cutoff", "AP(rel=2)@100", "map(rel=2)@100"),
    ("ir_measures: Success", "Success@1", "hit_rate@1"),
    ("ir_measures: Judged", "Judged@10", "judged@10"),
    ("ir_measures: Rprec", "Rprec", "r_precision"),
    ("ir_measures: the aliases", "MAP@3", "map@3"),
    ("trec_eval: ndcg_cut", "ndcg_cut_20", "ndcg@20"),
    ("trec_eval: as it is asked for", "ndcg_cut.20", "ndcg@20"),
    ("trec_eval: P", "P_5", "precision@5"),
    ("trec_eval: map_cut", "map_cut_5", "map@5"),
    ("trec_eval: recip_rank", "recip_rank", "mrr"),
    ("trec_eval: success", "success_1", "hit_rate@1"),
]


@pytest.mark.parametrize(("why", "written", "printed"), SPELLINGS, ids=lambda each: str(each))
def test_a_name_is_read_in_every_spelling(why: str, written: str, printed: str) -> None:
    """What it is printed as is source B's key."""
    assert str(read_measure(written)) == printed, why


@given(
    st.builds(Measure, st.sampled_from(NAMES), st.integers(1, 10**6), st.none() | st.integers(1, 9)).filter(
        lambda measure: measure.level is None or measure.name not in ("ndcg", "judged")
    )
)
def test_the_printed_form_is_the_identity(measure: Measure) -> None:
    """What is printed reads as the same measure."""
    assert read_measure(str(measure)) == measure


REFUSED = [
    # why, as written, what is said
    ("no such name", "ndgc@5", "no ranking measure is named 'ndgc@5'; did you mean 'ndcg@5'?"),
    ("the suggestion has a cutoff", "ndgc", "no ranking measure is named 'ndgc'; did you mean 'ndcg@7'?"),
    (
        "nothing is near",
        "quux",
        "no ranking measure is named 'quux'; expected one of 'ndcg@7', 'precision@7'",
    ),
    ("nothing at all", "", "no ranking measure is named ''"),
    ("a cutoff is needed", "precision", "measure 'precision' needs a cutoff; did you mean 'precision@7'?"),
    (
        "and named with the level",
        "P(rel=2)",
        "measure 'P(rel=2)' needs a cutoff; did you mean 'precision(rel=2)@7'?",
    ),
    ("0 places", "ndcg@0", "measure 'ndcg@0' looks at 0 places, expected at least 1"),
    ("a cutoff is a whole number", "ndcg@5.5", "no ranking measure is named 'ndcg@5.5'"),
    ("not any digits", "ndcg@٣", "no ranking measure is named 'ndcg@٣'"),
    (
        "other gains would be another measure",
        "nDCG(dcg='exp-log2')@10",
        "measure 'nDCG(dcg='exp-log2')@10' has the option 'dcg='exp-log2'', expected none",
    ),
    ("nDCG has no level", "nDCG(rel=2)@10", "has the option 'rel=2', expected none"),
    ("other options", "P(judged_only=True)@5", "expected 'rel=LEVEL'"),
    ("level 0", "P(rel=0)@5", "measure 'P(rel=0)@5' has the level 0, expected at least 1"),
    ("level -1", "P(rel=-1)@5", "expected 'rel=LEVEL'"),
]


@pytest.mark.parametrize(("why", "written", "told"), REFUSED, ids=lambda each: str(each))
def test_what_is_no_name_is_refused_with_the_nearest(why: str, written: str, told: str) -> None:
    """The name in quotes, what was expected, and the nearest; the default cutoff here is 7."""
    with pytest.raises(ConfigurationError) as refused:
        read_measures([written], k=7)
    assert told in str(refused.value), why


def test_all_wrong_names_are_told_at_once() -> None:
    """Not the first alone."""
    with pytest.raises(ConfigurationError) as refused:
        read_measures(["ndcg@5", "precision", "nope@3", "mrr@0"])
    assert len(refused.value.faults) == 3


def test_without_names_it_is_every_measure_at_k() -> None:
    """The nine of source B in its order, and the share of judged documents."""
    assert [str(measure) for measure in read_measures(None, 5)] == [f"{name}@5" for name in NAMES]


@pytest.mark.parametrize(
    ("why", "names", "printed"),
    [
        ("judged stands beside every ranking", ["ndcg@5"], ["ndcg@5", "judged@5"]),
        ("at the deepest cutoff", ["ndcg@5", "AP", "P@20"], ["ndcg@5", "map", "precision@20", "judged@20"]),
        ("at k beside whole lists alone", ["AP"], ["map", "judged@10"]),
        ("not twice", ["judged@3", "ndcg@5"], ["judged@3", "ndcg@5"]),
        ("one named twice counts once", ["nDCG@5", "ndcg@5"], ["ndcg@5", "judged@5"]),
        ("one name is one name, and no letters", "AP", ["map", "judged@10"]),
    ],
)
def test_names_keep_their_order(why: str, names: list[str] | str, printed: list[str]) -> None:
    """Measures come in the order in which they were named."""
    assert [str(measure) for measure in read_measures(names)] == printed, why


@pytest.mark.parametrize("k", [0, -1, True, 2.5, "10"])
def test_k_is_a_whole_number_of_at_least_1(k: int) -> None:
    """Anything else is refused."""
    with pytest.raises(ConfigurationError, match="expected a whole number of at least 1"):
        read_measures(None, k)


def test_the_deepest_cutoff_is_how_far_a_ranking_is_read() -> None:
    """One measure of the whole list reads all of it."""
    assert deepest(default_measures(7)) == 7
    assert deepest([Measure("ndcg", 5), Measure("recall", 20)]) == 20
    assert deepest([Measure("ndcg", 5), Measure("map")]) is None
