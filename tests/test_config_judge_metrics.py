"""Source B's variable: it replaces source B's judged metrics, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.catalogue import catalogue, choose
from ragproof.config.judge_metrics import CHOICE, VARIABLE
from ragproof.config.snapshots import again
from ragproof.metric import Cost
from tests.fakes.configs import BASE, faults, loaded

DEFAULT = tuple(metric.key for metric in choose(None))
OTHERS = tuple(key for key in DEFAULT if key not in CHOICE)
NAMED = BASE + "metrics: [faithfulness, ndcg@5, generation.groundedness]\n"

ROWS = [
    # why, configuration, variable, metrics
    ("not set", BASE, None, DEFAULT),
    ("empty is not set", BASE, "", DEFAULT),
    ("one of them", BASE, "faithfulness", (*OTHERS, "faithfulness")),
    (
        "those that are opt in",
        BASE,
        " noise_sensitivity , context_relevance,",
        (*OTHERS, "noise_sensitivity", "context_relevance"),
    ),
    ("one twice", BASE, "context_recall,context_recall", (*OTHERS, "context_recall")),
    (
        "those of a configuration's own choice too, and source A's stay",
        NAMED,
        "context_recall",
        ("ndcg@5", "generation.groundedness", "context_recall"),
    ),
    ("a choice alone", NAMED, None, ("faithfulness", "ndcg@5", "generation.groundedness")),
]


@pytest.mark.parametrize(("why", "text", "given", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_the_variable_replaces_source_b_s_judged_metrics(
    tmp_path: Path, why: str, text: str, given: str | None, expected: tuple[str, ...]
) -> None:
    """In the order it names them, after all others."""
    environ = {} if given is None else {VARIABLE: given}
    config = loaded(tmp_path, text, environ=environ)
    assert tuple(metric.key for metric in config.chosen_metrics()) == expected, why
    assert again(config.snapshot()).chosen_metrics() == config.chosen_metrics()


REFUSED = [
    (
        "misspelt",
        "faithfullness",
        "'faithfullness' is no judged metric of this set; did you mean 'faithfulness'?",
    ),
    ("source A's", "context_recall,generation.completeness", "'generation.completeness' is no judged metric"),
    (
        "one without a judge",
        "exact_match",
        "'exact_match' is no judged metric of this set; expected 'faithfulness'",
    ),
]


@pytest.mark.parametrize(("why", "given", "told"), REFUSED, ids=[row[0] for row in REFUSED])
def test_another_name_is_a_fault_with_the_nearest(tmp_path: Path, why: str, given: str, told: str) -> None:
    """A fault of the configuration, and so exit code 3."""
    (fault,) = faults(tmp_path, BASE, environ={VARIABLE: given})
    assert fault.startswith(f"environment {VARIABLE}: run.judge_metrics: {told}"), why


def test_metrics_that_are_named_for_one_run_have_the_last_word(tmp_path: Path) -> None:
    """Whoever names them means just these."""
    config = loaded(tmp_path, BASE, environ={VARIABLE: "context_recall"})
    (only,) = config.narrowed(metrics=["faithfulness"]).chosen_metrics()
    assert only.key == "faithfulness"


def test_the_choice_is_all_of_source_b_s_judged_metrics() -> None:
    """Each of them is known, and takes a judge."""
    assert all(catalogue().by_key[key].cost is Cost.JUDGE for key in CHOICE)
    assert {key for key in DEFAULT if key in CHOICE} == {*CHOICE} - {"noise_sensitivity", "context_relevance"}
