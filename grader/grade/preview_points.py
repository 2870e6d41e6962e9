"""The points of a rubric beside those of an earlier one: the same, changed, renamed, new or gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from grader.archive.entry import StoredVerdict
from grader.archive.read import GradedAnswer, GradedPoint
from grader.grade.asked import Place
from grader.grade.plan import PlannedPoint, PlannedSubquestion
from grader.record import Reason, digest

Change = Literal["same", "renamed", "changed", "new", "gone"]


@dataclass(frozen=True)
class Side:
    """An answer as it is graded, with the rubric it is graded by."""

    graded: GradedAnswer
    planned: PlannedSubquestion

    @cached_property
    def points(self) -> Mapping[str, GradedPoint]:
        """What stands, by point."""
        return {point.point_id: point for point in self.graded.points}

    def waiting(self, asked: Mapping[Place, set[str]]) -> set[str]:
        """The points whose verdict depends on a request that must be sent, of those it would be about."""
        place = (self.graded.response.digest, self.graded.answer.sub_id)
        return {point_id for point_id in asked.get(place, ()) if not _settled(self.points[point_id])}


@dataclass(frozen=True, slots=True)
class Match:
    """A point and what it was before."""

    change: Change
    before: PlannedPoint | None
    """None for a new one."""
    after: PlannedPoint | None
    """None for one that is gone."""

    @property
    def before_id(self) -> str | None:
        """Its id before."""
        return self.before.node.id if self.before else None

    @property
    def after_id(self) -> str | None:
        """Its id now."""
        return self.after.node.id if self.after else None

    @property
    def node(self) -> PlannedPoint:
        """The point as it is, or was last."""
        found = self.after or self.before
        assert found is not None
        return found


def _settled(point: GradedPoint) -> bool:
    """Whether no judge's reply can change what stands: code or people decided it, or people have to."""
    standing = point.standing
    if standing is None or standing.reason is Reason.MARKS_DISAGREE:
        return True
    source = standing.source
    if isinstance(source, StoredVerdict) and source.verdict.adjudicated:
        return True
    return standing.award is not None and standing.track != "judge"


def matches(before: Sequence[PlannedPoint], after: Sequence[PlannedPoint]) -> tuple[Match, ...]:
    """The points of a subquestion in today's order, those that are gone last.

    A point is the same if its id and all that decides it are; renamed if only
    its id is another (native lines are counted: a line put before them renames
    them); changed if only its id is the same.
    """
    left = list(before)
    found: dict[str, Match] = {}

    def take(change: Change, alike: Callable[[PlannedPoint], Any]) -> None:
        for point in after:
            if point.node.id in found:
                continue
            earlier = next((one for one in left if alike(one) == alike(point)), None)
            if earlier is not None:
                left.remove(earlier)
                found[point.node.id] = Match(change, earlier, point)

    take("same", lambda one: one.point_hash)
    take("renamed", _unnamed)
    take("changed", lambda one: one.node.id)
    rest = (Match("gone", one, None) for one in left)
    return (*(found.get(one.node.id, Match("new", None, one)) for one in after), *rest)


def _unnamed(point: PlannedPoint) -> str:
    return digest(list(_without_ids(point.node.model_dump(mode="json", exclude_defaults=True))))


def _without_ids(node: Mapping[str, Any]) -> Iterator[Any]:
    """A node's content but for the ids of it and its members."""
    for name, value in sorted(node.items()):
        if name == "of":
            yield [list(_without_ids(member)) for member in value]
        elif name != "id":
            yield [name, value]
