"""All score arithmetic: nobody else adds marks.

A subquestion's rubric is a list of nodes (points, groups, deductions, vetoes,
notes); an Award stands for each node that something decided. Earned marks are
clamped to [0, full_mark]. While points are undetermined the score is known
only up to bounds, found by evaluating both extremes: the worst case takes
every open point as not met and every open deduction and veto as met, the best
case the reverse. Every rule is monotone in its awards, so the extremes bound
every way in which the open points can still be decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from grader.problem.model import Deduction, Group, Note, Point, ScoringNode, Veto, walk

Track = Literal["formal", "located", "judge", "human"]
"""Who decided: code, code on a passage that a judge quoted, a judge, a person."""
Open = Literal["worst", "best", "ignored"]
"""How an open award is taken: against the answer, for it, or as if its node weren't there."""

DIGITS = 9
"""Marks are rounded to this many decimals, so that thirds of a mark add up to one."""


@dataclass(frozen=True, slots=True)
class Award:
    """What stands for one node: the share of its marks, and who decided.

    For a deduction ``award`` is the share of its largest loss that is taken,
    for a veto 1 says that it is met. None: undetermined.
    """

    award: float | None
    track: Track | None = None
    award_follow: float | None = None
    """With follow-through; None: the same as ``award``."""


Awards = Mapping[str, Award]
"""Awards by node id; a node without one is undetermined."""


@dataclass(frozen=True, slots=True)
class SubquestionScore:
    """The marks of one answer to one subquestion."""

    earned: float
    """From what is decided: an open point adds nothing and takes nothing."""
    low: float
    high: float
    full_mark: float
    earned_follow: float
    by_track: Mapping[Track, float] = field(default_factory=dict)
    """Positive marks decided by each track, whether earned or lost."""
    open_points: tuple[str, ...] = ()
    """Ids of undetermined nodes that can still change the score."""


def score_subquestion(nodes: Sequence[ScoringNode], full_mark: float, awards: Awards) -> SubquestionScore:
    """Score one answer to one subquestion, in marks."""
    low, high = (earned_marks(nodes, full_mark, awards, open_as=extreme) for extreme in ("worst", "best"))
    return SubquestionScore(
        earned=earned_marks(nodes, full_mark, awards),
        low=low,
        high=high,
        full_mark=full_mark,
        earned_follow=_Reading(nodes, awards, "ignored", follow=True).total(full_mark),
        by_track=_marks_by_track(nodes, awards),
        open_points=tuple(_open_ids(nodes, awards)) if low < high else (),
    )


def earned_marks(
    nodes: Sequence[ScoringNode], full_mark: float, awards: Awards, *, open_as: Open = "ignored"
) -> float:
    """The marks of one answer alone: for whoever asks what it would earn with other awards."""
    return _Reading(nodes, awards, open_as).total(full_mark)


class _Reading:
    """One reading of a rubric: the awards, and how the open ones are taken."""

    def __init__(
        self, nodes: Sequence[ScoringNode], awards: Awards, open_as: Open, follow: bool = False
    ) -> None:
        self._nodes = nodes
        self._penalties = [node for node in nodes if isinstance(node, Deduction | Veto)]
        self._awards = awards
        self._open = open_as
        self._follow = follow

    def total(self, full_mark: float) -> float:
        marks = sum(self.earned(node) for node in self._nodes if isinstance(node, Point | Group))
        return round(self._scoped(None, marks, full_mark), DIGITS)

    def earned(self, node: Point | Group) -> float:
        """Marks of a point or group, its own deductions and vetoes taken off."""
        share = self._share(node.id, gain=True)
        if isinstance(node, Point):
            marks = node.points * share
        elif node.id in self._awards or not node.of:
            marks = node.points * share  # a mark on the group stands in place of its members
        else:
            marks = self._group(node)
        return self._scoped(node.id, marks, node.points)

    def _group(self, group: Group) -> float:
        members = [(member, self.earned(member)) for member in group.of]
        marks = [earned for _, earned in members]
        if group.rule == "sum":
            return sum(marks)
        if group.rule == "any":
            return max(marks, default=0.0)
        met = sum(_is_full(member, earned) for member, earned in members)
        if group.rule == "all":
            return group.points if members and met == len(members) else 0.0
        if group.table is not None:
            return group.table.get(str(met), 0.0)
        return sum(sorted(marks, reverse=True)[: group.take])

    def _scoped(self, scope: str | None, marks: float, ceiling: float) -> float:
        """Marks after the deductions and vetoes of that scope, clamped to [0, ceiling]."""
        marks = min(marks, ceiling)
        for node in self._penalties:
            if node.scope != scope:
                continue
            taken = self._share(node.id, gain=False)
            if isinstance(node, Deduction):
                marks -= taken * largest_loss(node, ceiling)
            elif taken >= 1:
                return 0.0
        return max(0.0, marks)

    def _share(self, node_id: str, *, gain: bool) -> float:
        award = self._awards.get(node_id)
        value = None if award is None else award.award
        if award is not None and self._follow and award.award_follow is not None:
            value = award.award_follow
        if value is not None:
            return value
        return 1.0 if self._open == ("best" if gain else "worst") else 0.0


