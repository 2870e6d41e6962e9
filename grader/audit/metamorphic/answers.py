"""Answers that code decides: those of graded runs, and right ones made from the checks of a set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grader.answer.answer import Answer
from grader.formal.variants.check import equivalents
from grader.problem.checks import CheckModel
from grader.problem.model import Deduction, Group, Point, Veto, walk
from grader.problem.nodes import nodes
from grader.problem.set import ProblemSet
from grader.stats.reading import Source

SHORT = 12
"""Digits of a response's digest that tell it from others."""
MOST = 4
"""Answers that are made of one check by ``made_answers``."""


@dataclass(frozen=True, slots=True)
class FormalAnswer:
    """An answer to a point that code decides."""

    problem_id: str
    where: str
    """``<problem>/<sub>/<point>``, and the response's digest shortened where there is one."""
    check: CheckModel
    answer: Answer
    points: float = 1.0


def made_answers(problems: ProblemSet, seed: int = 0) -> Iterator[FormalAnswer]:
    """Right answers to every check of a set, as authors' proofs make them: for a set nobody has answered."""
    for problem in problems.problems.values():
        for sub in problem.subquestions:
            for node in walk(nodes(sub)):
                if isinstance(node, Point | Deduction | Veto) and node.check is not None:
                    where = f"{problem.problem_id}/{sub.sub_id}/{node.id}"
                    points = node.points if isinstance(node, Point) else 1.0
                    yield from _made(node.check, problem.problem_id, where, points, seed)


def _made(check: CheckModel, problem_id: str, where: str, points: float, seed: int) -> Iterator[FormalAnswer]:
    try:
        variants = list(islice(equivalents(check, seed), MOST))
    except ValueError:  # an expected value that its kind can't read
        return
    label = f"{check.asked[0]}: " if check.asked else ""
    for one in variants:
        yield FormalAnswer(problem_id, where, check, Answer(label + one.text), points)


def graded_answers(source: Source) -> Iterator[FormalAnswer]:
    """The answers of some runs to the points that code decides, each text of a point once."""
    seen: set[tuple[str, str, str]] = set()
    for graded in source.runs:
        responses = dict(source.responses(graded))
        for one in source.answers(graded):
            problem_id, span, head = one.response.problem_id, one.answer, one.response
            if head.error is not None or head.line not in responses:
                continue
            text = responses[head.line].text[span.start : span.end]
            for point in source.plan.formal(problem_id, span.sub_id):
                key = (problem_id, point.point_hash, text)
                if point.check is None or isinstance(point.node, Group) or not text.strip() or key in seen:
                    continue
                seen.add(key)
                where = f"{problem_id}/{span.sub_id}/{point.node.id} {head.digest[:SHORT]}"
                worth = point.node.points if isinstance(point.node, Point) else 1.0
                answer = Answer(text, point.others, span.cut)
                yield FormalAnswer(problem_id, where, point.check, answer, worth)
