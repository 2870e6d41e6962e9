"""Keeping every try at a request, and what is set aside for it, while many requests are under way.

Tries that end together are committed together, in a thread: a transaction for
each would cost more than the call. Whoever keeps one waits for its commit, so
a process that is killed loses only what nobody was told is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from grader.archive.call_entry import CallEntry, Purpose, Reservation
from grader.archive.entry import Run
from grader.archive.judging import JudgingArchive
from grader.model.reply import Attempt, Reply
from grader.model.request import ModelRequest

Entry = TypeVar("Entry")


class ArchiveJournal:
    """The archive as a journal of what is asked for one run, by one card, for one purpose.

    Fulfils ``grader.model.reply.Journal``. What the database can't do (disk
    full, server gone) reaches everyone who waits for it, as ArgusError.
    """

    def __init__(
        self, archive: JudgingArchive, run: Run | None, card: str | None, purpose: Purpose = "judge"
    ) -> None:
        self._errands = _Errands(archive)
        self._run_id = run.id if run else None
        self._card = card
        self._purpose: Purpose = purpose

    def beside(self, card: str | None, purpose: Purpose) -> ArchiveJournal:
        """A journal for another card or purpose of the run; its tries are committed with this one's."""
        other = ArchiveJournal(self._errands.archive, None, card, purpose)
        other._run_id, other._errands = self._run_id, self._errands
        return other

    async def known(self, request: ModelRequest) -> Reply | None:
        """The last reply to the same request, whoever asked it; None if there is none."""
        attempt = await self._errands.look_up(request.key)
        return Reply(request.key, attempt, archived=True) if attempt else None

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        """Set aside US dollars for a try before it is sent; committed when this returns.

        Without a run there is no limit to set them against, and nothing is kept.
        """
        if self._run_id is not None:
            await self._errands.reserve(Reservation(self._run_id, request.key, started, most))

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        """Keep an attempt; its commit is done when this returns."""
        await self._errands.write(CallEntry(request, attempt, self._run_id, self._card, self._purpose))


@dataclass(slots=True)
class _Batch:
    """What is asked of the archive in one go."""

    entries: list[CallEntry] = field(default_factory=list)
    written: list[asyncio.Future[None]] = field(default_factory=list)
    reservations: list[Reservation] = field(default_factory=list)
    reserved: list[asyncio.Future[None]] = field(default_factory=list)
    sought: dict[str, list[asyncio.Future[Attempt | None]]] = field(default_factory=dict)
    begun: bool = False
    """A thread has it."""

    def __len__(self) -> int:
        return len(self.entries) + len(self.reservations) + len(self.sought)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a batch."""

    refused: Exception | None
    """Why its tries could not be kept."""
    unreserved: Exception | None
    """Why nothing could be set aside."""
    found: Mapping[str, Attempt] | Exception
    """The replies that were sought, or why nobody could look."""


class _Errands:
    """Carries tries to the archive and replies back, everything that waits in one go."""

    def __init__(self, archive: JudgingArchive) -> None:
        self.archive = archive
        self._next = _Batch()
        self._runner: asyncio.Task[None] | None = None

    def write(self, entry: CallEntry) -> asyncio.Future[None]:
        """Done when the entry is committed."""
        future = self._running().create_future()
        self._next.entries.append(entry)
        self._next.written.append(future)
        return future

    def reserve(self, reservation: Reservation) -> asyncio.Future[None]:
        """Done when the reservation is committed."""
        future = self._running().create_future()
        self._next.reservations.append(reservation)
        self._next.reserved.append(future)
        return future

    def look_up(self, key: str) -> asyncio.Future[Attempt | None]:
        """The last reply to a request."""
        future = self._running().create_future()
        self._next.sought.setdefault(key, []).append(future)
        return future

    def _running(self) -> asyncio.AbstractEventLoop:
        """The loop, with a runner on its way: it lives no longer than there is something to carry."""
        loop = asyncio.get_running_loop()
        if self._runner is None or self._runner.done():
            self._runner = loop.create_task(self._run())
        return loop

    async def _run(self) -> None:
        batch = _Batch()
        try:
            while self._next:
                await asyncio.sleep(0)  # whoever is ready now comes along
                batch, self._next = self._next, _Batch()
                _settle(batch, await asyncio.to_thread(self._carry, batch))
        except asyncio.CancelledError:
            # the loop is closing; what was paid for is kept all the same
            for left in (batch, self._next):
                if not left.begun:
                    _settle(left, self._carry(left))
            raise

    def _carry(self, batch: _Batch) -> _Outcome:
        batch.begun = True
        refused = _error_of(self.archive.put_calls, batch.entries)
        unreserved = _error_of(self.archive.put_reservations, batch.reservations)
        found: Mapping[str, Attempt] | Exception = {}
        try:
            found = self.archive.replies(batch.sought) if batch.sought else {}
        except Exception as error:
            found = error
        return _Outcome(refused, unreserved, found)


def _error_of(put: Callable[[list[Entry]], None], entries: list[Entry]) -> Exception | None:
    """Why entries, if there are any, could not be put into the archive."""
    try:
        if entries:
            put(entries)
    except Exception as error:
        return error
    return None


def _settle(batch: _Batch, outcome: _Outcome) -> None:
    """Tell everyone who still waits what became of the errand."""
    for writer in batch.written:
        _tell(writer, outcome.refused)
    for reserver in batch.reserved:
        _tell(reserver, outcome.unreserved)
    for key, seekers in batch.sought.items():
        found = outcome.found
        for seeker in seekers:
            _tell(seeker, found if isinstance(found, Exception) else found.get(key))


def _tell(waiting: asyncio.Future[Any], what: Any) -> None:
    if waiting.done():
        return
    if isinstance(what, Exception):
        waiting.set_exception(what)
    else:
        waiting.set_result(what)
