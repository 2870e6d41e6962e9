"""Finding what a rubric's text quotes in one answer, as a task for the worker processes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.answer.answer import Answer
from grader.formal.quoted.facts import BY, combine
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
        from grader.formal.quoted.weighing import weigh

        checks = quoted_checks(self.text)
        laid = laid_out(self.answer)
        found = [weigh(one.check, _beside(laid, one, checks)) for one in checks]
        return combine(checks, [_as_written(one, self.answer.text) for one in found])


_HEAD = re.compile(
    r"(?:(?<=\s)|^)\((?P<label>[ivx]{1,4}|[A-Za-z])\)(?=\s)|^(?P<bare>[ivx]{1,4}|[a-h])\)(?=\s)", re.M
)


def laid_out(answer: Answer) -> Answer:
    """The answer with "(ii) " spelled ";ii: ", a label that governs what follows; no place moves."""

    def spelled(match: re.Match[str]) -> str:
        return f";{match['label']}:" if match["label"] else f"{match['bare']}:"

    labels = dict.fromkeys(match["label"] or match["bare"] for match in _HEAD.finditer(answer.text))
    if len(labels) < 2:
        return answer
    return replace(answer, text=_HEAD.sub(spelled, answer.text), others=(*answer.others, *labels))


def _as_written(finding: Finding, text: str) -> Finding:
    """The finding with its quotes as the answer writes them."""
    at = finding.evidence
    return replace(
        finding,
        evidence=at and replace(at, quote=text[at.start : at.end]),
        rejected=tuple(replace(one, quote=text[one.start : one.end]) for one in finding.rejected),
    )


def _beside(answer: Answer, one: QuotedCheck, checks: tuple[QuotedCheck, ...]) -> Answer:
    """The answer with the labels of the text's other values, so that theirs aren't taken for this one."""
    asked = {label for other in checks if other is not one for label in other.check.asked}
    others = dict.fromkeys((*answer.others, *sorted(asked)))
    return replace(answer, others=tuple(label for label in others if label not in one.check.asked))
