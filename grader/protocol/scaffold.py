"""The standard results that oracle_scaffolded grants: given by the author, or derived from the rubric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.problem.model import Group, Point, Problem, ScoringNode, Subquestion
from grader.problem.nodes import nodes


@dataclass(frozen=True, slots=True)
class Scaffold:
    """What a model is told of an earlier subquestion."""

    sub_id: str
    """Whose result it is."""
    text: str
    derived: bool = False
    """From the rubric, since its author gave no ``standard_result``."""


def scaffold(sub: Subquestion) -> Scaffold | None:
    """The standard result of a subquestion; None where it has neither a result nor a rubric."""
    given = (sub.standard_result or "").strip()
    if given:
        return Scaffold(sub.sub_id, given)
    derived = "\n".join(filter(None, _results(nodes(sub))))
    return Scaffold(sub.sub_id, derived, derived=True) if derived else None


def scaffolds(problem: Problem) -> dict[str, Scaffold]:
    """The standard results of a problem that there are, by sub_id; the last one scaffolds nothing."""
    found = (scaffold(sub) for sub in problem.subquestions[:-1])
    return {one.sub_id: one for one in found if one is not None}


def _results(rubric: tuple[ScoringNode, ...]) -> Iterator[str]:
    """What the points say, in order; of alternatives the one that is worth most."""
    for node in rubric:
        if isinstance(node, Point):
            yield node.text.strip()
        elif isinstance(node, Group) and node.rule == "any":
            yield from _results((max(node.of, key=lambda member: member.points),))
        elif isinstance(node, Group):
            yield from _results(node.of)
