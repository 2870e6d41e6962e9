"""Answers and their points as frames: what stands in the archive, answer by answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np
import pandas as pd

from grader.archive.read import GradedAnswer
from grader.grade.plan import PlannedSubquestion
from grader.grade.summary import awards_of
from grader.record.flags import flags
from grader.score import SubquestionScore, score_subquestion
from grader.stats.columns import ANSWER, ANSWERS, MARKS, POINTS, TRACKS
from grader.stats.point_rows import Row, point_rows
from grader.stats.reading import Cell, GradedRun, Source

_OF_POINT = POINTS[len(ANSWER) :]
_STANDS = itemgetter(*map(_OF_POINT.index, ("point_id", "award", "award_follow", "track", "provisional")))


@dataclass(frozen=True, slots=True)
class Details:
    """A row an answer, and a row a scoring node of an answer."""

    answers: pd.DataFrame
    points: pd.DataFrame


def details(source: Source) -> Details:
    """Read every answer of the runs, in the order of all frames."""
    reader = DetailsReader(source)
    for graded in source.runs:
        for _ in reader.through(graded, source.answers(graded)):
            pass
    return reader.made()


@dataclass(slots=True)
class DetailsReader:
    """Makes rows of answers, run by run: what waits in memory as rows is one run's.

    Where several runs hold samples of a cell, those of a later run are numbered on from those before.
    """

    source: Source
    parts: list[Details] = field(default_factory=list)
    """Of each run its answers, and their points without the columns ``ANSWER``."""
    counts: list[int] = field(default_factory=list)
    """How many points each has."""
    taken: dict[Cell, int] = field(default_factory=dict)
    """How many samples of a cell were read."""
    marks: dict[tuple[object, ...], Row] = field(default_factory=dict)
    """Marks by what stands: most answers to a question are alike in that."""

    def through(self, graded: GradedRun, answers: Iterable[GradedAnswer]) -> Iterator[GradedAnswer]:
        """The answers of a run, read on their way to whoever else reads them."""
        flagged, before = _flagged(self.source, graded), dict(self.taken)
        rows_of_answers: list[Row] = []
        points: list[Row] = []
        for answer in answers:
            head, sub_id = answer.response, answer.answer.sub_id
            cell = (head.model, head.protocol, head.mode)
            sample = before.get(cell, 0) + head.sample
            self.taken[cell] = max(self.taken.get(cell, 0), sample + 1)
            position, sub = self.source.subquestions[head.problem_id, sub_id]
            where = (*cell, head.problem_id, sub_id, position, sample, graded.run.name, head.digest)
            state = (answer.answer.cut, head.error is not None, flagged[head.line])
            rows = list(point_rows(answer, sub, graded.grading))
            points.extend(rows)
            rows_of_answers.append((*where, *state, *self._marks(answer, sub, rows)))
            self.counts.append(len(rows))
            yield answer
        frames = (pd.DataFrame(rows_of_answers, columns=ANSWERS), pd.DataFrame(points, columns=_OF_POINT))
        self.parts.append(Details(*frames))

    def made(self) -> Details:
        """The answers of all runs that were read, in the order of all frames."""
        answers = pd.concat([one.answers for one in self.parts], ignore_index=True)
        points = pd.concat([one.points for one in self.parts], ignore_index=True)
        order = self.source.order(answers)
        counts = np.array(self.counts, dtype=np.intp)
        starts, sorted_counts = np.cumsum(counts) - counts, counts[order]
        within = np.arange(len(points)) - np.repeat(np.cumsum(sorted_counts) - sorted_counts, sorted_counts)
        answers = answers.take(order).reset_index(drop=True)
        # an answer's names are taken once for all its points: quicker by far than text by text
        names = answers[ANSWER].take(np.repeat(np.arange(len(order)), sorted_counts)).reset_index(drop=True)
        points = points.take(np.repeat(starts[order], sorted_counts) + within).reset_index(drop=True)
        return Details(answers, pd.concat([names, points], axis=1))

    def _marks(self, answer: GradedAnswer, sub: PlannedSubquestion, rows: Sequence[Row]) -> Row:
        key = (sub.sub_id, *(_STANDS(row) for row in rows))
        if key not in self.marks:
            self.marks[key] = tuple(_marks(score_subquestion(sub.nodes, sub.full_mark, awards_of(answer))))
        return self.marks[key]


def _flagged(source: Source, graded: GradedRun) -> dict[int, str]:
    """The flags of a run's responses, by line."""
    return {line: ",".join(flags(response)) for line, response in source.responses(graded)}


def _marks(score: SubquestionScore) -> Iterator[float]:
    decided = dict[str, float](score.by_track.items())
    yield from (getattr(score, name) for name in MARKS if name not in TRACKS)
    yield from (decided.get(track, 0.0) for track in TRACKS)
