"""Several requests at once, none given up because of another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

from grader.model.reply import NotAsked

T = TypeVar("T")


async def together(work: Iterable[Awaitable[T]]) -> list[T]:
    """All results, in order; errors are raised when everything has ended.

    A reply on its way is paid for, and a batch is to hold every request that
    is needed; so nothing is cancelled. NotAsked is raised only where nothing
    worse was.
    """
    results = await asyncio.gather(*work, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in sorted(errors, key=lambda error: isinstance(error, NotAsked)):
        raise error
    return [result for result in results if not isinstance(result, BaseException)]
