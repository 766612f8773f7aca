"""Identification names the language of a short answer: by script, then by telling words among Latin ones.

Convention: BCP-47 primary tags. Several tags mean that the words do not separate them; none means that the
text is in a language without a phrasebook. A Latin text with no telling word is called English when it is a
few words long, because a short label or a name is read alike everywhere.
False friend: this is no general language identifier; it only separates what the phrasebooks need separated.
"""

import re
from collections.abc import Callable

from ragproof.metrics.robustness.refusal_languages.folding import fold

_SCRIPTS = {
    "latin": re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    "cyrillic": re.compile(r"[\u0400-\u052f]"),
    "arabic": re.compile(r"[\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\ufb50-\ufdff\ufe70-\ufefc]"),
    "devanagari": re.compile(r"[\u0904-\u0939\u0958-\u0961]"),
    "kana": re.compile(r"[\u3041-\u30fa\uff66-\uff9d]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
    "hangul": re.compile(r"[\uac00-\ud7a3\u1100-\u11ff]"),
}
_BEYOND_LATIN = re.compile("[\u0370-\u1dff\u2c00-\ud7ff\uf900-\U0010ffff]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SAMPLE_CHARACTERS = 400
_FEW_WORDS = 4

_TELLING_WORDS = {
    "en": """
        about after all also an and answer any are as at available be because been but by can can't cannot
        context could couldn't did do document documents does doesn't don't for found from had has have he
        her his i i'm i've if in information insufficient into is isn't it it's its know mention mentions
        more my neither no none not nothing of on only or passage please she should so some sorry source
        sources text than that the there they this to unable unanswerable unfortunately unknown was wasn't
        we were what when where which who will with won't would you your
    """,
    "de": """
        aber angabe angaben antwort auch auf aus bei bekannt das dazu dem den der des die diese dieser
        dieses durch ein eine einen einer er es für haben hat ich ihre im in ist kann kein keine keinen
        konnte leider mich mir mit nach nicht nur oder sich sie sind unbekannt und von war was weiß wer
        werden wie wir wird wurde zu zum zur über
    """,
    "fr": """
        ai ans au aucun aucune aux avec c'est ce ces cette d'un d'une dans de des disponible document du
        désolé elle est et il inconnu j'ai je jour l'information la le les leur mais malheureusement n'a
        n'ai n'est ne non nous ou par pas peux pour qu'il que qui rien réponse sais se ses son sont sur
        texte trouvé trouvée un une vous été
    """,
    "es": """
        al ayudarte años como con contexto datos de del desconocido desconozco el en encontraron es esa ese
        eso esta este está fue hay información la las lo los me más nadie ni ninguna ningún no para pero por
        puedo que respuesta se siento sin sobre son su sé tengo texto un una voy y
    """,
    "pt": """
        anos ao as com como contexto da das de desconhecido desconheço desculpe disponível do dos em essa
        esse esta este foi há infelizmente informação informações isso mais mas na nas nenhum nenhuma
        ninguém no nos não o os para pela pelo por posso que resposta se sei sem sobre são tenho texto um
        uma você é
    """,
    "it": """
        al alla anni che come con contesto dal dalla degli del della delle di dispiace disponibile documenti
        documento domanda fornito gli ho i il in informazione informazioni la le lo ma mi nei nel nella
        nelle nessun nessuna nessuno no non per più posso purtroppo questa questo risposta sconosciuto si so
        sono testo un una è
    """,
    "tr": """
        almıyor alıyor ama ancak arama bağlamda belge belgede belgelerde belirtilmemiş ben bilgi bilgim
        bilinmiyor bilmiyorum bir bu bulunamadı bulunmamaktadır bulunmuyor cevabı cevap da daha de değil
        emin en evet fakat gibi göre günü hakkında hayır ile ilgili için kadar kaynaklarda kimse konuda
        maalesef metinde metinden mevcut mi mı ne olan olarak sonra sonuç sorunun sorunuzu soruya soruyu var
        ve verilen vermedi yanıt yer yeterli yok yıl yıldır çok üzgünüm
    """,
}
_OTHER = "other"
_TELLING_SPELLINGS = {
    "de": re.compile("ß"),
    "es": re.compile("[ñ¿¡]"),
    "pt": re.compile("[ãõ]"),
    "tr": re.compile(r"[ıİğş]|yor\b|m[ae]kt[ae]d[iı]r\b|[ae]m[ae]m\b"),
}
_FOREIGN_WORD = re.compile(
    r"(?<!\w)(?=[^\W\d_]*[łąężźćśńőűřěůđơưåæøțșăəķļņģţųėįþðŵŷħċ])[a-zà-öø-ÿăąćčďđęěłńňőřśšťůűźżžșțơưə]"
)
_OTHER_LATIN_WORDS = """
    nie wiem jest się że oraz dla jak został było dokumencie kontekście informacji het een niet ik weet geen
    wordt zijn deze naar ook voor vraag jag vet inte och är att det ingen för på ikke jeg ved og ikkje eg
    veit ekki ég tiedä ole että tämä olen vastata tea nem tudom egy és nincs hogy említi nevím není že které
    jsou neviem nevem tom nu știu este și sunt nicio din nežinau nėra nezinu saya tidak tahu yang ini dalam
    dengan untuk maaf tôi không biết của câu trả lời znam nije sijui hakuna katika hindi alam walang
    amb aquest aquesta els ho esmenta dakit nescio gwn ddim níl agam nuk di dhe është ne
"""


def _telling_languages() -> dict[str, tuple[str, ...]]:
    tells: dict[str, tuple[str, ...]] = {}
    for tag, words in _TELLING_WORDS.items():
        for word in set(fold(words).split()):
            tells[word] = (*tells.get(word, ()), tag)
    for word in fold(_OTHER_LATIN_WORDS).split():
        tells.setdefault(word, (_OTHER,))
    return tells


_TELLS = _telling_languages()
_OTHER_CYRILLIC = re.compile(r"[\u0402-\u040f\u0452-\u045f\u0490-\u052f\u0404\u0406\u0407\u0454]")
_BULGARIAN = frozenset(
    ["знам", "мога", "нямам", "няма", "отговоря", "са", "със", "съм", "тази", "тези", "това", "този", "че"]
)
_OTHER_ARABIC = re.compile("[پچژگکیٹڈڑںےۓہھەێۆڵڕ]")
_ARABIC_ALONE = re.compile("[يىكةإأؤئآ]")
_OTHER_DEVANAGARI = frozenset(
    ["आहे", "आहेत", "नाही", "नाहीत", "मला", "आणि", "छ", "छैन", "छन्", "थाहा", "मलाई", "गर्न", "अस्ति", "नास्ति"]
)


def identify(text: str, otherwise: str | None = None) -> tuple[str, ...]:
    """Return the languages a text may be in, the likeliest first.

    Args:
        text: the answer; only its beginning is looked at.
        otherwise: the primary tag to put first for Latin text without a telling word; such a text is also
            English when short, and unidentified when long and this is None.

    Returns:
        Primary tags of languages with a phrasebook; () when the text is in another language.
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if not _BEYOND_LATIN.search(sample):
        return _identify_latin(sample, otherwise)
    counts = {script: len(pattern.findall(sample)) for script, pattern in _SCRIPTS.items()}
    other = len(_LETTER.findall(sample)) - sum(counts.values())
    latin, cjk = counts["latin"], counts["kana"] + counts["han"]
    # Names and product codes stay Latin in every language, so a native letter weighs three of them.
    weights = {script: 3 * counts[script] for script in ("cyrillic", "arabic", "hangul", "devanagari")}
    weights |= {"cjk": 3 * cjk, "other": 3 * other, "latin": latin}
    script = max(weights, key=weights.__getitem__)
    if weights[script] == 0:
        return ("en",)
    if script == "latin":
        return _identify_latin(sample, otherwise)
    if script == "cjk":
        return ("ja",) if counts["kana"] * 8 >= cjk else ("zh",)
    return _OF_SCRIPT[script](sample)


def _identify_latin(sample: str, otherwise: str | None) -> tuple[str, ...]:
    hits = dict.fromkeys((*_TELLING_WORDS, _OTHER), 0)
    for word in set(_WORD.findall(fold(sample))):
        for tag in _TELLS.get(word, ()):
            hits[tag] += 1
    for tag, spelling in _TELLING_SPELLINGS.items():
        hits[tag] += spelling.search(sample) is not None
    if not sample.isascii():
        # A capitalised word with foreign letters is as likely a name in an answer of any language.
        hits[_OTHER] += _FOREIGN_WORD.search(sample) is not None
    foreign = hits.pop(_OTHER)
    most = max(hits.values())
    if foreign and foreign >= most:
        return ()
    if most > 0:
        return tuple(tag for tag, count in hits.items() if count == most)
    plain = sum(1 for word in _WORD.findall(sample) if word[0].islower())
    assumed = (otherwise,) if otherwise is not None else ()
    return (*assumed, "en") if plain <= _FEW_WORDS else assumed


def _identify_cyrillic(sample: str) -> tuple[str, ...]:
    words = set(_WORD.findall(sample.lower()))
    return () if _OTHER_CYRILLIC.search(sample) or words & _BULGARIAN else ("ru",)


def _identify_arabic(sample: str) -> tuple[str, ...]:
    foreign = len(_OTHER_ARABIC.findall(sample))
    return () if foreign > len(_ARABIC_ALONE.findall(sample)) else ("ar",)


def _identify_devanagari(sample: str) -> tuple[str, ...]:
    return () if _OTHER_DEVANAGARI & set(sample.replace("।", " ").split()) else ("hi",)


_OF_SCRIPT: dict[str, Callable[[str], tuple[str, ...]]] = {
    "cyrillic": _identify_cyrillic,
    "arabic": _identify_arabic,
    "devanagari": _identify_devanagari,
    "hangul": lambda _: ("ko",),
    "other": lambda _: (),
}
