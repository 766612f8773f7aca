"""Unicode tokens: words and numbers in any script, in one spelling."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.unicode_tokens import ARTICLES, unicode_tokens

EVERY_CHARACTER = st.characters(exclude_categories=())

TOKENS = [
    # why, text, tokens separated by |
    ("case is folded", "STRASSE Straße", "strasse|strasse"),
    ("both Greek sigmas are one", "ΟΔΟΣ οδός", "οδοσ|οδόσ"),
    ("Turkish dotted capital I is i", "İSTANBUL", "istanbul"),
    ("however it was composed", "I\u0307STANBUL", "istanbul"),
    ("and when it was lowered before", "İSTANBUL".lower(), "istanbul"),
    ("Turkish dotless i stays, for I is not known to be one", "ısparta ISPARTA", "ısparta|isparta"),
    ("accents stay", "café cafe", "café|cafe"),
    ("composed and decomposed are one", "café cafe\u0301", "café|café"),
    ("compatibility forms become plain", "ﬁn ＴＯＫＹＯ　２０２０ ℃", "fin|tokyo|2020|c"),
    ("half-width kana become full", "ﾄﾖﾀ ｶﾞ", "ト|ヨ|タ|ガ"),
    ("format characters go", "zero\u200bwidth soft\u00adhyphen \ufeffb", "zerowidth|softhyphen|b"),
    ("joiners go and the word stays whole", "می\u200cخواهم क्\u200dष", "میخواهم|क्ष"),
    ("a joiner does not keep a letter from its accent", "e\u200d\u0301", "é"),
    ("variation selectors go", "葛\U000e0100 ☎\ufe0e a1\ufe0f", "葛|a1"),
    ("tatweel goes", "مـحـمـد", "محمد"),
    ("tatweel goes from presentation forms too", "\ufe71", "\u064b"),
    ("Arabic vowel marks stay", "مُحَمَّد", "مُحَمَّد"),
    (
        "apostrophes are deleted, curly or not",
        "l'eau l’eau don‘t rock 'n' roll",
        "leau|leau|dont|rock|n|roll",
    ),
    ("an acute accent typed for an apostrophe too", "l´eau", "leau"),
    ("an okina is one", "Hawaiʻi", "hawaii"),
    ("other punctuation separates", "state-of-art (U.S.) «x» a/b_c", "state|of|art|u|s|x|b|c"),
    ("danda is punctuation", "भारत की राजधानी दिल्ली है।", "भारत|की|राजधानी|दिल्ली|है"),
    ("vowel signs and nasal signs stay in the word", "हिन्दी தமிழ் മലയാളം", "हिन्दी|தமிழ்|മലയാളം"),
    ("symbols separate", "C++ x=y 5×5 👍 ok", "c|x|y|5|5|ok"),
    ("Han is one token a character", "北京市", "北|京|市"),
    ("and its iteration mark and zero", "人々 二〇", "人|々|二|〇"),
    ("Kana is one token a character", "カタカナとひらがなー", "カ|タ|カ|ナ|と|ひ|ら|が|な|ー"),
    ("the middle dot is punctuation", "ビル・ゲイツ", "ビ|ル|ゲ|イ|ツ"),
    ("Hangul is written with spaces", "서울에서 서울", "서울에서|서울"),
    ("Hangul in letters is composed", unicodedata.normalize("NFD", "서울"), "서울"),
    ("Thai is one token a character, marks too", "กรุงเทพ", "ก|ร|ุ|ง|เ|ท|พ"),
    ("Lao", "ລາວ", "ລ|າ|ວ"),
    ("Khmer", "ខ្មែរ", "ខ|្|ម|ែ|រ"),
    ("Burmese", "မြန်မာ။", "မ|ြ|န|်|မ|ာ"),
    ("planes beyond the first", "𠀀𰀀𛀀", "𠀀|𰀀|𛀀"),
    ("mixed scripts end a token", "第3回COVID-19とSARS", "第|3|回|covid|19|と|sars"),
    ("Arabic-Indic, Persian, Devanagari, Thai digits", "١٩٩٥ ۱۹۹۵ १९९५ ๑๙๙๕", "1995|1995|1995|1995"),
    ("mathematical digits", "𝟙𝟡", "19"),
    ("letters and digits run together", "5km v2 H₂O", "5km|v2|h2o"),
    ("a decimal point between digits is kept", "3.5 v3.5", "3.5|v3.5"),
    ("and one before them", ".5 $.50 (.5)", ".5|$|.50|.5"),
    ("a full stop is none", "It is 3. No 4.", "it|is|3|no|4"),
    ("nor an ellipsis", "...5 etc.5", "5|etc|5"),
    ("thousands commas are removed", "1,234 1,234,567.89 US1,000", "1234|1234567.89|us1000"),
    ("in the Indian way too", "12,34,567 1,00,000", "1234567|100000"),
    ("full-width and Arabic separators", "１，０００．５ ١٬٢٣٤٫٥", "1000.5|1234.5"),
    ("other commas separate", "3,5 1,2345 1,234,56 0.123,456", "3|5|1|2345|1|234|56|0.123|456"),
    ("a leading minus is kept", "-5 °C (-3) x=-2 -.5", "-5|c|-3|x|-2|-.5"),
    ("whatever it was typed as", "−5 –5 ‐5 －5", "-5|-5|-5|-5"),
    ("after a script without spaces too", "気温は-5度", "気|温|は|-5|度"),
    ("a hyphen is no minus", "covid-19 1990-1995 1990–1995 a-b", "covid|19|1990|1995|1990|1995|b"),
    ("nor a dash with a space", "5 - 3 — 2", "5|3|2"),
    ("nor what stands between amounts", "5€-10€ 50%-60% 5°-6° (5)-3", "5|€|10|€|50|%|60|%|5|6|5|3"),
    ("with spaces before the sign too", "5 €-10 €", "5|€|10|€"),
    ("a minus before a currency sign is a token", "-$5", "-|$|5"),
    ("and one after it belongs to the number", "$-5", "$|-5"),
    ("exponents", "10^-5 10⁻⁵", "10|-5|10|-5"),
    ("per cent and currency are tokens", "50% 50 ％ $5 5 € ฿5 ٥٪ 3‰", "50|%|50|%|$|5|5|€|฿|5|5|%|3|‰"),
    ("a raised digit does not join the number", "10² m² 6½ 7①", "10|2|m2|6|1|2|7|1"),
    ("articles are dropped", "The cat, a dog and an owl", "cat|dog|and|owl"),
    ("inside words they stay", "theatre an-other", "theatre|other"),
    ("articles alone leave nothing", "A", ""),
    ("punctuation alone leaves nothing", "?! …。", ""),
    ("white space alone leaves nothing", " \t\n\u00a0\u3000", ""),
    ("nothing leaves nothing", "", ""),
    ("symbols alone are read", "👍🏽 →", "👍|🏽|→"),
    ("joined emoji too", "👩\u200d🚀", "👩|🚀"),
    ("a lone surrogate alone is read", "\ud800", "\ud800"),
    ("beside a word it separates", "Paris\ud800x", "paris|x"),
    ("letters of private use alone are read", "\ue000\ue001", "\ue000|\ue001"),
    ("a mark alone is a token", " \u0301", "\u0301"),
]


@pytest.mark.parametrize(("why", "text", "tokens"), TOKENS, ids=[row[0] for row in TOKENS])
def test_a_text_has_the_known_tokens(why: str, text: str, tokens: str) -> None:
    """Each row is one clause of the definition."""
    assert unicode_tokens(text) == tuple(tokens.split("|") if tokens else ()), why


@settings(deadline=None)
@given(st.text(EVERY_CHARACTER))
def test_canonically_equivalent_texts_have_the_same_tokens(text: str) -> None:
    """Composed or decomposed is a matter of the keyboard."""
    composed = unicodedata.normalize("NFC", text)
    assert unicode_tokens(composed) == unicode_tokens(unicodedata.normalize("NFD", text))


@settings(deadline=None)
@given(st.text(EVERY_CHARACTER))
def test_no_token_is_empty_an_article_or_holds_white_space(text: str) -> None:
    """Containment and counting rely on it."""
    for token in unicode_tokens(text):
        assert token
        assert token not in ARTICLES
        assert token.split() == [token]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Paris", "東京", "दिल्ली", "3.5", "-5", "1,000", "€", "กรุงเทพ", "👍"])))
def test_words_with_spaces_between_are_read_one_by_one(words: list[str]) -> None:
    """A text without any symbol reads as its words do, one after the other."""
    readable = [word for word in words if word != "👍"]
    joined = tuple(token for word in readable for token in unicode_tokens(word))
    assert unicode_tokens(" ".join(readable)) == joined
    if readable:
        assert unicode_tokens(" ".join(words)) == joined


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_ascii_has_no_rules_of_its_own(text: str) -> None:
    """A letter of another script beside the text takes it the long way, to the same tokens."""
    assert unicode_tokens(f"{text} ж") == (*(unicode_tokens(f"{text} b")[:-1]), "ж")


@pytest.mark.parametrize(
    "heap",
    ["\u0301\u0323", "\u0301\u200d\u0323\u200d", "\u0651\u0640\u064e\u0640", "\u0301'\u0323'"],
    ids=["marks", "joiners between", "tatweel between", "apostrophes between"],
)
def test_a_heap_of_marks_does_not_stall(heap: str) -> None:
    """Sorting n marks on one letter takes n squared, so a hostile answer could stop a run."""
    assert len(unicode_tokens("e" + heap * 20_000)) > 1_000


@pytest.mark.parametrize(
    "part", ["1,111", "1,", "-", ".", "5-", "$-", "a1", "1.1", "東", "' ", "½"], ids=ascii
)
def test_long_texts_are_read_to_their_end(part: str) -> None:
    """Time grows with the length, and nothing is cut."""
    assert unicode_tokens(part * 50_000 + " end")[-1] == "end"
