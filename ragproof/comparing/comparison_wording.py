"""How a comparison is put into sentences, the same on the screen and in Markdown.

Names that others gave go through the `quote` that is passed in, or stand in a note's list: whoever shows
them makes them safe.
"""

from __future__ import annotations

from collections.abc import Callable

from ragproof.comparing.comparison import Comparison
from ragproof.comparing.metric_comparison import Degenerate, MetricComparison, Verdict
from ragproof.comparing.metric_tables import means, nothing_to_test, signed
from ragproof.comparing.shown_table import Note
from ragproof.reports.wording import some
from ragproof.runs import RunStatus
from ragproof.statistics.clusters import FEW_DOCUMENTS

Quote = Callable[[str], str]
NAMED = 4


def headline(comparison: Comparison, quote: Quote) -> tuple[str, ...]:
    """Say in a few sentences what came out, so that nobody needs to read on.

    Args:
        comparison: the comparison.
        quote: makes a name safe to show.

    Returns:
        Sentences, the most important first.
    """
    sentences = (
        _verdict(comparison, quote),
        *(_named(comparison, verdict, quote) for verdict in (Verdict.BETTER, Verdict.WORSE)),
        _others(comparison),
        _losses(comparison),
        _cases(comparison),
    )
    return tuple(sentence for sentence in sentences if sentence)


def cautions(comparison: Comparison) -> tuple[Note, ...]:
    """Say what a reader must know to take the numbers for what they are."""
    return tuple(
        note
        for note in (
            Note("gain: + is better for the candidate, whichever way the metric points"),
            _adjusted(comparison),
            _grouped(comparison),
            _same_run(comparison),
            _stopped(comparison),
            _lifted(comparison),
        )
        if note is not None
    )


def causes(comparison: Comparison) -> str:
    """Write why cases got worse: `3 not retrieved, 1 unexplained`; empty when none did."""
    return ", ".join(f"{count} {cause.value}" for cause, count in comparison.causes().items())


def _verdict(comparison: Comparison, quote: Quote) -> str:
    pair = comparison.pair
    ranked = [each for each in comparison.metrics if each.verdict is not None and each.n_pairs]
    better, worse = (len(comparison.of(each)) for each in (Verdict.BETTER, Verdict.WORSE))
    of = f"of {len(ranked)} metric{'s' * (len(ranked) != 1)}"
    nothing = "no metric has a pair of scores that could be ranked"
    found = f"better on {better}, worse on {worse} {of}" if ranked else nothing
    names = (quote(pair.second.record.pipeline), quote(pair.first.record.pipeline))
    n = len(pair.cases)
    return f"{names[0]} against {names[1]} on {n} shared case{'s' * (n != 1)}: {found}"


def _named(comparison: Comparison, verdict: Verdict, quote: Quote) -> str:
    # The largest effect first, in deviations: units differ from metric to metric.
    found = sorted(comparison.of(verdict), key=_size, reverse=True)
    told = [
        f"{quote(each.key)} {' → '.join(means(each))} ({signed(each.key, each.difference)})" for each in found
    ]
    return f"{verdict.value}: {some(told, NAMED)}" if told else ""


def _size(each: MetricComparison) -> float:
    return abs(each.effects.d_z or 0.0) if each.effects else 0.0


def _others(comparison: Comparison) -> str:
    unresolvable = comparison.of(Verdict.UNRESOLVABLE)
    few = [each for each in unresolvable if not nothing_to_test(each)]
    same = [each for each in unresolvable if each.degenerate is Degenerate.SAME]
    one = [each for each in unresolvable if each.degenerate is Degenerate.ONE_PAIR]
    counted = (
        (len(comparison.of(Verdict.NO_DIFFERENCE_SHOWN)), "no difference shown"),
        (len(few), "too few differences to tell"),
        (len(same), "the same on every case"),
        (len(one), "scored on one case alone"),
    )
    told = [f"{count} {words}" for count, words in counted if count]
    return f"the other metrics: {', '.join(told)}" if told else ""


def _losses(comparison: Comparison) -> str:
    arms = [
        max((arm.missing for arm in found), default=0)
        for found in zip(*((each.first, each.second) for each in comparison.metrics), strict=True)
    ]
    if not any(arms):
        return ""
    return f"cases without a score they should have: baseline up to {arms[0]}, candidate up to {arms[1]}"


def _cases(comparison: Comparison) -> str:
    worse, better = len(comparison.worse), comparison.n_better
    rest = len(comparison.pair.cases) - worse - better
    if not worse and not better:
        return "cases: none changed"
    why = f" ({causes(comparison)})" if worse else ""
    return f"cases: {worse} got worse{why}, {better} got better, {rest} did not change"


def _adjusted(comparison: Comparison) -> Note | None:
    tested = sum(each.tested is not None for each in comparison.metrics)
    if tested < 2:
        return None
    return Note(f"p is adjusted for the {tested} metrics tested (Holm); --metric NAME asks about one alone")


def _grouped(comparison: Comparison) -> Note | None:
    groups = comparison.n_groups
    if not comparison.by_group or groups is None:
        return None
    few = f"; under {FEW_DOCUMENTS} groups no test can be trusted" if groups < FEW_DOCUMENTS else ""
    return Note(
        f"the cases come in {groups} groups, which succeed and fail together: tests and intervals are by"
        f" group{few}"
    )


def _same_run(comparison: Comparison) -> Note | None:
    return Note("both are the same run, which shows nothing") if comparison.same_run else None


def _stopped(comparison: Comparison) -> Note | None:
    pair = comparison.pair
    arms = {"baseline": pair.first.record, "candidate": pair.second.record}
    stopped = [name for name, run in arms.items() if run.status is RunStatus.STOPPED_EARLY]
    if not stopped:
        return None
    return Note(f"{' and '.join(stopped)} stopped early: no mean or difference here is an estimate")


def _lifted(comparison: Comparison) -> Note | None:
    lifted = comparison.pair.lifted
    if not lifted:
        return None
    told = tuple(f"{each.field} {each.first} against {each.second}" for each in lifted)
    return Note("the judges differ, which was allowed", told)
