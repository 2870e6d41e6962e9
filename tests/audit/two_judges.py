"""A drawn archive whose run another judge graded too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.archive.entry import FindingEntry, VerdictEntry
from grader.grade.entries import engines
from tests.audit import drawn
from tests.audit.drawn import Desk, Judge, Opinion, Script, Spot, drawn_archive, right

OTHER = "strict@ba9876543210"


def erring(share: float) -> Judge:
    """A judge that gives a share of all points full credit whatever they deserve."""

    def judge(spot: Spot) -> Opinion:
        award = 1.0 if spot.chance(f"errs {share}") < share else right(spot)
        return Opinion(award, confidence=0.6 + 0.39 * spot.chance("confidence"))

    return judge


@contextmanager
def two_judges(folder: Path, script: Script, other: Judge) -> Iterator[Desk]:
    """The script's judge has graded the run, then ``OTHER``; nobody has marked anything."""
    with drawn_archive(folder, script) as desk:
        judge_again(desk, replace(script, card=OTHER, judge=other))
        yield desk


def judge_again(desk: Desk, script: Script) -> None:
    """Let the judge of a script grade the desk's run, too."""
    planned = drawn._planned_of(desk.archive)
    last = desk.archive.grading(desk.run)
    assert last is not None
    desk.archive.begin_grading(desk.run, last.set_digest, engines(planned), script.card)
    decided = [
        one for answer in desk.archive.graded(desk.run) for one in drawn._decided(answer, script, planned)
    ]
    desk.archive.put_findings(one for one in decided if isinstance(one, FindingEntry))
    desk.archive.put_verdicts(one for one in decided if isinstance(one, VerdictEntry))
    drawn._add_up(desk.archive, desk.run, script, planned)
    desk.queue()
