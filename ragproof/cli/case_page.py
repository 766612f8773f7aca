"""One case of a run, whole: what was asked, what came back, and what every metric made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import JsonValue

from ragproof.cases import Case
from ragproof.cli import injections, judged_page, screen
from ragproof.errors import StoreError
from ragproof.evidence import Evidence, Settings, SourceMatch
from ragproof.outputs import CaseFailure, Chunk, Outcome, PipelineOutput
from ragproof.reports import rounding
from ragproof.reports.order import known_metrics, scores_in_order
from ragproof.reports.visible import excerpt
from ragproof.runs import RunRecord
from ragproof.scores import Score, Scored
from ragproof.store.store import Store

CHUNK_CHARACTERS = 200
DETAIL_CHARACTERS = 300
NEAR = 3


@dataclass(frozen=True)
class CasePage:
    """A case with its outcome and its scores in one run."""

    run: RunRecord
    case: Case
    outcome: Outcome | None
    """None when the run never reached it; of a repeated case the first trial's."""
    scores: tuple[Score, ...]
    repeats: tuple[Outcome | None, ...] = ()
    """Of the trials after the first; empty when the case is asked once."""

    @property
    def output(self) -> PipelineOutput | None:
        """What the pipeline gave back, when it gave something."""
        return self.outcome if isinstance(self.outcome, PipelineOutput) else None

    @property
    def source_match(self) -> SourceMatch:
        """How the run held chunks against the expected ids."""
        by_document = self.run.comparability.get("source_match") == SourceMatch.DOCUMENT.value
        return SourceMatch.DOCUMENT if by_document else SourceMatch.CHUNK

    def as_json(self) -> dict[str, JsonValue]:
        """Return it as JSON values: `output` or `failure` is null, both when the case was not reached."""
        failure = self.outcome if isinstance(self.outcome, CaseFailure) else None
        return {
            "run_id": self.run.id,
            "case": self.case.model_dump(mode="json"),
            "output": self.output.model_dump(mode="json") if self.output else None,
            "failure": failure.model_dump(mode="json") if failure else None,
            "repeats": [None if each is None else each.model_dump(mode="json") for each in self.repeats],
            "scores": [score.model_dump(mode="json") for score in self.scores],
        }


def gather(store: Store, run: RunRecord, case_id: str) -> CasePage:
    """Collect a case of a run.

    Raises:
        StoreError: the run has no such case; the message names the nearest.
    """
    if run.dataset_hash is None:
        raise StoreError(f"run '{run.id}' ended before its dataset was loaded, so it has no cases")
    cases = {case.id: case for case in store.datasets.cases(run.dataset_hash)}
    if case_id not in cases:
        near = get_close_matches(case_id, cases, n=NEAR, cutoff=0.3) or [*cases][:NEAR]
        names = ", ".join(f"'{each}'" for each in near)
        raise StoreError(f"run '{run.id}' has no case '{case_id}'; the nearest are {names}")
    scores = scores_in_order(store.scores.get(run.id, case_id), known_metrics().by_key)
    section = run.config.get("run")
    trials = section.get("repeats", 1) if isinstance(section, dict) else 1
    outcomes = [
        store.calls.outcomes(run.id, [case_id], trial).get(case_id) for trial in range(int(str(trials)))
    ]
    return CasePage(run, cases[case_id], outcomes[0], scores, tuple(outcomes[1:]))


def show(page: CasePage) -> None:
    """Print a case for a reader."""
    case, output = page.case, page.output
    screen.say(f"case {excerpt(case.id, CHUNK_CHARACTERS)}  {case.kind.value}", "bold")
    tags = ", ".join(f"{name}={value}" for name, value in case.tags.items())
    screen.pairs(
        [("run", page.run.id), ("pipeline", page.run.pipeline), *_given(group=case.group, tags=tags)]
    )
    for turn in case.history:
        screen.block(f"earlier, {turn.role}", turn.content)
    screen.block("question", case.question)
    for expected in case.expected_answers:
        screen.block("expected answer", expected)
    if output is not None:
        show_output(case, output, page.scores, page.source_match)
    elif isinstance(page.outcome, CaseFailure):
        screen.block("failed", page.outcome.reason)
    else:
        screen.block("not reached", "the run ended before it came to this case")
    for trial, outcome in enumerate(page.repeats, 2):
        _show_repeat(trial, outcome)
    if isinstance(page.outcome, CaseFailure) and not page.repeats:
        screen.say("\nevery metric counts it as case failed")
    else:
        show_scores(page.scores)
        if output is not None:
            judged_page.show(page.scores, output)


