"""The report card of a judge: every audit that was done of it, and what could not be tested."""

from __future__ import annotations

from dataclasses import dataclass

from grader.audit.card.asked import Asked
from grader.audit.card.ground import Ground
from grader.audit.card.scores import Scores
from grader.audit.result import AUDITS, Audit, NotAudited

Result = Audit | NotAudited


@dataclass(frozen=True, slots=True)
class ReportCard:
    """All that is known of one judge."""

    judge: str
    """``<card>@<hash>``, or ``formal``."""
    archive: str
    provisional: bool
    """Only a demonstration: its verdicts count nowhere."""
    asked: tuple[Asked, ...]
    """How it was asked; none of ``formal``."""
    ground: Ground
    results: tuple[Result, ...]
    """What came of every audit that was attempted, in the order of ``AUDITS``; several may be of one id."""
    scores: Scores | None
    """Corrected scores and gaps."""
    notes: tuple[str, ...]
    """What was found while marks were read."""
    level: float
    seed: int
    suite: str | None = None
    """The suite whose calls were read."""

    @property
    def done(self) -> tuple[Audit, ...]:
        """The audits that have numbers."""
        return tuple(one for one in self.results if isinstance(one, Audit))

    @property
    def refused(self) -> tuple[NotAudited, ...]:
        """The audits that could not be done."""
        return tuple(one for one in self.results if isinstance(one, NotAudited))

    @property
    def never(self) -> tuple[str, ...]:
        """Ids of the audits that nobody attempted."""
        attempted = {one.id for one in self.results}
        return tuple(one for one in AUDITS if one not in attempted)

    def of(self, audit: str) -> Audit | None:
        """An audit that was done."""
        return next((one for one in self.done if one.id == audit), None)
