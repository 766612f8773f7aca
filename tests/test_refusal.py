"""The refusal heuristic: each sentence of its rule, three labelled sets with both error rates, its promises.

`refusals.jsonl` came with the specification. `refusals_heldout.jsonl` was written before the rule, which was
then tuned on it. The rows of `refusals_regression.jsonl` were tried afterwards, a round at a time, and the
rule was mended where they failed. So these rates show that nothing was lost; they are no estimate for new
wordings, of which the rule found about five in six on first sight.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.robustness.refusal import Refusal, detect
from ragproof.metrics.robustness.refusal_languages import SUPPORTED_LANGUAGES

DATA = Path(__file__).parent / "data"
# The first use of a language compiles its phrasebook, which a deadline would take for a slow example.
UNHURRIED = settings(deadline=None)


class Row(NamedTuple):
    id: str
    text: str
    lang: str
    refused: bool
    kind: str
    why: str


def rows(name: str) -> tuple[Row, ...]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return tuple(Row(**json.loads(line)) for line in lines)


SPECIFIED = rows("refusals.jsonl")
HELD_OUT = rows("refusals_heldout.jsonl")
REGRESSION = rows("refusals_regression.jsonl")

RULE = [
    ("empty counts as an abstention", "en", "", True),
    ("white space counts as empty", "ja", " \n\t　", True),
    ("a whole answer that is a label", "en", "N/A", True),
    ("a label in brackets and capitals", "en", "[NO_ANSWER]", True),
    ("a label behind markdown and its heading", "en", "**Answer:** unanswerable.", True),
    ("'none' may be the right count", "en", "None", False),
    ("a bare no answers a yes/no question", "de", "Nein.", False),
    ("a label inside a longer sentence is a word", "en", "Unknown to the press, he had left.", False),
    ("first person, negated verb, answer noun", "en", "I don't know the answer.", True),
    ("a curly apostrophe is an apostrophe", "en", "I don’t know.", True),
    ("a missing apostrophe is understood", "en", "i dont know", True),
    ("evidence noun, negated verb, information noun", "en", "The handbook has no details on that.", True),
    ("another document's silence is a fact", "en", "The contract does not mention a penalty.", False),
    ("a contract is no evidence noun in German", "de", "Der Vertrag nennt keine Frist.", False),
    ("passive", "en", "That can't be determined from the passages.", True),
    ("nothing retrieved", "en", "No relevant documents were found.", True),
    ("policy", "en", "I won't help with that.", True),
    ("third person declines", "en", "The bank won't help with that.", False),
    ("a company's rule is an answer", "en", "We cannot refund used tickets.", False),
    ("a leading no answers about the document", "en", "No, the document does not mention it.", False),
    ("an opener before the refusal", "en", "Unfortunately, based on the context, I can't tell.", True),
    ("a courtesy after it", "en", "I don't know. Let me know if you need anything else!", True),
    ("a citation marker after it", "en", "The text does not say. [1][2]", True),
    ("its own reason after it", "en", "I can't answer because the sources don't say.", True),
    (
        "what little the source covers, without figures",
        "en",
        "The text doesn't say. It only covers pay.",
        True,
    ),
    ("what the source covers, before it", "en", "The text mentions pay but does not give dates.", True),
    ("a further sentence with content", "en", "The text does not say. It was 40 euros.", False),
    ("a contrast with content", "en", "I don't know exactly, but it was in May.", False),
    ("content before it", "en", "It was in May, but the text does not say which day.", False),
    ("a guess after it", "en", "I don't know, maybe 30 days.", False),
    ("a semicolon starts a clause", "en", "The text gives no date; the fee is 12 euros.", False),
    (
        "an abbreviation does not end a sentence",
        "en",
        "The text does not mention Acme Inc. or its fee.",
        True,
    ),
    (
        "an exception with a figure is content",
        "en",
        "The text names no fee other than 12 euros a month.",
        False,
    ),
    ("the same in Italian", "it", "Il testo non indica costi, tranne 12 euro al mese.", False),
    ("quoted speech", "en", 'She said "I cannot answer" and left.', False),
    ("single quotes too", "en", "The error 'cannot find file' is harmless.", False),
    ("an answer that is one quotation is read", "en", '"I don\'t know."', True),
    ("hedged", "en", "I'm not sure, but probably Canberra.", False),
    ("an idiom", "en", "I don't know of a better town.", False),
    ("praise", "en", "I can't recommend it enough.", False),
    ("no evidence is a finding", "en", "There is no evidence that it works.", False),
    ("courtesies alone answer nothing and refuse nothing", "en", "Please contact HR.", False),
    ("a full stop of another script", "hi", "मुझे नहीं पता।", True),
    ("traditional characters", "zh-Hant", "我不知道這個問題的答案。", True),
    ("vowel marks and letter variants", "ar", "لا أَعْرِفُ الإِجَابَةَ.", True),
    ("missing accents", "es", "no lo se", True),
    ("Swiss spelling", "de-CH", "Das weiss ich nicht.", True),
    ("a dotted capital", "tr", "BİLMİYORUM", True),
]


@pytest.mark.parametrize(("why", "language", "text", "refused"), RULE)
def test_each_sentence_of_the_rule(why: str, language: str, text: str, refused: bool) -> None:
    """One row for each thing the rule says, in the shortest words that show it."""
    verdict = detect(text, language)
    assert verdict.refused is refused, f"{why}: {verdict.reason}"


def rates(labelled: Iterable[Row]) -> tuple[float, float]:
    """Recall and false-positive rate; without refusals recall is 1, without answers the other one is 0."""
    flagged: dict[bool, list[bool]] = {True: [], False: []}
    for row in labelled:
        flagged[row.refused].append(detect(row.text, row.lang).refused is True)
    refusals, answers = flagged[True] or [True], flagged[False] or [False]
    return sum(refusals) / len(refusals), sum(answers) / len(answers)


@pytest.mark.parametrize(
    ("name", "labelled"),
    [("specified", SPECIFIED), ("held out", HELD_OUT), ("regression", REGRESSION)],
)
def test_recall_and_false_positives_are_printed_and_bounded(
    name: str, labelled: tuple[Row, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Both rates are shown, over all and per language, and each stays within its bound."""
    table = {"all": rates(labelled)}
    for language in dict.fromkeys(row.lang for row in labelled):
        table[language] = rates(row for row in labelled if row.lang == language)
    with capsys.disabled():
        print(f"\nrefusals, {name} ({len(labelled)} rows): recall, false positives")
        for group, (recall, false_positives) in table.items():
            print(f"  {group:4}{recall:7.3f}{false_positives:7.3f}")
    for group, (recall, false_positives) in table.items():
        assert recall >= 0.85, f"{name}, {group}"
        assert false_positives <= 0.10, f"{name}, {group}"


