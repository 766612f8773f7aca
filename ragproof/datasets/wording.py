"""How a value someone wrote is shown back to them in a fault."""

from __future__ import annotations

import json


def shown(value: object, longest: int = 60) -> str:
    """Show a value in one short line: text in quotes, numbers as JSON has them, the rest by its nature.

    Args:
        value: anything a JSON or YAML document can hold.
        longest: characters after which text is cut.

    Returns:
        `'ten'`, `0.9`, `true`, `null`, `a list`, `an object`; long text is cut, control characters escaped.
    """
    match value:
        case str():
            return f"'{''.join(_visible(character) for character in _cut(value, longest))}'"
        case None | bool() | int():
            return _cut(json.dumps(value), longest)
        case float():
            return repr(value)
        case list() | tuple():
            return "a list" if value else "an empty list"
        case dict():
            return "an object" if value else "an empty object"
        case _:
            return f"a {type(value).__name__}"


def named(name: str, longest: int = 60) -> str:
    """Show the name of a key or column: bare when it is plain, else as `shown` does."""
    return name if name.isprintable() and len(name) <= longest else shown(name, longest)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + "..."


def _visible(character: str) -> str:
    # Controls and direction marks could rewrite a line of the terminal; lone surrogates cannot be printed.
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def one_of(names: tuple[str, ...]) -> str:
    """Write names as a choice: `'qa', 'unanswerable' or 'injection'`."""
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
