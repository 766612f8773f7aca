"""The reference page of configuration and the schema for editors, both written from the model.

`python -m ragproof.config.reference` at the root of the project writes them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ragproof.config.environment import ELSEWHERE
from ragproof.config.keys import Key, adapters, entries, keys, schema, sections

SCHEMA_FILE = Path("config/schema.json")
PAGE_FILE = Path("docs/configuration.md")

_OPENING = """\
# Configuration

<!-- Written by `python -m ragproof.config.reference` from the model; a test keeps it current. -->

One YAML file describes an evaluation:

```yaml
project: handbook
dataset: cases.jsonl
pipeline:
  name: baseline
  adapter: {type: python, target: "my_package.rag:Pipeline"}
```

A key can be set in four places. Each wins over the ones after it:

1. `--set run.k=10` on the command line; may be repeated, the last one wins.
2. An environment variable, `RAGPROOF_RUN__K=10`: the prefix, the section, two underscores, the key.
3. A variant, `--variant NAME`: the file `variants/NAME.yaml` beside the configuration. It holds a `pipeline:`
   section alone, laid over the configuration's own; its `name` is the variant's unless it says another.
4. The file itself.

Sections are merged key by key. Anything else is replaced, and an adapter of another `type` replaces the whole
adapter. Unknown keys and variables are refused with the nearest name, and all faults are told at once.

A value from the command line or the environment is text, and becomes a number where one is expected; a list
is written `[a, b]`, and `null` stands for no value. An adapter's options are read as YAML. Secrets never
stand in a file: an adapter refers to them as `env:NAME`.
"""


def schema_text() -> str:
    """Return the content of `config/schema.json`."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def page_text() -> str:
    """Return the content of `docs/configuration.md`."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield _OPENING
    yield "## At the top"
    yield from _table([key for key in keys().values() if len(key.path) == 1])
    for section, meaning in sections().items():
        yield f"## `{section}`\n\n{meaning}"
        yield from _table([key for key in keys().values() if len(key.path) > 1 and key.path[0] == section])
        for name, inner in entries().items():
            if name.partition(".")[0] == section:
                yield f"### Each of `{name}`"
                yield from _table(inner)
    for name, options in adapters().items():
        yield f"## `pipeline.adapter` of type `{name}`"
        yield from _table(options)
    yield "## Environment variables that are no keys\n\n| variable | meaning |\n|---|---|"
    yield from (f"| `{name}` | {meaning} |" for name, meaning in ELSEWHERE.items())
    yield ""


def _table(rows: Iterable[Key]) -> Iterator[str]:
    yield "\n| key | value | default | meaning |\n|---|---|---|---|"
    for key in rows:
        default = f"`{key.default}`" if key.default else "required"
        yield f"| `{key.name}` | {_cell(key.expected)} | {default} | {_cell(key.meaning)} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def write(root: Path) -> None:
    """Write both files below a project's root."""
    for file, text in ((SCHEMA_FILE, schema_text()), (PAGE_FILE, page_text())):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path.cwd())
