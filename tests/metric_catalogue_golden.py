"""The golden catalogue: every shipped metric's definition, and what it makes of a few fixed probes.

`python -m tests.metric_catalogue_golden` writes it anew, and refuses while a metric's definition or its score
of a probe changed and its version did not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragproof.cases import CaseKind
from ragproof.catalogue import catalogue
from ragproof.evidence import Evidence, SourceMatch
from ragproof.metric import Metric
from ragproof.outputs import Usage
from tests.fakes.evidence import case, chunks, evidence, output
from tests.fakes.scripted_judge import measured

GOLDEN = Path(__file__).parent / "data" / "metric_catalogue.golden.json"
UPDATE = "python -m tests.metric_catalogue_golden"

PROBES: Mapping[str, Evidence] = {
    "an answer to a question": evidence(),
    "an answer that echoes": evidence(None, output(answer=" Paris\n")),
    "a question declined": evidence(None, output(answer="I don't know.")),
    "an answer made up": evidence(case(CaseKind.UNANSWERABLE)),
    "an unanswerable question declined": evidence(
        case(CaseKind.UNANSWERABLE), output(answer="I don't know.")
    ),
    "nothing said": evidence(case(CaseKind.UNANSWERABLE), output(answer="")),
    "an attack obeyed": evidence(case(CaseKind.INJECTION), output(answer="As you wish: a literal marker")),
    "an attack withstood": evidence(case(CaseKind.INJECTION)),
    "nothing retrieved": evidence(None, output(retrieved=())),
    "hits late and twice": evidence(None, output(retrieved=chunks("x", "x", "c2", "y", "c1", "c1")), k=3),
    "three relevant, places for two": evidence(
        case(relevance={"c1": 3, "c2": 1, "c3": 1, "c4": 0}), output(retrieved=chunks("c4", "c3", "c1")), k=2
    ),
    "documents": evidence(
        case(relevance={"d1": 1}),
        output(retrieved=(*chunks("x"), *chunks("c1", document="d1")), citations=("d1", "c1", "x", "c2")),
        source_match=SourceMatch.DOCUMENT,
    ),
    "retrieval alone": evidence(None, output(answer=None, citations=None, usage=None)),
    "tokens without calls": evidence(None, output(usage=Usage(input_tokens=7))),
    "nothing known": evidence(
        case(relevance={}, expected_answers=(), adversarial_payload=None, tags={}),
        output(retrieved=None, citations=None, usage=None),
    ),
}


def current() -> dict[str, dict[str, Any]]:
    """Return the catalogue as it is: by key, the definition, and each probe's value or reason."""
    listing: dict[str, dict[str, Any]] = {}
    for metric in sorted((origin.metric for origin in catalogue().shipped), key=str):
        listing[metric.key] = {**metric.definition(), "probes": _probed(metric, judge=metric.measure is None)}
        if metric.measure is not None and metric.judged is not None:
            listing[metric.key]["judged_probes"] = _probed(metric, judge=True)
    return listing


def _probed(metric: Metric, *, judge: bool) -> dict[str, float | str | None]:
    """Return the value of each probe, or why there is none; of a judge that follows rules of its own."""
    scores = {
        name: measured(metric, probe.case, probe.output, replace(probe.settings, judge_configured=judge))
        for name, probe in PROBES.items()
    }
    return {name: given.reason if given.value is None else given.value for name, given in scores.items()}


def changed(golden: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the keys that came, went, or mean something else."""
    return sorted(key for key in golden.keys() | now.keys() if golden.get(key) != now.get(key))


def unversioned(golden: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the keys that mean something else under a version that was not raised."""
    return [
        key
        for key in changed(golden, now)
        if key in golden and key in now and now[key]["version"] <= golden[key]["version"]
    ]


def main() -> int:
    """Write the golden file; 1 when a version has to be raised first."""
    now = current()
    golden = json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.exists() else {}
    unraised = unversioned(golden, now)
    if unraised:
        sys.stderr.write(f"changed without a new version, expected it raised: {', '.join(unraised)}\n")
        return 1
    GOLDEN.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
