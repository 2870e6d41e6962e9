"""Verdicts before and after, point by point and answer by answer, and the human marks that no longer hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from grader.archive.entry import StoredVerdict
from grader.archive.read import GradedPoint
from grader.archive.standing import Standing
from grader.grade.asked import Place
from grader.grade.plan import PlannedPoint
from grader.grade.preview_points import Match, Side, matches

_PointKey = tuple[str, str, str | None, str | None]
"""A problem_id, a sub_id, the id of a point before and after."""


@dataclass(frozen=True, slots=True)
class Said:
    """What stands for a point of an answer."""

    status: str
    award: float | None
    award_follow: float | None
    reason: str | None
    by: str | None
    provisional: bool

    @classmethod
    def of(cls, standing: Standing) -> Said:
        """What a standing says."""
        reason = standing.reason.value if standing.reason else None
        awards = (standing.award, standing.award_follow)
        return cls(standing.status.value, *awards, reason, standing.by, standing.provisional)

    @property
    def judged(self) -> bool:
        """A judge said it."""
        return self.by is not None and self.by.startswith("judge:")

    @property
    def words(self) -> str:
        """All that counts of it, so that two that differ read differently."""
        parts = [self.status if self.status != "partial" else f"partial {self.award:g}"]
        if self.reason:
            parts[0] += f" ({self.reason})"
        if self.award_follow is not None and self.award_follow != self.award:
            parts.append(f"{self.award_follow:g} with follow-through")
        return ", ".join([*parts, *(["provisional"] if self.provisional else [])])

    @property
    def meant(self) -> tuple[object, ...]:
        """What counts of it, whoever says it."""
        return (self.status, self.award, self.award_follow, self.reason, self.provisional)


@dataclass(slots=True)
class PointTally:
    """A point over all answers."""

    match: Match
    answers: int = 0
    waiting: int = 0
    """Answers about which a request must be sent."""
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What is said before and after, where the verdict is another."""

    @property
    def changed(self) -> int:
        """Answers whose verdict is another."""
        return sum(self.moves.values())

    @property
    def touched(self) -> bool:
        """Whether there is anything to say about it."""
        return self.match.change != "same" or self.changed > 0 or self.waiting > 0

    def as_json(self, problem_id: str) -> dict[str, Any]:
        """Documented in docs/output.md."""
        point = self.match.node
        moves = [
            {"before": before or None, "after": after or None, "answers": count}
            for (before, after), count in sorted(self.moves.items())
        ]
        return {
            "problem_id": problem_id,
            "sub_id": point.sub_id,
            "point_id": point.node.id,
            "was": self.match.before_id,
            "change": self.match.change,
            "shape": point.shape,
            "kind": point.check.kind if point.check else None,
            "answers": self.answers,
            "changed": self.changed,
            "waiting": self.waiting,
            "moves": moves,
        }


