"""Prompts: Markdown templates without placeholders, so that there is nothing in them that data could fill.

A template has a head in YAML (the kind of reply, the data it takes, where the ids come from, its verdict
words) and two parts: what the system message says, and the rules that are said again after the data. The
sha256 of the file is its version. False friend: `str.format` and template engines, in which a chunk that
holds `{answer}` is replaced by the answer and then grounds it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml
from pydantic import Field, JsonValue, ValidationError

from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.frozen import Frozen
from ragproof.judge.hardening import data_line
from ragproof.judge.kinds import SUPPORT_WORDS, ReplyKind
from ragproof.judge.rendered import Rendered
from ragproof.judge.suspicion import any_addresses_judge

_PARTS = re.compile(
    r"\A---\n(?P<head>.*?)\n---\n(?P<system>.*?)\n## After the data\n(?P<rules>.*)\Z", re.DOTALL
)


class Prompt(Frozen):
    """One question to the judge."""

    name: str
    prompt_hash: str
    """sha256 of the template's text; what was judged with another is not comparable."""
    kind: ReplyKind
    data: tuple[str, ...] = Field(min_length=1)
    """The keys of the data, in the order the judge reads them."""
    ids: tuple[str, ...] | str = ()
    """The ids asked about, or the key of a list whose entries carry them."""
    words: tuple[str, str] = SUPPORT_WORDS
    """The verdict words, the affirmative one first."""
    open_ids: bool = False
    """Leave the ids out of the schema: servers cache a prompt from its beginning, the schema included."""
    tokens_an_id: int | None = Field(default=None, ge=1)
    """How many tokens one verdict takes at most; the limit of a reply follows how many are asked for."""
    system: str
    rules: str

    def render(self, data: Mapping[str, JsonValue]) -> Rendered:
        """Put data into the prompt.

        Args:
            data: exactly the keys the prompt names; all of it is taken for hostile.

        Raises:
            ValueError: keys are missing or unknown, or ids are missing or not unique; a mistake of ours.
        """
        if set(data) != set(self.data):
            raise ValueError(f"prompt '{self.name}' takes {', '.join(self.data)}; got {', '.join(data)}")
        line = data_line({key: data[key] for key in self.data})
        return Rendered(
            prompt=self.name,
            prompt_hash=self.prompt_hash,
            kind=self.kind,
            words=self.words,
            ids=self._ids(data),
            system=self.system,
            data=line.text,
            rules=self.rules,
            neutralised=line.neutralised,
            suspected_injection=any_addresses_judge(dict(data)),
            open_ids=self.open_ids,
            tokens_an_id=self.tokens_an_id,
        )

    def _ids(self, data: Mapping[str, JsonValue]) -> tuple[str, ...]:
        if not isinstance(self.ids, str):
            return self.ids
        entries = data[self.ids]
        named = (
            [entry.get("id") for entry in entries if isinstance(entry, dict)]
            if isinstance(entries, list)
            else []
        )
        ids = tuple(id for id in named if isinstance(id, str))
        if not isinstance(entries, list) or len(set(ids)) != len(entries):
            raise ValueError(
                f"entries of '{self.ids}' in prompt '{self.name}' need an id each, all different"
            )
        return ids


def parse(name: str, template: str) -> Prompt:
    """Read a template.

    Args:
        name: what to call it.
        template: Markdown with a YAML head.

    Raises:
        ConfigurationError: it is none.
    """
    text = template.replace("\r\n", "\n")
    parts = _PARTS.match(text)
    if parts is None:
        raise ConfigurationError(
            [
                Fault(
                    "expected a head between '---' lines, then the system part, then '## After the data'",
                    name,
                )
            ]
        )
    try:
        head = yaml.safe_load(parts["head"])
        return Prompt.model_validate(
            {
                **head,
                "name": name,
                "prompt_hash": hashlib.sha256(text.encode()).hexdigest(),
                "system": parts["system"].strip(),
                "rules": parts["rules"].strip(),
            }
        )
    except ValidationError as error:
        raise ConfigurationError(
            [
                Fault(fault["msg"].lower(), f"{name}: {'.'.join(map(str, fault['loc']))}")
                for fault in error.errors()
            ]
        ) from error
    except (yaml.YAMLError, TypeError) as error:
        raise ConfigurationError([Fault("the head is not a YAML section", name)]) from error


def names() -> Sequence[str]:
    """Return the names of our own prompts."""
    folder = files("ragproof.judge").joinpath("prompts")
    return sorted(file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md"))


@cache
def load(name: str) -> Prompt:
    """Return one of our own prompts.

    Raises:
        ConfigurationError: there is none of this name.
    """
    if name not in names():
        raise ConfigurationError(f"no prompt is named '{name}'{nearest(name, names())}")
    file = files("ragproof.judge").joinpath("prompts", f"{name}.md")
    return parse(name, file.read_text(encoding="utf-8"))
