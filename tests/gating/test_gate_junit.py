"""JUnit XML of a gate: parsed back, counted, and as red as the exit code."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from ragproof.gating.gate import Gate
from ragproof.reports.junit import render
from ragproof.runs import RunStatus
from tests.fakes.gates import BASELINE, CANDIDATE, gated
from tests.fakes.scored_runs import ERROR, scored_run

MRR, NDCG = "retrieval.mrr", "ndcg@10"
HIGH, LOW = [0.8, 0.9] * 20, [0.4, 0.5] * 20
RULES = [
    {"metric": MRR, "min": 0.5},
    {"metric": MRR, "min": 0.85},
    {"metric": MRR, "min": 0.95},
    {"metric": NDCG, "min": 0.5},
]


def suite(gate: Gate) -> ET.Element:
    """Parse the document; check what Jenkins reads."""
    root = ET.fromstring(render(gate))
    (found,) = root
    cases = found.findall("testcase")
    assert (root.tag, found.tag) == ("testsuites", "testsuite")
    for tag, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert int(found.attrib[attribute]) == sum(case.find(tag) is not None for case in cases)
    assert int(found.attrib["tests"]) == len(cases) == len({tuple(case.attrib.values()) for case in cases})
    for each in (found, *cases):
        assert each.attrib["name"]
        assert float(each.attrib["time"]) >= 0.0
    assert {"tests", "failures", "errors", "time"} < root.attrib.keys()
    return found


def marks(gate: Gate) -> list[str]:
    """Return what became of each testcase."""
    return [case[0].tag if len(case) else "passed" for case in suite(gate).findall("testcase")]


def test_each_ruling_is_a_testcase() -> None:
    """FAIL a failure, ERROR an error, INCONCLUSIVE skipped, each with its sentence."""
    gate = gated(RULES, scored_run({MRR: HIGH}))
    assert marks(gate) == ["passed", "skipped", "failure", "error"]
    for case, ruling in zip(suite(gate).findall("testcase"), gate.rulings, strict=True):
        assert case.attrib["name"] == f"{ruling.subject}: {ruling.demand}"
        if len(case):
            assert case[0].attrib["message"] == ruling.reason
            assert (case[0].text or "").startswith(ruling.reason)


@pytest.mark.parametrize(("code", "mark"), [(0, "skipped"), (4, "skipped"), (1, "failure")])
def test_an_open_rule_is_as_red_as_it_is_configured(code: int, mark: str) -> None:
    """Where an open gate stops the build as a FAIL does, its page says so."""
    assert marks(gated(RULES[1:2], scored_run({MRR: HIGH}), inconclusive=code)) == [mark]


def test_two_rules_that_say_the_same_are_two_testcases() -> None:
    """A page that knows a testcase by its name would lose one."""
    assert marks(gated([RULES[0], RULES[0]], scored_run({MRR: HIGH}))) == ["passed", "passed"]


def test_each_failing_case_is_a_testcase() -> None:
    """An error when the gate stops the build, skipped when not: the page is no redder than the exit code."""
    failing = scored_run({MRR: [ERROR, *HIGH[1:]], NDCG: [ERROR, ERROR, *HIGH[2:]]})
    passed, failed = gated(RULES[:1], failing), gated(RULES[2:3], failing)
    assert (passed.exit_code, marks(passed)) == (0, ["passed", "skipped", "skipped"])
    assert (failed.exit_code, marks(failed)) == (1, ["failure", "error", "error"])
    _, first, second = suite(failed).findall("testcase")
    assert (first.attrib["name"], second.attrib["name"]) == ("c0", "c1")
    assert first[0].attrib["message"] == "timeout: no answer in time"
    assert first[0].text == f"timeout: no answer in time: {MRR}, {NDCG}"


def test_the_worst_cases_of_a_drop_are_testcases() -> None:
    """So that whoever reads the page knows where to look first."""
    before, after = scored_run({MRR: HIGH}, id=BASELINE), scored_run({MRR: LOW}, id=CANDIDATE)
    gate = gated([{"metric": MRR, "max_drop": 0.1}], after, before)
    assert marks(gate) == ["failure"] * 6
    name = suite(gate).findall("testcase")[1]
    assert name.attrib["name"] == f"c0 fell on {MRR}"
    assert name[0].attrib["message"] == f"{MRR} went from 0.800 to 0.400 on case c0"


def test_a_run_that_was_stopped_early_is_a_failure_of_its_own() -> None:
    """With what it says of itself; the rules were not judged."""
    stopped = scored_run({MRR: HIGH}, status=RunStatus.STOPPED_EARLY, status_reason="30 cases show it")
    gate = gated(RULES[:1], stopped)
    assert marks(gate) == ["failure", "skipped"]
    assert suite(gate)[0][0].attrib["message"] == "30 cases show it"


def test_a_run_that_failed_is_an_error_of_each_rule() -> None:
    """And those of its cases that were never asked are no failing cases."""
    run = scored_run({MRR: HIGH}, status=RunStatus.FAILED_PIPELINE, status_reason="40 of 40 failed")
    assert marks(gated(RULES[:2], run)) == ["error", "error"]


HOSTILE = "\x00\x1b[31m<b>&\"'\ud800\ufffe]]>\u202eevil\n\tid\x85"


def test_hostile_text_is_text() -> None:
    """Nothing is markup, nothing is obeyed, and what XML cannot hold is left out."""
    n = len(HIGH)
    run = scored_run(
        {MRR: [ERROR, *HIGH[1:]]},
        cases=[HOSTILE, *(f"c{place}" for place in range(1, n))],
        tags=[{"language": HOSTILE}] * n,
        status_reason=HOSTILE,
        project=HOSTILE,
    )
    text = render(gated([{"metric": MRR, "min": 0.95, "tag": "language"}], run))
    assert text.isascii()
    assert not set(text) & {"\x00", "\x1b", "\ud800", "\u202e"}
    assert "<b>" not in text
    suite(gated([{"metric": MRR, "min": 0.95, "tag": "language"}], run))
    names = [case.attrib["name"] for case in ET.fromstring(text).iter("testcase")]
    assert names[1] == "[31m<b>&\"']]>\\u202eevil id"
