"""Responses, findings and verdicts: plain frozen values, shared by every layer above."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal

Protocol = Literal["full_problem", "sequential_carry", "oracle_scaffolded", "unstated"]
Mode = Literal["multimodal", "text_only", "text_reader", "unstated"]

PROTOCOLS: tuple[Protocol, ...] = ("full_problem", "sequential_carry", "oracle_scaffolded", "unstated")
MODES: tuple[Mode, ...] = ("multimodal", "text_only", "text_reader", "unstated")


class Status(StrEnum):
    """The status of a point."""

    MET = "met"
    NOT_MET = "not_met"
    PARTIAL = "partial"
    UNDETERMINED = "undetermined"


class Reason(StrEnum):
    """Why a point is undetermined (a closed list), or why it is not met without a candidate."""

    UNJUDGED = "unjudged"
    NO_CANDIDATE = "no_candidate"
    CONFLICTING_CANDIDATES = "conflicting_candidates"
    NOT_COMPARABLE = "not_comparable"
    UNSUPPORTED = "unsupported"
    TIME_LIMIT = "time_limit"
    REPLY_UNREADABLE = "reply_unreadable"
    CALL_FAILED = "call_failed"
    CANNOT_ASSESS = "cannot_assess"
    SPLIT_VOTES = "split_votes"
    MARKS_DISAGREE = "marks_disagree"
    NO_ANSWER = "no_answer"
    """The one reason of a not_met: a completed blank answer."""


def digest(value: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of a value: the address of content."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Response:
    """What a model returned for one turn."""

    model: str
    problem_id: str
    sub_id: str | None
    """None under full_problem: the response answers every subquestion."""
    protocol: Protocol
    mode: Mode
    sample: int
    text: str
    finish_reason: str | None = None
    error: str | None = None
    """The call failed: whatever text there is isn't an answer."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Usage, cost, reader calls, timing, files: archived, never graded."""

    @property
    def key(self) -> tuple[str, str, str | None, str, str, int]:
        """What may occur once in a run."""
        return (self.model, self.problem_id, self.sub_id, self.protocol, self.mode, self.sample)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim quote and where it stands, as code points of the raw text: ``text[start:end]``."""

    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate the formal track saw and did not take."""

    quote: str
    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What the formal track found for one point of one answer."""

    status: Status
    by: str
    """``formal:<kind>@<version>``."""
    detail: str
    """One sentence for people: what was compared with what."""
    reason: Reason | None = None
    found: str | None = None
    """The value taken, normalised for reading."""
    evidence: Evidence | None = None
    confidence: float = 1.0
    flags: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    value: str | None = None
    """The value taken, in full: a number in the unit of the check, or a structure as it is written."""

    @property
    def award(self) -> float | None:
        """The share of the point's marks: 1, 0, or None while undetermined."""
        return {Status.MET: 1.0, Status.NOT_MET: 0.0}.get(self.status)


@dataclass(frozen=True, slots=True)
class Followed(Finding):
    """What was found for a point whose check expects what follows from the answer's own values."""

    expected: tuple[str, ...] = ()
    """What follows: one number, or each structure that may be meant; empty where nothing does."""

    @classmethod
    def of(cls, finding: Finding, expected: tuple[str, ...] = ()) -> Followed:
        """A finding with what follows beside it."""
        return cls(**{one.name: getattr(finding, one.name) for one in fields(finding)}, expected=expected)


@dataclass(frozen=True, slots=True)
class Vote:
    """What one reply of a judge said of a point: verdicts of several votes are traced to each."""

    by: str
    """``<card>@<hash>`` of the judge that was asked: of a panel, its member."""
    vote: int
    """0, 1, ... for the same judge asked again."""
    request: str
    """The key of the request whose reply it was read from."""
    status: Status
    award: float | None = None
    confidence: float | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """An award for one point of one response, by a judge or a human."""

    point_id: str
    status: Status
    by: str
    """``judge:<card>@<hash>`` or ``human:<name>``."""
    award: float | None = None
    """In [0, 1]; None while undetermined."""
    award_follow: float | None = None
    """What a marker awards who accepts a value derived rightly from the answer's own earlier error."""
    reason: Reason | None = None
    rationale: str = ""
    found: str | None = None
    evidence: Evidence | None = None
    confidence: float | None = None
    flags: tuple[str, ...] = ()
    provisional: bool = False
    adjudicated: bool = False
    votes: tuple[Vote, ...] = ()
    """A judge's: the replies it was added up from."""
