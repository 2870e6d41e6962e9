"""From a graded answer to what a judge is asked about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from grader.archive.read import GradedAnswer, GradedPoint
from grader.grade.facts import expectations, facts_of, formal_fact
from grader.grade.plan import Plan, PlannedPoint, PlannedSubquestion
from grader.grade.terms import Terms, counting_terms
from grader.judge.task import Criterion, JudgeFigure, JudgeTask, LocatorTask
from grader.problem.checks import CheckModel
from grader.problem.model import Deduction, Image, Note, Point, Problem, Subquestion, Veto, walk
from grader.problem.visible import Figure, VisibleProblem, visible
from grader.record import Finding, Reason, Response

SOUGHT: Mapping[str, str] = {
    "smiles": "the structure",
    "inchi": "the structure",
    "name": "the name of the compound",
    "formula": "the formula",
    "equation": "the equation",
    "reaction": "the reaction",
    "quantity": "the quantity with its unit",
    "expression": "the expression",
    "integer": "the number",
    "choice": "the option chosen",
    "boolean": "the statement whether it is so",
    "set": "the list",
    "sequence": "the order",
    "electron_configuration": "the electron configuration",
    "oxidation_state": "the oxidation state",
    "label": "the label",
}
"""What an answer would have to state, by the kind of check."""


@dataclass(frozen=True)
class Sheet:
    """A subquestion as a judge sees it, whoever answered it."""

    planned: PlannedSubquestion
    problem: Problem
    sub: Subquestion
    number: int
    """Its place in the problem, from 1."""
    header: str
    figures: tuple[JudgeFigure, ...]
    rubric_figures: tuple[JudgeFigure, ...]

    @cached_property
    def criteria(self) -> tuple[PlannedPoint, ...]:
        """The nodes that a judge awards: those that no check decides; groups are their members' worth."""
        return tuple(point for point in self.planned.points if flexible(point))

    @cached_property
    def terms(self) -> Mapping[str, Terms]:
        """What each criterion is worth and how it counts beside others, by id."""
        return counting_terms(self.planned.nodes, self.planned.full_mark)

    @cached_property
    def question(self) -> str:
        """The question with its number, where the problem has several."""
        return _numbered(self.number, self.sub) if len(self.problem.subquestions) > 1 else self.sub.text_open

    @cached_property
    def before(self) -> tuple[str, ...]:
        """The questions before this one, with their numbers."""
        earlier = self.problem.subquestions[: self.number - 1]
        return tuple(_numbered(number, sub) for number, sub in enumerate(earlier, start=1))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The native lines of the rubric."""
        return tuple(item for item in self.sub.rubric or () if isinstance(item, str))

    @cached_property
    def guidance(self) -> tuple[str, ...]:
        """The notes of the rubric."""
        return tuple(node.note for node in walk(self.planned.nodes) if isinstance(node, Note))

    def part(self, response: Response) -> str | None:
        """Which question of a whole problem is meant; None where the response answers no other."""
        whole = response.sub_id is None and len(self.problem.subquestions) > 1
        return f"({self.number})" if whole else None

    def sought(self, point: PlannedPoint) -> str | None:
        """What a locator looks for; None where it could not tell the point from another."""
        check = point.check
        assert check is not None
        what = SOUGHT[check.kind]
        if check.asked:
            return f"{what} given for: {', '.join(check.asked)}"
        same = [other for other in self.planned.formal if _kind(other) == check.kind]
        return what if len(same) == 1 else None


def _numbered(number: int, sub: Subquestion) -> str:
    return f"({number}) {sub.text_open}"


def flexible(point: PlannedPoint) -> bool:
    """Whether a judge or a human decides the node."""
    return point.check is None and point.shape != "group"


class Addressed(Protocol):
    """An image, by the digest of its bytes."""

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes."""
        ...


class Illustrated(Protocol):
    """Problems with their images: a set in a folder, or one as it was graded."""

    @property
    def problems(self) -> Mapping[str, Problem]:
        """By id."""
        ...

    def image(self, problem_id: str, name: str) -> Addressed:
        """The image that a problem names."""
        ...


