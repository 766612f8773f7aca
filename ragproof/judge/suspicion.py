"""Whether a text addresses the judge: a flag for readers, which never changes a score.

It is a heuristic over phrases in a dozen languages and will miss and overdo. What protects a verdict is how
prompts are built (`hardening`, `prompting`), not this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from pydantic import JsonValue

from ragproof.payloads.readings import fold

_JUDGE = (
    r"(?:graders?|judges?|evaluators?|raters?|assessors?|reviewers?|examiners?|llms?|ai|language models?"
    r"|assistants?)"
)
_RULES = r"(?:instructions?|rules|prompts?|rubrics?|guidelines|criteria|directions)"
_PHRASES = (
    rf"\b(?:notes?|messages?|instructions?|attention|memo|reminder|dear|hello|hey)\b[^.!?]{{0,40}}\b{_JUDGE}\b",
    rf"\b(?:ignore|disregard|forget|override|bypass|skip)\b[^.!?]{{0,40}}\b{_RULES}\b",
    r"\b(?:output|return|reply|respond|print|give|assign|mark|rate|score|grade|label|treat|count)\b[^.!?]{0,60}"
    r"\b(?:verdicts?|ratings?|(?:as )?(?:un)?supported|full marks"
    r"|(?:top|full|perfect|maximum|highest) (?:score|mark|grade|rating))\b",
    rf"\byou are (?:now )?(?:an? |the )?(?:\w+ )?{_JUDGE}\b",
    r"\bpre-?approved\b",
    r"\b(?:new|updated|revised|real|following) (?:system )?(?:instructions|prompt)\b",
    r"\bsystem prompt\b",
    r"\"(?:rating|verdicts?|claims)\" ?:",
    r"<\|[^|<>]{1,40}\|>|\[/?inst\]|<</?sys>>|</?(?:start|end)_of_turn>",
    r"\bignor\w{1,5} (?:\w+ ){0,3}(?:instru[cçz]\w+|anweisungen|istruzioni|instrucciones|consignes)",
    r"\b(?:vergiss|missachte|oublie[zr]?|olvida|esquece|dimentica)\b[^.!?]{0,40}(?:anweisung|instru|istruz|consigne)",
    r"\banweisungen\b[^.!?]{0,40}\b(?:aufgehoben|ungültig|hinfällig)",
    r"(?:игнорируй|забудь)\w{0,4}[^.!?]{0,40}(?:инструкци|указани)",
    r"talimat\w{0,12}[^.!?]{0,40}(?:yok say|görmezden gel|unut)",
    r"(?:忽略|无视|忘记)[^。!?]{0,20}(?:指令|指示|说明|提示|规则)",
    r"(?:指示|命令|プロンプト)[^。!?]{0,12}(?:無視|忘れ|無効)",
    r"(?:지시|명령|지침)[^.!?]{0,12}(?:무시|잊)",
    r"(?:تجاهل|انس)[^.!?؟]{0,40}(?:تعليمات|التعليمات|الأوامر)",
    r"निर्देश\S{0,12}[^।!?]{0,30}(?:अनदेख|नज़रअंदाज|भूल)",
)
_ADDRESSES = re.compile("|".join(_PHRASES))
_HIDDEN = re.compile("[\U000e0020-\U000e007e]{2,}|(?:\\w[\u200b\u2060\ufeff]){4,}")


@lru_cache(maxsize=512)  # the texts of a case go into several prompts
def addresses_judge(text: str) -> bool:
    """Say whether a text speaks to whoever judges it, or to a model.

    Args:
        text: any; read as `fold` reads it, so case, unseen characters and look-alike forms do not hide it.
    """
    return _HIDDEN.search(text) is not None or _ADDRESSES.search(fold(text)) is not None


def any_addresses_judge(data: JsonValue) -> bool:
    """Say whether any text in a JSON value does."""
    return any(map(addresses_judge, _texts(data)))


def _texts(value: JsonValue) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)
