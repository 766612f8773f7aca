"""Situations about a judge's replies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragproof.judge.calls import JudgeFailure, JudgeFailureKind, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.metering import Stage
from ragproof.judge.replies import ReplyOutcome, read
from tests.fakes.judge_questions import FITS, asked, grounding, relevance
from tests.fakes.judge_server import Line, Said, ask_all, judging


def a_cut_reply_is_asked_again_once_and_both_are_charged(given: Any, _folder: Path) -> None:
    """With a larger limit; cut again, it is an error and no prefix is scored."""
    cut = Said(given["judge_reply"], finish_reason=given["finish_reason"])
    expected: list[tuple[list[Line], type]] = [([cut, FITS], Verdict), ([cut], JudgeFailure)]
    for script, ended_as in expected:
        ended, server, meter = asked(script)
        assert isinstance(ended, ended_as)
        assert [attempt.stage for attempt in meter.attempts] == [Stage.FIRST, Stage.TOKENS]
        first, second = (each.body["max_tokens"] for each in server.asked)
        assert second > first
        assert len(meter.spent) == 2
        assert isinstance(ended, Verdict) or ended.kind is JudgeFailureKind.TRUNCATED


def four_verdicts_on_five_contexts_are_none(given: Any, _folder: Path) -> None:
    """Neither zipped nor padded: asked by id, a gap has a name."""
    ids, verdicts = given["contexts"], given["judge_verdicts"]
    for reply in (verdicts, dict(zip(ids, verdicts, strict=False))):
        reading = read(json.dumps({"verdicts": reply}), kind="verdicts", ids=ids)
        assert (reading.outcome, reading.value) == (ReplyOutcome.REPAIR, None)
    assert "'c5'" in reading.reason


def a_label_of_no_choice_is_no_score(given: Any, _folder: Path) -> None:
    """Not the lowest choice either."""
    label = given["judge_reply"]
    for kind, reply in (
        ("rating", label),
        ("rating", json.dumps({"rating": label})),
        ("verdicts", json.dumps({"verdicts": {"c1": label}})),
    ):
        reading = read(reply, kind=kind, ids=["c1"])
        assert (reading.outcome, reading.value) == (ReplyOutcome.REPAIR, None)
    ended, _, _ = asked([Said(json.dumps({"rating": label}))])
    assert isinstance(ended, JudgeFailure)


def a_number_out_of_range_is_no_score(given: Any, _folder: Path) -> None:
    """Asked again once, then an error; nothing is clamped."""
    number = int(given["judge_reply"].split()[-1])
    assert number > given["scale"][1]
    for reply in (given["judge_reply"], json.dumps({"rating": number})):
        ended, _, meter = asked([Said(reply)])
        assert isinstance(ended, JudgeFailure)
        assert ended.kind is JudgeFailureKind.INVALID_REPLY
        assert [attempt.stage for attempt in meter.attempts] == [Stage.FIRST, Stage.REPAIR]


def a_verdict_is_found_in_its_wrapping(given: Any, _folder: Path) -> None:
    """Reasoning, fence and chatter are passed over, and kept for the audit."""
    wrapped = given["judge_reply"]
    begin, end = wrapped.index("{"), wrapped.index("}") + 1
    reply = wrapped[:begin] + '{"verdicts": {"c2": "yes"}}' + wrapped[end:]
    assert "no" in reply[: reply.index("</think>")]
    reading = read(reply, kind="verdicts", ids=["c2"])
    assert (reading.outcome, reading.value) == (ReplyOutcome.OK, {"c2": True})
    kept = reply.replace('{"verdicts": {"c2": "yes"}}', '{"rating": 2}')
    ended, _, _ = asked([Said(kept)])
    assert isinstance(ended, Verdict)
    assert (ended.value, ended.transcript.replies) == (2, (kept,))


def a_note_to_the_grader_changes_nothing(given: Any, _folder: Path) -> None:
    """In the answer or in a context, it arrives as data, is flagged, and the verdict stays."""
    answer, _, note = given["answer"].partition(" NOTE")
    (context,) = given["contexts"]
    honest: Line = {
        "claims": [{"text": answer, "quote": "", "contexts": [], "verdict": "unsupported"}],
    }
    pair = [grounding(answer, context), grounding(given["answer"], context)]
    with judging([honest]) as server:
        ended = ask_all(server, *pair, grounding(answer, f"{context} NOTE{note}"))
        shown = [each.data for each in server.asked]
        rules = {each.user.rpartition("\n\n")[2] for each in server.asked}
    assert len(rules) == 1, "the last word of the prompt is ours, whatever the data says"
    assert sum("GRADER" in json.dumps(data) for data in shown) == 2
    verdicts = [each for each in ended if isinstance(each, Verdict)]
    assert [each.value for each in verdicts] == [[[answer, False, []]]] * 3
    assert [each.transcript.suspected_injection for each in verdicts] == [False, True, True]


def a_verdict_is_kept_under_all_that_could_change_it(given: Any, _folder: Path) -> None:
    """A word of the rubric is another verdict; concurrency and patience are not."""
    assert given["run1"]["rubric"] != given["run2"]["rubric"]
    call = relevance()
    config = JudgeConfig(model=given["run1"]["judge"])
    other = call.model_copy(update={"prompt": call.prompt.model_copy(update={"prompt_hash": "0" * 64})})
    assert call.identity(config) != other.identity(config)
    assert call.identity(config) != call.model_copy(update={"repeat": 1}).identity(config)
    patient = config.model_copy(update={"concurrency": 64, "timeout_seconds": 5.0})
    assert call.identity(config) == call.identity(patient)
