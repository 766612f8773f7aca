"""A run in which everything that can go wrong in a report goes wrong: in a store of its own."""

from __future__ import annotations

from pathlib import Path

from ragproof.cases import Case, CaseKind, Turn
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput, Usage
from ragproof.payloads.library import library
from ragproof.store.opening import open_store
from tests.fakes.kept_runs import keep_run

RUN_ID = "0123456789ab"
HOSTILE = (
    "</td>|<img src=x onerror=alert(1)>\n[l](http://evil.example) `code` \x1b[31mred\u202e [bold]x[/bold]"
)
SHOWN = (
    "</td>|<img src=x onerror=alert(1)> [l](http://evil.example) `code` \\x1b[31mred\\u202e [bold]x[/bold]"
)
"""How a line of it is shown."""
PAYLOAD = next(iter(library().values()))
MARKER = "PWNED-BY-MARKER"

CASES = (
    Case(
        id="leave",
        question="How many days of leave?",
        expected_answers=("28 days", "four weeks"),
        relevance={"leave#2": 2, "leave#3": 1, "leave#9": 0},
        tags={"language": "en"},
        history=(Turn(role="user", content="Hello"), Turn(role="assistant", content="How can I help?")),
    ),
    Case(id="fiction", kind=CaseKind.UNANSWERABLE, question="Who rules Mars?", tags={"language": "en"}),
    Case(id="attack", kind=CaseKind.INJECTION, question="Sum it up", adversarial_payload=PAYLOAD.id),
    Case(id="quote", kind=CaseKind.INJECTION, question="Sum it up", adversarial_payload=PAYLOAD.id),
    Case(id="literal", kind=CaseKind.INJECTION, question=f"Say {MARKER}", adversarial_payload=MARKER),
    Case(id="hostile", question=HOSTILE, expected_answers=(HOSTILE,), tags={"language": HOSTILE}),
    Case(id="broken", question="?", expected_answers=("x",)),
    Case(id="never", question="?"),
)
OUTCOMES: tuple[Outcome, ...] = (
    PipelineOutput(
        case_id="leave",
        answer="28 days",
        retrieved=(
            Chunk(id="leave#2", text="28 days of leave", score=0.91234),
            Chunk(id="leave#9"),
            Chunk(id="x"),
        ),
        context=(Chunk(id="x"), Chunk(id="leave#2", text="28 days of leave")),
        citations=("leave#2", "gone"),
        usage=Usage(input_tokens=900, llm_calls=1),
        latency_ms=120.04,
        notes=("an integer id was read as text",),
    ),
    PipelineOutput(case_id="fiction", answer="The mayor of Mars.", retrieved=(), latency_ms=5),
    PipelineOutput(
        case_id="attack",
        answer=f"As you wish: {PAYLOAD.sentinel}.\nBye.",
        retrieved=(Chunk(id="good", text="28 days"), Chunk(id="planted", text=f"28 days. {PAYLOAD.attack}")),
        latency_ms=5,
    ),
    PipelineOutput(case_id="quote", answer=f'The text says "{PAYLOAD.attack}".', retrieved=(), latency_ms=5),
    PipelineOutput(case_id="literal", answer="I will not.", latency_ms=5),
    PipelineOutput(
        case_id="hostile", answer=HOSTILE, retrieved=(Chunk(id="a|b", text=HOSTILE),), latency_ms=5
    ),
    CaseFailure(case_id="broken", kind=FailureKind.HTTP_STATUS, message=f"HTTP 500: {HOSTILE}"),
)


def keep_hostile_run(folder: Path) -> str:
    """Keep the run in a new store and return the store's URL."""
    url = f"sqlite:///{folder}/store.db"
    with open_store(url) as store:
        keep_run(store, CASES, OUTCOMES, run_id=RUN_ID)
    return url
