"""Marking offline: open items as a file to be filled in, and who may mark what; all marks as a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from grader.archive.opened import now
from grader.archive.review_entry import FINAL, Item, Reviewer
from grader.archive.store import Archive
from grader.errors import MarkError, SetupError, UsageError, shown
from grader.marks import SUFFIXES
from grader.record import digest
from grader.review.marking import LONGEST
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


def address(item: Item) -> str:
    """How a file names an item: no other archive has one of that name."""
    return digest(["review item", item.id, item.entry.key, item.created.isoformat()])[:20]


# Out


def open_lines(archive: Archive, reviewer: str | None = None) -> Iterator[dict[str, Any]]:
    """The open items that a person may mark, first things first; each point of equal answers once.

    Without a name: those that anybody may. UsageError for a name that isn't invited.
    """
    person = None if reviewer is None else invited(archive, reviewer)
    items = [one for one in archive.items("open") if _may(one, person, now())]
    subjects = Subjects(archive)
    seen: set[tuple[str, str]] = set()
    for item in sorted(items, key=lambda one: (-one.entry.priority, one.id)):
        try:
            subject = subjects.of(item)
        except Outdated:
            continue
        same = same_answer(subject)
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


# Who may


def invited(archive: Archive, name: str) -> Reviewer:
    """The person of that name; UsageError where nobody is invited by it."""
    for one in archive.reviewers():
        if one.name == name and one.revoked is None:
            return one
    raise UsageError("nobody of that name is invited", got=shown(name), do="argus review invite NAME")


def _may(item: Item, person: Reviewer | None, at: datetime) -> bool:
    try:
        require_fit(item, person, at)
    except MarkError:
        return False
    return True


def require_fit(item: Item, person: Reviewer | None, at: datetime) -> None:
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


def same_answer(subject: Subject) -> tuple[str, str]:
    """What nobody should be asked twice."""
    return subject.item.entry.point_hash, normalised(subject.text)
