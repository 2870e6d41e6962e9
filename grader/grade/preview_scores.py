"""Scores, gaps and ranks before and after, with bounds where replies of a judge are still to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from grader.grade.asked import Place
from grader.grade.gaps import Axis, Ladder, ladders
from grader.grade.plan import Plan
from grader.grade.preview_points import Side
from grader.grade.summary import Summary, awards_of
from grader.score import Award, SubquestionScore, score_subquestion

_CELL = ("model", "protocol", "mode")
_SHOWN = ("earned", "full_mark", "share", "low", "high", "earned_follow", "answers")
_AXES: tuple[Axis, ...] = ("protocol", "mode")


@dataclass
class Scores:
    """The totals of a run before and after."""

    asked: Mapping[Place, set[str]]
    """The points that requests would be about which must be sent, by answer."""
    before: Summary = field(default_factory=Summary)
    after: Summary = field(default_factory=Summary)
    moved: int = 0
    """Answers whose marks are others."""

    def add(self, before: Side | None, after: Side) -> None:
        """Count an answer on both sides."""
        now = _score(after, after.waiting(self.asked))
        self.after.add(after.graded, now)
        if before is None:
            return
        was = _score(before, set())
        self.before.add(before.graded, was)
        self.moved += _marks(was) != _marks(now)

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        nothing = Plan({})  # what the set holds besides the answers is not compared
        sides = [summary.as_json(nothing) for summary in (self.before, self.after)]
        scores = [{_key(one): one for one in side["scores"]} for side in sides]
        gaps = [{_gap_key(one): one for one in _gaps(side)} for side in sides]
        ranked = [ranks(side["scores"]) for side in sides]
        return {
            "moved": self.moved,
            "scores": _beside(_CELL, scores, _SHOWN),
            "gaps": _beside(_GAP, gaps, ("low", "high")),
            "ranks": _beside(_CELL, ranked, ("best", "worst", "of")),
        }


def _score(side: Side, waiting: set[str]) -> SubquestionScore:
    """The marks of an answer; what a reply is still to come for is open."""
    awards = {**awards_of(side.graded), **{point_id: Award(None) for point_id in waiting}}
    return score_subquestion(side.planned.nodes, side.planned.full_mark, awards)


def _marks(score: SubquestionScore) -> tuple[float, ...]:
    return (score.earned, score.low, score.high, score.full_mark, score.earned_follow)


_Row = Mapping[str, Any]
_Key = tuple[Any, ...]


def _beside(names: Sequence[str], sides: Sequence[Mapping[_Key, _Row]], shown: Sequence[str]) -> list[_Row]:
    """A row for each key of either side: its names, and what is shown of both sides."""
    before, after = sides
    return [
        {
            **dict(zip(names, key, strict=True)),
            "before": _part(before.get(key), shown),
            "after": _part(after.get(key), shown),
        }
        for key in dict.fromkeys([*before, *after])
    ]


def _part(row: _Row | None, shown: Sequence[str]) -> dict[str, Any] | None:
    return None if row is None else {name: row[name] for name in shown}


def _key(row: _Row) -> _Key:
    return tuple(row[name] for name in _CELL)


_GAP = ("gap", "model", "protocol", "mode", "of", "minus")


def _gap_key(row: _Row) -> _Key:
    return tuple(row.get(name) for name in _GAP)


def _gaps(side: _Row) -> Iterator[_Row]:
    found: Iterator[Ladder] = chain.from_iterable(ladders(side, axis) for axis in _AXES)
    for ladder in found:
        yield from ladder.as_json()


def ranks(scores: Sequence[_Row]) -> dict[_Key, _Row]:
    """The best and the worst rank that each model can have beside others under its condition.

    Equal shares have equal ranks; while points are open the bounds decide.
    """
    found: dict[_Key, _Row] = {}
    for score in scores:
        others = [one for one in scores if _condition(one) == _condition(score) and one["low"] is not None]
        if len(others) > 1 and score["low"] is not None:
            best = 1 + sum(one["low"] > score["high"] for one in others)
            worst = 1 + sum(one["high"] > score["low"] for one in others if one is not score)
            found[_key(score)] = {"best": best, "worst": worst, "of": len(others)}
    return found


def _condition(score: _Row) -> _Key:
    return score["protocol"], score["mode"]
