"""The documents that a dataset brings, searched by the demo pipeline as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof import datasets
from ragproof.demo.pipeline import Pipeline
from ragproof.errors import ConfigurationError

FOLDER = Path(__file__).parent / "data" / "datasets"
BRINGS_DOCUMENTS = [FOLDER / "beir", FOLDER / "beir" / "qrels" / "test.tsv", FOLDER / "sample.squad.json"]


@pytest.mark.parametrize("path", BRINGS_DOCUMENTS, ids=[path.name for path in BRINGS_DOCUMENTS])
@pytest.mark.parametrize("rerank", [False, True])
def test_the_demo_finds_the_documents_that_are_relevant(path, rerank):
    """Their ids are those of the judgments, whether sources are matched by chunk or by document."""
    pipeline = Pipeline(rerank=rerank, corpus=str(path))
    for case in datasets.read(path):
        found = pipeline.retrieve(case.question, 3)
        if case.relevant():
            assert found[0]["id"] in case.relevant()
        for chunk in found:
            assert chunk["metadata"]["document_id"] == chunk["id"]
            assert "date" not in chunk["metadata"]


def test_the_demo_quotes_such_a_document():
    """As it quotes the handbook."""
    reply = Pipeline(corpus=str(FOLDER / "beir")).answer("How many days of leave are there?")
    assert reply["answer"] == "There are thirty days of leave. [1]"
    assert reply["citations"] == ["leave"]


def test_documents_are_searched_as_plain_text(tmp_path):
    """What the handbook's Markdown would take for a heading, a comment or a table stays."""
    (tmp_path / "qrels").mkdir()
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "wombat?"}\n')
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n")
    text = "# One\\n\\n<!-- two --> wombat | three |\\n\\nfour"
    (tmp_path / "corpus.jsonl").write_text(f'{{"_id": "d", "title": "", "text": "{text}"}}\n')
    (chunk,) = Pipeline(corpus=str(tmp_path)).retrieve("wombat", 5)
    assert chunk["text"] == text.replace("\\n", "\n")


def test_a_dataset_without_documents_is_no_corpus():
    """The format is told, so that another can be looked for."""
    with pytest.raises(ConfigurationError, match=r"'sample\.jsonl' is jsonl, which brings no documents$"):
        Pipeline(corpus=str(FOLDER / "sample.jsonl"))


def test_a_corpus_that_is_not_there_is_told_where_it_was_looked_for():
    """A path is from the current directory, which the message shows."""
    with pytest.raises(ConfigurationError) as caught:
        Pipeline(corpus="no-such-corpus")
    assert str(caught.value) == f"dataset '{Path.cwd() / 'no-such-corpus'}' does not exist"
