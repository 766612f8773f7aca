"""What was normalised while one result was read, each sentence once with how often it happened."""

from __future__ import annotations

from collections import Counter


class Notes:
    """A growing list of sentences; reading never changes a value without adding one."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def add(self, sentence: str) -> None:
        """Say that something was normalised."""
        self._times[sentence] += 1

    def sentences(self) -> tuple[str, ...]:
        """Return every sentence in the order of its first appearance."""
        return tuple(
            sentence if times == 1 else f"{sentence} ({times} times)"
            for sentence, times in self._times.items()
        )
