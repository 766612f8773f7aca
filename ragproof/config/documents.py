"""Reading YAML with the place of every key, and without its surprises.

Convention: YAML 1.1 as PyYAML's safe loader has it, except that dates stay text, and that what YAML reads as
something else than it looks (`010`, `1:30`, a key `on`) is a fault with a cure. False friend: plain
`yaml.safe_load` keeps the last of two equal keys and forgets lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ragproof.config.layers import KeyPath, Layer, Written
from ragproof.datasets.wording import shown
from ragproof.errors import Fault, nearest

_LARGEST_FILE_BYTES = 256_000
_DEEPEST = 40
_MOST_VALUES = 20_000
_TAG = "tag:yaml.org,2002:"
_TEXT = ("str", "timestamp", "value")
_KINDS = dict.fromkeys(_TEXT, "text") | {
    "null": "null",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
}


def read_file(path: Path, name: str) -> tuple[Layer | None, list[Fault]]:
    """Read a YAML file whose top is a section.

    Args:
        path: the file.
        name: what the places of its faults begin with.

    Returns:
        What it holds, None when nothing of it can be used; and every fault.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        hint = nearest(path.name, (file.name for file in path.parent.glob("*.yaml")))
        return None, [Fault(f"'{path}' cannot be read: {reason}{hint}")]
    if len(content) > _LARGEST_FILE_BYTES:
        size = f"{len(content) / 1000:,.0f} kB"
        return None, [Fault(f"{size} is too large for a configuration; is this a dataset?", name)]
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        return None, [Fault(message, f"{name}:{line}")]
    return read_text(text, name)


def read_text(text: str, name: str) -> tuple[Layer | None, list[Fault]]:
    """Read YAML text whose top is a section; `name` is what places begin with."""
    reading = _Reading(name)
    value, composed = reading.whole(text)
    if not composed:
        return None, reading.faults
    if value is None:
        reading.faults.append(
            Fault("the file is empty; expected at least project, dataset and pipeline", name)
        )
    elif not isinstance(value, dict):
        reading.faults.append(Fault(f"{shown(value)} is not a configuration; expected sections", name))
    else:
        return Layer(value, reading.written), reading.faults
    return None, reading.faults


def read_value(text: str, place: str, *, typed: bool) -> tuple[object, list[Fault]]:
    """Read a value from a command line or an environment variable.

    Args:
        text: a list, a section or a quoted text in YAML; `null` or `~`; anything else is one scalar.
        place: where it was given.
        typed: whether a scalar is what YAML makes of it; else it is text as it stands, and becomes a number
            where a number is expected.

    Returns:
        The value and its faults, all of them at `place`.
    """
    if text.strip() in ("null", "~"):
        return None, []
    reading = _Reading(place)
    if text.strip()[:1] in ("[", "{", '"', "'"):
        value, _ = reading.whole(text)
    else:
        value = reading.scalar(text) if typed else text
    return value, [Fault(fault.message, place) for fault in reading.faults]


class _Unusable(Exception):
    """The document cannot be walked to its end."""


class _Reading:
    """One document on its way from text to plain values."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[Fault] = []
        self.written: dict[KeyPath, Written] = {}
        self._left = _MOST_VALUES
        self._loader = yaml.SafeLoader("")

    def whole(self, text: str) -> tuple[object, bool]:
        """Return the value of the document, and whether there is one to speak of."""
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
            return (None if node is None else self._value(node, (), self.name)), True
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            problem = error.problem or error.context or "unreadable"
            self._fault(f"not valid YAML: {problem}", mark)
        except yaml.reader.ReaderError as error:
            before = text[: error.position]
            place = f"{self.name}:{before.count(chr(10)) + 1}"
            self.faults.append(Fault(f"character {error.character:#04x} is not allowed in YAML", place))
        except (ValueError, OverflowError):  # PyYAML hands some numbers to Python without a look at them
            self.faults.append(Fault("not valid YAML: an escape or a version is out of range", self.name))
        except (_Unusable, RecursionError):
            self.faults.append(Fault("too large or too deeply nested for a configuration", self.name))
        return None, False

    def scalar(self, text: str) -> object:
        """Return what YAML makes of a text that is one plain scalar, whatever characters it has."""
        tag = self._loader.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
        return self._scalar(yaml.ScalarNode(tag, text), self.name)

    def _fault(self, message: str, mark: yaml.Mark | None) -> None:
        self.faults.append(Fault(message, self._place(mark) if mark else self.name))

    def _place(self, mark: yaml.Mark) -> str:
        return f"{self.name}:{mark.line + 1}:{mark.column + 1}"

    def _value(self, node: yaml.Node, path: KeyPath, place: str) -> object:
        self._left -= 1
        if self._left < 0 or len(path) > _DEEPEST:
            raise _Unusable
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self._section(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return [
                self._kept(entry, (*path, index), self._place(entry.start_mark))
                for index, entry in enumerate(node.value)
            ]
        return self._scalar(node, place)

    def _kept(self, node: yaml.Node, path: KeyPath, place: str) -> object:
        self.written[path] = Written(place, node.value if isinstance(node, yaml.ScalarNode) else None)
        return self._value(node, path, place)

    def _section(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        section: dict[str, Any] = {}
        first_lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key is None:
                continue
            line = key_node.start_mark.line + 1
            if first_lines.setdefault(key, line) != line or key in section:
                message = f"{shown(key)} is already given on line {first_lines[key]}; expected it once"
                self._fault(message, key_node.start_mark)
            else:
                section[key] = self._kept(value_node, (*path, key), self._place(key_node.start_mark))
        return section

    def _key(self, node: yaml.Node) -> str | None:
        if not isinstance(node, yaml.ScalarNode):
            self._fault("a list or section cannot be a key; expected text", node.start_mark)
        elif node.tag == f"{_TAG}merge":
            self._fault("'<<' is not read; write the merged keys out", node.start_mark)
        else:
            key = self._scalar(node, self._place(node.start_mark))
            if isinstance(key, str):
                return key
            read_as = f"the key {node.value} is read by YAML as {shown(key)}"
            self._fault(f"{read_as}; write '{node.value}' in quotes", node.start_mark)
        return None

    def _scalar(self, node: yaml.Node, place: str) -> object:
        kind = node.tag.removeprefix(_TAG)
        if not isinstance(node, yaml.ScalarNode) or kind not in _KINDS:
            self.faults.append(Fault(f"the tag {shown(node.tag)} is not read; expected plain YAML", place))
            return None
        if kind in _TEXT:
            if any("\ud800" <= character <= "\udfff" for character in node.value):
                self.faults.append(
                    Fault("half of a surrogate pair is not text; expected whole characters", place)
                )
            return str(node.value)
        try:
            value = self._loader.construct_object(node)
            surprise = kind == "int" and str(value) != node.value.lstrip("+")
        except (yaml.YAMLError, ValueError, KeyError):
            self.faults.append(Fault(f"{shown(node.value)} cannot be read as {_KINDS[kind]}", place))
            return None
        if surprise or (kind == "float" and ":" in node.value):
            message = f"{node.value} is read by YAML as {value}; write {value}, or '{node.value}' in quotes"
            self.faults.append(Fault(message, place))
        return value
