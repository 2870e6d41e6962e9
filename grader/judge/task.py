"""What a judge may see of an answer, as a type of its own.

Nothing has a field here that a judge must not know (model, protocol, other
verdicts), so no prompt can show it by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class JudgeFigure:
    """An image a judge may look at: of the question, or private to the rubric."""

    name: str
    """``Figure 2``, ``Rubric figure 1``."""
    description: str
    digest: str
    """Of its bytes."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One node of the rubric that the judge awards."""

    id: str
    marks: float
    """What it is worth at most, above 0: of a deduction the most it takes, of a veto 1."""
    text: str
    shape: Literal["point", "deduction", "veto"] = "point"
    partial: bool = False
    """The award may lie between none and all."""
    terms: tuple[str, ...] = ()
    """How it counts beside others: its group, what it acts on, how often. A sentence each."""
    facts: tuple[str, ...] = ()
    """What code found about values the text quotes: one sentence each, given to the judge as facts."""
    expects: float | None = None
    """The award that the facts alone would lead to, where they settle it: 1 or 0."""


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """One answer to one subquestion, and the criteria it is to be judged by."""

    header: str
    question: str
    answer: str
    """The answer; the whole response where it answers several subquestions."""
    criteria: tuple[Criterion, ...]
    part: str | None = None
    """``(2)``: which question of a whole problem is to be graded; None: the answer is to this one alone."""
    before: tuple[str, ...] = ()
    """The questions of the problem before this one: it may speak of what they introduced."""
    lines: tuple[str, ...] = ()
    """The native lines of the rubric, as their author wrote them."""
    guidance: tuple[str, ...] = ()
    """Notes of the rubric."""
    facts: tuple[str, ...] = ()
    """What code found about the subquestion's other points."""
    figures: tuple[JudgeFigure, ...] = ()
    rubric_figures: tuple[JudgeFigure, ...] = ()

    @property
    def points(self) -> list[Mapping[str, object]]:
        """The criteria as ``reply.parse`` takes them."""
        return [{"id": criterion.id, "max": criterion.marks} for criterion in self.criteria]


@dataclass(frozen=True, slots=True)
class LocatorTask:
    """One answer and one formal point that code could not find the value of."""

    header: str
    question: str
    answer: str
    point: str
    """What the point asks for, without the expected value: a locator that knows it would look for it."""
    part: str | None = None
    figures: tuple[JudgeFigure, ...] = field(default=())
