"""Marks read back from a file that was filled in offline: all or none, and once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from grader.archive.opened import now
from grader.archive.review_entry import Item, MarkEntry, Reviewer
from grader.archive.review_marks import NotYours, standing
from grader.archive.store import Archive
from grader.errors import ArgusError, Fault, MarkError, shown
from grader.marks import SUFFIXES, status_of
from grader.record import digest
from grader.review.evidence import evidence_in
from grader.review.exchange import MarkedLine, address, invited, require_fit, same_answer
from grader.review.marking import verdicts_of
from grader.review.subject import Subject, Subjects


@dataclass(slots=True)
class Imported:
    """What came of a file."""

    new: int = 0
    known: int = 0
    """Marks that were read before."""
    blank: int = 0
    refused: list[Fault] = field(default_factory=list)
    """Lines that were left out."""


def import_marks(archive: Archive, file: Path, by: str, *, keep_going: bool = False) -> Imported:
    """Read marks from a filled file; MarkError names every line that can't be one, and then none is taken.

    ``keep_going``: such lines are left out. Reading a file again changes nothing.
    """
    reading = _Reading(archive, str(file), invited(archive, by))
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
        require_fit(item, self._person, self._at)
        subject = self._subjects.of(item)
        first = self._seen.setdefault(same_answer(subject), number)
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
