"""What every section of a configuration file is: named keys, and no number that is written as a switch."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from ragproof.frozen import Described

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^\S(.*\S)?$")]


class Section(Described):
    """Keys that belong together."""

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: object, info: ValidationInfo) -> object:
        """Refuse true and false where no key expects them: for Python they are the numbers 1 and 0."""
        if isinstance(value, bool) and cls.model_fields[info.field_name or ""].annotation is not bool:
            raise PydanticCustomError("not_a_switch", "expected another type")
        return value
