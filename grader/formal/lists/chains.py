"""Chains of inequalities: cut at commas, and joined where they share items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from grader.formal.lists.anchors import Anchor
from grader.formal.lists.runs import Member, Run

_MOST = 12
"""More members than this are not put in order."""


def chains(run: Run) -> list[Run]:
    """The chains of a run: "A > B, B > C" is two."""
    if "," not in run.links or not any(link in "<>" for link in run.links):
        return [run]
    cuts = [0, *(index + 1 for index, link in enumerate(run.links) if link == ","), len(run.members)]
    parts = list(pairwise(cuts))
    if any(high - low < 2 for low, high in parts):
        return [replace(run, doubt=run.doubt or "mixes a list and a chain")]
    return [_part(run, low, high) for low, high in parts]


def _part(run: Run, low: int, high: int) -> Run:
    anchors = [one for one in run.members[low:high] if isinstance(one, Anchor)]
    if not anchors:
        return run
    return replace(
        run,
        members=run.members[low:high],
        links=run.links[low : high - 1],
        notes=run.notes[low:high],
        start=anchors[0].start,
        end=anchors[-1].end,
    )


def merged(found: Sequence[Run], same: Callable[[Member, Member], bool]) -> Run | None:
    """The one ascending order that several chains give together; None where they leave it open."""
    parts = [run for run in found if run.links and set(run.links) <= {"<", ">"} and not run.doubt]
    if len(parts) < 2 or len({run.of for run in parts if run.of}) > 1:
        return None
    nodes: list[Member] = []
    below: set[tuple[int, int]] = set()
    for run in parts:
        places = [_place(nodes, member, same) for member in run.members]
        for link, (one, two) in zip(run.links, pairwise(places), strict=True):
            below.add((one, two) if link == "<" else (two, one))
    order = _only_order(len(nodes), below)
    if order is None:
        return None
    members = tuple(nodes[place] for place in order)
    links = ("<",) * (len(members) - 1)
    start, end = min(run.start for run in parts), max(run.end for run in parts)
    return Run(members, links, start, end, notes=("",) * len(members), of=parts[0].of)


def _place(nodes: list[Member], member: Member, same: Callable[[Member, Member], bool]) -> int:
    """Where a member stands among the known ones; a new one is added."""
    for index, one in enumerate(nodes):
        if same(one, member):
            return index
    nodes.append(member)
    return len(nodes) - 1


def _only_order(count: int, below: set[tuple[int, int]]) -> list[int] | None:
    """The one order in which every first of a pair stands before its second (Kahn 1962)."""
    order: list[int] = []
    left = set(range(count)) if count <= _MOST else set()
    while left:
        free = [place for place in left if not any(two == place and one in left for one, two in below)]
        if len(free) != 1:
            return None
        order.append(free[0])
        left.discard(free[0])
    return order or None
