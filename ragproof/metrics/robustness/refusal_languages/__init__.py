"""The phrasebooks of the refusal heuristic, one language a file, loaded when first asked for."""

from functools import cache
from importlib import import_module

from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook

_MODULES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "pt": "portuguese",
    "it": "italian",
    "ja": "japanese",
    "zh": "chinese",
    "ko": "korean",
    "hi": "hindi",
    "ar": "arabic",
    "ru": "russian",
    "tr": "turkish",
}
SUPPORTED_LANGUAGES = tuple(_MODULES)


@cache
def phrasebook(tag: str) -> Phrasebook:
    """Return the phrasebook of a supported language.

    Args:
        tag: a primary tag out of `SUPPORTED_LANGUAGES`.

    Returns:
        The language's phrasebook, the same object each time.

    Raises:
        KeyError: when the language has no phrasebook.
    """
    module = import_module(f"{__name__}.{_MODULES[tag]}")
    book: Phrasebook = module.PHRASEBOOK
    return book
