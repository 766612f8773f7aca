"""Importing labels: what a file may say, and all that is wrong with one that cannot be used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.errors import ConfigurationError, StoreError
from ragproof.labels.importing import Imported, ImportedRun, import_labels
from ragproof.ledger import Call
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.labelled_runs import FAILED, GROUNDED, REFUSED, RELEVANT, cases, keep_judged, output
from tests.fakes.stores import do

RUN = "aaaaaaaaaaaa"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a run of four cases, the third of which failed, and the fourth unanswerable."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        asked = [*cases(3), Case(id="no", question="who knows?", kind=CaseKind.UNANSWERABLE)]
        judged = {
            GROUNDED: [1.0, 0.5, None, 1.0],
            RELEVANT: [1.0, 1.0, None, 0.0],
            REFUSED: [0.0, 0.0, None, 0.0],
        }
        keep_judged(
            store, ["yes", "line one\nline two", FAILED, "nobody"], judged, asked=asked, label="first"
        )
        yield store


def row(**fields: Any) -> dict[str, Any]:
    """A sound row, but for these fields."""
    return {"case_id": "c0", "metric": GROUNDED, "value": 1, **fields}


def written(folder: Path, *rows: dict[str, Any] | str, name: str = "labels.jsonl") -> Path:
    """Write a file of labels."""
    path = folder / name
    lines = (each if isinstance(each, str) else json.dumps(each) for each in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def faults(store: Store, path: Path, **asked: Any) -> list[str]:
    """Return what is wrong with a file that cannot be used; nothing of it is kept."""
    with pytest.raises(ConfigurationError) as caught:
        import_labels(store, path, **{"run": RUN, **asked})
    assert store.labels.get(RUN) == ()
    return [str(fault) for fault in caught.value.faults]


def test_json_lines_are_kept(store: Store, tmp_path: Path) -> None:
    """With whatever is left out at its default."""
    full = row(value=0.25, labeller="Ann", run_id="first", trial=0, question="question 0", answer="yes")
    path = written(
        tmp_path, full, row(labeller="Bob"), "", row(case_id="c1", metric="generation.answer_relevance")
    )
    assert import_labels(store, path, run=RUN, at_random=True) == Imported(
        file="labels.jsonl",
        labels=3,
        new=3,
        same=0,
        claimed=0,
        at_random=True,
        labellers=2,
        runs=(ImportedRun(run_id=RUN, cases={GROUNDED: 1, RELEVANT: 1}),),
    )
    kept = [(each.metric, each.case_id, each.labeller, each.value) for each in store.labels.get(RUN)]
    assert kept == [(RELEVANT, "c1", "", 1.0), (GROUNDED, "c0", "Ann", 0.25), (GROUNDED, "c0", "Bob", 1.0)]
    assert all(each.at_random for each in store.labels.get(RUN))


SHEETS = [
    # why, the file's name, its text
    ("commas", "l.csv", "case_id,metric,value,labeller\nc0,{m},0.5,Ann\nc1,{m},1,\n"),
    ("semicolons", "l.csv", "case_id;metric;value;labeller\nc0;{m};.5;Ann\nc1;{m};1e0;\n"),
    ("tabs", "l.tsv", "metric\tcase_id\tlabeller\tvalue\n{m}\tc0\tAnn\t0.50\n{m}\tc1\t\t+1\n"),
    ("no suffix", "labels", "case_id,metric,value,labeller\nc0,{m}, 0.5 ,Ann\nc1,{m},1.0,\n"),
    (
        "the answer as a sheet keeps it",
        "l.csv",
        'case_id,metric,value,labeller,answer\nc0,{m},0.5,Ann,yes\nc1,{m},1,,"line one\r\n line two "\n',
    ),
    (
        "JSON without a suffix",
        "labels",
        '{{"case_id":"c0","metric":"{m}","value":0.5,"labeller":"Ann"}}\n'
        '{{"case_id":"c1","metric":"{m}","value":1}}\n',
    ),
]


@pytest.mark.parametrize(("why", "name", "text"), SHEETS, ids=[sheet[0] for sheet in SHEETS])
def test_every_kind_of_file_says_the_same(
    why: str, name: str, text: str, store: Store, tmp_path: Path
) -> None:
    """A table's cells are text, and its numbers are read as numbers."""
    path = tmp_path / name
    path.write_text(text.format(m=GROUNDED), encoding="utf-8", newline="")
    import_labels(store, path, run=RUN)
    kept = [(each.case_id, each.labeller, each.value) for each in store.labels.get(RUN)]
    assert kept == [("c0", "Ann", 0.5), ("c1", "", 1.0)], why


