"""Expressions: rate laws, equilibrium quotients, half-lives, and equations up to rearrangement."""

from __future__ import annotations

from functools import lru_cache

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, settle
from grader.answer.marks import Rank
from grader.answer.notation import normalise
from grader.formal import outcome
from grader.formal.expressions.candidates import ExpressionReading, Stated, find
from grader.formal.expressions.compared import Outcome
from grader.formal.expressions.equality import Equal, compare
from grader.formal.expressions.literals import Unreadable
from grader.formal.expressions.names import UNITS
from grader.formal.expressions.statements import TooMany
from grader.formal.expressions.target import Target
from grader.formal.expressions.tree import symbols
from grader.formal.registry import by
from grader.problem.checks import CheckModel, ExpressionCheck
from grader.record import Finding, Reason, Rejected

BY = by("expression")


@lru_cache(maxsize=256)
def _target(check: str) -> Target:
    return Target.of(ExpressionCheck.model_validate_json(check))


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide whether an answer states the expected expression.

    Equal is what agrees with it at random points (``evaluate``); nothing is evaluated as code.
    """
    assert isinstance(check, ExpressionCheck)
    if not answer.text.strip():
        return outcome.blank(BY)
    try:
        target = _target(check.model_dump_json())
    except Unreadable as error:
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, f"the expected expression can't be read: {error}"
        )
    text = normalise(answer.text)
    try:
        found = find(text, target)
    except TooMany:
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, "the answer holds too many expressions to be weighed"
        )
    reading = ExpressionReading(text, check.asked, answer.others, target.labels)
    settled = settle(
        text, found, same=_same, asked=check.asked, others=answer.others, cut=answer.cut,
        fits=lambda stated: stated.overlap > 0, reading=reading,
    )  # fmt: skip
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "expression")
    return _judge(target, taken, settled.rejected, alone=len(found) == 1)


def spans(check: CheckModel, answer: Answer) -> list[tuple[int, int]]:
    """The raw spans of the expressions in expected symbols. Raises TooMany and Unreadable."""
    found = find(normalise(answer.text), _target(check.model_dump_json()))
    return [(one.start, one.end) for one in found if one.value.overlap and not one.aside]


def _same(one: Stated, two: Stated) -> bool:
    """Whether two statements say the same: both what is expected, or equal to each other."""
    if one.compared.outcome is two.compared.outcome is Outcome.SAME:
        return True
    return one.compared.outcome is two.compared.outcome and compare(one.tree, two.tree) is Equal.YES


def _judge(
    target: Target, taken: Candidate[Stated], rejected: tuple[Rejected, ...], *, alone: bool
) -> Finding:
    stated = taken.value
    shown = " ".join(taken.quote.split())
    detail = f"{shown} against {target.check.expected}: {stated.compared.why}"
    tied = taken.bound is Bound.NAMED or (alone and (taken.rank >= Rank.LINE or bool(stated.left)))
    if not stated.overlap and target.names and (not tied or symbols(stated.tree) <= UNITS):
        nothing = "no expression in the expected symbols is stated"
        return outcome.undetermined(
            BY, Reason.NO_CANDIDATE, nothing, (*rejected, taken.rejected("another quantity"))
        )
    if stated.compared.outcome is Outcome.UNSURE:
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, detail, (*rejected, taken.rejected(stated.compared.why))
        )
    right = stated.compared.outcome is Outcome.SAME
    return outcome.decided(BY, right, taken, detail, shown, rejected)
