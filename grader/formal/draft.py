"""The native lines of a rubric drafted as typed nodes, with checks where a line plainly gives its answer.

A draft never decides: it waits for a chemist who accepts it. A check is
proposed only if our own reader confirms it: it must find its value in the very
line that proposes it. Marks, ids and scopes stay those of the native lines, so
marks that people gave keep their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.quoted.checks import LONGEST, QuotedCheck, quoted_checks
from grader.problem.model import Group, Point, ScoringNode, Subquestion, walk
from grader.problem.nodes import native_nodes, nodes
from grader.record import Status

UNCOUNTED = ("#rest", "#whole")
"""Ends of the ids of points that stand for marks no line accounts for."""
_ALTERNATIVELY = re.compile(r"^\W*(?:or|alternatively|also accept(?:ed)?|accept also)\b[\s,:]*", re.I)
"""How a line opens that the grammar has made an alternative of the one before."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of one native point."""

    sub_id: str
    point_id: str
    marks: float
    text: str
    kinds: tuple[str, ...] = ()
    """The kinds of the checks that were drafted; empty where the point stays flexible."""
    why: str = ""
    """Why it stays flexible, or what a judge still decides beside the checks."""
    alone: bool = False
    """Code alone decides it, once it is accepted."""


@dataclass(frozen=True, slots=True)
class DraftRubric:
    """The rubric of one subquestion, and what became of each of its native points."""

    nodes: tuple[ScoringNode, ...]
    points: tuple[Drafted, ...]


def draft_rubric(sub: Subquestion) -> DraftRubric:
    """The rubric of a subquestion as typed nodes; typed nodes stay as they are."""
    native = {id(node) for node in native_nodes(sub)}
    report: list[Drafted] = []
    lines = _lines(sub)
    drafted: list[ScoringNode] = []
    for node in nodes(sub):
        if id(node) in native:
            shown = lines.get(getattr(node, "id", ""))
            drafted.append(_drafted(sub.sub_id, node, report, shown))
        else:
            drafted.append(node)
    return DraftRubric(tuple(drafted), tuple(report))


def _lines(sub: Subquestion) -> dict[str, str]:
    """The native lines by the id of the node that is all a line makes."""
    return {
        f"{sub.sub_id}#{number}": item
        for number, item in enumerate(sub.rubric or (), start=1)
        if isinstance(item, str)
    }


def _drafted(sub_id: str, node: ScoringNode, report: list[Drafted], line: str | None = None) -> ScoringNode:
    """One node with the checks of its points; ``line`` is kept as its text where it made the whole node."""
    if isinstance(node, Point):
        made, told = _point(sub_id, node)
        report.append(told)
    elif isinstance(node, Group):
        members = tuple(_drafted(sub_id, member, report) for member in node.of)
        made = node.model_copy(update={"of": members})
    else:
        return node
    return made.model_copy(update={"text": line}) if line is not None else made


def _point(sub_id: str, point: Point) -> tuple[Point | Group, Drafted]:
    checks = () if point.id.endswith(UNCOUNTED) else _confirmed(_ALTERNATIVELY.sub("", point.text))
    told = Drafted(sub_id, point.id, point.points, point.text, tuple(one.check.kind for one in checks))
    if not checks:
        return point, replace(told, why=_why_flexible(point))
    alternatives = [list(members) for _, members in groupby(checks, key=lambda one: one.group)]
    closed = not any(one.open for one in checks)
    if closed and len(checks) == 1:
        return _checked(point, point.id, checks[0]), replace(told, alone=True)
    if closed and len(alternatives) == 1:
        members = _members(point, checks)
        return _any_of(point, members), replace(told, alone=True)
    stated = [_stated(point, place, group) for place, group in enumerate(alternatives, start=1)]
    whole = stated[0] if len(stated) == 1 else _all_of(point, stated)
    rest = point.model_copy(update={"id": f"{point.id}.judged"})
    why = (
        "what the line accepts besides is for a judge"
        if len(stated) == 1
        else "part of the values is for a judge"
    )
    return _any_of(point, (whole, rest)), replace(told, why=why)


