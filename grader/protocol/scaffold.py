"""The standard results that oracle_scaffolded grants: given by the author, or derived from the rubric.

A scaffold is there so that the next subquestion can be answered. A derived one
therefore holds what every line states, in order and unchanged, and the expected
value of a check where its point doesn't write it out; what a rubric says to its
marker stays out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.problem.model import Group, Point, Problem, Subquestion
from grader.problem.nodes import native_rubric
from grader.problem.rubric.hints import without_hints
from grader.problem.rubric.results import results
from grader.protocol.expected import readable, states
from grader.record import digest


@dataclass(frozen=True, slots=True)
class Scaffold:
    """What a model is told of an earlier subquestion."""

    sub_id: str
    """Whose result it is."""
    text: str
    derived: bool = False
    """From the rubric, since its author gave no ``standard_result``."""


def scaffold(sub: Subquestion) -> Scaffold | None:
    """The standard result of a subquestion; None where it has no result and no rubric that states one."""
    given = (sub.standard_result or "").strip()
    if given:
        return Scaffold(sub.sub_id, given)
    derived = derive(sub)
    return Scaffold(sub.sub_id, derived, derived=True) if derived else None


def scaffolds(problem: Problem) -> dict[str, Scaffold]:
    """The standard results of a problem that there are, by sub_id; the last one scaffolds nothing."""
    found = (scaffold(sub) for sub in problem.subquestions[:-1])
    return {one.sub_id: one for one in found if one is not None}


def scaffolds_digest(problems: Iterable[Problem]) -> str:
    """SHA-256, in hex, of all standard results that the problems have to grant."""
    return digest(
        {
            problem.problem_id: {sub_id: one.text for sub_id, one in scaffolds(problem).items()}
            for problem in problems
        }
    )


def private_names(sub: Subquestion) -> tuple[str, ...]:
    """The files of a subquestion that no model may hear of."""
    return (*(image.file for image in sub.rubric_images), *sub.rubric_files)


def derive(sub: Subquestion) -> str:
    """What a rubric states as the result, a line for each part; empty where it states nothing.

    Alternatives (``any``) are there by their best member, other groups whole;
    deductions, vetoes and notes aren't there.
    """
    private = private_names(sub)
    native = native_rubric(sub)
    values: set[tuple[str, ...]] = set()
    lines: list[str] = []
    for item in sub.rubric or ():
        if isinstance(item, Point | Group):
            lines += filter(None, (_statement(*one, private, values) for one in _points(item)))
        elif native and isinstance(item, str):
            lines += results(native, private)
            native = None
    return "\n".join(lines)


def _points(node: Point | Group) -> Iterator[tuple[Point, str]]:
    """The points whose results count, each with its text.

    The text of a choice stands for its best member where it states that member's value.
    """
    if isinstance(node, Point):
        yield node, node.text
    elif node.rule != "any":
        for member in node.of:
            yield from _points(member)
    elif node.of:
        best = max(node.of, key=lambda member: member.points)
        for point, text in _points(best):
            whole = without_hints(node.text)
            yield point, whole if point is best and point.check and states(whole, point.check) else text


def _statement(point: Point, text: str, private: tuple[str, ...], values: set[tuple[str, ...]]) -> str:
    """What a point states; ``values`` are those written out so far, with what they are values of."""
    said = without_hints(text, private)
    if point.check is None or point.draft or states(said, point.check):
        return said
    value = readable(point.check)
    if point.check.asked and (value, *point.check.asked) in values:
        return said
    values.add((value, *point.check.asked))
    return f"{said.rstrip('.:')}: {value}" if said else value
