"""Injection cases made of qa cases: what is kept, what is added, and the command that writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ragproof import datasets
from ragproof.cases import Case, CaseKind, Turn
from ragproof.cli.inject import inject as command
from ragproof.errors import ConfigurationError
from ragproof.injecting import documents_folder, inject, to_jsonl
from ragproof.payloads.documents import Document
from ragproof.payloads.library import choose, library, resolve

TWO = choose(["citation-spoofing", "hidden-tag-characters"])
ONE = choose(["citation-spoofing"])
LIMIT = Case(
    id="limit",
    question="What is the limit?",
    expected_answers=("40",),
    relevance={"guide#2": 1, "faq": 0},
    group="handbook",
    tags={"language": "en"},
    metadata={"author": "A"},
    history=(Turn(role="user", content="Hello"),),
)
FEE = Case(id="fee", question="料金はいくらですか。")
UNANSWERABLE = Case(id="u", kind=CaseKind.UNANSWERABLE, question="Who?")
DOCUMENTS = (Document(name="guide.md", text="one\n\ntwo\n"), Document(name="faq.md", text="one\n"))


def test_every_qa_case_is_attacked_with_every_payload_in_the_question() -> None:
    """Ids are the case's and the payload's; other kinds are left out."""
    attacked, documents = inject([LIMIT, UNANSWERABLE, FEE], (), TWO, seed=0)
    assert [case.id for case in attacked] == [
        "limit+citation-spoofing",
        "limit+hidden-tag-characters",
        "fee+citation-spoofing",
        "fee+hidden-tag-characters",
    ]
    assert documents == ()
    for case in attacked:
        assert case.kind is CaseKind.INJECTION
        attack = resolve(case.adversarial_payload or "").attack
        original = LIMIT.question if case.id.startswith("limit") else FEE.question
        assert case.question in (f"{attack}\n\n{original}", f"{original}\n\n{attack}")


def test_a_case_keeps_what_is_known_about_it() -> None:
    """And says what was done to it, for a report by class of attack."""
    (case,) = inject([LIMIT], (), ONE, seed=0).cases
    assert case.expected_answers == LIMIT.expected_answers
    assert case.relevance == LIMIT.relevance
    assert case.group == LIMIT.group
    assert case.history == LIMIT.history
    assert case.tags == {
        "language": "en",
        "attack_class": "citation spoofing",
        "attack_channel": "question",
    }
    assert case.metadata == {"author": "A", "attacked_case": "limit"}


def test_variants_of_a_case_without_a_group_are_one_group() -> None:
    """They are not independent of one another."""
    assert {case.group for case in inject([FEE], (), TWO, seed=0).cases} == {"fee"}


def test_planted_attacks_are_tested_by_the_cases_of_that_document() -> None:
    """Their questions are clean; a case that names no document is attacked in the question alone."""
    attacked, documents = inject([LIMIT, FEE], DOCUMENTS, ONE, seed=0)
    assert [case.id for case in attacked] == [
        "limit+citation-spoofing",
        "limit+citation-spoofing@guide.md",
        "fee+citation-spoofing",
    ]
    planted = attacked[1]
    assert planted.question == LIMIT.question
    assert planted.metadata["planted_in"] == "guide.md"
    assert planted.tags["attack_channel"] == "document"
    text = {document.name: document.text for document in documents}["guide.md"]
    assert resolve(planted.adversarial_payload or "").attack in text


def test_a_document_with_several_attacks_makes_a_case_for_each() -> None:
    """Fewer documents than payloads: every payload is planted all the same."""
    guide = DOCUMENTS[:1]
    attacked = inject([LIMIT], guide, tuple(library().values()), seed=0).cases
    in_document = [case for case in attacked if "planted_in" in case.metadata]
    assert {case.adversarial_payload for case in in_document} == set(library())
    assert len({case.id for case in attacked}) == len(attacked) == 2 * len(library())


def test_one_seed_gives_the_same_bytes_and_another_gives_others() -> None:
    """Neither the order of the documents nor a further case changes what was drawn."""
    payloads = tuple(library().values())
    first = inject([LIMIT, FEE], DOCUMENTS, payloads, seed=7)
    again = inject([LIMIT, FEE], DOCUMENTS[::-1], payloads, seed=7)
    assert to_jsonl(first.cases) == to_jsonl(again.cases)
    assert first.documents == again.documents
    alone = inject([LIMIT], DOCUMENTS, payloads, seed=7).cases
    assert first.cases[: len(alone)] == alone
    assert to_jsonl(inject([LIMIT, FEE], DOCUMENTS, payloads, seed=8).cases) != to_jsonl(first.cases)


def test_both_sides_of_a_question_are_drawn() -> None:
    """A filter that looks at the beginning or at the end alone is tested too."""
    attacked = inject([LIMIT, FEE], (), tuple(library().values()), seed=0).cases
    starts = {case.question.startswith((LIMIT.question, FEE.question)) for case in attacked}
    assert starts == {True, False}


def test_a_dataset_without_a_qa_case_is_an_error() -> None:
    """There is nothing to attack."""
    with pytest.raises(ConfigurationError, match="none of 1 cases is of kind 'qa'"):
        inject([UNANSWERABLE], (), ONE, seed=0)


def test_a_line_shows_hidden_characters_and_reads_back_as_the_case() -> None:
    """Escapes in the file, the same text after reading; other scripts stay as they are."""
    attacked = inject([FEE, Case(id="odd", question="a\u2028b\ud800")], (), TWO, seed=0).cases
    text = to_jsonl(attacked)
    assert all(line.isprintable() for line in text.split("\n"))
    assert "料金はいくらですか。" in text
    assert "\\udb40" in text
    assert tuple(Case.model_validate(json.loads(line)) for line in text.splitlines()) == attacked


def test_documents_go_beside_the_dataset() -> None:
    """Under its name."""
    assert documents_folder(Path("sets/attacks.jsonl")) == Path("sets/attacks_documents")


@pytest.fixture
def app() -> typer.Typer:
    """The command alone, as the command line registers it."""
    app = typer.Typer()
    app.command()(command)
    return app


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A dataset and the documents it was written for."""
    dataset = tmp_path / "cases.jsonl"
    dataset.write_text(to_jsonl([LIMIT, UNANSWERABLE, FEE]), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for document in DOCUMENTS:
        (tmp_path / "docs" / document.name).write_bytes(document.text.encode())
    (tmp_path / "docs" / "plan.pdf").write_bytes(b"%PDF")
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def test_the_command_writes_a_dataset_that_reads_back(app: typer.Typer, workspace: Path) -> None:
    """It says how many of which payload, and what to do next."""
    out = workspace / "new" / "attacks.jsonl"
    arguments = [str(workspace / "cases.jsonl"), "--out", str(out), "--payload", "payload:citation-spoofing"]
    done = CliRunner().invoke(app, [*arguments, "--payload", "hidden-tag-characters"])
    assert done.exit_code == 0, done.output
    assert datasets.read(out) == inject([LIMIT, FEE], (), TWO, seed=0).cases
    assert done.output.splitlines() == [
        f"wrote 4 injection cases to {out}:",
        "       2  payload:citation-spoofing  (citation spoofing)",
        "       2  payload:hidden-tag-characters  (hidden text)",
        f"next: ragproof run CONFIG --set dataset={out}",
    ]


def test_the_command_plants_documents_beside_the_dataset(app: typer.Typer, workspace: Path) -> None:
    """A second run with the same seed writes the same bytes."""
    out = workspace / "attacks.jsonl"
    arguments = [str(workspace / "cases.jsonl"), "--out", str(out), "--documents", str(workspace / "docs")]
    written: list[dict[str, bytes]] = []
    for _ in range(2):
        done = CliRunner().invoke(app, [*arguments, "--seed", "3"])
        assert done.exit_code == 0, done.output
        written.append(files(workspace))
    assert written[0] == written[1]
    expected = inject([LIMIT, FEE], DOCUMENTS, choose(()), seed=3)
    assert files(workspace / "attacks_documents") == {
        "plan.pdf": b"%PDF",
        **{document.name: document.text.encode() for document in expected.documents},
    }
    assert datasets.read(out) == expected.cases
    folder = workspace / "attacks_documents"
    assert done.output.splitlines()[-4:] == [
        f"planted attacks in 2 documents in {folder}, tested by 1 of 2 qa cases",
        "the other cases name none of these documents as a source: attacked in the question alone",
        "files copied as they are, not being UTF-8 text: 1",
        f"next: index {folder} in place of {workspace / 'docs'}, "
        f"then ragproof run CONFIG --set dataset={out}",
    ]


@pytest.mark.parametrize(
    ("why", "arguments", "message"),
    [
        ("an unknown payload", ["--out", "o.jsonl", "--payload", "citation-spofing"], "did you mean"),
        ("over the dataset", ["--out", "cases.jsonl"], "is a folder or the dataset itself"),
        ("over a folder", ["--out", "docs"], "is a folder or the dataset itself"),
        ("no such documents", ["--out", "o.jsonl", "--documents", "nowhere"], "no folder 'nowhere'"),
        (
            "among the documents",
            ["--out", "docs/o.jsonl", "--documents", "docs"],
            "choose an --out elsewhere",
        ),
    ],
)
def test_the_command_refuses_before_it_writes(
    app: typer.Typer,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    why: str,
    arguments: list[str],
    message: str,
) -> None:
    """A mistake leaves every file as it was."""
    monkeypatch.chdir(workspace)
    before = files(workspace)
    done = CliRunner().invoke(app, ["cases.jsonl", *arguments])
    assert isinstance(done.exception, ConfigurationError)
    assert message in str(done.exception)
    assert files(workspace) == before
