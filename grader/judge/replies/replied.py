"""What a judge's reply comes to: verdicts, or the one reason why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Word = Literal["met", "not_met", "partial", "cannot_assess"]

Code = Literal["truncated", "unparseable", "missing_points", "out_of_range", "refusal", "empty"]


@dataclass(frozen=True, slots=True)
class ReplyVerdict:
    """What the judge said of one point."""

    verdict: Word
    points: float | None
    """In marks; None where the judge can't assess the point."""
    evidence: str = ""
    """Its quote of the answer, not yet looked for there."""
    rationale: str = ""
    confidence: float | None = None
    """In [0, 1]; None where the judge gave none."""


class ReplyError(Exception):
    """A reply that no verdict may be taken from."""

    def __init__(
        self,
        code: Code,
        detail: str,
        missing: Sequence[str] = (),
        point: str | None = None,
        retry: bool = False,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        """For the judge, who is asked to mend its reply, and for people."""
        self.missing = tuple(missing)
        """The asked ids that no verdict names (missing_points)."""
        self.point = point
        """The asked id whose value can't be right (out_of_range)."""
        self.retry = retry
        """The same request may well be replied to a little later."""
