"""Finding what a rubric's text quotes in one answer, as a task for the worker processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.answer.answer import Answer
from grader.formal.quoted.facts import BY, combine, weigh
from grader.record import Finding

if TYPE_CHECKING:
    from grader.formal.quoted.checks import QuotedCheck


@dataclass(frozen=True, slots=True)
class FactTask:
    """The text of a flexible point and the answer in which its values are looked for."""

    text: str
    answer: Answer
    key: object = None
    """Whatever the caller needs to know the task again by."""

    def __reduce__(self) -> tuple[type[FactTask], tuple[str, Answer]]:
        # the key stays with the caller: a child would have to import whatever it is made of
        return FactTask, (self.text, self.answer)

    @property
    def kind(self) -> str:
        """What its engine is called."""
        return "fact"

    @property
    def by(self) -> str:
        """Who signs."""
        return BY

    def decide(self) -> Finding:
        """The combined finding on all quoted values."""
        from grader.formal.quoted.checks import quoted_checks

        checks = quoted_checks(self.text)
        return combine(checks, [weigh(one.check, _beside(self.answer, one, checks)) for one in checks])


def _beside(answer: Answer, one: QuotedCheck, checks: tuple[QuotedCheck, ...]) -> Answer:
    """The answer with the labels of the text's other values, so that theirs aren't taken for this one."""
    asked = {label for other in checks if other is not one for label in other.check.asked}
    return replace(answer, others=tuple(dict.fromkeys((*answer.others, *sorted(asked)))))
