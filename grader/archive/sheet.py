"""The rubric nodes a run is graded by, and the hashes they had before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from grader.archive.tables import TABLES
from grader.problem.model import named_points

_Sub = tuple[str, str]
"""A problem_id and a sub_id."""


@dataclass(frozen=True, slots=True)
class Source:
    """A point that another follows from, under its name there."""

    name: str
    sub_id: str
    point_id: str
    point_hash: str


@dataclass(frozen=True, slots=True)
class Node:
    """A scoring node of a subquestion."""

    point_id: str
    point_hash: str | None
    """None where today's rubric has no such node any more."""
    shape: str | None
    hashes: tuple[str, ...]
    """Today's hash, and earlier ones where history is wanted."""
    sources: tuple[Source, ...] = ()
    """What the point follows from, as its ``follow`` names it."""


class Sheet:
    """The nodes of a set by problem and subquestion, in rubric order; small enough to keep."""

    def __init__(self, connection: Connection, set_digest: str, *, history: bool) -> None:
        self._problems: dict[str, str] = {}
        self._nodes: dict[_Sub, dict[str, Node]] = {}
        self._hashes: dict[_Sub, list[str]] = {}
        self._order: dict[_Sub, int] = {}
        self._following: dict[_Sub, list[Node]] = {}
        self._load(connection, set_digest)
        if history:
            self._load_earlier(connection)
        for sub, nodes in self._nodes.items():
            self._hashes[sub] = list(dict.fromkeys(h for node in nodes.values() for h in node.hashes))

    def nodes(self, problem_id: str, sub_id: str) -> Sequence[Node]:
        """The nodes of a subquestion; none for one the set doesn't hold."""
        return tuple(self._nodes.get((problem_id, sub_id), {}).values())

    def hashes(self, problem_id: str, sub_id: str) -> Sequence[str]:
        """The hashes of all nodes of a subquestion."""
        return self._hashes.get((problem_id, sub_id), [])

    def following(self, problem_id: str, sub_id: str) -> Sequence[Node]:
        """The points of a subquestion that follow from others."""
        return self._following.get((problem_id, sub_id), ())

    def problems_of(self, sub_id: str) -> Sequence[str]:
        """The problems that have a subquestion of that id."""
        return sorted({problem_id for problem_id, sub in self._nodes if sub == sub_id})

    def problem_hash(self, problem_id: str) -> str | None:
        """Which content of the problem the set holds."""
        return self._problems.get(problem_id)

    def order(self, problem_id: str, sub_id: str) -> tuple[int, str]:
        """Sorts the subquestions of a problem."""
        return (self._order.get((problem_id, sub_id), len(self._order)), sub_id)

    def _load(self, connection: Connection, set_digest: str) -> None:
        members, problems = TABLES["set_problems"], TABLES["problems"]
        places, points = TABLES["problem_points"], TABLES["points"]
        query = (
            select(
                *(problems.c.problem_id, problems.c.hash, places, points.c.shape),
                points.c.node["follow"].label("follow"),
            )
            .join(problems, problems.c.hash == members.c.problem_hash)
            .outerjoin(places, places.c.problem_hash == problems.c.hash)
            .outerjoin(points, points.c.point_hash == places.c.point_hash)
            .where(members.c.set_digest == set_digest)
            .order_by(problems.c.hash, places.c.position)
        )
        follows: dict[_Sub, dict[str, dict[str, str]]] = {}
        for row in connection.execute(query):
            self._problems[row.problem_id] = row.hash
            if row.point_id is not None:
                sub = (row.problem_id, row.sub_id)
                self._order.setdefault(sub, len(self._order))
                node = Node(row.point_id, row.point_hash, row.shape, (row.point_hash,))
                self._nodes.setdefault(sub, {})[row.point_id] = node
                if isinstance(row.follow, dict):
                    follows.setdefault(sub, {})[row.point_id] = row.follow["from"]
        for sub, points_of_sub in follows.items():
            for point_id, references in points_of_sub.items():
                self._follow(sub, point_id, references)

    def _follow(self, sub: _Sub, point_id: str, references: Mapping[str, str]) -> None:
        """Let a point know the points that its ``follow`` names."""
        places = [
            (sub_id, other.point_id)
            for (problem_id, sub_id), nodes in self._nodes.items()
            if problem_id == sub[0]
            for other in nodes.values()
            if other.shape == "point"
        ]
        sources = []
        for name, reference in references.items():
            ((sub_id, source_id),) = named_points(reference, places)
            hash_ = self._nodes[sub[0], sub_id][source_id].point_hash
            sources.append(Source(name, sub_id, source_id, hash_ or ""))
        node = replace(self._nodes[sub][point_id], sources=tuple(sources))
        self._nodes[sub][point_id] = node
        self._following.setdefault(sub, []).append(node)

    def _load_earlier(self, connection: Connection) -> None:
        problems, places = TABLES["problems"], TABLES["problem_points"]
        query = (
            select(problems.c.problem_id, places.c.sub_id, places.c.point_id, places.c.point_hash)
            .join(places, places.c.problem_hash == problems.c.hash)
            .distinct()
            .order_by(places.c.point_hash)
        )
        for problem_id, sub_id, point_id, point_hash in connection.execute(query):
            if problem_id not in self._problems:
                continue
            nodes = self._nodes.setdefault((problem_id, sub_id), {})
            node = nodes.get(point_id, Node(point_id, None, None, ()))
            if point_hash not in node.hashes:
                hashes = (*node.hashes, point_hash)
                nodes[point_id] = Node(point_id, node.point_hash, node.shape, hashes)
