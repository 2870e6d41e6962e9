"""A rubric as scoring nodes, whatever it was written in."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from grader.problem.model import Group, Note, Point, ScoringNode, Subquestion

if TYPE_CHECKING:
    from grader.problem.rubric import NativeRubric


def nodes(sub: Subquestion) -> tuple[ScoringNode, ...]:
    """The scoring nodes of a subquestion; empty where it has no rubric.

    Typed nodes are taken as they are. Native lines are read together, with
    what the typed points leave of the full mark, and stand where the first of
    them stood; their ids are ``<sub_id>#<n>``.
    """
    native = _native_nodes(sub.sub_id, _lines(sub), _left(sub))
    found: list[ScoringNode] = []
    for item in sub.rubric or ():
        if not isinstance(item, str):
            found.append(item)
        elif native:
            found.extend(native)
            native = ()
    return tuple(found)


def native_marks(sub: Subquestion) -> float:
    """The marks that the native lines of a rubric carry in writing."""
    return _read(_lines(sub), sub.full_mark).accounted if _lines(sub) else 0.0


def _lines(sub: Subquestion) -> tuple[str, ...]:
    return tuple(item for item in sub.rubric or () if isinstance(item, str))


def _left(sub: Subquestion) -> float:
    """The marks that the typed points leave to the native lines."""
    typed = math.fsum(item.points for item in sub.rubric or () if isinstance(item, Point | Group))
    return sub.full_mark - typed


@lru_cache(maxsize=4096)
def _native_nodes(sub_id: str, lines: tuple[str, ...], full_mark: float) -> tuple[ScoringNode, ...]:
    if not lines:
        return ()
    if full_mark < 1e-6:
        # Lines beside typed points that already earn the full mark are guidance; rules.py refuses others.
        return tuple(Note(note=line) for line in lines)
    from grader.problem.rubric import scoring_nodes

    return scoring_nodes(sub_id, _read(lines, full_mark))


@lru_cache(maxsize=4096)
def _read(lines: tuple[str, ...], full_mark: float) -> NativeRubric:
    from grader.problem.rubric import read_rubric

    return read_rubric(lines, full_mark)
