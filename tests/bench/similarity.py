"""Sentences a second of the similarity model, on one core: `python -m tests.bench similarity`.

Each case is an answer and a reference, asked together as in a run and never twice; and all texts in one call.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import psutil

from ragproof.similarity import minilm
from ragproof.similarity.minilm import MiniLM
from ragproof.similarity.weights import INSTALL

PAIRS = 100
ROUNDS = 5
GOAL = 100

SENTENCES = {
    "8 tokens": "Product {} costs {} euros.",
    "17 tokens": "The warranty of product {} lasts {} years from the date of delivery.",
}


def measure() -> None:
    """Print what loading takes, and the medians of sentences a CPU second."""
    model = minilm.installed()
    if model is None:
        print(f"the similarity model is not installed; {INSTALL} install it")
        return
    process = psutil.Process()
    before, began = process.memory_info().rss, time.process_time()
    model.embed(["loaded"])
    loading, rise = time.process_time() - began, process.memory_info().rss - before
    print(f"loading: {loading:.1f} s CPU, {rise / 1e6:.0f} MB of memory; the goal is {GOAL} a second")
    for name, sentence in SENTENCES.items():
        rounds = [_texts(sentence, number) for number in range(ROUNDS)]
        pairs = [_a_second(model, [texts[at : at + 2] for at in range(0, len(texts), 2)]) for texts in rounds]
        whole = [_a_second(model, [[*texts, name]]) for texts in rounds]
        told = statistics.median(pairs), statistics.median(whole)
        print(f"  {name:10} {told[0]:5.0f} a second in pairs, {told[1]:5.0f} in one call")


def _texts(sentence: str, number: int) -> list[str]:
    """Return sentences of one round, two a pair, of equal length and none twice."""
    return [sentence.format(number * 2 * PAIRS + each + 1_000, each % 9 + 1) for each in range(2 * PAIRS)]


def _a_second(model: MiniLM, calls: Sequence[Sequence[str]]) -> float:
    began = time.process_time()
    for texts in calls:
        model.embed(texts)
    return sum(map(len, calls)) / (time.process_time() - began)


if __name__ == "__main__":
    measure()
