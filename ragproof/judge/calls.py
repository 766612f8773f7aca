"""A question to the judge, and the two ways it ends: a verdict, or a failure. Both are values."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, JsonValue

from ragproof.cases import canonical_hash
from ragproof.errors import RagproofError
from ragproof.frozen import Frozen
from ragproof.judge.config import JudgeConfig
from ragproof.judge.kinds import schema_hash
from ragproof.judge.ladder import Structure
from ragproof.judge.metering import Basis, Tokens
from ragproof.judge.rendered import Rendered


class JudgingEnds(RagproofError):
    """No question is answered any more in this run, whatever it is; what was judged so far stays."""


class JudgeRefused(JudgingEnds):
    """The server does not let us in (401, 403). Every call would end so: the run ends as `failed:judge`."""


class BudgetExhausted(JudgingEnds):
    """The next call might cost more than is left: no new call starts, those under way are kept."""


class Overbilled(JudgingEnds):
    """The provider billed more than the most a request can use: no cap can be kept with it."""


class JudgeCall(Frozen):
    """One question about one case."""

    case_id: str
    prompt: Rendered
    partial: bool = False
    """Whether ids may still lack a verdict after the repair; for citation support alone."""
    repeat: int = Field(default=0, ge=0)
    """Repeat index, 0 for the first."""

    def identity(self, config: JudgeConfig) -> str:
        """Return the key under which a verdict is kept: all that could change it, and nothing else.

        Two calls of different cases that ask the same are the same call. What a server turned out not to
        take, prices, patience and concurrency are no part of it.
        """
        return canonical_hash(
            {
                "provider": config.provider,
                "base_url": config.home,
                "model": config.model,
                "parameters": {"temperature": config.temperature, "max_tokens": config.max_tokens},
                "template": self.prompt.prompt_hash,
                "schema": schema_hash(self.prompt.kind, self.prompt.words),
                "input": self.prompt.content_hash(),
                "partial": self.partial,
                "repeat": self.repeat,
            }
        )


class Transcript(Frozen):
    """How a call went; kept beside the score."""

    prompt: str
    prompt_hash: str
    model: str
    """As asked for."""
    model_served: str | None = None
    """As the server says; None when it does not, or never replied."""
    base_url: str
    structure: Structure | None = None
    """How the last reply was asked for; None when nothing was sent."""
    temperature: float | None = None
    """None when the model refuses the parameter and its own default applied."""
    replies: tuple[str, ...] = ()
    """Every reply as it came, redacted, "" for one without text; the last is the one that counts."""
    faults: tuple[str, ...] = ()
    """What was wrong with replies and requests before the last; foreign text."""
    attempts: int = 0
    """Requests sent, each of which may have been billed."""
    tokens: Tokens = Tokens()
    """Over all attempts."""
    bases: tuple[Basis, ...] = ()
    """Where the numbers of tokens come from."""
    neutralised: int = 0
    suspected_injection: bool = False

    def told(self) -> dict[str, JsonValue]:
        """Return what a reader of a score wants to know of the call, as details of the score.

        Returns:
            `judge_raw_json`, the reply that counts, word for word; null when there was none. What is unusual
            about the call is there only when it is.
        """
        unusual: dict[str, JsonValue] = {
            "earlier_replies": list(self.replies[:-1]),
            "faults": list(self.faults),
            "neutralised": self.neutralised,
            "suspected_injection": self.suspected_injection,
        }
        return {
            "judge_raw_json": self.replies[-1] if self.replies else None,
            "judge_prompt": self.prompt,
            "judge_model_served": self.model_served,
            **{name: value for name, value in unusual.items() if value},
        }


class Verdict(Frozen):
    """The judge replied, and the reply was proven."""

    case_id: str
    value: JsonValue
    """By kind: `{id: bool}`, `[claim]`, `[[claim, supported, [context id]]]`, or 0, 1, 2."""
    quotes: tuple[str, ...] = ()
    """The evidence given for each entry of the value; not checked against the contexts."""
    invented: int = 0
    """Ids that were never asked about."""
    missing: tuple[str, ...] = ()
    """Ids that were asked about and have no verdict; only of a partial call."""
    transcript: Transcript


class JudgeFailureKind(StrEnum):
    """Why a call has no verdict."""

    INVALID_REPLY = "invalid reply"
    TRUNCATED = "truncated"
    CONTENT_FILTER = "content filter"
    EMPTY = "empty response"
    BAD_REQUEST = "request refused"
    RATE_LIMIT = "rate limit"
    TRANSPORT = "transport"


class JudgeFailure(Frozen):
    """The judge gave no usable verdict: a `judge_error` of this case."""

    case_id: str
    kind: JudgeFailureKind
    message: str
    """One line, redacted; it may quote the server."""
    transcript: Transcript

    @property
    def reason(self) -> str:
        """The kind and the message in one line, as scores and reports print it."""
        return f"{self.kind.value}: {self.message}"
