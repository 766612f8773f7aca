"""answer_similarity in runs that are over: what they had counts, and not what the reader's machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.comparing.scored_run import Standing
from ragproof.comparing.stored_run import read_run
from ragproof.evidence import Settings
from ragproof.outputs import CaseFailure, FailureKind, PipelineOutput
from ragproof.store.opening import open_store
from tests.fakes.kept_runs import keep_run
from tests.fakes.similarity import LetterModel

CASES = (
    Case(id="answered", question="?", expected_answers=("28 days",)),
    Case(id="failed", question="?", expected_answers=("28 days",)),
)
OUTCOMES = (
    PipelineOutput(case_id="answered", answer="28 days a year"),
    CaseFailure(case_id="failed", kind=FailureKind.TIMEOUT, message="after 30 s"),
)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (LetterModel(), [Standing.SCORED, Standing.MISSING]),  # the failed case could have had a number
        (None, [Standing.ABSENT, Standing.ABSENT]),  # no case could
    ],
)
def test_a_failed_case_misses_a_number_where_the_run_had_the_model(
    tmp_path: Path, model: LetterModel | None, expected: list[Standing]
) -> None:
    """A gate is often read on a machine without the model, and an outage must not look smaller there."""
    settings = Settings(similarity_model=model)
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        run = keep_run(store, CASES, OUTCOMES, metrics=choose(["answer_similarity"]), settings=settings)
        found = read_run(store, run)
    assert [*found.scores["answer_similarity"].standing] == expected