class JudgeTasks:
    """Builds what judges are asked, for the answers of one problem set."""

    def __init__(self, problems: Illustrated, planned: Plan) -> None:
        self._problems = problems
        self._sheets = {
            sub.sub_id: self._sheet(sub, number)
            for subs in planned.subquestions.values()
            for number, sub in enumerate(subs, start=1)
        }

    def sheet(self, sub_id: str) -> Sheet:
        """The subquestion as a judge sees it."""
        return self._sheets[sub_id]

    def judge_task(self, graded: GradedAnswer, response: Response) -> JudgeTask:
        """The whole answer with all its criteria, whoever may have marked some of them already."""
        sheet = self.sheet(graded.answer.sub_id)
        found = _found(graded.points)
        expects = expectations(found, sheet.planned)
        return JudgeTask(
            header=sheet.header,
            question=sheet.question,
            answer=response.text,
            criteria=tuple(
                criterion(one, sheet.terms[one.node.id], found.get(one.node.id), expects.get(one.node.id))
                for one in sheet.criteria
            ),
            part=sheet.part(response),
            before=sheet.before,
            lines=sheet.lines,
            guidance=sheet.guidance,
            facts=tuple(_formal_facts(sheet.planned.formal, found)),
            figures=sheet.figures,
            rubric_figures=sheet.rubric_figures,
        )

    def locator_tasks(
        self, graded: GradedAnswer, response: Response, reasons: Sequence[str]
    ) -> Iterator[tuple[PlannedPoint, LocatorTask]]:
        """A task for each formal point that is open for one of ``reasons``, if it can be told from others.

        A locator sees the cut answer only: what code decides rests on nothing else.
        """
        sheet = self.sheet(graded.answer.sub_id)
        points = {point.point_id: point for point in graded.points}
        span = graded.answer
        for planned in sheet.planned.formal:
            standing = points[planned.node.id].standing
            sought = sheet.sought(planned)
            if standing is None or standing.reason not in reasons or sought is None:
                continue
            yield (
                planned,
                LocatorTask(
                    header=sheet.header,
                    question=sheet.question,
                    answer=response.text[span.start : span.end],
                    point=sought,
                    part=None if span.cut else sheet.part(response),
                    figures=sheet.figures,
                ),
            )

    def _sheet(self, planned: PlannedSubquestion, number: int) -> Sheet:
        problem = self._problems.problems[planned.problem_id]
        sub = problem.subquestions[number - 1]
        shown = visible(problem)
        return Sheet(
            planned=planned,
            problem=problem,
            sub=sub,
            number=number,
            header=problem.header,
            figures=tuple(self._figures(problem.problem_id, shown, number)),
            rubric_figures=tuple(self._rubric_figures(problem.problem_id, sub.rubric_images)),
        )

    def _figures(self, problem_id: str, shown: VisibleProblem, number: int) -> Iterator[JudgeFigure]:
        own = shown.subquestions[number - 1].figures
        for figure in (*shown.figures, *own):
            yield self._figure(problem_id, figure)

    def _figure(self, problem_id: str, figure: Figure) -> JudgeFigure:
        digest = self._problems.image(problem_id, figure.file).digest
        return JudgeFigure(figure.name, figure.description, digest)

    def _rubric_figures(self, problem_id: str, images: Sequence[Image]) -> Iterator[JudgeFigure]:
        for place, image in enumerate(images, start=1):
            digest = self._problems.image(problem_id, image.file).digest
            yield JudgeFigure(f"Rubric figure {place}", image.description, digest)


def criterion(
    planned: PlannedPoint, terms: Terms, found: Finding | None = None, expects: float | None = None
) -> Criterion:
    """A node as a judge is asked about it, with what code ``found`` about values its text quotes."""
    node = planned.node
    facts = facts_of(found) if found is not None else ()
    match node:
        case Point():
            shape, partial = "point", node.partial
        case Deduction():
            shape, partial = "deduction", node.each
        case Veto():
            shape, partial = "veto", False
        case _:
            raise TypeError(node)  # a group has no award of its own
    return Criterion(node.id, terms.marks, node.text, shape, partial, terms.said, facts, expects)  # type: ignore[arg-type]


def _found(points: Sequence[GradedPoint]) -> dict[str, Finding]:
    """What code found, by point: of formal points the last decided finding, of flexible ones the facts."""
    found = {}
    for point in points:
        said = [one.finding for one in point.findings if one.engine.fact or one.finding.award is not None]
        if said:
            found[point.point_id] = said[-1]
    return found


def _formal_facts(formal: Iterator[PlannedPoint], found: Mapping[str, Finding]) -> Iterator[str]:
    """What code found about the points it decides, never a mark."""
    for planned in formal:
        finding = found.get(planned.node.id)
        said = formal_fact(planned, finding) if finding is not None else None
        if said is not None:
            yield said


def _kind(point: PlannedPoint) -> str:
    check: CheckModel | None = point.check
    return "" if check is None else check.kind


def is_blank(graded: GradedAnswer) -> bool:
    """Whether nothing was answered: then there is nothing to judge."""
    return all(
        point.standing is not None and point.standing.reason is Reason.NO_ANSWER
        for point in graded.points
        if point.shape != "group"
    )
