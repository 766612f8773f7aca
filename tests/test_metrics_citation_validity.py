"""Citation validity: whether what an answer cites was there to be cited."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.evidence import SourceMatch
from ragproof.metrics.answer.citation_validity import METRIC, citation_validity, measure
from ragproof.scoring import score
from tests.fakes.evidence import chunks, evidence, output

FORMULA = [
    # why, cited, known, expected
    ("valid cited ids over all cited ids", ["a", "x", "b"], {"a", "b", "c"}, 2 / 3),
    ("cited ids are deduplicated first", ["a", "a", "a", "x"], {"a"}, 1 / 2),
    ("an invalid id cited twice is invalid once", ["a", "x", "x"], {"a"}, 1 / 2),
    ("nothing retrieved: every citation points at nothing", ["a"], set(), 0 / 1),
    ("what is not cited does not count", ["a"], {"a", "b", "c"}, 1 / 1),
    ("ids are text: '1' is not '01'", ["1", "01"], {"1"}, 1 / 2),
]


@pytest.mark.parametrize(("why", "cited", "known", "expected"), FORMULA)
def test_the_formula_gives_the_known_answers(
    why: str, cited: list[str], known: set[str], expected: float
) -> None:
    """Each row is one sentence of the definition."""
    assert citation_validity(cited, known) == expected, why


def test_a_share_of_no_citations_does_not_exist() -> None:
    """Nothing cited is for the caller to skip; the formula makes no number of it."""
    with pytest.raises(ValueError, match="expected at least one cited id"):
        citation_validity([], {"a"})


OUTPUTS: list[tuple[str, dict[str, Any], float | str]] = [
    # why, output, value or reason
    ("a cited chunk that was retrieved", {"citations": ("c1",)}, 1.0),
    ("a cited chunk that was not", {"citations": ("c1", "c9")}, 1 / 2),
    ("no answer", {"answer": None}, "adapter produced no answer"),
    ("no citations, unknown", {"citations": None}, "answer has no citations"),
    ("no citations, known", {"citations": ()}, "answer has no citations"),
    ("no retrieval shown", {"retrieved": None}, "adapter does not expose retrieval"),
    ("retrieval found nothing", {"retrieved": ()}, 0.0),
    ("an empty answer that cites is measured by what it cites", {"answer": ""}, 1.0),
    (
        "no answer is told before no citations",
        {"answer": None, "citations": None},
        "adapter produced no answer",
    ),
    ("no citations before no retrieval", {"citations": (), "retrieved": None}, "answer has no citations"),
    (
        "what the generator read counts as well as what was retrieved",
        {"citations": ("c1", "c9"), "retrieved": chunks("c1"), "context": chunks("c9")},
        1.0,
    ),
]


@pytest.mark.parametrize(("why", "changes", "expected"), OUTPUTS)
def test_each_output_has_its_value_or_its_reason(
    why: str, changes: dict[str, Any], expected: float | str
) -> None:
    """Missing answer, citations or retrieval skips, in this order; an empty retrieval scores 0."""
    cited = evidence(None, output(**changes))
    scored = score(METRIC, cited.case, cited.output, cited.settings)
    assert (scored.reason if isinstance(expected, str) else scored.value) == expected, why


@pytest.mark.parametrize(
    ("source_match", "expected"), [(SourceMatch.CHUNK, 1 / 2), (SourceMatch.DOCUMENT, 2 / 2)], ids=str
)
def test_a_document_is_a_valid_citation_when_sources_are_documents(
    source_match: SourceMatch, expected: float
) -> None:
    """With `source_match: document` the document of a retrieved chunk may be cited, and so may the chunk."""
    retrieved = chunks("d1#c1", document="d1")
    cited = evidence(None, output(citations=("d1", "d1#c1"), retrieved=retrieved), source_match=source_match)
    assert measure(cited).value == expected


def test_details_name_the_citations_that_point_at_nothing() -> None:
    """A reader sees which ids were made up, in the order of the answer."""
    cited = evidence(None, output(citations=("x", "c1", "a", "x")))
    assert measure(cited).details == {"cited": 3, "invalid": ["x", "a"]}
