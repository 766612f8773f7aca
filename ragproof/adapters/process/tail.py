"""The end of what a process wrote to its standard error, for the text of a failure."""

from __future__ import annotations

KEPT_CHARACTERS = 2_000
SHOWN_CHARACTERS = 400
"""A failure's message is one short line."""
_BYTES_A_CHARACTER = 4


class Tail:
    """The last 2,000 characters of a text that arrives in pieces."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._is_cut = False

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        self._content += piece
        if len(self._content) > 2 * KEPT_CHARACTERS * _BYTES_A_CHARACTER:
            self._is_cut = True
            del self._content[: -KEPT_CHARACTERS * _BYTES_A_CHARACTER]

    def line(self) -> str:
        """Return its end as one line, without the word that a cut went through: it may be half a secret."""
        text = self._content.decode(errors="replace")
        is_cut = self._is_cut or len(text) > KEPT_CHARACTERS
        line = " ".join(text[-KEPT_CHARACTERS:].split())
        if not is_cut and len(line) <= SHOWN_CHARACTERS:
            return line
        _, _, whole_words = line[-SHOWN_CHARACTERS:].partition(" ")
        return f"... {whole_words}" if whole_words else ""
