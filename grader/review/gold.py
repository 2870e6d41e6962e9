"""Seeded items: answers whose right award is known, put before people to see how reliable marks are.

They look like any other item and come in among them. Everybody gets each once,
for what one person makes of it says nothing about another; marks on them are nobody's verdicts.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.archive.entry import StoredVerdict
from grader.archive.read import Filters, GradedAnswer, GradedPoint
from grader.archive.review_entry import ItemEntry, Member
from grader.archive.store import Archive
from grader.errors import Fault, MarkError, UsageError, shown
from grader.marks import Mark, Marks, read_marks
from grader.problem.model import Problem
from grader.record import Response, digest
from grader.review.disputes import check_kind
from grader.review.queue import mixed_in, normalised
from grader.review.subject import Subjects


@dataclass(frozen=True, slots=True)
class Known:
    """A point of an answer whose right award is known."""

    answer: GradedAnswer
    point: GradedPoint
    text: str
    """The answer, normalised."""
    award: float

    @property
    def key(self) -> tuple[str, str]:
        """What makes two the same: the point, and equal answers."""
        return self.point.point_hash or "", self.text

    @property
    def place(self) -> tuple[str, str]:
        """Subquestion and point."""
        return self.answer.answer.sub_id, self.point.point_id

    @property
    def marked_by(self) -> frozenset[str]:
        """Who has marked it, and so would know it again."""
        people = (one.verdict.by.partition(":") for one in self.point.verdicts)
        return frozenset(name for track, _, name in people if track == "human")


@dataclass(frozen=True, slots=True)
class Seeded:
    """What came of seeding."""

    answers: int
    people: int
    new: int
    """Items: one for each person who doesn't know the answer yet."""


def seed_file(archive: Archive, paths: Iterable[Path], seed: int = 0) -> Seeded:
    """Seed the marks of files; MarkError names every line that is no adjudicated mark of one known answer."""
    marks = read_marks(paths, _problems(archive))
    faults = [fault for own in marks.by_problem.values() for mark in own for fault in _unfit(mark)]
    if faults:
        raise MarkError(faults)
    answers = list(_answers(archive, marks.by_problem))
    named = {one.response.digest: (_name(one), response) for one, response in answers}
    marks.match(named.values(), "archive")
    return _seed(archive, list(_marked(marks, answers)), seed)


def seed_adjudicated(archive: Archive, count: int, seed: int = 0) -> Seeded:
    """Seed ``count`` answers, or as many as there are, drawn from those that an adjudicator has settled."""
    found = {one.key: one for one in _adjudicated(archive)}
    if not found:
        do = "Name a marks file, or let an adjudicator settle some items first."
        raise UsageError("the archive holds no adjudicated mark to draw from", file=archive.name, do=do)
    drawn = random.Random(f"gold {seed}").sample(sorted(found), min(count, len(found)))
    return _seed(archive, [found[key] for key in drawn], seed)


def _seed(archive: Archive, known: list[Known], seed: int) -> Seeded:
    people = [one.name for one in archive.reviewers() if one.revoked is None]
    if not people:
        raise UsageError("nobody is invited who could mark a seeded item", do="argus review invite NAME")
    doubted = sorted(one.entry.priority for one in archive.items("open") if one.entry.kind == "triage")
    subjects = Subjects(archive)
    entries = [
        replace(
            _entry(one, name, people, seed, doubted),
            check_kind=check_kind(subjects.problem(one.answer.problem_hash or "")[1], *one.place),
        )
        for one in known
        for name in people
        if name not in one.marked_by
    ]
    return Seeded(len(known), len(people), archive.put_items(entries))


def _entry(
    known: Known,
    name: str,
    people: Iterable[str],
    seed: int,
    doubted: list[float],
) -> ItemEntry:
    key = digest(["gold", *known.key, name])
    head, span, point = known.answer.response, known.answer.answer, known.point
    return ItemEntry(
        *(key, key, "gold", head.problem_id, span.sub_id, point.point_id, point.point_hash or ""),
        members=(Member(head.digest, span.answer_hash),),
        priority=mixed_in(key, seed, doubted),
        gold=known.award,
        barred=tuple(sorted({*people, *known.marked_by} - {name})),
    )


def _problems(archive: Archive) -> dict[str, Problem]:
    """The problems as they were graded last, by their ids."""
    gradings = [archive.grading(run) for run in archive.runs()]
    sets = dict.fromkeys(one.set_digest for one in sorted(filter(None, gradings), key=lambda one: one.id))
    entries = [entry for digest in sets for entry in archive.set_problems(digest)]
    return {entry.problem_id: Problem.model_validate(entry.content) for entry in entries}


def _answers(archive: Archive, problem_ids: Iterable[str]) -> Iterator[tuple[GradedAnswer, Response]]:
    """The answers to some problems, each response with its answers once."""
    seen: set[tuple[str, str]] = set()
    for run in archive.runs():
        for problem_id in problem_ids:
            for one in archive.graded(run, Filters(problem_id=problem_id)):
                place = (one.response.digest, one.answer.sub_id)
                if one.response.error is None and place not in seen:
                    seen.add(place)
                    yield one, archive.response(one.response.digest)


def _unfit(mark: Mark) -> Iterator[Fault]:
    file, _, line = mark.where.rpartition(":")
    if not mark.line.adjudicated:
        do = "Settle it first, and write adjudicated: true."
        yield Fault("a seeded item needs an adjudicated mark", file, int(line), "/adjudicated", do=do)
    elif mark.award is None:
        yield Fault("a seeded item needs an award", file, int(line), "/status", got=shown("undetermined"))


def _marked(marks: Marks, answers: Iterable[tuple[GradedAnswer, Response]]) -> Iterator[Known]:
    for one, response in answers:
        for mark in marks.of(response):
            if mark.sub_id == one.answer.sub_id and mark.award is not None:
                for point in one.points:
                    if point.point_id == mark.line.point_id and point.point_hash is not None:
                        yield Known(one, point, _text(one, response), mark.award)


def _adjudicated(archive: Archive) -> Iterator[Known]:
    for run in archive.runs():
        for one in archive.graded(run):
            for point in one.points:
                source = point.standing.source if point.standing else None
                if isinstance(source, StoredVerdict) and source.verdict.adjudicated:
                    award = source.verdict.award
                    if award is not None:
                        yield Known(one, point, _text(one, archive.response(one.response.digest)), award)


def _name(answer: GradedAnswer) -> str:
    return f"{answer.run.name}, line {answer.response.line}"


def _text(answer: GradedAnswer, response: Response) -> str:
    return normalised(response.text[answer.answer.start : answer.answer.end])
