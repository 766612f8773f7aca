"""How a case that changed is put into words; what it quotes is foreign text."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.comparing.case_stories import CaseStory, ScoreChange
from ragproof.comparing.metric_tables import signed
from ragproof.comparing.worsened_case import named
from ragproof.reports import rounding
from ragproof.reports.wording import some

SCORES_SHOWN = 4
_CHANGE = "change"


def title(story: CaseStory) -> str:
    """Write which case, by how much it changed, and the cause."""
    change = signed(_CHANGE, story.change) if story.change else ""
    lost = f"no score any more on {named(story.lost)}" if story.lost else ""
    gained = f"scored again on {named(story.gained)}" if story.gained else ""
    cause = story.finding.cause.value if story.finding else ""
    return ": ".join(
        part for part in (f"{story.case_id}  {change or lost or gained}".rstrip(), cause) if part
    )


def scores(changes: Iterable[ScoreChange], characters: int) -> str:
    """Write the scores that changed most, as many as fit, and how many more there are; "" for none."""
    told = [_score(each) for each in changes]
    lists = [some(told, shown) for shown in range(SCORES_SHOWN, 0, -1)]
    return next((text for text in lists if len(text) <= characters), lists[-1])


def _score(each: ScoreChange) -> str:
    before, after = (rounding.value(each.metric, number) for number in (each.before, each.after))
    return f"{each.metric} {before} → {after}"
