"""What each attempt may cost and did cost, told to whoever keeps the ledger and the budget.

An attempt is one HTTP request: the first, one after a broken connection, one in a form the server takes, one
with more room, one that repairs. Each is reserved at its worst case before it is sent and settled after it;
one that is reserved and never settled may have been billed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from pydantic import Field

from ragproof.frozen import Frozen


class Tokens(Frozen):
    """Tokens sent and received."""

    input: int = Field(default=0, ge=0)
    output: int = Field(default=0, ge=0)

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(input=self.input + other.input, output=self.output + other.output)


class Stage(StrEnum):
    """Why an attempt is made."""

    FIRST = "first"
    TRANSPORT = "transport"
    """After a failure on the way; the same request."""
    DOWNGRADE = "downgrade"
    """The server refused the form of the request."""
    TOKENS = "tokens"
    """The reply was cut off."""
    REPAIR = "repair"
    """The reply could not be read."""


class Attempt(Frozen):
    """One request about to be sent."""

    case_id: str
    call: str
    """Identity of the question to the judge, which all its attempts share: the key of a cached verdict."""
    request: str
    """sha256 of the request's address and body; equal for two attempts that ask the same in the same form."""
    number: int = Field(ge=1)
    """Counted within one `ask`."""
    stage: Stage
    worst_case: Tokens
    """One token for every byte of the request, and its whole token limit."""


class Basis(StrEnum):
    """Where a number of tokens comes from."""

    REPORTED = "reported by the provider"
    ESTIMATED = "estimated at 4 characters a token"
    WORST_CASE = "worst case, for it may have been billed"
    NOT_BILLED = "not billed"


class Spent(Frozen):
    """What an attempt used."""

    tokens: Tokens
    basis: Basis


class Answer(Frozen):
    """What a server replied, in terms of neither API; redacted, and all that is needed to read it again."""

    text: str | None = None
    """None when the reply has no text part."""
    finish_reason: str | None = None
    model: str | None = None
    """The model as served."""
    refusal: str | None = None
    """What the model said instead, when it declined through the API."""
    usage: Tokens | None = None


class Meter(Protocol):
    """The ledger and the budget, as the judge sees them. What it raises ends the run, and is passed on."""

    async def kept(self, attempt: Attempt) -> Answer | None:
        """Return the reply to the same request of the same call, if one was committed before a crash.

        Asked before a concurrency slot is taken. A call that has ended without a verdict has none: what
        failed is never served again.
        """
        ...

    async def reserve(self, attempt: Attempt) -> str:
        """Set the worst case aside and commit that the attempt is about to leave; wait for room if need be.

        Returns:
            What `settle` is told the reservation by.
        """
        ...

    async def settle(self, reservation: str, spent: Spent, answer: Answer | None) -> None:
        """Commit what the attempt used and the reply; None is no reply that could be read."""
        ...
