"""The phrasebooks of the refusal heuristic: which one is chosen, what each keeps to, that none runs away."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.robustness.refusal import detect
from ragproof.metrics.robustness.refusal_languages import SUPPORTED_LANGUAGES, phrasebook
from ragproof.metrics.robustness.refusal_languages.folding import fold
from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("Polish", "W dokumencie nie ma takiej informacji.", None),
        ("Dutch", "Ik weet het niet.", None),
        ("Swedish", "Jag vet inte.", None),
        ("Vietnamese", "Tôi không biết.", None),
        ("Greek script", "Δεν ξέρω.", None),
        ("Hebrew script", "אני לא יודע", None),
        ("Bulgarian, not Russian", "Не знам.", None),
        ("Ukrainian, not Russian", "У тексті про це нічого не сказано.", None),
        ("Persian, not Arabic", "نمی‌دانم.", None),
        ("Urdu, not Arabic", "مجھے نہیں معلوم۔", None),
        ("Marathi, not Hindi", "मला माहीत नाही.", None),
        ("Japanese, not Chinese", "情報なし", "ja"),
        ("a name is read alike everywhere", "Łódź", "en"),
        ("so is a number", "42", "en"),
        ("and a short label", "n/a", "en"),
        ("one Latin name does not make it English", "Apple 的总部在库比蒂诺。", "zh"),
    ],
)
def test_identifying_the_language(why: str, text: str, expected: str | None) -> None:
    """Without a tag the language comes from the text; a language without a phrasebook gives no verdict."""
    verdict = detect(text)
    assert verdict.language == expected, why
    assert (verdict.refused is None) == (expected is None), why


@pytest.mark.parametrize(
    "unit",
    [
        "I don't ",
        "there is no ",
        "in the context of the context from the context ",
        "while the text mentions the text ",
        "das Dokument nennt im Dokument ",
        "zu ab über ab ",
        "在甲从乙根据丙",
        "non mi ti si lo ",
        "문서에 정보가 ",
        "文書には情報が",
        "'",
        '"',
        "‘a",
        "[",
        "1. ",
        " ",
        "\ufdfa",
    ],
)
@pytest.mark.parametrize("language", [None, "en", "de", "it", "zh", "ko", "ja"])
def test_a_megabyte_of_hostile_text_is_read_like_its_beginning(unit: str, language: str | None) -> None:
    """Only the start of an answer is read, so no repetition can make a pattern run away."""
    flood = unit * (1_000_000 // len(unit))
    assert detect(flood, language) == detect(flood[:100_000], language)


@pytest.mark.parametrize("language", SUPPORTED_LANGUAGES)
def test_every_label_declines_in_its_language(language: str) -> None:
    """A label is a whole answer, with or without a stop after it."""
    for label in phrasebook(language).whole_answers:
        assert detect(label, language).refused is True, label
        assert detect(f"{label}.", language).refused is True, label


@pytest.mark.parametrize("language", SUPPORTED_LANGUAGES)
def test_a_phrasebook_keeps_its_conventions(language: str) -> None:
    """Every named piece is used and exists, and no escape is one that folding would turn round."""
    book: Phrasebook = phrasebook(language)
    blocks = [book.cues, book.openers, book.courtesies, book.turns, book.answers]
    blocks += [*book.refusals.values(), *book.whole_sentence.values(), *book.pieces.values()]
    patterns = "\n".join(blocks)
    assert set(re.findall(r"<([a-z_]+)>", patterns)) == set(book.pieces)
    assert not re.findall(r"(?<!\\)\\[A-Z]", patterns)


@settings(deadline=None)
@given(st.text(alphabet=st.characters()))
def test_folding_twice_changes_nothing(text: str) -> None:
    """Patterns and text can be folded apart from each other and still meet."""
    assert fold(fold(text)) == fold(text)
