"""Several questions to the judge at once. All are waited for, also when one of them has no verdict.

False friend: `asyncio.gather`, which leaves the others running when one fails: what they pay for would come
back to a case that has ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def side_by_side(asking: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Return what each comes to, in their order; an empty list for none.

    Raises:
        Exception: what the first of them raised, once all have ended.
    """
    ended = await asyncio.gather(*asking, return_exceptions=True)
    results: list[Result] = []
    for each in ended:
        if isinstance(each, BaseException):
            raise each
        results.append(each)
    return results
