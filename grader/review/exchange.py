"""Marking offline: open items as a file to be filled in, and the marks read back from it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from grader.archive.opened import now
from grader.archive.review_entry import FINAL, Item, MarkEntry, Reviewer
from grader.archive.review_marks import NotYours, standing
from grader.archive.store import Archive
from grader.errors import ArgusError, Fault, MarkError, SetupError, UsageError, shown
from grader.marks import SUFFIXES, status_of
from grader.record import digest
from grader.review.evidence import evidence_in
from grader.review.marking import LONGEST, verdicts_of
from grader.review.queue import normalised
from grader.review.subject import Outdated, Subject, Subjects

SHOWN = ("item", "problem_id", "sub_id", "point_id", "marks", "question", "point", "answer", "answers")
"""Columns that say what is to be marked: nothing of who answered, what stands, or why it is there."""
FILLED = ("status", "points", "award", "evidence", "reason", "says")
"""Columns to be filled in."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a text for a formula."""


class MarkedLine(BaseModel):
    """An item as its file has it, and what was filled in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: str = Field(min_length=1)
    problem_id: str = ""
    sub_id: str = ""
    point_id: str = ""
    marks: str = ""
    question: str = ""
    point: str = ""
    answer: str = ""
    answers: int = 1
    status: Literal["met", "not_met", "cannot_assess"] | None = None
    points: float | None = Field(default=None, allow_inf_nan=False)
    award: float | None = Field(default=None, ge=0, le=1)
    evidence: str = Field(default="", max_length=LONGEST)
    reason: str = Field(default="", max_length=LONGEST)
    says: Literal["rubric_wrong", "question_wrong"] | None = None

    @field_validator("status", "points", "award", "says", mode="before")
    @classmethod
    def _blank_is_none(cls, value: Any) -> Any:
        return None if value == "" else value

    @model_validator(mode="after")
    def _one_award(self) -> MarkedLine:
        given = sum(value is not None for value in (self.status, self.points, self.award))
        if given > 1 or (given == 0 and (self.evidence or self.reason or self.says)):
            raise ValueError("give exactly one of 'status', 'points' and 'award'")
        return self

    @property
    def filled(self) -> dict[str, Any]:
        """What was filled in; empty where nothing was."""
        return {name: value for name in FILLED if (value := getattr(self, name)) not in (None, "")}


@dataclass(slots=True)
class Imported:
    """What came of a file."""

    new: int = 0
    known: int = 0
    """Marks that were read before."""
    blank: int = 0
    refused: list[Fault] = field(default_factory=list)
    """Lines that were left out."""


def address(item: Item) -> str:
    """How a file names an item: no other archive has one of that name."""
    return digest(["review item", item.id, item.entry.key, item.created.isoformat()])[:20]


# Out


def open_lines(archive: Archive, reviewer: str | None = None) -> Iterator[dict[str, Any]]:
    """The open items that a person may mark, first things first; each point of equal answers once.

    Without a name: those that anybody may. UsageError for a name that isn't invited.
    """
    person = None if reviewer is None else _invited(archive, reviewer)
    items = [one for one in archive.items("open") if _may(one, person, now())]
    subjects = Subjects(archive)
    seen: set[tuple[str, str]] = set()
    for item in sorted(items, key=lambda one: (-one.entry.priority, one.id)):
        try:
            subject = subjects.of(item)
        except Outdated:
            continue
        same = _same(subject)
        if same not in seen:
            seen.add(same)
            yield _shown(subject)


def mark_lines(archive: Archive) -> Iterator[dict[str, Any]]:
    """Every mark that was given, undone ones too, the first first."""
    items = {item.id: item.entry for item in archive.items()}
    undone = {one.entry.undoes for one in archive.marks()}
    for one in archive.marks():
        entry, about = one.entry, items[one.entry.item_id]
        yield {
            "mark": one.id,
            "item": entry.item_id,
            "kind": about.kind,
            "problem_id": about.problem_id,
            "sub_id": about.sub_id,
            "point_id": about.point_id,
            "answers": len(about.members),
            "reviewer": entry.reviewer,
            "status": entry.status.value,
            "award": entry.award,
            "award_follow": entry.award_follow,
            "evidence": entry.evidence[0].quote if entry.evidence else "",
            "reason": entry.reason,
            "says": entry.says,
            "seconds": entry.seconds,
            "after_seen": entry.after_seen,
            "undoes": entry.undoes,
            "undone": one.id in undone,
            "created": one.created.isoformat(),
        }


def write_lines(file: Path, lines: Iterable[Mapping[str, Any]], columns: Sequence[str] = ()) -> int:
    """Write lines as JSONL or CSV, by the file's name; how many. UsageError for another name, SetupError."""
    if file.suffix not in SUFFIXES:
        raise UsageError("unknown kind of file", file=str(file), expected=" or ".join(sorted(SUFFIXES)))
    rows = list(lines)
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    if file.suffix == ".csv":
        text = _csv(rows, columns or tuple(rows[0] if rows else ()))
    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise SetupError("the file can't be written", file=str(file), got=error.strerror) from error
    return len(rows)


