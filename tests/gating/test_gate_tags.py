"""Rules about tags: which cases they mean, how many it takes, and Holm over the values of a tag."""

from __future__ import annotations

import numpy as np
import pytest

from ragproof.gating.demands import TagChoice
from ragproof.gating.holm import corrected
from ragproof.gating.outcome import Outcome
from ragproof.gating.scope import scopes_of, tag_fault
from ragproof.gating.verdict import Verdict
from ragproof.statistics.gate_rules import drop_verdict, level_verdict
from ragproof.statistics.multiplicity import holm
from tests.fakes.gates import BASELINE, CANDIDATE, gated, verdicts
from tests.fakes.scored_runs import ERROR, scored_run

MRR = "retrieval.mrr"
CHOICES = [
    ("a value", "language=de", TagChoice("language", "de")),
    ("every value", "language", TagChoice("language")),
    ("a value with a sign in it", "formula=a=b", TagChoice("formula", "a=b")),
    ("the empty value", "language=", TagChoice("language", "")),
]


@pytest.mark.parametrize(("why", "text", "choice"), CHOICES, ids=[row[0] for row in CHOICES])
def test_a_tag_is_read(why, text, choice):
    assert TagChoice.of(text) == choice
    assert str(choice) == text


def tagged(values, languages, id=CANDIDATE):
    return scored_run({MRR: values}, id=id, tags=[{"language": each} if each else {} for each in languages])


LANGUAGES = [*["de"] * 3, *["en"] * 4, ""]
FAULTS = [
    ("a tag there is", "language", None),
    ("a value there is", "language=de", None),
    ("a tag with a typo", "langage", "no case has a tag 'langage'; did you mean 'language'?"),
    ("a tag that nobody has", "topic", "no case has a tag 'topic'; expected one of 'language'"),
    (
        "a value that nobody has",
        "language=fr",
        "no case has the tag 'language=fr'; expected one of 'de', 'en'",
    ),
]