def test_the_held_out_set_covers_every_language() -> None:
    """At least twelve refusals and twelve answers a language, or its rates would mean little."""
    for language in SUPPORTED_LANGUAGES:
        of_language = [row for row in HELD_OUT if row.lang == language]
        assert sum(row.refused for row in of_language) >= 12
        assert sum(not row.refused for row in of_language) >= 12


def test_the_rates_hold_when_no_language_is_given() -> None:
    """Identifying the language costs little: the same bounds hold over the held-out set."""
    verdicts = [(row.refused, detect(row.text)) for row in HELD_OUT]
    refusals = [verdict for refused, verdict in verdicts if refused]
    answers = [verdict for refused, verdict in verdicts if not refused]
    assert sum(verdict.refused is True for verdict in refusals) / len(refusals) >= 0.85
    assert sum(verdict.refused is True for verdict in answers) / len(answers) <= 0.10


@pytest.mark.parametrize(
    ("why", "given_tag", "text", "expected"),
    [
        ("a region is dropped", "de-AT", "Keine Angabe.", (True, "de")),
        ("an underscore separates too", "pt_BR", "Não sei.", (True, "pt")),
        ("three letters mean the same", "jpn", "わかりません。", (True, "ja")),
        ("case does not matter", "EN", "I don't know.", (True, "en")),
        ("undetermined means identify", "und", "Je ne sais pas.", (True, "fr")),
        ("an empty tag means identify", "", "No lo sé.", (True, "es")),
        ("an English answer to a German case", "de", "I don't know.", (True, "en")),
        ("a French answer to a Japanese case", "ja", "Le texte ne le précise pas.", (True, "fr")),
        ("a German answer to an English case", "en", "Der Preis beträgt 40 Euro.", (False, "en")),
        ("an English label in any language", "ko", "N/A", (True, "en")),
        ("no phrasebook for this language", "sw", "Sijui.", (None, "sw")),
        ("nor is the text read then", "sw", "I don't know.", (None, "sw")),
        ("but empty is empty", "sw", " ", (True, "sw")),
        ("a Polish answer to an English case", "en", "Nie wiem.", (None, None)),
        ("a Thai answer to an English case", "en", "ไม่ทราบ", (None, None)),
    ],
)
def test_the_given_language_and_the_text(
    why: str, given_tag: str, text: str, expected: tuple[bool | None, str | None]
) -> None:
    """A given tag is a hint: the text is read in its own language too, and an unknown tag ends the matter."""
    verdict = detect(text, given_tag)
    assert (verdict.refused, verdict.language) == expected, f"{why}: {verdict.reason}"


