"""An asker that only remembers: for dry runs, and for gathering the requests of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grader.model.reply import Journal, NotAsked, Reply
from grader.model.request import ModelRequest


@dataclass(frozen=True, slots=True)
class Archived:
    """Answers from the journal alone."""

    journal: Journal
    why: Literal["dry_run", "batch"] = "dry_run"
    """Why nothing is sent."""

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply of an earlier attempt; raises NotAsked where there is none."""
        if (reply := await self.journal.known(request)) is not None:
            return reply
        raise NotAsked(request, self.why)
