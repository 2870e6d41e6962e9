"""Reading from the archive what code and judges said of points, and what people said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.archive.entry import Grading
from grader.archive.read import GradedAnswer
from grader.archive.standing import Standing
from grader.archive.store import Archive
from grader.grade.plan import PlannedPoint, PlannedSubquestion
from grader.problem.model import Veto
from grader.stats.checked.columns import ANSWERS, PLACE, POINTS, RATINGS
from grader.stats.checked.machine import Scorer, by_machine, changed_marks, decided_row, marks_of
from grader.stats.checked.people import People, Place, Rating, Ratings
from grader.stats.checked.spot_check import SpotChecks, place_of
from grader.stats.reading import Cell, GradedRun, Source

NAN = float("nan")
NOBODY = People((), 0, False)

Row = tuple[object, ...]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Checked:
    """Points as code and judge graded them, beside what people said of them."""

    archive: Archive
    source: Source
    judge: str | None
    """``<card>@<hash>``; None: no judge, or the runs were judged by different ones."""
    provisional: bool
    """The judge is only a demo: its verdicts are in no score."""
    points: pd.DataFrame
    """One row a point, deduction or veto of an answer: ``columns.POINTS``."""
    answers: pd.DataFrame
    """One row an answer: ``columns.ANSWERS``."""
    ratings: pd.DataFrame
    """One row a mark that a person gave a point of an answer: ``columns.RATINGS``."""
    notes: tuple[str, ...] = ()
    """Sentences: what was left out, and why."""

    @cached_property
    def cells(self) -> dict[Cell, tuple[Places, Places]]:
        """The places in ``answers`` and in ``points`` of each model, protocol and mode."""
        answers, points = _by_cell(self.answers), _by_cell(self.points)
        none = np.array([], dtype=np.intp)
        return {cell: (own, points.get(cell, none)) for cell, own in answers.items()}


def read_checked(archive: Archive, runs: Sequence[str] = (), card: str | None = None) -> Checked:
    """Read the runs of these names (all by default) under their last gradings.

    ``card``: as a judge card (``name`` or ``name@hash``) graded them last, and
    only those that it graded. Raises UsageError for an unknown run or judge, and
    for runs that were graded by different versions of a problem.
    """
    return checked_of(Source(archive, runs, card))


def checked_of(source: Source) -> Checked:
    """The same of runs that are chosen already."""
    reader = CheckedReader.of(source)
    for graded in source.runs:
        for _ in reader.through(graded, source.answers(graded)):
            pass
    return reader.made()


def is_checked(source: Source) -> bool:
    """Whether people marked anything that was drawn; quick, however much was graded."""
    archive = source.archive
    if not archive.marked_by_people():
        return False
    drawn = {place_of(entry) for one in _gradings(source) for entry in archive.spot_checks(one)}
    if not drawn:
        return False
    given = archive.verdicts_of_people()
    return any((one.response_digest, one.sub_id, one.verdict.point_id) in drawn for one in given)


def _by_cell(frame: pd.DataFrame) -> dict[Cell, Places]:
    if frame.empty:
        return {}
    numbers, names = pd.MultiIndex.from_frame(frame[PLACE[:3]]).factorize()
    order = np.argsort(numbers, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(numbers, minlength=len(names)))[:-1])
    return {(name[0], name[1], name[2]): own for name, own in zip(names, parts, strict=True)}


def _gradings(source: Source) -> list[Grading]:
    return [one.grading for one in source.runs]


@dataclass(slots=True)
class CheckedReader:
    """Makes rows of answers, run by run."""

    source: Source
    given: Ratings
    checks: SpotChecks
    tags: Mapping[tuple[str, str], tuple[str, ...]]
    points: list[Row] = field(default_factory=list)
    answers: list[Row] = field(default_factory=list)
    ratings: list[Row] = field(default_factory=list)
    provisional: int = 0
    """Points that a provisional judge decided."""
    _scorer: Scorer = field(default_factory=Scorer)
    _taken: dict[Cell, int] = field(default_factory=dict)
    """How many samples of a cell were read."""

    @classmethod
    def of(cls, source: Source) -> CheckedReader:
        """For the runs of ``source``, none of them read yet."""
        tags = {
            (name, sub.sub_id): tuple(sub.tags)
            for name, problem in source.problems.items()
            for sub in problem.subquestions
        }
        return cls(source, Ratings.of(source.archive), SpotChecks.of(source.archive, _gradings(source)), tags)

    def through(self, graded: GradedRun, answers: Iterable[GradedAnswer]) -> Iterator[GradedAnswer]:
        """The answers of a run, read on their way to whoever else reads them.

        Its samples are numbered on from those of the runs before.
        """
        before = dict(self._taken)
        for answer in answers:
            head, sub_id = answer.response, answer.answer.sub_id
            cell = (head.model, head.protocol, head.mode)
            sample = before.get(cell, 0) + head.sample
            self._taken[cell] = max(self._taken.get(cell, 0), sample + 1)
            _, sub = self.source.subquestions[head.problem_id, sub_id]
            where = (*cell, head.problem_id, sub_id, sample, graded.run.name, head.digest)
            self._answer(answer, sub, where, graded.grading)
            yield answer

    def made(self) -> Checked:
        """What was read of all runs."""
        source = self.source
        judges = sorted({one.card for one in _gradings(source) if one.card is not None})
        points = pd.DataFrame(self.points, columns=POINTS)
        answers = pd.DataFrame(self.answers, columns=ANSWERS)
        return Checked(
            archive=source.archive,
            source=source,
            judge=judges[0] if len(judges) == 1 else None,
            provisional=self.provisional > 0,
            points=points.take(source.order(points)).reset_index(drop=True),
            answers=answers.take(source.order(answers)).reset_index(drop=True),
            ratings=pd.DataFrame(self.ratings, columns=RATINGS),
            notes=tuple(_notes(self, judges, points)),
        )

    def _answer(self, answer: GradedAnswer, sub: PlannedSubquestion, where: Row, grading: Grading) -> None:
        stands = {one.point_id: one.standing for one in answer.points if one.standing is not None}
        machine = {
            one.point_id: by_machine(one, answer, grading)
            for one in answer.points
            if one.standing is not None
        }
        marked = any(machine[name] is not stands[name] for name in machine)
        score = self._scorer.score(sub, machine, stands if marked else machine)
        awards = {name: one.award for name, one in machine.items() if one.award is not None and one.counts}
        interacting = self._scorer.interacting(sub)
        carried = 0.0
        for point in sub.points:
            place = (answer.response.digest, sub.sub_id, point.node.id)
            current = (point.point_hash, answer.answer.answer_hash)
            self.ratings += [(*where, point.node.id, *_rating(one)) for one in self._current(place, current)]
            if point.shape == "group" or point.node.id not in machine:
                continue
            people = self.given.people(place, *current) or NOBODY
            one = machine[point.node.id]
            graded, human = NAN, NAN if people.award is None else people.award
            if one.award is not None and one.counts:
                graded = marks_of(point, sub, one.award)
                carried += graded
            self.provisional += one.provisional
            said = self._said(grading, place, current, one)
            marks = _marked(point, sub, awards, people, graded, interacting)
            self.points.append(
                (
                    *(*where, point.node.id),
                    *self._node(point, sub),
                    *decided_row(one),
                    *said,
                    *(human, people.blind, people.disagree, graded, marks),
                )
            )
        rest = round(score.earned - carried, 9) + 0.0
        numbers = (score.earned, score.open, rest, interacting, score.settled, score.still_open)
        self.answers.append((*where, sub.full_mark, *numbers))

    def _current(self, place: Place, current: tuple[str, str]) -> Iterator[Rating]:
        for one in self.given.by_place.get(place, ()):
            if (one.point_hash, one.answer_hash) == current:
                yield one

    def _said(self, grading: Grading, place: Place, current: tuple[str, str], one: Standing) -> Row:
        """The columns from ``doubted`` to ``drawn``."""
        doubted = place in self.checks.doubted[grading.id]
        stratum, rate, drawn = self.checks.of_point(grading, place, current, one, doubted)
        return (doubted, stratum, rate, drawn)

    def _node(self, point: PlannedPoint, sub: PlannedSubquestion) -> Row:
        """The columns from ``tags`` to ``points``."""
        node = point.node
        points = NAN if isinstance(node, Veto) else node.points
        return (self.tags[sub.problem_id, sub.sub_id], point.shape, point.check and point.check.kind, points)


def _rating(one: Rating) -> Row:
    """The columns of a rating after its place."""
    award, gold = (NAN if value is None else value for value in (one.award, one.gold))
    return (one.person, award, one.kind, one.blind, gold, one.seconds or NAN)


def _marked(
    point: PlannedPoint,
    sub: PlannedSubquestion,
    awards: Mapping[str, float],
    people: People,
    graded: float,
    interacting: bool,
) -> float:
    """Marks by people's award on a point that code or judge decided; the mean where they differ."""
    if not people.awards or point.node.id not in awards:
        return NAN
    if not interacting:
        return fmean(marks_of(point, sub, one) for one in people.awards)
    # half a veto would take nothing: what differs is averaged in marks, not before
    return graded + fmean(changed_marks(sub, awards, point.node.id, one) for one in people.awards)


def _notes(reader: CheckedReader, judges: Sequence[str], points: pd.DataFrame) -> Iterator[str]:
    if len(judges) > 1:
        yield f"the runs were judged by different judges: {', '.join(judges)}; name one to look at it alone"
    if reader.provisional:
        yield f"a provisional judge decided {reader.provisional} points: its verdicts are in no score"
    if reader.checks.stale:
        yield (
            f"{reader.checks.stale} drawn points are left out: they are about an earlier rubric, answer or "
            "decision; grade the runs again to draw anew"
        )
    waiting = points["drawn"].to_numpy(bool) & points["human"].isna().to_numpy()
    if waiting.any():
        yield (
            f"{waiting.sum()} of {points['drawn'].sum()} drawn points are not marked yet: those that are "
            "stand for them, which is right if nobody chose which to mark first"
        )
