"""Expected source ids that left the candidate's corpus: the labels are out of date, not the retriever.

That a source did not come back for its own question is a miss. It left the corpus when no question of the
whole run brought it back and something else says so: another corpus version, its text under another id, no
expected id at all among what came back, or that the baseline returned it for several of the questions that
got worse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.comparing.run_outputs import RunOutputs
from ragproof.comparing.worsened_case import WorsenedCase
from ragproof.metrics.answer.unicode_tokens import unicode_tokens
from ragproof.outputs import Chunk, Outcome, PipelineOutput

MANY = 3
"""What the baseline returned for so many questions, the candidate would have returned for one."""


@dataclass(frozen=True)
class Ran:
    """What a run says of its corpus.

    Attributes:
        outputs: what came back.
        case_ids: of the whole run, those that the other run does not have among them.
        corpus_version: None when nobody said.
        cases_found: cases for which an expected id came back; None when no metric tells.
    """

    outputs: RunOutputs
    case_ids: Sequence[str]
    corpus_version: str | None = None
    cases_found: int | None = None


def lost_labels(cases: Sequence[WorsenedCase], before: Ran, after: Ran) -> dict[str, dict[str, str]]:
    """Find the expected ids that left the corpus.

    Args:
        cases: those that got worse; one whose outputs were not kept is passed over.
        before: the baseline's run.
        after: the candidate's.

    Returns:
        By case id, the expected ids that are gone, each with what says so; a case without one is absent.
    """
    missed = {case.id: found for case in cases if (found := _missed(case))}
    never = _never_returned({id for ids in missed.values() for id in ids}, cases, after)
    if not never:
        return {}
    versions = (before.corpus_version, after.corpus_version)
    counts = _counts(never, cases)
    gone: dict[str, dict[str, str]] = {}
    for case in cases:
        for id in sorted(missed.get(case.id, frozenset()) & never):
            why = _another_version(versions) or _same_text(id, case) or _all_gone(before, after)
            why = why or _often_before(counts[id])
            if why is not None:
                gone.setdefault(case.id, {})[id] = why
    return gone


def _missed(case: WorsenedCase) -> frozenset[str]:
    """The expected ids that came back for the case before, and do not now."""
    was, now = case.before.output, case.after.output
    if case.case is None or was is None or now is None:
        return frozenset()
    return (case.case.relevant() & _ids(_chunks(was))) - _ids(_chunks(now))


def _never_returned(wanted: set[str], cases: Sequence[WorsenedCase], run: Ran) -> frozenset[str]:
    # What has been read already tells most, and the rest of a long run need not be read then.
    known = [case.after.output for case in cases if case.after.output is not None]
    left = set(wanted)
    for output in known:
        left -= _ids(_chunks(output))
    read = {output.case_id for output in known}
    others = [case_id for case_id in run.case_ids if case_id not in read]
    for outcomes in run.outputs.everything(others) if left else ():
        for outcome in outcomes.values():
            left -= _ids(_chunks(outcome))
        if not left:
            break
    return frozenset(left)


def _counts(wanted: frozenset[str], cases: Sequence[WorsenedCase]) -> Counter[str]:
    """For how many of the cases that got worse the baseline had each id."""
    counts: Counter[str] = Counter()
    for case in cases:
        if case.before.output is not None:
            counts.update(_ids(_chunks(case.before.output)) & wanted)
    return counts


def _another_version(versions: tuple[str | None, str | None]) -> str | None:
    was, now = versions
    if was is None or now is None or was == now:
        return None
    return f"no case of the candidate brought it back, and its corpus is '{now}' instead of '{was}'"


def _same_text(id: str, case: WorsenedCase) -> str | None:
    assert case.before.output is not None
    assert case.after.output is not None
    texts = {unicode_tokens(chunk.text) for chunk in _chunks(case.before.output) if id in _ids([chunk])}
    texts.discard(())
    other = next(
        (chunk.id for chunk in _chunks(case.after.output) if unicode_tokens(chunk.text) in texts), None
    )
    return None if other is None else f"its text now comes back as '{other}'"


def _all_gone(before: Ran, after: Ran) -> str | None:
    if after.cases_found != 0 or before.cases_found is None or before.cases_found < MANY:
        return None
    return f"no expected id of any case came back, where {before.cases_found} cases had theirs"


def _often_before(count: int) -> str | None:
    if count < MANY:
        return None
    return f"no case of the candidate brought it back, where {count} of these cases did in the baseline"


def _chunks(outcome: Outcome) -> tuple[Chunk, ...]:
    if not isinstance(outcome, PipelineOutput):
        return ()
    return (*(outcome.retrieved or ()), *(outcome.context or ()))


def _ids(chunks: Sequence[Chunk]) -> set[str]:
    return {chunk.id for chunk in chunks} | {chunk.document_id for chunk in chunks}