def _shown(subject: Subject) -> dict[str, Any]:
    low, high = subject.scale.limits
    entry = subject.item.entry
    said = {
        "item": address(subject.item),
        "problem_id": entry.problem_id,
        "sub_id": entry.sub_id,
        "point_id": entry.point_id,
        "marks": f"{low:g} to {high:g}",
        "question": f"{subject.problem.header}\n\n{subject.sub.text_open}".strip(),
        "point": getattr(subject.node, "text", ""),
        "answer": subject.text,
        "answers": len(entry.members),
    }
    return said | dict.fromkeys(FILLED, "")


def _csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    made = io.StringIO()
    writer = csv.DictWriter(made, columns)
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return made.getvalue()


def _cell(value: Any) -> Any:
    """A value that no spreadsheet calculates: answers are hostile."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


# In


def import_marks(archive: Archive, file: Path, by: str, *, keep_going: bool = False) -> Imported:
    """Read marks from a filled file; MarkError names every line that can't be one, and then none is taken.

    ``keep_going``: such lines are left out. Reading a file again changes nothing.
    """
    reading = _Reading(archive, str(file), _invited(archive, by))
    for number, row in _rows(file):
        reading.read(number, row)
    if reading.faults and not keep_going:
        raise MarkError(reading.faults)
    for number, item, mark in reading.marks:
        try:
            archive.mark(mark, verdicts_of(archive, item, mark))
            reading.result.new += 1
        except NotYours as error:  # since it was looked at
            reading.faults.append(Fault(str(error), str(file), number))
    reading.result.refused = reading.faults
    return reading.result


class _Reading:
    """A file on its way in."""

    def __init__(self, archive: Archive, file: str, person: Reviewer) -> None:
        self._archive, self._file, self._person = archive, file, person
        self._subjects = Subjects(archive)
        self._items = {address(one): one for one in archive.items()}
        self._seen: dict[tuple[str, str], int] = {}
        self._at = now()
        self.marks: list[tuple[int, Item, MarkEntry]] = []
        self.faults: list[Fault] = []
        self.result = Imported()

    def read(self, number: int, row: str | Mapping[str, Any]) -> None:
        """One line: a mark, a known one, a blank one or a fault."""
        try:
            line = (
                MarkedLine.model_validate_json(row)
                if isinstance(row, str)
                else MarkedLine.model_validate(row)
            )
            if not line.filled:
                self.result.blank += 1
            elif (found := self._mark(number, line)) is None:
                self.result.known += 1
            else:
                self.marks.append((number, *found))
        except ValidationError as error:
            for one in error.errors(include_url=False):
                pointer = "".join(f"/{part}" for part in one["loc"]) or None
                self.faults.append(Fault(one["msg"], self._file, number, pointer, shown(one["input"])))
        except ArgusError as error:
            self.faults += [
                Fault(one.what, self._file, number, one.pointer, one.got, one.expected, one.do)
                for one in error.faults
            ]

    def _mark(self, number: int, line: MarkedLine) -> tuple[Item, MarkEntry] | None:
        item = self._items.get(line.item)
        if item is None:
            raise MarkError("no item of this archive", pointer="/item", got=shown(line.item))
        form = digest(["offline", line.item, self._person.name, line.filled])
        marks = self._archive.marks_of([item.id]).get(item.id, ())
        if any(one.entry.form == form for one in marks):
            return None
        _fit(item, self._person, self._at)
        subject = self._subjects.of(item)
        first = self._seen.setdefault(_same(subject), number)
        if first != number:
            raise MarkError(
                "the same point of the same answer is marked twice", expected=f"only line {first}"
            )
        return item, _entry(line, subject, self._person.name, form, self._person.name in standing(marks))


def _entry(line: MarkedLine, subject: Subject, by: str, form: str, seen: bool) -> MarkEntry:
    award = _award(line, subject)
    return MarkEntry(
        item_id=subject.item.id,
        reviewer=by,
        form=form,
        status=status_of(award),
        award=award,
        evidence=evidence_in(line.evidence, "", subject),
        reason=line.reason.strip(),
        says=line.says,
        after_seen=seen,
    )


def _award(line: MarkedLine, subject: Subject) -> float | None:
    if line.status is not None:
        return {"met": 1.0, "not_met": 0.0}.get(line.status)
    if line.award is not None:
        return subject.scale.checked(line.award, line.award, "/award")
    assert line.points is not None
    return subject.scale.share(line.points, "/points")


def _rows(file: Path) -> Iterator[tuple[int, str | Mapping[str, Any]]]:
    if file.suffix not in SUFFIXES:
        raise MarkError("unknown kind of marks file", file=str(file), expected=" or ".join(sorted(SUFFIXES)))
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "they are not UTF-8"
        raise MarkError(f"can't read the marks: {why}", file=str(file)) from None
    if file.suffix == ".jsonl":
        yield from ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="beyond the headings")
    try:
        for row in reader:
            yield reader.line_num, {name: value for name, value in row.items() if value is not None}
    except csv.Error as error:
        raise MarkError(
            "the marks are not CSV", file=str(file), line=reader.line_num, got=str(error)
        ) from None


# Who may


def _invited(archive: Archive, name: str) -> Reviewer:
    for one in archive.reviewers():
        if one.name == name and one.revoked is None:
            return one
    raise UsageError("nobody of that name is invited", got=shown(name), do="argus review invite NAME")


def _may(item: Item, person: Reviewer | None, at: datetime) -> bool:
    try:
        _fit(item, person, at)
    except MarkError:
        return False
    return True


def _fit(item: Item, person: Reviewer | None, at: datetime) -> None:
    """MarkError where the person may not mark the item now; ``None`` is anybody."""
    mine = person is not None and item.holder == person.name
    if item.state == "withdrawn":
        raise MarkError("the item has been split or withdrawn since", do="Export the items again.")
    if item.state == "done" and not mine:
        raise MarkError("somebody else has marked it since", do="Delete the line.")
    if item.state == "open" and item.lease is not None and item.lease > at and not mine:
        raise MarkError("somebody else holds it now", do="Wait until they let go of it.")
    if person is not None and person.name in item.entry.barred:
        raise MarkError("you have marked this answer before, or may not mark it", do="Delete the line.")
    if item.entry.kind in FINAL and not (person is not None and person.adjudicates):
        raise MarkError("only an adjudicator may settle this", do="Delete the line.")


def _same(subject: Subject) -> tuple[str, str]:
    """What nobody should be asked twice."""
    return subject.item.entry.point_hash, normalised(subject.text)