def test_importing_twice_is_importing_once(store: Store, tmp_path: Path) -> None:
    """So is a row that stands twice; and what is claimed of the draw is the last claim."""
    path = written(tmp_path, row(), row(), row(case_id="c1"))
    first = import_labels(store, path, run=RUN)
    again = import_labels(store, path, run=RUN, at_random=True)
    assert (first.labels, first.new, first.same, first.claimed) == (2, 2, 0, 0)
    assert (again.labels, again.new, again.same, again.claimed) == (2, 0, 2, 2)
    assert [each.at_random for each in store.labels.get(RUN)] == [True, True]


def test_rows_may_name_their_runs_themselves(store: Store, tmp_path: Path) -> None:
    """By id, its beginning, a label, or as the latest of a project."""
    keep_judged(store, ["yes"], {GROUNDED: [1.0]}, run_id="b" * 12, number=1, project="other")
    path = written(
        tmp_path,
        row(run_id=RUN),
        row(run_id="aaa", labeller="b"),
        row(run_id="first", labeller="c"),
        row(run_id="bbb"),
    )
    imported = import_labels(store, path)
    assert [(run.run_id, run.cases) for run in imported.runs] == [
        (RUN, {GROUNDED: 1}),
        ("b" * 12, {GROUNDED: 1}),
    ]
    latest = written(tmp_path, row(run_id="latest", labeller="d"))
    assert import_labels(store, latest, project="handbook").runs[0].run_id == RUN


FAULTS = [
    # why, the fields, what is told
    ("no case", {"case_id": None}, "case_id: missing; expected the id of a case"),
    ("no metric", {"metric": None}, "metric: missing; expected the key of a metric"),
    ("no value", {"value": None}, "value: missing; expected a number"),
    (
        "a case that is misspelt",
        {"case_id": "C0"},
        f"case_id: 'C0' is no case of run '{RUN}'; did you mean 'c0'?",
    ),
    (
        "a case of nothing",
        {"case_id": "xyzzy"},
        f"case_id: 'xyzzy' is no case of run '{RUN}'; 'ragproof show RUN'",
    ),
    (
        "a case without an answer",
        {"case_id": "c2"},
        f"case_id: run '{RUN}' has no answer to case 'c2': its call failed",
    ),
    (
        "a metric that is misspelt",
        {"metric": "generation.groundednes"},
        f"metric: 'generation.groundednes' is no metric of run '{RUN}'; did you mean '{GROUNDED}'?",
    ),
    (
        "a metric that no judge decides",
        {"metric": "latency_ms"},
        "metric: 'latency_ms' is computed, and no judge decides it; expected one of 'generation.",
    ),
    (
        "a metric that the run did not measure",
        {"metric": "generation.completeness"},
        f"metric: 'generation.completeness' was not measured by run '{RUN}'; expected one of",
    ),
    (
        "a metric of other cases",
        {"case_id": "no", "metric": REFUSED},
        f"metric: '{REFUSED}' says nothing of case 'no': applies to qa cases only",
    ),
    (
        "another scale",
        {"value": 4},
        f"value: 4 is outside of '{GROUNDED}'; expected a number from 0 to 1: bring another scale to it",
    ),
    (
        "below the range",
        {"value": -0.1},
        f"value: -0.1 is outside of '{GROUNDED}'; expected a number from 0 to 1",
    ),
    (
        "a number in quotes",
        {"value": "1"},
        "value: '1' is not allowed; expected a number: write it without quotes",
    ),
    ("a word", {"value": "good"}, "value: 'good' is not allowed; expected a number"),
    ("true is no number", {"value": True}, "value: true is not allowed; expected a number"),
    ("a number beyond all bounds", {"value": 10**400}, "is not allowed; expected a finite number"),
    ("a blank name", {"labeller": " "}, "labeller: ' ' is not allowed; expected text that is not blank"),
    ("a trial that was not made", {"trial": 1}, "in trial 1, counted from 0"),
    (
        "a trial of words",
        {"trial": "one"},
        "trial: 'one' is not allowed; expected a whole number, 0 for the first",
    ),
    (
        "another question",
        {"question": "question 1"},
        "question: it is another than the case's; expected 'question 0'",
    ),
    (
        "another answer",
        {"answer": "no"},
        f"answer: it is another than the one that run '{RUN}' gave, which is 'yes'; a label",
    ),
    (
        "a run that is not there",
        {"run_id": "zzz"},
        "run_id: no run is called 'zzz'; 'ragproof runs' lists them",
    ),
    (
        "a field of another name",
        {"annotator": "Ann"},
        "'annotator' is not a field of a label; did you mean 'labeller'?",
    ),
    (
        "a field of no name",
        {"mood": "bad"},
        "'mood' is not a field of a label; expected some of case_id, metric",
    ),
]


