"""Many coroutines over a stream of items, in flat memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH = 64
"""Results that are kept together."""


async def spread(
    items: Iterator[Item],
    work: Callable[[Item], Awaitable[Result]],
    keep: Callable[[list[Result]], Awaitable[None]],
    width: int,
) -> None:
    """Work on ``width`` items at a time, drawing them as needed, and keep the results as they come.

    The first exception ends it: what is under way is cancelled, what was done
    is kept.
    """
    done: list[Result] = []

    async def keep_done() -> None:
        batch = done[:]
        done.clear()
        if batch:
            await keep(batch)

    async def worker() -> None:
        for item in items:  # shared by all workers: each takes the next
            done.append(await work(item))
            if len(done) >= BATCH:
                await keep_done()

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(width):
                group.create_task(worker())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    finally:
        await keep_done()
