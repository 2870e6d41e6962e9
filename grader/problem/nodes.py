"""A rubric as scoring nodes, whatever it was written in."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from grader.problem.model import Group, Point, ScoringNode, Subquestion

if TYPE_CHECKING:
    from grader.problem.rubric import NativeRubric


def nodes(sub: Subquestion) -> tuple[ScoringNode, ...]:
    """The scoring nodes of a subquestion; empty where it has no rubric.

    Typed nodes are taken as they are. Native lines are read together, with
    what the typed points leave of the full mark, and stand where the first of
    them stood; their ids are ``<sub_id>#<n>``.
    """
    native = native_nodes(sub)
    found: list[ScoringNode] = []
    for item in sub.rubric or ():
        if not isinstance(item, str):
            found.append(item)
        elif native:
            found.extend(native)
            native = ()
    return tuple(found)


def native_nodes(sub: Subquestion) -> tuple[ScoringNode, ...]:
    """What the native lines of a rubric became."""
    lines = _lines(sub)
    return _native_nodes(sub.sub_id, tuple(lines), tuple(lines.values()), _left(sub)) if lines else ()


def native_rubric(sub: Subquestion) -> NativeRubric | None:
    """What the native lines of a rubric say; None where there are none, or where they are only guidance."""
    lines, left = _lines(sub), _left(sub)
    return _read(tuple(lines.values()), left) if lines and left else None


def writes_marks(sub: Subquestion) -> bool:
    """Whether the native lines of a rubric carry marks in writing."""
    lines = _lines(sub)
    return bool(lines) and bool(_read(tuple(lines.values()), sub.full_mark).marks)


def _lines(sub: Subquestion) -> dict[int, str]:
    """The native lines by their 1-based place in the rubric."""
    return {n: item for n, item in enumerate(sub.rubric or (), start=1) if isinstance(item, str)}


def _left(sub: Subquestion) -> float:
    """The marks that the typed points leave to the native lines; with none left they are guidance."""
    typed = math.fsum(item.points for item in sub.rubric or () if isinstance(item, Point | Group))
    return max(0.0, round(sub.full_mark - typed, 6))


@lru_cache(maxsize=4096)
def _native_nodes(
    sub_id: str, numbers: tuple[int, ...], lines: tuple[str, ...], full_mark: float
) -> tuple[ScoringNode, ...]:
    from grader.problem.rubric import scoring_nodes

    return scoring_nodes(sub_id, _read(lines, full_mark), numbers)


@lru_cache(maxsize=4096)
def _read(lines: tuple[str, ...], full_mark: float) -> NativeRubric:
    from grader.problem.rubric import read_rubric

    return read_rubric(lines, full_mark)