def _show_repeat(trial: int, outcome: Outcome | None) -> None:
    """Print what came of a later trial, shortly: what was answered, on what."""
    if isinstance(outcome, PipelineOutput):
        chunks = ", ".join(chunk.id for chunk in outcome.retrieved or ()) or "(nothing)"
        screen.block(f"trial {trial}: answer", outcome.answer or "(none)")
        screen.block(f"trial {trial}: retrieved", excerpt(chunks, CHUNK_CHARACTERS))
    else:
        told = "the run did not come to it" if outcome is None else outcome.reason
        screen.block(f"trial {trial}: no answer", told)


def show_output(
    case: Case, output: PipelineOutput, scores: Sequence[Score], source_match: SourceMatch
) -> None:
    """Print what a pipeline gave back for a case: answer, chunks in rank order, and what the call took."""
    evidence = Evidence(case, output, Settings(source_match=source_match))
    screen.block("answer", "(none)" if output.answer is None else output.answer or "(empty)")
    _show_chunks("retrieved", output.retrieved, evidence)
    if output.context is not None and output.context != output.retrieved:
        _show_chunks("read by the generator", output.context, evidence)
    screen.heading("call")
    usage = output.usage.model_dump(exclude_none=True) if output.usage else {}
    screen.pairs(
        [
            ("latency", _latency(output.latency_ms)),
            ("citations", "none" if output.citations is None else ", ".join(output.citations) or "(empty)"),
            ("usage", ", ".join(f"{name} {count}" for name, count in usage.items()) or "not reported"),
            *(("note", note) for note in output.notes),
        ]
    )
    attack = injections.explain(case, output, scores)
    if attack:
        screen.heading("injection")
        screen.pairs(attack)


def _latency(latency_ms: float | None) -> str:
    return "not recorded" if latency_ms is None else f"{rounding.value('latency_ms', latency_ms)} ms"


def _show_chunks(title: str, chunks: Sequence[Chunk] | None, evidence: Evidence) -> None:
    screen.heading(title)
    if chunks is None:
        screen.say("the adapter does not expose retrieval")
        return
    sources = [*evidence.source_ids(chunks)]
    cited = set(evidence.output.citations or ())
    rows = [
        (
            str(rank),
            chunk.id,
            rounding.fixed(chunk.score, rounding.SCORE_DIGITS),
            _judged(evidence.case, source),
            "cited" if chunk.id in cited else "",
            excerpt(chunk.text, CHUNK_CHARACTERS),
        )
        for rank, (chunk, source) in enumerate(zip(chunks, sources, strict=True), start=1)
    ]
    if rows:
        screen.table(("rank", "id", "score", "relevant", "", "text"), rows, ("rank", "id", "score"))
    else:
        screen.say("nothing")
    missed = sorted(evidence.case.relevant() - set(sources))
    if missed:
        screen.say(f"relevant and not here: {excerpt(', '.join(missed), DETAIL_CHARACTERS)}", "yellow")


def _judged(case: Case, source: str) -> str:
    if source not in case.relevance:
        return "unjudged" if case.relevance else rounding.ABSENT
    gain = case.relevance[source]
    return f"yes (gain {gain})" if gain >= 1 else f"no (gain {gain})"


def show_scores(scores: Sequence[Score]) -> None:
    """Print every metric's outcome on a case: its value with what explains it, or why there is none."""
    screen.heading("scores")
    if not scores:
        screen.say("nothing was measured")
        return
    repeated = any(score.trial for score in scores)
    rows = [(*([str(score.trial)] if repeated else []), *_score_row(score)) for score in scores]
    headings = ("metric", "score", "why")
    screen.table(("trial", *headings) if repeated else headings, rows, ("metric", "score"))


def _score_row(score: Score) -> tuple[str, str, str]:
    if isinstance(score.result, Scored):
        return score.metric, rounding.value(score.metric, score.value), _details(score)
    why = "; ".join(part for part in (score.reason, _details(score)) if part)
    return score.metric, score.result.outcome.replace("_", " "), excerpt(why, DETAIL_CHARACTERS)


def _details(score: Score) -> str:
    if judged_page.is_judged(score):
        return excerpt(judged_page.in_short(score), DETAIL_CHARACTERS)
    parts = (
        f"{name}: {_told(value)}" for name, value in score.details.items() if value not in (None, [], {}, "")
    )
    return excerpt("; ".join(parts), DETAIL_CHARACTERS)


def _told(value: JsonValue) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_told, value))
        case dict():
            return " ".join(f"{name} {_told(part)}" for name, part in value.items())
        case _:
            return str(value)


def _given(**fields: str | None) -> list[tuple[str, str]]:
    return [(name, value) for name, value in fields.items() if value]
