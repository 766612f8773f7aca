"""A text as the model's word pieces: lower case without accents, at most 256 of them with the two markers.

False friend: the model's own 128 of training, and the 512 that it has places for; 256 is what its authors
publish it with, and what sentence-transformers reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

LIMIT_TOKENS = 256
"""With the markers at the text's start and end."""
MARKERS = 2
_UNKNOWN = 100


@dataclass(frozen=True)
class Pieces:
    """A text's token ids, and what was lost on the way."""

    ids: Sequence[int]
    unknown: int
    """How many of them stand for words that the model does not know."""
    cut: bool
    """The text went on beyond the limit."""


class WordPieces:
    """Reads texts by the vocabulary of a file."""

    def __init__(self, tokenizer: Path) -> None:
        """Read the published `tokenizer.json`."""
        library: Any = import_module("tokenizers")
        self._tokenizer = library.Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LIMIT_TOKENS)

    def read(self, text: str) -> Pieces:
        """Return the pieces of a text; half a character, which is no text, is read as a question mark."""
        # One at a time: a batch of the library starts threads, which a process that forks cannot have.
        read = self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
        ids: Sequence[int] = read.ids
        return Pieces(ids, ids.count(_UNKNOWN), bool(read.overflowing))