def largest_loss(deduction: Deduction, ceiling: float) -> float:
    """The most marks a deduction can take from a scope worth ``ceiling``."""
    if deduction.each:
        return min(ceiling, deduction.max if deduction.max is not None else ceiling)
    return min(ceiling, -deduction.points)


def scope_worth(penalty: Deduction | Veto, rubric: Sequence[ScoringNode], full_mark: float) -> float:
    """The marks that a deduction or veto acts on: those of its scope, else the whole subquestion's."""
    if penalty.scope is None:
        return full_mark
    scopes = [node for node in walk(tuple(rubric)) if isinstance(node, Point | Group)]
    return next((node.points for node in scopes if node.id == penalty.scope), full_mark)


def _is_full(member: Point | Group, earned: float) -> bool:
    return round(earned, DIGITS) >= round(member.points, DIGITS)


def _is_settled(node: Point | Group, nodes: Sequence[ScoringNode], awards: Awards) -> bool:
    """Whether no open award can change this node's marks."""
    worst = _Reading(nodes, awards, "worst").earned(node)
    return round(worst - _Reading(nodes, awards, "best").earned(node), DIGITS) == 0


def _open_ids(nodes: Sequence[ScoringNode], awards: Awards) -> Iterator[str]:
    """Undetermined nodes that can still change the marks of what holds them."""

    def inside(node: Point | Group) -> Iterator[str]:
        award = awards.get(node.id)
        if isinstance(node, Point) or award is not None:
            if award is None or award.award is None:
                yield node.id
            return
        for member in node.of:
            if not _is_settled(member, nodes, awards):
                yield from inside(member)
        if not node.of:
            yield node.id

    for node in nodes:
        if isinstance(node, Note):
            continue
        if isinstance(node, Point | Group):
            if not _is_settled(node, nodes, awards):
                yield from inside(node)
        elif (award := awards.get(node.id)) is None or award.award is None:
            yield node.id


def _marks_by_track(nodes: Sequence[ScoringNode], awards: Awards) -> dict[Track, float]:
    """Positive marks by the track that decided them; open marks are in none."""
    marks: dict[Track, float] = {}

    def give(node: Point | Group, points: float) -> None:
        award = awards.get(node.id)
        if isinstance(node, Point) or award is not None:
            if award is not None and award.award is not None and award.track is not None:
                marks[award.track] = marks.get(award.track, 0.0) + points
            return
        if node.rule != "sum" and not _is_settled(node, nodes, awards):
            return
        members = _deciders(node, nodes, awards)
        weight = sum(member.points for member in members)
        for member in members:
            give(member, points * member.points / weight)

    for node in nodes:
        if isinstance(node, Point | Group):
            give(node, node.points)
    return {track: round(value, DIGITS) for track, value in sorted(marks.items())}


def _deciders(group: Group, nodes: Sequence[ScoringNode], awards: Awards) -> Sequence[Point | Group]:
    """The members on which a group's marks rest: the best one of ``any``, else all that are settled."""
    if group.rule == "sum":
        return group.of
    settled = [member for member in group.of if _is_settled(member, nodes, awards)]
    reading = _Reading(nodes, awards, "ignored")
    if group.rule == "any" and any(reading.earned(member) > 0 for member in settled):
        return [max(settled, key=reading.earned)]
    return settled


@dataclass(slots=True)
class Total:
    """Marks added up over answers: one model under one protocol and mode, or a problem in it."""

    earned: float = 0.0
    low: float = 0.0
    high: float = 0.0
    full_mark: float = 0.0
    earned_follow: float = 0.0
    subquestions: int = 0
    by_track: dict[Track, float] = field(default_factory=dict)

    def add(self, score: SubquestionScore) -> None:
        """Count one more answer to one subquestion."""
        self.earned += score.earned
        self.low += score.low
        self.high += score.high
        self.full_mark += score.full_mark
        self.earned_follow += score.earned_follow
        self.subquestions += 1
        for track, marks in score.by_track.items():
            self.by_track[track] = self.by_track.get(track, 0.0) + marks

    @property
    def share(self) -> float | None:
        """Earned marks over full marks: the normalised rubric score. None without marks."""
        return self.earned / self.full_mark if self.full_mark else None

    @property
    def coverage(self) -> float | None:
        """The share of full marks whose points are decided."""
        return sum(self.by_track.values()) / self.full_mark if self.full_mark else None


def macro_share(problems: Iterable[Total]) -> float | None:
    """The mean of the problems' shares: each problem counts once, however many marks it has."""
    shares = [total.share for total in problems if total.share is not None]
    return sum(shares) / len(shares) if shares else None
