"""Which answers audits vary: a choice that content and seed decide, over as many problems as there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.archive.audit_entry import AnswerPlace
from grader.archive.entry import ProblemEntry, Run
from grader.archive.read import GradedAnswer, GradedPoint, View
from grader.archive.standing import of_code
from grader.archive.store import Archive
from grader.grade.entries import engines
from grader.grade.judge_tasks import JudgeTasks, is_blank
from grader.grade.plan import PlannedPoint
from grader.judge.cards import LoadedCard
from grader.judge.task import JudgeTask
from grader.problem.model import Problem
from grader.record import Reason, Response, Verdict, digest
from grader.stats.reading import GradedRun, Source


@dataclass(frozen=True, slots=True)
class Base:
    """An answer as it is, and what a judge is asked about it in grading."""

    place: AnswerPlace
    response: Response
    task: JudgeTask
    given: Mapping[str, Verdict]
    """What the card says of it in the archive, by point; empty where it hasn't judged it."""
    graded: GradedAnswer | None = None
    """None of a frozen anchor, which needn't be graded any more."""

    @property
    def judged(self) -> bool:
        """The card has decided every point of it."""
        return all(
            (one := self.given.get(criterion.id)) is not None and one.award is not None
            for criterion in self.task.criteria
        )

    @property
    def choice(self) -> tuple[str, str]:
        """What decides which wording it gets."""
        return self.place.response_digest, self.place.sub_id


@dataclass(frozen=True, slots=True)
class Decided:
    """A point that code is to decide, and whether it did under the run's last grading."""

    planned: PlannedPoint
    reason: Reason | None
    """Why it is undetermined; None: code decided it."""
    located: bool = False
    """Code decided on a passage that a judge quoted."""


@dataclass(frozen=True, slots=True)
class _Address:
    digest: str


class _Graded:
    """Problems as they were graded, with their images: what tasks for a judge are built from."""

    def __init__(self, problems: Mapping[str, Problem], entries: Mapping[str, ProblemEntry]) -> None:
        self.problems = problems
        self._entries = entries

    def image(self, problem_id: str, name: str) -> _Address:
        """The image that a problem names."""
        return _Address(self._entries[problem_id].images[name])


class Answers:
    """The answers of an archive's graded runs that a judge is asked about, in the order they are picked."""

    def __init__(self, archive: Archive, card: LoadedCard, named: Sequence[str] = (), seed: int = 0) -> None:
        """UsageError where no run is graded, or runs were graded by different versions of a problem."""
        self.archive = archive
        self.source = Source(archive, named)
        self._card = card
        self._seed = seed
        self._views: dict[int, View] = {}
        self._loaded: dict[AnswerPlace, Base] = {}

    @property
    def runs(self) -> list[Run]:
        """The runs they are taken from."""
        return [one.run for one in self.source.runs]

    @cached_property
    def tasks(self) -> JudgeTasks:
        """What a judge is asked, by answer."""
        entries = {entry.problem_id: entry for entries in self.source.members.values() for entry in entries}
        return JudgeTasks(_Graded(self.source.problems, entries), self.source.plan)

    @cached_property
    def places(self) -> Sequence[AnswerPlace]:
        """All of them: the first of every problem, then the second of every problem, ..."""
        return self._ordered(self._judgeable())

    @cached_property
    def checked(self) -> Mapping[AnswerPlace, Sequence[Decided]]:
        """Answers with points that code is to decide, in the same order, each with those points."""
        found = dict(self._checked())
        return {place: found[place] for place in self._ordered(found)}

    def _ordered(self, places: Iterable[AnswerPlace]) -> list[AnswerPlace]:
        by_problem: dict[str, list[tuple[str, AnswerPlace]]] = {}
        for place in dict.fromkeys(places):
            rank = digest([self._seed, place.response_digest, place.sub_id, place.answer_hash])
            by_problem.setdefault(place.problem_id, []).append((rank, place))
        ordered = [
            (turn, rank, place)
            for several in by_problem.values()
            for turn, (rank, place) in enumerate(sorted(several, key=lambda one: one[0]))
        ]
        return [place for *_, place in sorted(ordered, key=lambda one: one[:2])]

    def __iter__(self) -> Iterator[Base]:
        return map(self.base, self.places)

    def base(self, place: AnswerPlace) -> Base:
        """An answer with its task; LookupError where nothing graded today is at that place."""
        if place not in self._loaded:
            self._loaded[place] = self._load(place)
        return self._loaded[place]

    def anchored(self, place: AnswerPlace, task: JudgeTask) -> Base:
        """A frozen answer with the task it was frozen with, whatever rubric or findings are today's."""
        return Base(place, self.archive.response(place.response_digest), task, {})

    def _judgeable(self) -> Iterator[AnswerPlace]:
        for run in self.source.runs:
            graded = self.archive.graded(run.run, elsewhere=run.elsewhere, texts=False)
            for one in graded:
                criteria = self.tasks.sheet(one.answer.sub_id).criteria
                if criteria and one.response.error is None and not is_blank(one):
                    yield _place(one)

    def _checked(self) -> Iterator[tuple[AnswerPlace, Sequence[Decided]]]:
        for run in self.source.runs:
            for one in self.source.answers(run):
                points = {point.point_id: point for point in one.points}
                decided = tuple(
                    _decided(planned, points.get(planned.node.id), one, run)
                    for planned in self.tasks.sheet(one.answer.sub_id).planned.formal
                )
                if decided and one.response.error is None and not is_blank(one):
                    yield _place(one), decided

    def _load(self, place: AnswerPlace) -> Base:
        view = self._view(place.run_id)
        for graded in self.archive.graded_of(view, [place.response_digest]):
            if _place(graded) == place:
                response = self.archive.response(place.response_digest)
                task = self.tasks.judge_task(graded, response)
                return Base(place, response, task, _given(graded, self._card), graded)
        raise LookupError(f"{place.problem_id}/{place.sub_id} is not graded any more")

    def _view(self, run_id: int) -> View:
        """The run as a grading by this card would read it, so that tasks are those of grading."""
        if run_id not in self._views:
            graded = next(one for one in self.source.runs if one.run.id == run_id)
            self._views[run_id] = self._under_card(graded)
        return self._views[run_id]

    def _under_card(self, graded: GradedRun) -> View:
        found = engines(self.source.plan, self._card)
        grading = self.archive.plan_grading(
            graded.run, graded.grading.set_digest, found, card=self._card.label
        )
        view = self.archive.view(graded.run)
        assert view is not None
        return replace(view, grading=grading)


def _place(graded: GradedAnswer) -> AnswerPlace:
    head, answer = graded.response, graded.answer
    return AnswerPlace(graded.run.id, head.digest, head.problem_id, answer.sub_id, answer.answer_hash)


def _decided(
    planned: PlannedPoint, point: GradedPoint | None, graded: GradedAnswer, run: GradedRun
) -> Decided:
    findings = point.findings if point is not None else ()
    stored = of_code(findings, planned.point_hash, graded.answer.answer_hash, run.grading.engines)
    if stored is None:
        return Decided(planned, Reason.UNJUDGED)
    reason = None if stored.finding.award is not None else stored.finding.reason or Reason.UNJUDGED
    return Decided(planned, reason, stored.engine.located)


def _given(graded: GradedAnswer, card: LoadedCard) -> dict[str, Verdict]:
    """The card's last verdict on today's points and answer."""
    return {
        point.point_id: stored.verdict
        for point in graded.points
        for stored in point.verdicts
        if stored.verdict.by == card.by
        and stored.point_hash == point.point_hash
        and stored.answer_hash == graded.answer.answer_hash
    }
