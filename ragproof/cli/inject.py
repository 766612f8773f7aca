"""`ragproof inject`: write a dataset of attacks on a dataset of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def inject(
    dataset: Annotated[Path, typer.Argument(help="The dataset whose qa cases are attacked.")],
    out: Annotated[Path, typer.Option("--out", help="The JSONL file to write.")],
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="A folder of documents; copies with attacks planted go beside OUT."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed writes the same bytes.")] = 0,
    payloads: Annotated[
        list[str] | None,
        typer.Option("--payload", help="A payload id; repeat for several. Without it, the whole library."),
    ] = None,
) -> None:
    """Write injection cases made of a dataset's qa cases."""
    from collections import Counter

    from ragproof import injecting
    from ragproof.datasets import read
    from ragproof.errors import ConfigurationError
    from ragproof.payloads.documents import read_folder, write_folder
    from ragproof.payloads.library import choose

    if out.is_dir() or out.resolve() == dataset.resolve():
        raise ConfigurationError(f"--out '{out}' is a folder or the dataset itself; name a new JSONL file")
    chosen = choose(payloads or ())
    source = read_folder(documents) if documents is not None else None
    injected = injecting.inject(read(dataset), source.documents if source else (), chosen, seed)

    out.parent.mkdir(parents=True, exist_ok=True)
    corpus = injecting.documents_folder(out)
    if source is not None:
        write_folder(corpus, injected.documents, source)
    out.write_bytes(injecting.to_jsonl(injected.cases).encode("utf-8"))

    counts = Counter(case.adversarial_payload for case in injected.cases)
    typer.echo(f"wrote {len(injected.cases)} injection cases to {out}:")
    for payload in chosen:
        typer.echo(f"  {counts[payload.id]:>6}  {payload.id}  ({payload.attack_class.value})")
    step = f"ragproof run CONFIG --set dataset={out}"
    if source is None:
        typer.echo(f"next: {step}")
        return
    attacked = {case.metadata["attacked_case"] for case in injected.cases}
    reached = {case.metadata["attacked_case"] for case in injected.cases if "planted_in" in case.metadata}
    typer.echo(
        f"planted attacks in {len(injected.documents)} documents in {corpus}, tested by {len(reached)} of "
        f"{len(attacked)} qa cases"
    )
    if reached < attacked:
        typer.echo("the other cases name none of these documents as a source: attacked in the question alone")
    if source.other_files:
        typer.echo(f"files copied as they are, not being UTF-8 text: {len(source.other_files)}")
    typer.echo(f"next: index {corpus} in place of {source.path}, then {step}")