@pytest.mark.parametrize(("why", "fields", "told"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_what_is_wrong_is_told_with_its_line(
    why: str, fields: dict[str, Any], told: str, store: Store, tmp_path: Path
) -> None:
    """And nothing of the file is kept, sound rows included."""
    (found,) = faults(store, written(tmp_path, row(case_id="c1"), row(**fields)))
    assert found.startswith("labels.jsonl:2: ")
    assert told in found


def test_all_faults_are_told_at_once(store: Store, tmp_path: Path) -> None:
    """In the order of the file, several of one row too."""
    found = faults(
        store,
        written(
            tmp_path, row(case_id="c7", value=3), '{"case_id":"c0","metric":"m","value":NaN}', "nonsense"
        ),
    )
    assert [fault.split(": ")[0] for fault in found] == ["labels.jsonl:1"] * 2 + [
        "labels.jsonl:2",
        "labels.jsonl:3:1",
    ]
    assert "NaN is not JSON" in found[2]


@pytest.mark.parametrize("cell", ["nan", "inf", "1e999", "0,5", "1/2", "½", "٣", "0x1", "1_0"])
def test_a_cell_that_is_no_number_is_refused(cell: str, store: Store, tmp_path: Path) -> None:
    """Python would read some of them."""
    path = tmp_path / "l.csv"
    path.write_text(f'case_id,metric,value\nc0,{GROUNDED},"{cell}"\n', encoding="utf-8")
    (found,) = faults(store, path)
    assert found.startswith("l.csv:2: value: ")


def test_two_verdicts_of_one_person_on_one_answer_are_a_fault(store: Store, tmp_path: Path) -> None:
    """Which of them holds, nobody can know; without names the cure is to give them."""
    (found,) = faults(store, written(tmp_path, row(labeller="Ann"), row(labeller="Ann", value=0)))
    assert found == (
        "labels.jsonl:2: value: 0 where labels.jsonl:1 says 1 of the same answer, by 'Ann';"
        " expected one verdict"
    )
    (found,) = faults(store, written(tmp_path, row(), row(value=0)))
    assert "and no 'labeller' tells the two apart" in found


def test_another_verdict_than_the_store_s_is_a_fault(store: Store, tmp_path: Path) -> None:
    """The one that is there stays."""
    import_labels(store, written(tmp_path, row(value=0.5)), run=RUN)
    with pytest.raises(
        ConfigurationError, match=r"the store holds 0.5 by the same labeller, and this is 1; 'ragproof"
    ):
        import_labels(store, written(tmp_path, row(), row(case_id="c1")), run=RUN)
    assert [(each.case_id, each.value) for each in store.labels.get(RUN)] == [("c0", 0.5)]


def test_a_label_without_a_run_judges_nothing(store: Store, tmp_path: Path) -> None:
    """Every such row says so."""
    found = faults(store, written(tmp_path, row(), row(run_id=RUN)), run=None)
    assert found == [
        "labels.jsonl:1: run_id: missing; a label judges the answer of one run: give the command --run, or"
        " the file a 'run_id'"
    ]


def test_a_row_of_another_run_than_the_command_s_is_a_fault(store: Store, tmp_path: Path) -> None:
    """One of the two is a slip."""
    keep_judged(store, ["yes"], {GROUNDED: [1.0]}, run_id="b" * 12, number=1)
    (found,) = faults(store, written(tmp_path, row(run_id="bbb")))
    assert found.endswith(f"run_id: 'bbb' is another run than '{RUN}' of --run; expected one")
    with pytest.raises(StoreError, match="no run is called 'zzz'"):
        import_labels(store, written(tmp_path, row()), run="zzz")


def test_a_table_s_columns_are_told_once(store: Store, tmp_path: Path) -> None:
    """Not with every row."""
    path = tmp_path / "l.csv"
    path.write_text("id,metric,score\nc0,m,1\nc1,m,1\n", encoding="utf-8")
    assert faults(store, path) == [
        "l.csv:1: 'id' is not a field of a label; did you mean 'case_id'?",
        "l.csv:1: 'score' is not a field of a label; did you mean 'value'?",
        "l.csv:1: there is no column 'case_id'; expected one in the header",
        "l.csv:1: there is no column 'value'; expected one in the header",
    ]


@pytest.mark.parametrize(
    ("name", "text"), [("l.jsonl", ""), ("l.jsonl", "\n\n"), ("l.csv", "case_id,metric,value\n")]
)
def test_an_empty_file_is_a_fault(name: str, text: str, store: Store, tmp_path: Path) -> None:
    """Nothing was imported, and somebody meant to."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert faults(store, tmp_path / name) == [f"{name}: no labels; expected at least one"]


def test_a_file_that_is_none_is_a_fault(store: Store, tmp_path: Path) -> None:
    """A folder, nothing at all, or bytes that are no text."""
    assert "no such file or directory; expected a file" in faults(store, tmp_path / "none.csv")[0]
    assert "cannot be read: is a directory" in faults(store, tmp_path)[0]
    (tmp_path / "l.csv").write_bytes("case_id,metric,value\nä,m,1\n".encode("latin-1"))
    assert "is not UTF-8" in faults(store, tmp_path / "l.csv")[0]


def test_of_many_faults_the_first_are_told_and_the_others_counted(store: Store, tmp_path: Path) -> None:
    """One wrong scale must not fill the terminal's history."""
    found = faults(store, written(tmp_path, *[row(value=2 + n, labeller=str(n)) for n in range(60)]))
    assert len(found) == 51
    assert found[-1] == "labels.jsonl: and 10 more faults"


def test_a_repeated_run_s_answers_are_labelled_each_by_itself(store: Store, tmp_path: Path) -> None:
    """The trial says which; the first where it is left out."""
    again = Call(run_id=RUN, identity="again", case_id="c0", trial=1)
    store.calls.reserve([again])
    do(store.calls.settle(again, output("c0", "no")))
    import_labels(store, written(tmp_path, row(answer="yes"), row(trial=1, value=0, answer="no")), run=RUN)
    assert [(each.trial, each.value) for each in store.labels.get(RUN)] == [(0, 1.0), (1, 0.0)]


def test_a_hostile_value_is_shown_and_not_obeyed(store: Store, tmp_path: Path) -> None:
    """Escapes of a terminal in a case id stand there as text."""
    (found,) = faults(store, written(tmp_path, row(case_id="\x1b[2J")))
    assert "'\\x1b[2J' is no case" in found
