"""One call for requests that are the same: whoever asks what is being asked already waits for that reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from grader.model.reply import Reply
from grader.model.request import ModelRequest


class Flights:
    """The requests that wait for a reply now, by their keys, so that each is sent once.

    Belongs to one event loop. What was replied to earlier is a journal's business.
    """

    def __init__(self) -> None:
        self._flights: dict[str, asyncio.Future[Reply]] = {}

    async def ask(self, request: ModelRequest, ask: Callable[[ModelRequest], Awaitable[Reply]]) -> Reply:
        """The reply that ``ask`` gives, or that it is giving to somebody else; raises what it raises."""
        while (flight := self._flights.get(request.key)) is not None:
            await asyncio.wait([flight])
            if not flight.cancelled():
                return replace(flight.result(), archived=True)
        flight = self._flights[request.key] = asyncio.get_running_loop().create_future()
        try:
            reply = await ask(request)
            flight.set_result(reply)
        except Exception as error:
            flight.set_exception(error)
            flight.exception()  # nobody need have waited
            raise
        except BaseException:
            flight.cancel()  # the next of those who wait asks
            raise
        finally:
            del self._flights[request.key]
        return reply
