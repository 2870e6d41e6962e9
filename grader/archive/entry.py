"""What goes into the archive and what comes out of it: plain frozen values, no database in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from grader.record import Finding, Followed, Response, Status, Verdict, digest


@dataclass(frozen=True)
class Engine:
    """What decided a finding: a check's implementation and the libraries it stood on."""

    by: str
    """``formal:<kind>@<version>``."""
    versions: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """Short and readable, and another one as soon as a version differs."""
        return f"{self.by}#{digest(dict(self.versions))[:12]}"

    @property
    def located(self) -> bool:
        """It decides on a passage that a judge quoted."""
        return "locator" in self.versions

    @property
    def fact(self) -> bool:
        """It decides on values that a rubric's text quotes: a fact for the judge, and never what stands."""
        return "fact" in self.versions


@dataclass(frozen=True, slots=True)
class NodeEntry:
    """A scoring node (point, group, deduction or veto) in its place in a problem."""

    sub_id: str
    point_id: str
    point_hash: str
    """Whatever decides how the node is judged is in it; two nodes may share it."""
    shape: str
    node: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ImageEntry:
    """An image of a problem, its bytes as they are in the set."""

    digest: str
    media_type: str
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class ProblemEntry:
    """A problem as it was when it was graded; ``nodes`` in rubric order, ``images`` from file to digest."""

    hash: str
    problem_id: str
    visible_hash: str
    rubric_hash: str | None
    content: Mapping[str, Any]
    nodes: Sequence[NodeEntry]
    images: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetEntry:
    """A problem set."""

    name: str
    visible_hash: str
    rubric_hash: str | None
    problems: Sequence[ProblemEntry]

    @property
    def digest(self) -> str:
        """The address of the set: its problems, whatever the folder is called."""
        return digest(sorted(problem.hash for problem in self.problems))


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Where a response answers a subquestion: ``text[start:end]``, in code points."""

    sub_id: str
    start: int
    end: int
    answer_hash: str
    cut: bool
    """False where the response could not be segmented and all of it stands for the answer."""


@dataclass(frozen=True, slots=True)
class Received:
    """A response at its line of a run, with its answers."""

    line: int
    response: Response
    answers: Sequence[AnswerSpan]


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """A finding on its way into the archive. Its evidence is counted from the answer's start."""

    point_hash: str
    answer_hash: str
    engine: str
    """The key of an Engine that the grading named when it began."""
    finding: Finding


@dataclass(frozen=True, slots=True)
class FollowedEntry:
    """What was found to follow, on its way into the archive."""

    point_hash: str
    answer_hash: str
    engine: str
    """The key of an Engine that the grading named when it began."""
    basis: str
    """By ``basis_of``."""
    sources: Mapping[str, str]
    """The values it follows from, by their names in the point's ``follow``."""
    finding: Followed


@dataclass(frozen=True, slots=True)
class VerdictEntry:
    """A verdict on its way into the archive. Its evidence is counted from the response's start."""

    response_digest: str
    problem_id: str
    sub_id: str
    point_hash: str
    answer_hash: str
    verdict: Verdict
    source: str | None = None
    """Where it came from: a marks file and line, a call."""


@dataclass(frozen=True, slots=True)
class RouteEntry:
    """Why a point of an answer is doubtful under a grading, and what it stood at then."""

    response_digest: str
    sub_id: str
    point_id: str
    reasons: tuple[str, ...]
    """Empty: it is no longer doubtful."""
    status: Status | None = None
    award: float | None = None


@dataclass(frozen=True, slots=True)
class SpotCheckEntry:
    """A point of an answer that was drawn for people to check, or no longer is."""

    response_digest: str
    sub_id: str
    point_id: str
    point_hash: str
    answer_hash: str
    stratum: str | None
    """None: it was not drawn, or no longer is because it went to another stratum."""
    probability: float | None = None
    """With which an item of the stratum is drawn."""
    seed: int | None = None
    by: str | None = None
    """Whose finding or verdict stood."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run file that was graded."""

    id: int
    digest: str
    name: str
    header: Mapping[str, Any]
    created: datetime


@dataclass(frozen=True, slots=True)
class Grading:
    """Under what a run was graded: rubrics, engines, judge card."""

    id: int
    run_id: int
    set_digest: str
    engines: frozenset[str]
    card: str | None


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """A response of a run without its text."""

    line: int
    digest: str
    model: str
    problem_id: str
    sub_id: str | None
    protocol: str
    mode: str
    sample: int
    error: str | None
    finish_reason: str | None


@dataclass(frozen=True, slots=True)
class FollowSource:
    """A value of the answer's own from which a point may follow, and where it was found."""

    name: str
    """Its name in the point's ``follow``."""
    sub_id: str
    point_id: str
    value: str
    finding: StoredFinding


@dataclass(frozen=True, slots=True)
class StoredFollowed:
    """What was found to follow, with its place in the archive."""

    id: int
    engine: Engine
    basis: str
    finding: Followed
    sources: tuple[FollowSource, ...] = ()
    """Where its values were found in the answer at hand."""


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """A finding with its place in the archive."""

    id: int
    point_hash: str
    answer_hash: str
    engine: Engine
    finding: Finding
    followed: StoredFollowed | None = None
    """What came of looking at it again with the answer's own earlier values."""

    @property
    def award_follow(self) -> float | None:
        """The award with follow-through: all of it where the value follows, else as without."""
        follows = self.followed is not None and self.followed.finding.status is Status.MET
        return 1.0 if follows else self.finding.award


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict with its place in the archive; a later one has a greater id."""

    id: int
    response_digest: str
    sub_id: str
    point_hash: str
    answer_hash: str
    verdict: Verdict
    source: str | None
    created: datetime


def basis_of(sources: Sequence[FollowSource], strict: StoredFinding) -> str:
    """The address of all that follow-through rests on besides point, answer and engine."""
    at = strict.finding.evidence
    taken = None if at is None else [at.start, at.end]
    return digest([[[one.name, one.value] for one in sources], strict.engine.key, taken])


def response_digest(response: Response) -> str:
    """The address of a response: its conditions and what came back.

    ``meta`` (usage, timing) is left out, so that a run written again with
    other costs keeps the marks given to its answers.
    """
    return digest([*response.key, response.text, response.finish_reason, response.error])