@pytest.mark.parametrize(("why", "text", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_tag_that_nobody_has_is_a_fault(why, text, told):
    assert tag_fault(tagged([1.0] * 8, LANGUAGES).cases, TagChoice.of(text)) == told


def test_runs_without_tags_say_so():
    told = tag_fault(scored_run({MRR: [1.0]}).cases, TagChoice("language"))
    assert told == "no case has a tag 'language'; the cases have no tags"


def test_a_whole_tag_is_each_of_its_values():
    cases = tagged([1.0] * 8, LANGUAGES).cases
    assert [str(scope.tag) for scope in scopes_of(cases, TagChoice("language"))] == [
        "language=de",
        "language=en",
    ]
    assert [int(scope.chosen.sum()) for scope in scopes_of(cases, TagChoice("language"))] == [3, 4]
    assert scopes_of(cases, TagChoice("topic")) == ()
    (every,) = scopes_of(cases, None)
    assert every.chosen.all()


def test_a_tag_is_judged_on_its_cases_alone():
    values = [*[0.1, 0.2] * 10, *[0.8, 0.9] * 10]
    run = tagged(values, [*["de"] * 20, *["en"] * 20])
    found = gated(
        [{"metric": MRR, "min": 0.5, "tag": "language=en"}, {"metric": MRR, "min": 0.5, "tag": "language"}],
        run,
    )
    assert [str(ruling.tag) for ruling in found.rulings] == ["language=en", "language=de", "language=en"]
    assert verdicts(found) == ["PASS", "FAIL", "PASS"]
    expected = level_verdict([0.8, 0.9] * 10, at_least=0.5, lowest=0, highest=1)
    assert found.rulings[0].numbers.pass_bound == expected.decisive


def test_values_with_too_few_cases_are_not_judged_and_told():
    """Ten by default; a value that is named alone and is too small is open, never a pass."""
    run = tagged([0.8, 0.9] * 10, [*["de"] * 9, *["en"] * 11])
    found = gated([{"metric": MRR, "min": 0.5, "tag": "language"}], run)
    assert [str(ruling.tag) for ruling in found.rulings] == ["language=en"]
    assert f"{MRR} by language: under 10 cases and not judged: de (9)" in found.cautions
    for rule in ({"tag": "language=de"}, {"tag": "language", "min_cases": 12}):
        assert verdicts(gated([{"metric": MRR, "min": 0.5, **rule}], run)) == ["INCONCLUSIVE"]


def test_a_value_is_large_by_its_cases_and_not_by_its_luck():
    """Ten cases of which one was lost are ten: losing another must not take the value out of the gate."""
    run = tagged([0.1, 0.2] * 5 + [0.9] * 10, [*["de"] * 10, *["en"] * 10])
    lost = tagged([0.1, 0.2] * 4 + [0.1, ERROR] + [0.9] * 10, [*["de"] * 10, *["en"] * 10])
    rules = [{"metric": MRR, "min": 0.5, "tag": "language"}]
    assert verdicts(gated(rules, run))[0] == "FAIL"
    assert verdicts(gated(rules, lost))[0] == "FAIL"


def grades(level, seed, n=30):
    return np.clip(np.random.default_rng(seed).normal(level, 0.2, n), 0.0, 1.0).tolist()


def test_a_fail_of_one_tag_of_many_must_stand_up_to_holm():
    """The same cases fail alone, and are open as one of twenty tags."""
    before, after = grades(0.7, 1), [value - 0.14 for value in grades(0.7, 5)]
    alone = drop_verdict(before, [max(0.0, value) for value in after], margin=0.05, lowest=0, highest=1)
    after = [max(0.0, value) for value in after]
    assert alone.verdict.value == "fail"
    others = [grades(0.7, seed) for seed in range(20, 39)]
    languages = [f"l{place:02}" for place in range(20) for _ in range(30)]
    runs = [
        tagged([*first, *(value for other in others for value in other)], languages, id)
        for first, id in ((before, BASELINE), (after, CANDIDATE))
    ]
    one = gated([{"metric": MRR, "max_drop": 0.05, "tag": "language=l00"}], runs[1], runs[0]).rulings[0]
    of_many = gated([{"metric": MRR, "max_drop": 0.05, "tag": "language"}], runs[1], runs[0]).rulings[0]
    assert (one.verdict.value, one.tags_tested) == ("FAIL", 1)
    assert (of_many.verdict.value, of_many.tags_tested) == ("INCONCLUSIVE", 20)
    assert "one of 20 values" in of_many.reason


@pytest.mark.parametrize("seed", range(40))
def test_the_steps_are_those_of_holm(seed):
    """A tag fails exactly when its adjusted p is under alpha; p is one-sided, that the mean is no lower."""
    samples = [grades(level, 100 * seed + place) for place, level in enumerate((0.38, 0.4, 0.42, 0.45, 0.6))]
    p = [1.0 - level_verdict(values, at_least=0.5, lowest=0, highest=1).p for values in samples]

    def test(values):
        def at(confidence):
            found = level_verdict(values, at_least=0.5, lowest=0, highest=1, confidence=confidence)
            verdict = Verdict.FAIL if found.verdict.value == "fail" else Verdict.INCONCLUSIVE
            return Outcome(verdict, "", found.mean, found.decisive, found.upper, confidence)

        return at

    outcomes = corrected([test(values) for values in samples], 0.95, len(samples))
    assert [each.verdict is Verdict.FAIL for each in outcomes] == [each < 0.05 for each in holm(p)]


def test_a_tag_that_cannot_be_judged_still_counts_in_the_family():
    """An outage on one tag makes no other FAIL easier."""
    near, languages = grades(0.45, 8), [*["de"] * 30, *["en"] * 30]
    whole, outage = tagged(near + grades(0.7, 4), languages), tagged(near + [ERROR] * 30, languages)
    rules = [{"metric": MRR, "min": 0.5, "tag": "language"}]
    first, second = gated(rules, whole).rulings[0], gated(rules, outage).rulings[0]
    assert verdicts(gated([{"metric": MRR, "min": 0.5, "tag": "language=de"}], outage)) == ["FAIL"]
    assert first.verdict is second.verdict is Verdict.INCONCLUSIVE
    assert verdicts(gated(rules, outage))[1] == "ERROR"
