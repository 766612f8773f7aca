"""The ladder: what a server refused is left out next time, and remembered beside what others learnt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragproof.judge.apis.anthropic import AnthropicApi
from ragproof.judge.apis.openai import OpenAiApi
from ragproof.judge.complaints import Complaint, Subject
from ragproof.judge.ladder import Ladder, Structure, Terms

WHERE = ("http://h/v1", "m")
BEST = Terms()
SCHEMA, OBJECT, PROMPT = Structure
STEPS = OpenAiApi.steps


def refused(ladder: Ladder, used: Terms, subject: Subject | None) -> Terms | None:
    return ladder.refused(*WHERE, used, Complaint("no", subject), STEPS)


LEARNT = [
    # why, terms used, refused, terms next
    ("a schema", BEST, Subject.STRUCTURE, replace(BEST, structure=OBJECT)),
    ("an object", Terms(OBJECT), Subject.STRUCTURE, Terms(PROMPT)),
    ("nothing is below the prompt", Terms(PROMPT), Subject.STRUCTURE, None),
    ("temperature", BEST, Subject.TEMPERATURE, Terms(temperature=False)),
    ("temperature, which was not sent", Terms(temperature=False), Subject.TEMPERATURE, None),
    ("the limit's name", BEST, Subject.TOKEN_LIMIT_NAME, Terms(renamed_limit=True)),
    ("the limit's other name", Terms(renamed_limit=True), Subject.TOKEN_LIMIT_NAME, None),
    ("nothing that can be left out", BEST, None, None),
]


@pytest.mark.parametrize(("why", "used", "subject", "terms"), LEARNT, ids=[row[0] for row in LEARNT])
def test_what_was_refused_is_left_out_next(
    why: str, used: Terms, subject: Subject | None, terms: Terms | None
) -> None:
    """And remembered when there is something to learn."""
    ladder = Ladder()
    assert refused(ladder, used, subject) == terms
    assert ladder.terms(*WHERE) == (terms or BEST)


def test_what_others_learnt_meanwhile_is_kept() -> None:
    """Calls that were under way together are refused for different reasons."""
    ladder = Ladder()
    refused(ladder, Terms(OBJECT), Subject.STRUCTURE)
    assert refused(ladder, BEST, Subject.TEMPERATURE) == Terms(PROMPT, temperature=False)
    assert refused(ladder, BEST, Subject.STRUCTURE) == Terms(PROMPT, temperature=False)
    assert refused(ladder, BEST, Subject.TOKEN_LIMIT_NAME) == Terms(PROMPT, False, True)
    assert ladder.terms(*WHERE) == Terms(PROMPT, False, True)


def test_a_larger_limit_stays_with_the_call_until_it_has_sufficed() -> None:
    """A refusal on the way neither loses it nor makes it everybody's."""
    ladder = Ladder()
    next_terms = refused(ladder, Terms(raised=True), Subject.TEMPERATURE)
    assert next_terms == Terms(temperature=False, raised=True)
    assert ladder.terms(*WHERE) == Terms(temperature=False)
    ladder.keep_raised(*WHERE)
    assert refused(ladder, BEST, Subject.STRUCTURE) == Terms(OBJECT, temperature=False)
    assert ladder.terms(*WHERE) == Terms(OBJECT, temperature=False, raised=True)


def test_servers_and_models_are_learnt_apart() -> None:
    """One gateway serves models that take different things."""
    ladder = Ladder()
    refused(ladder, BEST, Subject.STRUCTURE)
    assert ladder.terms("http://h/v1", "m2") == ladder.terms("http://h2/v1", "m") == BEST


def test_an_api_without_a_step_has_a_shorter_ladder() -> None:
    """The Messages API has no mode for any JSON object."""
    terms = Ladder().refused(*WHERE, BEST, Complaint("no", Subject.STRUCTURE), AnthropicApi.steps)
    assert terms == Terms(PROMPT)
    assert Subject.TOKEN_LIMIT_NAME not in AnthropicApi.optional


@pytest.mark.parametrize(("raised", "limit"), [(False, 100), (True, 4 * 100)])
def test_a_raised_limit_is_four_times_the_limit(raised: bool, limit: int) -> None:
    """Room for reasoning that came before the reply."""
    assert Terms(raised=raised).limit(100) == limit
