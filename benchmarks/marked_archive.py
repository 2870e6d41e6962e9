"""Draws the spot check of a generated archive and lets people mark a part of it, at the desk.

    python -m benchmarks.marked_archive FOLDER [--marks 2500]

Takes ``argus.db`` in FOLDER (``benchmarks.report_archive``) and leaves ``marked.db`` beside it: the same
with doubts, draws at the default rates of judge cards, and marks that agree with code and judge in 19 of 20.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from grader.archive.entry import Grading, RouteEntry, SpotCheckEntry
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.review_entry import ItemEntry, MarkEntry, Member
from grader.archive.review_marks import mark
from grader.archive.store import Archive, open_archive
from grader.judge.card import SpotCheck, Thresholds
from grader.judge.spot_check import Stratum, draw
from grader.record import Status, digest
from grader.review.marking import verdicts_of
from grader.stats.checked.machine import by_machine
from grader.stats.checked.spot_check import stratum_of

MARKS = 2_500
PEOPLE = ("Ada", "Bo", "Cy")
RATES, THRESHOLDS = SpotCheck(), Thresholds()
WRONG = 0.05
"""How often people award something else than code or judge."""


@dataclass(slots=True)
class Work:
    """What people are to look at."""

    routes: list[RouteEntry] = field(default_factory=list)
    draws: list[SpotCheckEntry] = field(default_factory=list)
    items: list[ItemEntry] = field(default_factory=list)
    awards: dict[str, float] = field(default_factory=dict)
    """What code or judge awarded, by an item's key."""


def check(archive: Archive, marks: int = MARKS) -> int:
    """Doubt, draw and queue points of all runs, and mark some of those drawn; how many were drawn."""
    items: list[ItemEntry] = []
    awards: dict[str, float] = {}
    for run in archive.runs():
        grading = archive.grading(run)
        assert grading is not None
        work = Work()
        for answer in archive.graded(run, texts=False):
            if answer.response.error is None:
                _look_at(answer, grading, work)
        archive.put_routes(grading, work.routes)
        archive.put_spot_checks(grading, work.draws)
        archive.put_items(work.items)
        items += work.items
        awards |= work.awards
    chosen = {one.key for one in random.Random("marks").sample(items, min(marks, len(items)))}
    _mark(archive, chosen, awards)
    return len(items)


def _look_at(answer: GradedAnswer, grading: Grading, work: Work) -> None:
    for point in answer.points:
        stands = by_machine(point, answer, grading)
        if stands.award is None:
            continue
        place = (answer.response.digest, answer.answer.sub_id, point.point_id)
        sure = stands.source.verdict.confidence if stands.track == "judge" else None  # type: ignore[union-attr]
        doubted = sure is not None and sure < THRESHOLDS.confidence
        if doubted:
            work.routes.append(RouteEntry(*place, ("low_confidence",), stands.status, stands.award))
        stratum = stratum_of(stands, doubted)
        drawn = draw(digest(place), stratum.value, RATES)
        if drawn is not None:
            hashes = (str(point.point_hash), answer.answer.answer_hash)
            work.draws.append(
                SpotCheckEntry(*place, *hashes, stratum.value, drawn.probability, RATES.seed, stands.by)
            )
            work.items.append(_item(answer, point, stratum))
            work.awards[work.items[-1].key] = stands.award


def _item(answer: GradedAnswer, point: GradedPoint, stratum: Stratum) -> ItemEntry:
    where = (answer.response.problem_id, answer.answer.sub_id, point.point_id, str(point.point_hash))
    key = digest([answer.response.digest, *where])
    member = Member(answer.response.digest, answer.answer.answer_hash)
    return ItemEntry(key, key, "spot_check", *where, (member,), reasons=(stratum.value,))


def _mark(archive: Archive, chosen: set[str], awards: dict[str, float]) -> None:
    """One transaction holds all marks."""
    items = [one for one in archive.items("open") if one.entry.key in chosen]
    with archive.database.execution_options(argus_writes=True).begin() as connection:
        for item in items:
            by = random.Random(item.entry.key)
            award = awards[item.entry.key]
            award = 1 - award if by.random() < WRONG else award
            status = Status.MET if award else Status.NOT_MET
            entry = MarkEntry(item.id, by.choice(PEOPLE), f"form {item.id}", status, award, seconds=30.0)
            mark(connection, entry, verdicts_of(archive, item, entry), item.created)


def marked_copy(folder: Path, marks: int = MARKS) -> Path:
    """``marked.db`` in a folder that holds ``argus.db``, made if it isn't there."""
    made = folder / "marked.db"
    if not made.exists():
        begun = folder / "marked.tmp"
        begun.unlink(missing_ok=True)
        with closing(sqlite3.connect(folder / "argus.db")) as old, closing(sqlite3.connect(begun)) as new:
            old.backup(new)
        with open_archive(str(begun)) as archive:
            check(archive, marks)
        for one in _files(begun):
            one.rename(one.with_name(one.name.replace("marked.tmp", "marked.db")))
    return made


def _files(path: Path) -> Iterator[Path]:
    yield from path.parent.glob(f"{path.name}*")


def main() -> None:
    """Make it and say what it holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--marks", type=int, default=MARKS)
    given = parser.parse_args()
    with open_archive(str(marked_copy(given.folder, given.marks))) as archive:
        counts = archive.counts()
    names = ("verdicts", "findings", "triage", "spot_checks", "review_marks")
    print(", ".join(f"{counts[name]} {name}" for name in names))


if __name__ == "__main__":
    main()
