"""The archive as the journal of what audits ask: no run pays for it, a card's limit does."""

from __future__ import annotations

import asyncio
from datetime import datetime

from grader.archive.audit_entry import AuditReservation
from grader.archive.journal import ArchiveJournal
from grader.archive.store import Archive
from grader.model.reply import Attempt, Reply
from grader.model.request import ModelRequest


class AuditJournal:
    """Fulfils ``grader.model.reply.Journal`` for the audits of one card."""

    def __init__(self, archive: Archive, card: str) -> None:
        self._archive = archive
        self._card = card
        self._journal = ArchiveJournal(archive, None, card, "audit")
        self.replies = 0
        """That were kept by this journal, and so paid for."""

    async def known(self, request: ModelRequest) -> Reply | None:
        """The last reply to the same request, whoever asked it, for whatever purpose."""
        return await self._journal.known(request)

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        """Set aside US dollars for a try before it is sent; committed when this returns."""
        entry = AuditReservation(self._card, request.key, started, most)
        await asyncio.to_thread(self._archive.put_audit_reservations, [entry])

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        """Keep an attempt; its commit is done when this returns."""
        await self._journal.keep(request, attempt)
        self.replies += attempt.failure is None
