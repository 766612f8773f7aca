"""A gate as JUnit XML, for the test page of a CI system: a testcase for each ruling and each case behind one.

The page is as red as the exit code: FAIL is a failure, ERROR an error, INCONCLUSIVE skipped, or a failure
where the configuration makes it one. A case that failed is an error when the gate stops the build, and
skipped, with its reason, when it does not. Attributes are those that Jenkins reads (junit-10.xsd).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from ragproof.errors import EXIT_EXECUTION, EXIT_GATE
from ragproof.gating.gate import Gate
from ragproof.gating.ruling import FallenCase, Ruling
from ragproof.gating.verdict import Verdict
from ragproof.gating.wording import bound, first_line, measured
from ragproof.reports import rounding
from ragproof.reports.visible import visible

RULES = "ragproof.gate.rules"
CASES = "ragproof.gate.cases"
_NO_TIME = "0.000"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(gate: Gate) -> str:
    """Write a gate as XML.

    Args:
        gate: its rulings and failing cases; text of others in them is kept out of the markup.

    Returns:
        A whole document with one testsuite, in ASCII.
    """
    record = gate.runs.run.record
    cases = [*_rulings(gate), *_failing(gate), *_fallen(gate)]
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(sum(case.find("error") is not None for case in cases)),
        "time": _NO_TIME,
    }
    skipped = str(sum(case.find("skipped") is not None for case in cases))
    root = ET.Element("testsuites", {"name": "ragproof gate", **counts})
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": _text(f"ragproof gate {record.project}"),
            **counts,
            "skipped": skipped,
            "timestamp": f"{record.finished_at or record.started_at:%Y-%m-%dT%H:%M:%S}",
        },
    )
    suite.extend(cases)
    ET.SubElement(suite, "system-out").text = _text(first_line(gate))
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii") + "\n"


def _rulings(gate: Gate) -> Iterator[ET.Element]:
    if gate.stopped is not None:
        yield _case(RULES, "stopped early", "failure", "FAIL", gate.stopped)
    seen: dict[str, int] = {}
    for ruling in gate.rulings:
        name = f"{ruling.subject}: {ruling.demand}"
        seen[name] = seen.get(name, 0) + 1
        again = f" ({seen[name]})" if seen[name] > 1 else ""
        told = f"{ruling.reason}; measured {measured(ruling)}, bound {bound(ruling)}"
        yield _case(
            RULES, name + again, _mark(ruling.verdict, gate), ruling.verdict.value, ruling.reason, told
        )


def _mark(verdict: Verdict, gate: Gate) -> str | None:
    """Return the element that a verdict is; None is a testcase that passed."""
    if verdict is Verdict.INCONCLUSIVE:
        return "failure" if gate.section.inconclusive == EXIT_GATE else "skipped"
    return {Verdict.FAIL: "failure", Verdict.ERROR: "error"}.get(verdict)


def _failing(gate: Gate) -> Iterator[ET.Element]:
    mark = "error" if gate.exit_code in (EXIT_GATE, EXIT_EXECUTION) else "skipped"
    for case in gate.failing:
        reasons = "; ".join(case.reasons)
        told = "; ".join(f"{reason}: {', '.join(keys)}" for reason, keys in case.reasons.items())
        yield _case(CASES, case.id, mark, "no score", reasons, told)


def _fallen(gate: Gate) -> Iterator[ET.Element]:
    falls = {
        f"{case.id} fell on {ruling.subject}": _fall(ruling, case)
        for ruling in gate.of(Verdict.FAIL)
        for case in ruling.fallen
    }
    for name, told in falls.items():
        yield _case(CASES, name, "failure", "regression", told)


def _fall(ruling: Ruling, case: FallenCase) -> str:
    before, after = (rounding.value(ruling.demand.metric, each) for each in (case.before, case.after))
    return f"{ruling.demand.metric} went from {before} to {after} on case {case.id}"


def _case(
    classname: str, name: str, mark: str | None, kind: str, message: str, told: str | None = None
) -> ET.Element:
    case = ET.Element("testcase", {"classname": classname, "name": _text(name), "time": _NO_TIME})
    if mark == "skipped":
        ET.SubElement(case, mark, {"message": _text(message)}).text = _text(told or message)
    elif mark is not None:
        ET.SubElement(case, mark, {"message": _text(message), "type": kind}).text = _text(told or message)
    return case


def _text(text: str) -> str:
    """Return text on one line, without what XML has no way to write, nor what a page would obey or hide."""
    return visible(_NOT_XML.sub("", text))
