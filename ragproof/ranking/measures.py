"""A ranking measure: an immutable value whose printed form is its name, such as `ndcg@10`.

Names are those of source B; the spellings of ir_measures (`nDCG@10`, `P(rel=2)@5`, `AP`) and of trec_eval
(`ndcg_cut_10`, `recip_rank`) are read too. False friend: a name without a cutoff means the whole list, as it
does in both of those tools, and never the default k.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragproof.errors import ConfigurationError, Fault, nearest

NAMES = (
    "ndcg",
    "precision",
    "recall",
    "f1",
    "mrr",
    "map",
    "hit_rate",
    "r_precision",
    "complete_recall",
    "judged",
)
"""In the order in which they are printed; `judged` describes the labels and ranks nothing."""
DEFAULT_K = 10

_WHOLE_LIST = frozenset({"ndcg", "mrr", "map", "r_precision"})
_LEVELLED = frozenset(NAMES) - {"ndcg", "judged"}
_SPELLINGS = {
    **{name: name for name in NAMES},
    "p": "precision",
    "r": "recall",
    "rr": "mrr",
    "recip_rank": "mrr",
    "ap": "map",
    "map_cut": "map",
    "ndcg_cut": "ndcg",
    "success": "hit_rate",
    "rprec": "r_precision",
}
_FORM = re.compile(
    r"(?P<name>[a-z0-9_]*?[a-z0-9])(?:\((?P<options>[^()]*)\))?(?:[@._](?P<k>\d{1,9}))?", re.ASCII
)


@dataclass(frozen=True)
class Measure:
    """One measure; `ragproof.ranking.matrix` has the formulas."""

    name: str
    """One of `NAMES`."""
    k: int | None = None
    """How many places count; None is the whole list."""
    level: int | None = None
    """The gain from which a document is relevant; None is the level of the evaluation."""

    def __str__(self) -> str:
        options = "" if self.level is None else f"(rel={self.level})"
        return f"{self.name}{options}" + ("" if self.k is None else f"@{self.k}")


def default_measures(k: int = DEFAULT_K) -> tuple[Measure, ...]:
    """Return every measure at one cutoff, `judged` last."""
    return tuple(Measure(name, k) for name in NAMES)


def read_measures(names: Iterable[str] | None, k: int = DEFAULT_K) -> tuple[Measure, ...]:
    """Read measures by name, with the share of judged documents beside them.

    Args:
        names: in any spelling; one named twice counts once; None is every measure at `k`.
        k: the default cutoff, at least 1; a cutoff in a name comes before it.

    Returns:
        The measures in the order named, and `judged` at the deepest of their cutoffs unless one is named.

    Raises:
        ConfigurationError: k is no cutoff, or a name is none; all of them at once.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ConfigurationError(f"k is '{k}', expected a whole number of at least 1")
    if names is None:
        return default_measures(k)
    given = [names] if isinstance(names, str) else list(names)
    measures: list[Measure] = []
    faults: list[Fault] = []
    for name in given:
        try:
            measures.append(read_measure(name, k))
        except ConfigurationError as error:
            faults += error.faults
    if faults:
        raise ConfigurationError(faults)
    if not any(measure.name == "judged" for measure in measures):
        measures.append(Measure("judged", max((each.k for each in measures if each.k), default=k)))
    return tuple(dict.fromkeys(measures))


@lru_cache(maxsize=1024)
def read_measure(name: str, k: int = DEFAULT_K) -> Measure:
    """Read one measure in any spelling.

    Args:
        name: such as `ndcg@10`, `nDCG@10`, `P(rel=2)@5`, `AP`, `map_cut_100`; case does not matter.
        k: the cutoff that an error message suggests where one is missing.

    Returns:
        The measure.

    Raises:
        ConfigurationError: no measure is named so, or what it says cannot be computed.
    """
    form = _FORM.fullmatch(name.strip().lower()) if isinstance(name, str) else None
    spelt = _SPELLINGS.get(form["name"]) if form else None
    if form is None or spelt is None:
        hint = _nearest(name, k) if isinstance(name, str) else ""
        raise ConfigurationError(
            f"no ranking measure is named '{name}'{hint or f'; expected one of {_listed(k)}'}"
        )
    level = _level(name, spelt, form["options"])
    cutoff = None if form["k"] is None else int(form["k"])
    if cutoff == 0:
        raise ConfigurationError(f"measure '{name}' looks at 0 places, expected at least 1")
    if cutoff is None and spelt not in _WHOLE_LIST:
        raise ConfigurationError(
            f"measure '{name}' needs a cutoff; did you mean '{Measure(spelt, k, level)}'?"
        )
    return Measure(spelt, cutoff, level)


def is_tested(measure: Measure) -> bool:
    """Say whether more of a measure is better, so that runs can be told apart by it."""
    return measure.name != "judged"


def deepest(measures: Sequence[Measure]) -> int | None:
    """Return how many places of a ranking the measures look at; None is all of them."""
    if any(measure.k is None for measure in measures):
        return None
    return max((measure.k or 0 for measure in measures), default=0)


def _level(name: str, spelt: str, options: str | None) -> int | None:
    if not options:
        return None
    option, _, value = options.replace(" ", "").partition("=")
    if option != "rel" or not re.fullmatch(r"\d{1,9}", value, re.ASCII) or spelt not in _LEVELLED:
        takes = "'rel=LEVEL'" if spelt in _LEVELLED else "none"
        raise ConfigurationError(f"measure '{name}' has the option '{options}', expected {takes}")
    if int(value) == 0:
        raise ConfigurationError(f"measure '{name}' has the level 0, expected at least 1")
    return int(value)


def _nearest(name: str, k: int) -> str:
    cutoff = re.search(r"[@._](\d+)$", name)
    asked = int(cutoff[1]) if cutoff else k
    return nearest(name, (f"{each}@{asked}" for each in NAMES))


def _listed(k: int) -> str:
    return ", ".join(f"'{measure}'" for measure in default_measures(k))
