"""What audits ask, on its way into the archive and out of it: plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from grader.record import Reason, Status


@dataclass(frozen=True, slots=True)
class DesignEntry:
    """One audit as a suite lays it out."""

    hash: str
    audit: str
    """A6, A7, ..."""
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """The answer that an audit varies."""

    run_id: int
    response_digest: str
    problem_id: str
    sub_id: str
    answer_hash: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge said of one point."""

    status: Status
    award: float | None = None
    """None: undetermined."""
    reason: Reason | None = None
    confidence: float | None = None

    def as_json(self) -> dict[str, Any]:
        """As the archive keeps it; absent fields are left out."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Said:
        """From what the archive keeps."""
        reason = kept.get("reason")
        return cls(
            Status(kept["status"]),
            kept.get("award"),
            None if reason is None else Reason(reason),
            kept.get("confidence"),
        )


@dataclass(frozen=True, slots=True)
class AskedEntry:
    """One variant of an answer before a judge, and what came of it."""

    design: str
    """The hash of a DesignEntry."""
    card: str
    """``<name>@<hash>``."""
    place: AnswerPlace
    variant: str
    """``base``, ``repeat 1``, ``attack order``, ..."""
    task: str
    """The digest of what was asked about."""
    outcome: Mapping[str, Said]
    """By point, in the order they were asked about."""
    keys: tuple[str, ...]
    """Of the requests, in their order."""
    repeat: int = 0
    calls: Literal["point", "subquestion"] | None = None
    """What one request asked about, where that isn't what the card says."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What is to be known of the variant."""


@dataclass(frozen=True, slots=True)
class StoredAsked(AskedEntry):
    """An entry with its place in the archive."""

    id: int = 0
    created: datetime | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """An answer of a frozen set."""

    place: AnswerPlace
    task: str


@dataclass(frozen=True, slots=True)
class AuditReservation:
    """The most a try for an audit can cost, set aside before it is sent."""

    card: str
    key: str
    """Of the request."""
    started: datetime
    """As the try will say."""
    most: float
    """US dollars."""
