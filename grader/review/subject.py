"""What an item of the queue is about: the point, the answer, and what was found and said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

from grader.archive.entry import AnswerSpan, ProblemEntry, Run
from grader.archive.read import GradedAnswer, GradedPoint, View
from grader.archive.review_entry import Item
from grader.archive.store import Archive
from grader.errors import ArgusError, MarkError
from grader.marks import Scale, worth_of
from grader.problem.model import Note, Problem, ScoringNode, Subquestion, walk
from grader.problem.nodes import nodes
from grader.record import Response


class Outdated(ArgusError):
    """The rubric or the answer has changed since the item was queued."""


@dataclass(frozen=True)
class Subject:
    """An item with all that it is about. Offsets count from the start of the response."""

    item: Item
    entry: ProblemEntry
    problem: Problem
    view: View
    graded: GradedAnswer
    response: Response

    @property
    def span(self) -> AnswerSpan:
        """Where the response answers the subquestion."""
        return self.graded.answer

    @property
    def text(self) -> str:
        """The answer."""
        return self.response.text[self.span.start : self.span.end]

    @cached_property
    def sub(self) -> Subquestion:
        """The subquestion."""
        return self.problem.subquestion(self.item.entry.sub_id)

    @cached_property
    def rubric(self) -> tuple[ScoringNode, ...]:
        """All its points."""
        return nodes(self.sub)

    @cached_property
    def node(self) -> ScoringNode:
        """The point that is to be marked."""
        wanted = self.item.entry.point_id
        return next(one for one in walk(self.rubric) if not isinstance(one, Note) and one.id == wanted)

    @cached_property
    def point(self) -> GradedPoint:
        """What was found and said of it."""
        return next(one for one in self.graded.points if one.point_id == self.item.entry.point_id)

    @cached_property
    def scale(self) -> Scale:
        """What its mark may be."""
        return Scale(self.node, worth_of(self.node, self.rubric, self.sub.full_mark), _fault)


def _fault(
    what: str, _pointer: str, *, got: str | None = None, expected: str | None = None, do: str | None = None
) -> MarkError:
    return MarkError(what, got=got, expected=expected, do=do)


class Subjects:
    """Finds what items are about; rubrics are read once for every grading."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._runs: dict[int, Run] = {}
        self._views: dict[int, View] = {}
        self._problems: dict[str, tuple[ProblemEntry, Problem]] = {}

    def of(self, item: Item) -> Subject:
        """What an item is about, by its first answer; Outdated where nothing graded today is."""
        first = item.entry.members[0]
        for run_id in self._archive.runs_of(first.response_digest):
            view = self._view(run_id)
            for graded in self._archive.graded_of(view, [first.response_digest]) if view else ():
                if graded.answer.sub_id == item.entry.sub_id and _is_about(item, graded):
                    assert view is not None
                    return self._subject(item, view, graded)
        _outdated(item)

    def view(self, run: Run) -> View | None:
        """A run under its last grading."""
        self._runs.setdefault(run.id, run)
        return self._view(run.id)

    def problem(self, problem_hash: str) -> tuple[ProblemEntry, Problem]:
        """A problem as it was graded."""
        if problem_hash not in self._problems:
            entry = self._archive.problem(problem_hash)
            self._problems[problem_hash] = entry, Problem.model_validate(entry.content)
        return self._problems[problem_hash]

    def _subject(self, item: Item, view: View, graded: GradedAnswer) -> Subject:
        assert graded.problem_hash is not None
        entry, problem = self.problem(graded.problem_hash)
        return Subject(item, entry, problem, view, graded, self._archive.response(graded.response.digest))

    def _view(self, run_id: int) -> View | None:
        if run_id not in self._runs:
            self._runs |= {run.id: run for run in self._archive.runs()}
        run = self._runs[run_id]
        known, grading = self._views.get(run_id), self._archive.grading(run)
        if grading is None or (known is not None and known.grading == grading):
            return known
        made = self._archive.view(run)
        if made is not None:
            self._views[run_id] = made
        return made


def _is_about(item: Item, graded: GradedAnswer) -> bool:
    """Whether the answer and the point are still those that were queued."""
    points: Mapping[str, str | None] = {one.point_id: one.point_hash for one in graded.points}
    same_answer = graded.answer.answer_hash == item.entry.members[0].answer_hash
    return same_answer and points.get(item.entry.point_id) == item.entry.point_hash


def _outdated(item: Item) -> NoReturn:
    raise Outdated(
        "the rubric or the answer has changed since this was queued",
        got=f"{item.entry.sub_id}, {item.entry.point_id}",
        do="Take the next one.",
    )