@dataclass
class Answers:
    """What comes of each answer."""

    asked: Mapping[Place, set[str]]
    """The points that requests would be about which must be sent, by answer."""
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    """Those that change or wait."""
    marks: list[dict[str, Any]] = field(default_factory=list)
    """Human marks that would not count."""
    tallies: dict[_PointKey, PointTally] = field(default_factory=dict)
    judged: Counter[str] = field(default_factory=Counter)
    """What becomes of the judge's verdicts."""
    _matches: dict[tuple[str | None, str], tuple[Match, ...]] = field(default_factory=dict)

    def add(self, before: Side | None, after: Side) -> None:
        """Compare an answer with what it was."""
        waiting = after.waiting(self.asked)
        lost: dict[tuple[str, str], dict[str, Any]] = {}
        for match in self._matched(before, after):
            points = _point(before, match.before), _point(after, match.after)
            waits = match.after is not None and match.after.node.id in waiting
            self._compare(after, match, *map(_said, points), waits=waits)
            for mark, counted in _lost(*points):
                key = (mark.verdict.point_id, mark.verdict.by)
                if counted or key not in lost:
                    lost[key] = _mark(after, match, mark, counted)
        self.marks.extend(lost.values())

    def _matched(self, before: Side | None, after: Side) -> tuple[Match, ...]:
        key = (before.graded.problem_hash if before else None, after.planned.sub_id)
        if key not in self._matches:
            self._matches[key] = matches(before.planned.points if before else (), after.planned.points)
        return self._matches[key]

    def _compare(self, side: Side, match: Match, was: Said | None, now: Said | None, *, waits: bool) -> None:
        key = (side.planned.problem_id, side.planned.sub_id, match.before_id, match.after_id)
        tally = self.tallies.setdefault(key, PointTally(match))
        tally.answers += 1
        if was is None and now is None:
            return
        self._count_judged(was, now, waits)
        differs = was is None or now is None or was.meant != now.meant
        if differs:
            tally.moves[was.words if was else "", now.words if now else ""] += 1
        tally.waiting += waits
        if differs or waits:
            said = {"before": asdict(was) if was else None, "after": asdict(now) if now else None}
            self.verdicts.append({**_where(side, match), **said, "changes": differs, "waits": waits})

    def _count_judged(self, was: Said | None, now: Said | None, waits: bool) -> None:
        if waits:
            self.judged["waiting"] += 1
        elif now is not None and now.judged:
            self.judged["standing" if was is not None and was.by == now.by else "read"] += 1
        elif was is not None and was.judged:
            self.judged["dropped"] += 1

    @property
    def changed(self) -> int:
        """How many verdicts are others."""
        return sum(tally.changed for tally in self.tallies.values())

    def judge_counts(self) -> dict[str, int]:
        """Verdicts that stand on, are read from archived replies, wait for a new one, or are dropped."""
        return {name: self.judged[name] for name in ("standing", "read", "waiting", "dropped")}

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "points": [tally.as_json(key[0]) for key, tally in self.tallies.items() if tally.touched],
            "changed": self.changed,
            "verdicts": self.verdicts,
            "marks": self.marks,
        }


def _point(side: Side | None, planned: PlannedPoint | None) -> GradedPoint | None:
    return side.points.get(planned.node.id) if side and planned else None


def _said(point: GradedPoint | None) -> Said | None:
    """What stands; None for a group that nobody marked: it is worth what its members are."""
    standing = point.standing if point else None
    if point is None or standing is None or (point.shape == "group" and standing.source is None):
        return None
    return Said.of(standing)


def _where(side: Side, match: Match) -> dict[str, Any]:
    head = side.graded.response
    return {
        "model": head.model,
        "protocol": head.protocol,
        "mode": head.mode,
        "sample": head.sample,
        "line": head.line,
        "problem_id": head.problem_id,
        "sub_id": side.graded.answer.sub_id,
        "point_id": match.node.node.id,
        "was": match.before_id,
        "change": match.change,
    }


def _lost(earlier: GradedPoint | None, later: GradedPoint | None) -> Iterator[tuple[StoredVerdict, bool]]:
    """The human marks on a point that would not count, and whether they count now."""
    held, holds = _counting(earlier), _counting(later)
    stale = later.standing.stale if later and later.standing else ()
    for by, mark in ({mark.verdict.by: mark for mark in stale} | held).items():
        if by not in holds:
            yield mark, by in held


def _counting(point: GradedPoint | None) -> dict[str, StoredVerdict]:
    """Each person's last mark on a point as it stands, by who gave it."""
    if point is None or point.standing is None:
        return {}
    stale = {mark.verdict.by for mark in point.standing.stale}
    return {
        one.verdict.by: one
        for one in point.verdicts
        if one.verdict.by.startswith("human:") and one.verdict.by not in stale
    }


def _mark(side: Side, match: Match, mark: StoredVerdict, counted: bool) -> dict[str, Any]:
    """A mark that would not count, where it was given."""
    verdict = mark.verdict
    said = {"by": verdict.by.partition(":")[2], "award": verdict.award, "counted": counted}
    return {**_where(side, match), "point_id": verdict.point_id, **said}
