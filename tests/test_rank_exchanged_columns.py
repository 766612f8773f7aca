"""`ragproof rank` on files in which the columns of query and document are exchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import ragproof

QUERIES = [f"q{number}" for number in range(1, 7)]


@pytest.mark.parametrize("exchanged", ["qrels", "run"])
def test_exchanged_columns_are_suspected_when_nothing_is_shared(
    exchanged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever of the two files has them; a deep run ranks more documents than were judged."""
    pairs = [(query, f"doc{number}") for number, query in enumerate(QUERIES)]
    ranked = [*pairs, *((query, f"unjudged{query}{at}") for query in QUERIES for at in range(50))]
    if exchanged == "qrels":
        pairs = [(document, query) for query, document in pairs]
    else:
        ranked = [(document, query) for query, document in ranked]
    (tmp_path / "a.qrels").write_text("".join(f"{q} 0 {d} 1\n" for q, d in pairs), encoding="utf-8")
    (tmp_path / "a.run").write_text("".join(f"{q} Q0 {d} 1 1 t\n" for q, d in ranked), encoding="utf-8")
    done = ragproof(capsys, "rank", str(tmp_path / "a.qrels"), str(tmp_path / "a.run"))
    assert done.code == 3
    assert done.err.endswith(
        "the queries of the run are documents of the judgments: are the columns of query and document"
        " exchanged in one of the two files?\n"
    )


def test_a_document_or_two_named_as_queries_are_no_sign_of_exchanged_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where ids are small numbers any query is some document."""
    (tmp_path / "a.qrels").write_text("".join(f"q 0 {d} 1\n" for d in range(10)), encoding="utf-8")
    (tmp_path / "a.run").write_text(
        "".join(f"{q} Q0 x 1 1 t\n" for q in (1, 2, 30, 31, 32)), encoding="utf-8"
    )
    done = ragproof(capsys, "rank", str(tmp_path / "a.qrels"), str(tmp_path / "a.run"))
    assert "two different collections" in done.err
