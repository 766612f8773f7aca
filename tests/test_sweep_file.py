"""A sweep's file: factors and their levels, every fault with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.errors import ConfigurationError
from ragproof.sweeps.grid import combinations, overrides
from ragproof.sweeps.sweep_file import read

GOOD = """\
config: base.yaml
max_cost_usd: 2
factors:
  reranker:
    pipeline.adapter.options.rerank: [false, true]
  retriever:
    bm25: {pipeline.adapter.options.retriever: bm25}
    dense: {pipeline.adapter.options.retriever: dense, pipeline.adapter.options.size: 384}
    other: {pipeline.adapter: {type: http, url: "http://127.0.0.1:1"}}
"""


def written(folder: Path, text: str) -> Path:
    """Write a sweep's file."""
    path = folder / "grid.yaml"
    path.write_text(text)
    return path


def test_every_combination_is_a_cell_with_its_changes(tmp_path: Path) -> None:
    """The last factor varies fastest; a level of several keys changes all of them."""
    sweep = read(written(tmp_path, GOOD))
    assert (sweep.name, sweep.config, sweep.max_cost_usd, sweep.cells) == (
        "grid",
        tmp_path / "base.yaml",
        2.0,
        6,
    )
    names = [[level.name for _, level in each] for each in combinations(sweep.factors)]
    assert names == [[r, s] for r in ("false", "true") for s in ("bm25", "dense", "other")]
    second = [*combinations(sweep.factors)][1]
    assert [pair for pair, _ in overrides(second)] == [
        "pipeline.adapter.options.rerank=false",
        'pipeline.adapter.options.retriever="dense"',
        "pipeline.adapter.options.size=384",
    ]
    assert [place for _, place in overrides(second)] == ["grid.yaml:5:39", "grid.yaml:8:5", "grid.yaml:8:5"]


def test_a_cap_may_be_lowered_and_never_raised(tmp_path: Path) -> None:
    """Whoever presses Run chooses within the operator's cap."""
    sweep = read(written(tmp_path, GOOD))
    assert [sweep.capped(cap).max_cost_usd for cap in (None, 1.0, 5.0)] == [2.0, 1.0, 2.0]


FACTORS = "config: base.yaml\nfactors:\n"


@pytest.mark.parametrize(
    ("why", "text", "told"),
    [
        ("no base", "factors: {a: {pipeline.version: [x, y]}}\n", "config: missing"),
        ("no factor", "config: base.yaml\n", "factors: expected at least one factor"),
        ("an empty section", "config: base.yaml\nfactors: {}\n", "factors: expected at least one factor"),
        (
            "a misspelt key",
            f"{GOOD}factor: 1\n",
            "grid.yaml:10:1: factor: not a key of a sweep; did you mean 'factors'?",
        ),
        (
            "one level",
            f"{FACTORS}  a:\n    pipeline.version: [x]\n",
            "grid.yaml:3:3: factors.a: 1 level; expected at least two",
        ),
        ("the same level twice", f"{FACTORS}  a:\n    pipeline.version: [x, x]\n", "two levels are the same"),
        (
            "a key that changes what numbers mean",
            f"{FACTORS}  a:\n    run.k: [5, 10]\n",
            "'run.k' cannot be a factor",
        ),
        (
            "the name, which the cells get from their levels",
            f"{FACTORS}  a:\n    pipeline.name: [x, y]\n",
            "'pipeline.name' cannot be a factor",
        ),
        (
            "an unknown key",
            f"{FACTORS}  a:\n    pipeline.verzion: [x, y]\n",
            "'pipeline.verzion' is not a key",
        ),
        (
            "two factors on one key",
            FACTORS + "".join(f"  {name}:\n    pipeline.version: [x, y]\n" for name in "ab"),
            "is changed by the factor 'a' too",
        ),
        ("a factor that is a value", f"{FACTORS}  a: 5\n", "5 is no factor"),
        ("a level that is a value", f"{FACTORS}  a: {{x: 1, y: {{pipeline.version: z}}}}\n", "1 is no level"),
        (
            "a list beside levels",
            f"{FACTORS}  a: {{pipeline.version: [x], z: {{pipeline.version: z}}}}\n",
            "one key with a list of values is a factor",
        ),
        (
            "a name that cannot be told apart in a cell's",
            f"{FACTORS}  a=b:\n    pipeline.version: [x, y]\n",
            "without '='",
        ),
        (
            "no amount",
            f"{GOOD.replace('max_cost_usd: 2', 'max_cost_usd: much')}",
            "'much' is not allowed; expected dollars",
        ),
        (
            "a negative amount",
            f"{GOOD.replace('max_cost_usd: 2', 'max_cost_usd: -1')}",
            "-1 is not allowed; expected dollars",
        ),
        (
            "not a number",
            f"{GOOD.replace('max_cost_usd: 2', 'max_cost_usd: .nan')}",
            "is not allowed; expected dollars",
        ),
        (
            "too many cells",
            FACTORS + "".join(f"  f{n}:\n    pipeline.adapter.options.o{n}: [0, 1]\n" for n in range(10)),
            "1,024 combinations; expected at most 1,000",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) and len(each) < 50 else "",
)
def test_a_fault_says_where_and_what_instead(tmp_path: Path, why: str, text: str, told: str) -> None:
    """One sentence a fault."""
    with pytest.raises(ConfigurationError) as refused:
        read(written(tmp_path, text))
    assert told in str(refused.value), why


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Nobody repairs a file one fault at a time."""
    with pytest.raises(ConfigurationError) as refused:
        read(written(tmp_path, "max_cost_usd: -1\nnmae: x\nfactors: {a: {run.k: [1]}}\n"))
    assert len(refused.value.faults) == 5
