"""Human marks from a file: JSONL, or CSV with the same columns, read as verdicts.

A mark names the point it is for and, where a run holds more than one answer to
it, the response (``model``, ``protocol``, ``mode``, ``sample``). It says the
award in one of three ways: ``points`` (marks, negative for a deduction),
``award`` (the share of the point's marks) or ``status``.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grader.errors import Fault, MarkError, shown
from grader.problem.model import Deduction, Group, Note, Point, Problem, ScoringNode, Veto, walk
from grader.problem.nodes import nodes
from grader.record import Evidence, Mode, Protocol, Reason, Response, Status, Verdict, digest
from grader.score import largest_loss, scope_worth

SUFFIXES = {".jsonl", ".csv"}


class MarkLine(BaseModel):
    """One mark as its file writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    point_id: str = Field(min_length=1)
    """A point, group, deduction or veto."""
    by: str = Field(min_length=1)
    """The marker's name."""
    problem_id: str | None = None
    sub_id: str | None = None
    model: str | None = None
    protocol: Protocol | None = None
    mode: Mode | None = None
    sample: int | None = Field(default=None, ge=0)
    points: float | None = Field(default=None, allow_inf_nan=False)
    award: float | None = Field(default=None, ge=0, le=1)
    status: Literal["met", "not_met", "undetermined"] | None = None
    """undetermined: the marker can't assess the answer."""
    points_follow: float | None = Field(default=None, allow_inf_nan=False)
    """Marks with follow-through from the answer's own earlier error."""
    evidence: str = ""
    """A verbatim piece of the answer."""
    reason: str = ""
    adjudicated: bool = False
    """Settles a difference between other marks."""

    @model_validator(mode="after")
    def _one_award(self) -> MarkLine:
        if sum(value is not None for value in (self.points, self.award, self.status)) != 1:
            raise ValueError("give exactly one of 'points', 'award' and 'status'")
        return self


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that fits its problem set."""

    where: str
    """File and line."""
    line: MarkLine
    problem_id: str
    sub_id: str
    award: float | None
    award_follow: float | None

    def fits(self, response: Response) -> bool:
        """Whether the mark is for that response."""
        wanted = self.line
        return (
            response.problem_id == self.problem_id
            and response.sub_id in (None, self.sub_id)
            and wanted.model in (None, response.model)
            and wanted.protocol in (None, response.protocol)
            and wanted.mode in (None, response.mode)
            and wanted.sample in (None, response.sample)
        )

    def verdict(self, text: str, start: int, end: int) -> Verdict:
        """The mark as a verdict on the answer ``text[start:end]`` of a response with that raw text."""
        quote = self.line.evidence
        start = text.find(quote, start, end) if quote else -1
        return Verdict(
            point_id=self.line.point_id,
            status=status_of(self.award),
            by=f"human:{self.line.by}",
            award=self.award,
            award_follow=self.award_follow,
            reason=Reason.CANNOT_ASSESS if self.award is None else None,
            rationale=self.line.reason,
            evidence=Evidence(quote, start, start + len(quote)) if start >= 0 else None,
            confidence=None if self.award is None else 1.0,
            flags=("evidence_not_found",) if quote and start < 0 else (),
            adjudicated=self.line.adjudicated,
        )


@dataclass(slots=True)
class Marks:
    """The marks of some files, by the problem they are for."""

    digest: str = digest([])
    by_problem: dict[str, list[Mark]] = field(default_factory=dict)
    matched: dict[str, list[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(len(marks) for marks in self.by_problem.values())

    def of(self, response: Response) -> list[Mark]:
        """The marks for one response."""
        return [mark for mark in self.by_problem.get(response.problem_id, ()) if mark.fits(response)]

    def match(
        self, responses: Iterable[tuple[str, Response]], whole: str = "run", *, others: bool = False
    ) -> None:
        """Check that each mark is for one response, and a marker's only one for its point; else MarkError.

        Responses come with what to call them, as parts of a ``whole``. ``others``:
        marks may be for responses that aren't there.
        """
        found: dict[str, list[str]] = {}
        twice: list[Fault] = []
        for name, response in responses:
            given: dict[tuple[str, str, str], Mark] = {}
            for mark in self.of(response):
                found.setdefault(mark.where, []).append(name)
                first = given.setdefault((mark.line.by, mark.sub_id, mark.line.point_id), mark)
                if first is not mark:
                    twice.append(_again(mark, first))
        marks = [mark for own in self.by_problem.values() for mark in own]
        if others:
            marks = [mark for mark in marks if mark.where in found]
        faults = [fault for mark in marks for fault in _unmatched(mark, found.get(mark.where, []), whole)]
        if faults or twice:
            raise MarkError([*faults, *twice])


def _again(mark: Mark, first: Mark) -> Fault:
    file, _, line = mark.where.rpartition(":")
    return Fault(
        "a second mark by one marker for the same point of the same response",
        file,
        int(line),
        expected=f"one; the first is {first.where}",
        do="Keep the one that holds.",
    )


def _unmatched(mark: Mark, found: Sequence[str], whole: str) -> Iterator[Fault]:
    file, _, line = mark.where.rpartition(":")
    if not found:
        yield Fault(
            f"the {whole} has no response that this mark is for",
            file,
            int(line),
            got=shown(
                mark.line.model_dump(
                    include={"model", "sub_id", "protocol", "mode", "sample"}, exclude_none=True
                ),
                200,
            ),
        )
    elif len(found) > 1:
        yield Fault(
            f"the mark fits {len(found)} responses of the {whole}",
            file,
            int(line),
            expected=f"one; it fits {', '.join(found[:5])}",
            do="Add model, protocol, mode or sample to the mark.",
        )


def read_marks(paths: Iterable[Path], problems: Mapping[str, Problem]) -> Marks:
    """Read mark files and fit them to a problem set; MarkError lists every fault of every file."""
    marks = Marks()
    faults: list[Fault] = []
    contents = []
    targets = _targets(problems)
    for path in paths:
        contents.append(hashlib.sha256(_bytes(path)).hexdigest())
        for number, line in _lines(path, faults):
            try:
                mark = _fit(path, number, line, targets)
            except MarkError as error:
                faults.extend(error.faults)
                continue
            marks.by_problem.setdefault(mark.problem_id, []).append(mark)
    if faults:
        raise MarkError(faults)
    marks.digest = digest(sorted(contents))
    return marks


def _bytes(path: Path) -> bytes:
    if path.suffix not in SUFFIXES:
        raise MarkError("unknown kind of marks file", file=str(path), expected=" or ".join(sorted(SUFFIXES)))
    try:
        return path.read_bytes()
    except OSError as error:
        raise MarkError(f"can't read the marks: {error.strerror}", file=str(path)) from None


def _lines(path: Path, faults: list[Fault]) -> Iterator[tuple[int, MarkLine]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise MarkError("the marks are not UTF-8", file=str(path), got=f"byte {error.start + 1}") from None
    rows = _csv_rows(path, text) if path.suffix == ".csv" else _jsonl_rows(text)
    for number, row in rows:
        try:
            yield (
                number,
                MarkLine.model_validate_json(row) if isinstance(row, str) else MarkLine.model_validate(row),
            )
        except ValidationError as error:
            for item in error.errors(include_url=False):
                pointer = "".join(f"/{part}" for part in item["loc"]) or None
                faults.append(Fault(item["msg"], str(path), number, pointer, shown(item["input"])))


def _jsonl_rows(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(text.splitlines(keepends=True), restkey="beyond the headings")
    try:
        for row in reader:
            yield reader.line_num, {name: value for name, value in row.items() if value not in (None, "")}
    except csv.Error as error:
        raise MarkError(
            "the marks are not CSV", file=str(path), line=reader.line_num, got=str(error)
        ) from None


Target = tuple[str, str, float, ScoringNode]
"""Problem, subquestion, the marks that the node gives or acts on, and the node."""


def _targets(problems: Mapping[str, Problem]) -> dict[str, list[Target]]:
    targets: dict[str, list[Target]] = {}
    for problem in problems.values():
        for sub in problem.subquestions:
            rubric = nodes(sub)
            for node in walk(rubric):
                if not isinstance(node, Note):
                    target = (problem.problem_id, sub.sub_id, worth_of(node, rubric, sub.full_mark), node)
                    targets.setdefault(node.id, []).append(target)
    return targets


def worth_of(node: ScoringNode, rubric: tuple[ScoringNode, ...], full_mark: float) -> float:
    """The marks that a node gives or acts on."""
    if isinstance(node, Deduction | Veto):
        return scope_worth(node, rubric, full_mark)
    return node.points if isinstance(node, Point | Group) else full_mark


def _fit(path: Path, number: int, line: MarkLine, targets: Mapping[str, list[Target]]) -> Mark:
    def fault(what: str, pointer: str, **more: str | None) -> MarkError:
        return MarkError(what, file=str(path), line=number, pointer=pointer, **more)

    found = [
        target
        for target in targets.get(line.point_id, [])
        if line.problem_id in (None, target[0]) and line.sub_id in (None, target[1])
    ]
    if not found:
        raise fault(
            "unknown point", "/point_id", got=shown(line.point_id), expected="a point of the problem set"
        )
    if len(found) > 1:
        raise fault("the point's id occurs in several subquestions", "/sub_id", do="Name the subquestion.")
    ((problem_id, sub_id, worth, node),) = found
    scale = Scale(node, worth, fault)
    if line.status is not None:
        award = {"met": 1.0, "not_met": 0.0}.get(line.status)
    elif line.award is not None:
        award = scale.checked(line.award, line.award, "/award")
    else:
        assert line.points is not None
        award = scale.share(line.points, "/points")
    follow = None if line.points_follow is None else scale.share(line.points_follow, "/points_follow")
    return Mark(f"{path}:{number}", line, problem_id, sub_id, award, follow)


@dataclass(frozen=True, slots=True)
class Scale:
    """What a mark for one node may be."""

    node: ScoringNode
    worth: float
    """The marks it gives or acts on, by ``worth_of``."""
    fault: Callable[..., MarkError]
    """Makes the error: what, JSON pointer, and the fields of a Fault."""

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the most marks; a deduction's are below zero, a veto has none."""
        if isinstance(self.node, Deduction):
            return -largest_loss(self.node, self.worth), 0.0
        return 0.0, self.node.points if isinstance(self.node, Point | Group) else 0.0

    @property
    def partial(self) -> bool:
        """Whether the node may be awarded in part."""
        return not isinstance(self.node, Veto | Note) and (
            not isinstance(self.node, Point) or self.node.partial
        )

    def share(self, points: float, pointer: str) -> float:
        """Marks as the share of the most the node can give or take."""
        if isinstance(self.node, Veto):
            raise self.fault("a veto carries no marks", pointer, do="Give 'status' met or not_met.")
        low, high = self.limits
        if not low <= points <= high:
            expected = f"{low:g} to {high:g}"
            raise self.fault("marks outside the point's range", pointer, got=f"{points:g}", expected=expected)
        return self.checked(abs(points) / (high - low), points, pointer)

    def checked(self, share: float, given: float, pointer: str) -> float:
        """The share, if the node may be awarded in part."""
        if isinstance(self.node, Point) and not self.node.partial and share not in (0.0, 1.0):
            expected = f"0 or {self.node.points:g} marks"
            raise self.fault(
                "the point allows no partial award", pointer, got=f"{given:g}", expected=expected
            )
        return share


def status_of(award: float | None) -> Status:
    """What an award is called."""
    if award is None:
        return Status.UNDETERMINED
    return {1.0: Status.MET, 0.0: Status.NOT_MET}.get(award, Status.PARTIAL)