def _checked(point: Point, name: str, one: QuotedCheck) -> Point:
    return point.model_copy(update={"id": name, "check": one.check, "draft": True})


def _members(point: Point, checks: Sequence[QuotedCheck]) -> tuple[Point, ...]:
    return tuple(_checked(point, f"{point.id}.v{place}", one) for place, one in enumerate(checks, start=1))


def _stated(point: Point, place: int, alternatives: Sequence[QuotedCheck]) -> Point | Group:
    """One value of several that a point gives, its alternatives as a group."""
    name = f"{point.id}.s{place}"
    if len(alternatives) == 1:
        return _checked(point, name, alternatives[0])
    inner = point.model_copy(update={"id": name})
    return _any_of(inner, _members(inner, alternatives))


def _any_of(point: Point, members: tuple[Point | Group, ...]) -> Group:
    return Group(id=point.id, points=point.points, text=point.text, rule="any", of=members)


def _all_of(point: Point, members: Sequence[Point | Group]) -> Group:
    return Group(id=f"{point.id}.all", points=point.points, text=point.text, rule="all", of=tuple(members))


# What is proposed, and what isn't


def _confirmed(text: str) -> tuple[QuotedCheck, ...]:
    """The checks a text proposes, if each of them finds its value where the text gives it."""
    checks = quoted_checks(text)
    return checks if all(_confirms(text, one) for one in checks) else ()


def _confirms(text: str, one: QuotedCheck) -> bool:
    bare = one.check.model_copy(update={"asked": ()})
    quoted = registry.decide(bare, Answer(f"`{one.quote}`"))
    if quoted.status is not Status.MET:
        quoted = registry.decide(bare, Answer(one.quote))
    whole = registry.decide(one.check, Answer(text))
    return quoted.status is Status.MET and whole.status is not Status.NOT_MET


def _why_flexible(point: Point) -> str:
    if point.id.endswith("#whole"):
        return "the lines carry more than the full mark"
    if point.id.endswith("#rest"):
        return "the lines don't account for these marks"
    if len(point.text) > LONGEST:
        return "the text is too long to be one criterion"
    if quoted_checks(point.text):
        return "the line doesn't bear out the check it seems to ask for"
    return "it quotes no value that code can read"


# Accepting


def accepted(
    rubric: Sequence[ScoringNode], chosen: frozenset[str] | None
) -> tuple[list[ScoringNode], list[str]]:
    """A rubric with the drafts of the ``chosen`` nodes accepted (None: all), and the ids of those drafts."""
    return _changed(rubric, chosen, {"draft": False})


def rejected(rubric: Sequence[ScoringNode], chosen: frozenset[str]) -> tuple[list[ScoringNode], list[str]]:
    """A rubric with the drafts of the ``chosen`` nodes dropped: their points are flexible again."""
    return _changed(rubric, chosen, {"draft": False, "check": None})


def _changed(
    rubric: Sequence[ScoringNode], chosen: frozenset[str] | None, update: Mapping[str, object]
) -> tuple[list[ScoringNode], list[str]]:
    found: list[str] = []

    def change(node: ScoringNode, above: bool) -> ScoringNode:
        here = above or chosen is None or getattr(node, "id", "") in chosen
        if isinstance(node, Group):
            return node.model_copy(update={"of": tuple(change(one, here) for one in node.of)})
        if here and isinstance(node, Point) and node.draft:
            found.append(node.id)
            return node.model_copy(update=dict(update))
        return node

    return [change(node, False) for node in rubric], found


def drafts(rubric: Sequence[ScoringNode]) -> Iterator[Point]:
    """The points of a rubric whose checks nobody has accepted."""
    return (node for node in walk(tuple(rubric)) if isinstance(node, Point) and node.draft)
