"""How long one call is tried: what another attempt can mend, how long to wait for it, and when to give up.

Two kinds of trouble have two budgets. A broken connection, 502, 503 and 504 use up `retries`. A server that
asks to wait (429, or 503 with Retry-After) is waited for, however often it asks, until it has let nothing
through, of this call or any other, for as long as the longest wait that it may ask for. So no case is lost to
a server that is overloaded for less than that, whatever it asks for.
"""

from __future__ import annotations

from dataclasses import dataclass

from tenacity import RetryCallState, wait_exponential, wait_random

from ragproof.adapters.wire.concurrency import AdaptiveLimit
from ragproof.outputs import FailureKind

_BACKOFF = wait_exponential(multiplier=0.2, max=10) + wait_random(0, 0.1)
_MOST_REFUSALS = 50
"""Of one call while others come through: then it is the call that is refused, and not the crowd."""


@dataclass(frozen=True)
class Policy:
    """How patient one call is."""

    timeout_seconds: float | None
    """For one attempt."""
    retries: int
    retry_after_cap_seconds: float
    """How long a server may ask to wait, and may let nothing through."""
    max_response_bytes: int


class Again(Exception):
    """An attempt failed in a way that another may not."""

    def __init__(self, kind: FailureKind, what: str, detail: str) -> None:
        """Say how it failed, in the server's words or by its cause, in case it was the last attempt."""
        super().__init__(what, detail)
        self.kind = kind
        self.what = what
        self.detail = detail


class Overloaded(Again):
    """Fewer calls at once would help."""


class AskedToWait(Overloaded):
    """The server is there, and wants to be asked later."""

    def __init__(self, kind: FailureKind, what: str, detail: str, wait_seconds: float | None) -> None:
        """Say how long it asks to wait; None and 0 leave that to us."""
        super().__init__(kind, what, detail)
        self.wait_seconds = wait_seconds or None


class Patience:
    """The budgets of one call."""

    def __init__(self, policy: Policy, limit: AdaptiveLimit) -> None:
        self._policy = policy
        self._limit = limit
        self._failures = 0
        self._refusals = 0
        self._waited_seconds = 0.0

    def wait(self, state: RetryCallState) -> float:
        """Return the seconds until the next attempt."""
        failed = failure(state)
        asked = failed.wait_seconds if isinstance(failed, AskedToWait) else None
        return _BACKOFF(state) if asked is None else asked

    def is_over(self, state: RetryCallState) -> bool:
        """Say whether there is no next attempt."""
        if not isinstance(failure(state), AskedToWait):
            self._failures += 1
            return self._failures > self._policy.retries
        cap = self._policy.retry_after_cap_seconds
        self._refusals += 1
        self._waited_seconds += state.upcoming_sleep
        if self._refusals > _MOST_REFUSALS and self._waited_seconds > cap:
            return True
        return self._limit.refused_seconds() >= cap


def failure(state: RetryCallState) -> BaseException | None:
    """Return what ended the last attempt."""
    return state.outcome.exception() if state.outcome else None
