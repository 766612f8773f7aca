"""The stance every noun takes: immutable, closed to unknown keys, compared by value."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A noun: a change makes a new object, and a misspelt field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Described(Frozen):
    """A noun whose fields people fill in: the text below each field is the description they are shown.

    Not for every noun: pydantic reads the source file of each such class when it is imported.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)
