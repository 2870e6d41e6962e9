"""How the nodes of a rubric count beside each other, in sentences for whoever judges them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.problem.model import Deduction, Group, Note, Point, ScoringNode, Veto, walk
from grader.score import largest_loss, scope_worth

Scored = Point | Group | Deduction | Veto

_REMAINDER = {
    "#rest": "These are the marks that no other point accounts for: award only what the others don't cover.",
    "#whole": "This stands for the whole rubric: divide its marks as the lines say.",
}
"""By the ends of the ids of points that stand for what lines don't say by parts."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is to be known of a node besides its text."""

    marks: float
    """What an award of 1 is worth: of a deduction the most it takes, of a veto 1."""
    said: tuple[str, ...] = ()


def counting_terms(rubric: tuple[ScoringNode, ...], full_mark: float) -> Mapping[str, Terms]:
    """The terms of each node, by id."""
    groups: dict[str, list[str]] = {}
    for group, member in _memberships(rubric):
        groups.setdefault(member, []).append(_of_group(group))
    scored = [node for node in walk(rubric) if not isinstance(node, Note)]
    texts = {node.id: node.text for node in scored}
    terms = {}
    for node in scored:
        worth = _worth(node, rubric, full_mark)
        terms[node.id] = Terms(worth, (*_own(node, worth, texts), *groups.get(node.id, ())))
    return terms


def _worth(node: Scored, rubric: tuple[ScoringNode, ...], full_mark: float) -> float:
    match node:
        case Veto():
            return 1.0
        case Deduction():
            return largest_loss(node, scope_worth(node, rubric, full_mark))
    return node.points


def _own(node: Scored, worth: float, texts: Mapping[str, str]) -> Iterator[str]:
    for end, said in _REMAINDER.items():
        if node.id.endswith(end):
            yield said
    if isinstance(node, Deduction):
        yield f"It takes {_marks(-node.points)}{f' each time, {worth:g} at most' if node.each else ''}."
    if isinstance(node, Veto):
        yield "Met, it forfeits the marks of what it concerns."
    if isinstance(node, Deduction | Veto):
        scope = f"{node.scope} alone: {texts.get(node.scope, '')}" if node.scope else "the whole question."
        yield f"It concerns {scope}"


def _memberships(nodes: Sequence[ScoringNode]) -> Iterator[tuple[Group, str]]:
    """Each group with the ids of all points under it."""
    for group in walk(tuple(nodes)):
        if isinstance(group, Group):
            yield from ((group, member.id) for member in walk(group.of) if isinstance(member, Point))


def _of_group(group: Group) -> str:
    """What belonging to a group means."""
    several = f'{len(group.of)} parts of "{group.text}" ({_marks(group.points)})'
    match group.rule:
        case "all":
            return f"One of {several} that count only all together."
        case "any":
            return f"One of {several} that stand for each other: the best one counts."
        case "count" if group.take is not None:
            return f"One of {several}: the best {group.take} count."
        case "count":
            return f"One of {several}: marks go by how many are met."
    return f"One of {several}."


def _marks(marks: float) -> str:
    return f"{marks:g} mark{'' if marks == 1 else 's'}"
