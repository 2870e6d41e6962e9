"""An answer and its rewriting, and the verdicts that one point got on both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Law = Literal["invariant", "sensitive"]
"""``invariant``: the verdict must not change; ``sensitive``: what earned the point must no longer earn it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An answer, and the same with one thing written otherwise or one thing wrong."""

    kind: str
    """A key of ``registry.KINDS``."""
    law: Law
    before: str
    """The whole answer."""
    after: str
    """The whole answer, rewritten."""
    span: tuple[int, int]
    """The first passage of ``before`` that was rewritten, in code points; the same value is rewritten
    alike wherever else the answer states it."""
    what: str
    """What was done: ``CCO: random SMILES OCC``."""


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A kind that makes no pair of this answer and point, and why."""

    kind: str
    law: Law
    why: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a judge said of one point: of the answer, of the same answer asked again, and of its rewriting.

    Awards are in [0, 1]; None is undetermined (a failed call, an unreadable
    reply, a judge that can't assess), which is never taken for a verdict.
    """

    pair: Pair
    problem_id: str
    """The cluster."""
    where: str
    """``<problem>/<sub>/<point>``, and the response's digest shortened."""
    before: float | None
    repeat: float | None
    """None too where nothing was asked again: sensitivity needs no repeat."""
    after: float | None
    points: float = 1.0
    """What the point is worth, in marks."""
    calls: tuple[str, ...] = ()
    """Keys of the archived requests: of the answer, the repeat, the rewriting."""