def test_the_reason_tells_a_person_which_rule_decided() -> None:
    """Every verdict says why, and a missing language says what was expected."""
    assert detect("The context is silent on this.").reason == (
        "the source does not say: 'the context is silent on this'"
    )
    assert detect("It was in May.").reason == "no word of refusal"
    assert detect("", "en").reason == "empty answer"
    assert "content follows a refusal: 'it was 40 euros'" in detect("I don't know. It was 40 euros.").reason
    assert detect("Sijui.", "sw").reason.startswith(
        "refusal language 'sw' not supported, expected one of en, de"
    )


def test_a_reason_can_be_stored_although_the_answer_cannot() -> None:
    """A lone surrogate in an answer does not reach the reason."""
    verdict = detect("I don't know about \ud800.", "en")
    assert verdict.refused is True
    assert verdict.reason.encode("utf-8")


CONTENT_AND_COURTESY = {
    "en": ("The price is 40 euros.", "Please contact support."),
    "de": ("Der Preis beträgt 40 Euro.", "Bitte wenden Sie sich an den Support."),
    "fr": ("Le prix est de 40 euros.", "Veuillez contacter le support."),
    "es": ("El precio es de 40 euros.", "Póngase en contacto con soporte."),
    "pt": ("O preço é de 40 euros.", "Entre em contato com o suporte."),
    "it": ("Il prezzo è di 40 euro.", "Si prega di contattare l'assistenza."),
    "ja": ("価格は40ユーロです。", "サポートにお問い合わせください。"),
    "zh": ("价格是40欧元。", "请联系客服。"),
    "ko": ("가격은 40유로입니다.", "고객 센터에 문의해 주세요."),
    "hi": ("कीमत 40 यूरो है।", "कृपया सहायता से संपर्क करें।"),
    "ar": ("السعر 40 يورو.", "يرجى التواصل مع الدعم."),
    "ru": ("Цена составляет 40 евро.", "Пожалуйста, обратитесь в поддержку."),
    "tr": ("Fiyat 40 avrodur.", "Lütfen destek ile iletişime geçin."),
}
REFUSALS = [row for row in HELD_OUT if row.refused]


def _ended(text: str) -> str:
    return text if text[-1] in ".。।!?؟？！" else f"{text}."


@UNHURRIED
@given(row=st.sampled_from(REFUSALS))
def test_content_beside_a_refusal_makes_an_answer(row: Row) -> None:
    """A partial answer counts as an answer, whichever part comes first, in every language."""
    content, _ = CONTENT_AND_COURTESY[row.lang]
    assert detect(f"{_ended(row.text)} {content}", row.lang).refused is False
    assert detect(f"{content} {_ended(row.text)}", row.lang).refused is False


@UNHURRIED
@given(row=st.sampled_from(REFUSALS))
def test_a_courtesy_after_a_refusal_changes_nothing(row: Row) -> None:
    """A polite referral carries no content, in every language."""
    _, courtesy = CONTENT_AND_COURTESY[row.lang]
    assert detect(f"{_ended(row.text)} {courtesy}", row.lang).refused is True


@UNHURRIED
@given(row=st.sampled_from(REFUSALS), quotes=st.sampled_from(["“{}”", "«{}»", "„{}“", "「{}」", '"{}"']))
def test_quoting_a_refusal_is_not_refusing(row: Row, quotes: str) -> None:
    """What somebody else said declines nothing."""
    quoted = quotes.format(re.sub(r"[“”\"«»„「」]", "", row.text))
    content, _ = CONTENT_AND_COURTESY[row.lang]
    assert detect(f"{quoted} {content}", row.lang).refused is False
    assert detect(f"On Monday the speaker said {quoted} in public.", "en").refused is False


@UNHURRIED
@given(
    text=st.one_of(
        st.text(alphabet=st.characters()),
        st.lists(st.sampled_from([row.text for row in HELD_OUT])).map(" ".join),
    ),
    language=st.one_of(
        st.none(), st.sampled_from([*SUPPORTED_LANGUAGES, "sw", "de-AT", ""]), st.text(max_size=5)
    ),
)
def test_any_text_gets_a_consistent_verdict(text: str, language: str | None) -> None:
    """Nothing raises, and there is a verdict exactly when a phrasebook was used or nothing was written."""
    verdict = detect(text, language)
    assert isinstance(verdict, Refusal)
    assert verdict.reason
    if not text.strip():
        assert verdict.refused is True
    else:
        assert (verdict.refused is not None) == (verdict.language in SUPPORTED_LANGUAGES)
    assert detect(text, language) == verdict
