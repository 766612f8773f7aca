"""The collected situations in which evaluation tools went wrong: each is checked here, or named with why not.

The rows say the right behaviour in words; a check is what of it is in reach of the library alone. What needs
a whole run (budgets, gates, comparisons) is listed in `NOT_YET`, so that no row is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour import answering, budgets, files, gates, judged, ranked, whole_runs

DATA = Path(__file__).parent / "data" / "behaviour_cases.jsonl"
ROWS: dict[str, dict[str, Any]] = {
    row["id"]: row for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
}
Check = Callable[[Any, Path], None]

CHECKS: dict[str, Check] = {
    "agg-03": whole_runs.a_failed_call_is_counted_and_never_averaged,
    "abs-01": answering.a_right_refusal_is_judged_by_no_claim,
    "judge-01": judged.a_cut_reply_is_asked_again_once_and_both_are_charged,
    "judge-02": judged.four_verdicts_on_five_contexts_are_none,
    "judge-04": judged.a_label_of_no_choice_is_no_score,
    "judge-05": judged.a_number_out_of_range_is_no_score,
    "judge-06": judged.a_verdict_is_found_in_its_wrapping,
    "judge-07": judged.a_note_to_the_grader_changes_nothing,
    "budget-01": budgets.a_cap_holds_back_what_could_pass_it,
    "budget-02": budgets.every_attempt_is_charged,
    "budget-03": budgets.an_unknown_price_is_not_nothing,
    "gate-01": gates.a_rule_without_a_threshold_is_a_fault,
    "gate-02": whole_runs.noise_around_a_threshold_is_inconclusive,
    "deg-01": ranked.nothing_retrieved_is_0_without_a_call,
    "deg-02": ranked.nothing_expected_is_skipped,
    "ir-04": ranked.queries_on_one_side_are_listed,
    "ir-05": ranked.a_document_found_by_itself_counts_unless_told,
    "ir-06": ranked.labels_of_another_corpus_are_told,
    "ir-07": ranked.ids_are_text,
    "data-01": files.a_list_literal_is_a_list_and_text_is_one_item,
    "data-02": files.a_spreadsheet_is_read_or_refused_by_line,
    "data-03": files.contexts_of_the_dataset_measure_no_retriever,
    "data-04": whole_runs.a_score_that_is_none_is_null,
    "cache-01": whole_runs.repeats_are_samples_of_their_own,
    "cache-02": judged.a_verdict_is_kept_under_all_that_could_change_it,
    "cache-03": whole_runs.a_kept_reply_waits_for_no_slot,
    "lang-01": answering.a_german_answer_scores_like_its_twin,
    "cite-01": answering.a_wrong_citation_of_a_right_answer,
    "cite-02": answering.marks_that_stand_side_by_side,
    "async-01": whole_runs.importing_changes_no_event_loop,
}
NOT_YET = {
    "cmp-02": "there is no command that compares runs; what makes them comparable: test_comparability.py",
}


@pytest.mark.parametrize("row", CHECKS)
def test_the_situation_ends_well(row: str, tmp_path: Path) -> None:
    """What is right stands in the row, in words."""
    CHECKS[row](ROWS[row]["input"], tmp_path)


def test_no_row_is_forgotten() -> None:
    """Each is checked or listed with a reason, and only one of the two."""
    assert not CHECKS.keys() & NOT_YET.keys()
    assert CHECKS.keys() | NOT_YET.keys() == ROWS.keys()
    assert all(NOT_YET.values())
