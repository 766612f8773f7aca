"""Two runs compared: the whole of it, from what may be asked to what programs read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ragproof.cases import Case
from ragproof.comparing.comparison import Comparison, compare
from ragproof.comparing.comparison_json import as_json
from ragproof.comparing.comparison_markdown import render
from ragproof.comparing.comparison_wording import cautions, headline
from ragproof.comparing.finished import Unfinished
from ragproof.comparing.metric_comparison import Verdict
from ragproof.comparing.metric_tables import metric_tables
from ragproof.comparing.pairing import Incomparable
from ragproof.comparing.root_cause import RootCause
from ragproof.comparing.run_outputs import NoOutputs
from ragproof.comparing.subset_tables import runs_table
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput
from ragproof.reports.strict_json import strict_json
from ragproof.runs import RunStatus
from tests.fakes.outputs_in_memory import OutputsInMemory
from tests.fakes.planted_faults import planted
from tests.fakes.scored_runs import ERROR, Cell, scored_run

WORSE: dict[str, list[Cell]] = {"contains_answer": [1.0] * 8 + [0.0] * 2, "latency_ms": [5.0] * 10}
AFTER: dict[str, list[Cell]] = {"contains_answer": [0.0] * 7 + [1.0, 1.0, 0.0], "latency_ms": [4.0] * 10}
TRAITS: dict[str, Any] = {
    "spans": {"latency_ms": (0.0, None)},
    "directions": {"latency_ms": Direction.LOWER},
}


def compared(
    before: dict[str, list[Cell]] | None = None,
    after: dict[str, list[Cell]] | None = None,
    *,
    first: dict[str, Any] | None = None,
    second: dict[str, Any] | None = None,
    **asked: Any,
) -> Comparison:
    """Compare two runs without outputs."""
    one = scored_run(before or WORSE, **{**TRAITS, **(first or {})})
    other = scored_run(after or AFTER, **{"id": "b" * 12, "pipeline": "reranked", **TRAITS, **(second or {})})
    return compare(one, other, (NoOutputs(), NoOutputs()), **asked)


def test_the_first_lines_say_what_came_out() -> None:
    """A manager reads no further."""
    assert headline(compared(), str) == (
        "reranked against baseline on 10 shared cases: better on 1, worse on 0 of 2 metrics",
        "better: latency_ms 5.0 → 4.0 (+1.0)",
        "the other metrics: 1 no difference shown",
        "cases: 7 got worse (7 unexplained), 1 got better, 2 did not change",
    )


def test_the_first_lines_tell_of_scores_that_are_not_there() -> None:
    """A run that lost cases looks better than it is."""
    lost = compared({"m": [1.0] * 4}, {"m": [1.0, ERROR, ERROR, None]})
    assert headline(lost, str)[0].endswith("better on 0, worse on 0 of 1 metric")
    assert headline(lost, str)[1:] == (
        "the other metrics: 1 scored on one case alone",
        "cases without a score they should have: baseline up to 0, candidate up to 2",
        "cases: 2 got worse (2 pipeline error), 0 got better, 2 did not change",
    )


@pytest.mark.parametrize(
    ("why", "run", "told"),
    [
        (
            "the cases come in groups",
            {"groups": [f"g{place // 2}" for place in range(10)]},
            "the cases come in 5 groups, which succeed and fail together: tests and intervals are by group;"
            " under 6 groups no test can be trusted",
        ),
        (
            "it was stopped early",
            {"status": RunStatus.STOPPED_EARLY},
            "candidate stopped early: no mean or difference here is an estimate",
        ),
        ("it is the same run", {"id": "a" * 12}, "both are the same run, which shows nothing"),
    ],
)
def test_what_a_reader_must_know_is_told(why: str, run: dict[str, Any], told: str) -> None:
    """Beside the numbers, not in a manual."""
    notes = [note.text for note in cautions(compared(second=run, first={"groups": run.get("groups")}))]
    assert told in notes, why


def test_lifted_differences_of_the_judge_are_told() -> None:
    """And are in the JSON."""
    judges = [{"fields": {"judge": {"model": name}}} for name in ("one", "two")]
    found = compared(first=judges[0], second=judges[1], allow_mixed_judges=True)
    (note,) = [each for each in cautions(found) if each.items]
    assert note.items == ('judge.model "one" against "two"',)
    assert as_json(found)["lifted"] == [{"field": "judge.model", "baseline": '"one"', "candidate": '"two"'}]


@pytest.mark.parametrize("status", [each for each in RunStatus if each is not RunStatus.COMPLETED])
def test_a_run_that_is_not_completed_is_refused_with_the_cure(status: RunStatus) -> None:
    """On either side; one that was stopped early on purpose passes."""
    for arm in ("first", "second"):
        if status is RunStatus.STOPPED_EARLY:
            assert compared(**{arm: {"status": status}}).metrics
            continue
        with pytest.raises(Unfinished) as raised:
            compared(**{arm: {"status": status, "status_reason": "because"}})
        assert raised.value.exit_code == 2
        assert f" is {status.value} (because); expected a completed one: " in str(raised.value)
        wait = status is RunStatus.RUNNING
        assert ("wait until it is over" if wait else "'ragproof run --resume ") in str(raised.value)


def test_runs_whose_numbers_mean_something_else_are_refused() -> None:
    """As everywhere."""
    with pytest.raises(Incomparable, match="k: 5 against 8"):
        compared(second={"fields": {"k": 8}})


def test_one_metric_can_be_asked_about_in_any_spelling() -> None:
    """It alone is tested, it alone makes a case worse, and no other dilutes its p."""
    before: dict[str, list[Cell]] = {"ndcg@10": [1.0] * 7, "m": [0.0] * 7}
    after: dict[str, list[Cell]] = {"ndcg@10": [0.0] * 7, "m": [1.0] * 7}
    found = compared(before, after, metrics=["nDCG@10", "ndcg@10"])
    assert found.asked == ("ndcg@10",)
    assert [each.key for each in found.metrics] == ["ndcg@10"]
    assert len(found.worse) == 7
    assert {each.measure for each in found.tags} <= {"ndcg@10"}


@pytest.mark.parametrize(
    ("why", "metrics", "told"),
    [
        (
            "a misspelt name",
            ["contains_anser"],
            ["no metric of both runs is named 'contains_anser'; did you mean 'contains_answer'?"],
        ),
        ("a name near nothing", ["xyzzy"], ["no metric of both runs is named 'xyzzy'; without --metric"]),
        ("one run alone has it", ["rouge_l"], ["metric 'rouge_l' was measured by run 'bbbbbbbbbbbb' alone"]),
        ("two at once", ["xyzzy", "rouge_l"], ["'xyzzy'", "'rouge_l'"]),
    ],
)
def test_a_metric_that_cannot_be_compared_is_refused(why: str, metrics: list[str], told: list[str]) -> None:
    """With the nearest name, and all faults at once."""
    with pytest.raises(ConfigurationError) as raised:
        compared(after={**AFTER, "rouge_l": [1.0] * 10}, metrics=metrics)
    assert len(raised.value.faults) == len(told), why
    for fault, part in zip(raised.value.faults, told, strict=True):
        assert part in str(fault), why


def test_the_json_is_strict_and_whole() -> None:
    """Numbers in full, null where there is none, every case that got worse with its cause."""
    plants = planted(0, judged=True)
    found = compare(plants.first, plants.second, plants.outputs, told=2)
    content = json.loads(strict_json(as_json(found)))
    metric = content["metrics"]["contains_answer"]
    assert metric["verdict"] == Verdict.WORSE.value
    assert metric["difference"] == pytest.approx(
        metric["candidate_mean_of_pairs"] - metric["baseline_mean_of_pairs"]
    )
    assert metric["interval"]["low"] < metric["difference"] < metric["interval"]["high"] < 0.0
    assert metric["interval"]["method"] == "Newcombe 10"
    assert 0.0 < metric["p"] <= metric["p_holm"] < 0.05
    assert metric["p_bh"] <= metric["p_holm"]
    assert metric["wins"] + metric["ties"] + metric["losses"] == metric["n"]
    assert set(metric["effect_sizes"]) == {"d_z", "g_z", "rank_biserial", "risk_difference"}
    assert metric["missing"]["candidate"] == metric["candidate"]["missing"] > 0
    assert sum(metric["candidate"]["missing_reasons"].values()) == metric["candidate"]["missing"]
    assert content["verdicts"]["worse"] == [each.key for each in found.of(Verdict.WORSE)]
    assert len(content["worse"]) == content["changes"]["worse"] == sum(content["root_causes"].values())
    assert set(content["root_causes"]) <= {cause.value for cause in RootCause}
    assert all(case["root_cause"] and case["why"] for case in content["worse"])
    assert [("question" in case) for case in content["worse"][:3]] == [True, True, False]
    assert content["worse"][0]["baseline"]["answer"]
    assert content["tags"][0]["metric"] is None


def test_the_answer_of_an_exported_run_is_not_in_the_file() -> None:
    """Which is not an empty answer."""
    content: Any = as_json(compared(second={"label": "x"}))
    assert content["worse"][0]["candidate"] == {"answer": None, "failure": None, "note": "not in the file"}
    assert content["worse"][0]["question"] is None
    assert "not in the file" in render(compared())


def test_a_case_shows_the_trial_that_tells_most() -> None:
    """The candidate's worst, against the baseline's best."""
    case = Case(id="c0", question="?", expected_answers=("yes",))
    runs = [
        scored_run({"contains_answer": [cells]}, id=id * 12, contents={"c0": "x"})
        for id, cells in (("a", [0.0, 1.0]), ("b", [1.0, 0.0, 0.0]))
    ]
    trials: list[list[list[Outcome]]] = [
        [[PipelineOutput(case_id="c0", answer=answer)] for answer in answers]
        for answers in (["no", "yes"], ["yes", "first no", "second no"])
    ]
    outputs = [OutputsInMemory([case], each) for each in trials]
    (story,) = compare(runs[0], runs[1], (outputs[0], outputs[1])).worse
    assert (story.before.answer, story.after.answer) == ("yes", "first no")


def test_a_failed_trial_shows_best_that_a_score_was_lost() -> None:
    """Though the other trials went well."""
    case = Case(id="c0", question="?", expected_answers=("yes",))
    runs = [
        scored_run({"contains_answer": [cells]}, id=id * 12, contents={"c0": "x"})
        for id, cells in (("a", [1.0, 1.0]), ("b", [1.0, ERROR]))
    ]
    answered = PipelineOutput(case_id="c0", answer="yes")
    failed = CaseFailure(case_id="c0", kind=FailureKind.TIMEOUT, message="late")
    outputs = (
        OutputsInMemory([case], [[answered], [answered]]),
        OutputsInMemory([case], [[answered], [failed]]),
    )
    (story,) = compare(runs[0], runs[1], outputs).worse
    assert story.finding is not None
    assert story.finding.cause is RootCause.PIPELINE_ERROR
    assert story.after.failure == failed


def test_the_same_two_runs_give_the_same_words() -> None:
    """No clock, no order of a set."""
    plants = planted(1, judged=False)
    texts = {render(compare(plants.first, plants.second, plants.outputs)) for _ in range(2)}
    assert len(texts) == 1


HOSTILE = "</td>|<img src=x>\n[l](http://evil.example) `code` \x1b[31mred\u202e"


def test_markdown_lets_no_foreign_text_be_anything_but_text() -> None:
    """Names, labels, tags, groups, metrics, ids, answers and reasons among it."""
    run: dict[str, Any] = {
        "pipeline": HOSTILE,
        "label": HOSTILE,
        "corpus_version": HOSTILE,
        "groups": [HOSTILE] * 5 + [HOSTILE + "2"] * 5,
        "tags": [{HOSTILE: HOSTILE}] * 10,
        "cases": [f"{HOSTILE}{place}" for place in range(10)],
        "served": (HOSTILE,),
    }
    before = {f"{HOSTILE}:own": [1.0] * 10, "same": [1.0] * 10}
    after = {f"{HOSTILE}:own": [0.0] * 9 + [ERROR], "same": [1.0] * 10}
    text = render(compared(before, after, first=run, second=run))
    assert "\x1b" not in text
    assert "\u202e" not in text
    for line in text.splitlines():
        outside = "".join(part for place, part in enumerate(_spans(line)) if place % 2 == 0)
        assert "<img" not in outside, line
        assert "](" not in outside, line


def _spans(line: str) -> list[str]:
    """Cut a line at its code spans: outside, inside, outside, ..."""
    parts, rest = [], line
    while "`" in rest:
        start = rest.index("`")
        fence = len(rest[start:]) - len(rest[start:].lstrip("`"))
        inside = rest[start + fence :]
        end = next(
            place
            for place in range(len(inside))
            if inside[place : place + fence] == "`" * fence
            and inside[place - 1 : place] != "`"
            and inside[place + fence : place + fence + 1] != "`"
        )
        parts += [rest[:start], inside[:end]]
        rest = inside[end + fence :]
    return [*parts, rest]


def test_what_is_left_out_is_listed() -> None:
    """Cases and metrics of one run alone, and cases that changed; many are counted, and the first named."""
    found = compared(
        {"m": [1.0] * 20, "old": [1.0] * 20},
        {"m": [1.0] * 20, "new": [1.0] * 20},
        first={"cases": [*"abcdefghijklmnopqr", "x", "y"]},
        second={"cases": [*"abcdefghijklmnopqr", "y", "z"], "contents": {"y": "Y"}},
    )
    notes = {note.text: note.items for note in runs_table(found).notes}
    assert notes == {
        "cases of the baseline alone, 1": ("x",),
        "cases of the candidate alone, 1": ("z",),
        "cases that are others by now, 1": ("y",),
        "metrics of the baseline alone, 1": ("old",),
        "metrics of the candidate alone, 1": ("new",),
    }
    few = compared(second={"cases": [f"n{place}" for place in range(9)] + ["c9"]}, min_coverage=0.0)
    (note, _) = runs_table(few).notes
    assert (note.text, note.items[-1], len(note.items)) == ("cases of the baseline alone, 9", "...", 9)
    content: Any = as_json(few)
    assert len(content["cases"]["only_baseline"]) == 9, "the JSON names all"


def test_each_metric_says_on_how_many_cases_it_rests() -> None:
    """Pairs of the shared cases, and how many each run scored of those it should have."""
    found = compared(
        {"m": [1.0] * 4, "n": [1.0] * 4, "o": [None, 1.0, 1.0, 1.0]},
        {"m": [1.0] * 4, "n": [1.0] * 4, "o": [1.0, ERROR, 1.0, 1.0]},
    )
    (table,) = [each for each in metric_tables(found) if each.title == "coverage"]
    assert table.rows == (
        ("4 of 4", "scored 4 of 4", "scored 4 of 4", "m, n"),
        ("2 of 4", "scored 3 of 3", "scored 3 of 4", "o"),
    )


def test_a_metric_that_describes_can_be_asked_about() -> None:
    """It is shown, tested nowhere, and makes no case worse."""
    tags = [{"topic": "hr"}] * 12
    runs: dict[str, Any] = {"directions": {"m": Direction.NONE}, "tags": tags}
    found = compared({"m": [1.0] * 12}, {"m": [0.0] * 12}, first=runs, second=runs, metrics=["m"])
    assert (found.tags, found.worse) == ((), ())
    assert headline(found, str)[0].endswith("no metric has a pair of scores that could be ranked")
