"""Answers that are nothing but the value: ``Yes.``, ``**7**``, ``\\boxed{B}``, ``Answer: 52.4 kJ/mol``.

No cue, mark or label stands in such an answer, so nothing can change what it
states, and the kinds decide it without reading it as prose: the same finding in
a fiftieth of the time. Whatever has another shape is read at length.
"""

from __future__ import annotations

import re
from functools import lru_cache

from grader.answer.answer import Answer
from grader.answer.labels import pattern, spelled
from grader.answer.members import sole_member
from grader.record import Evidence

_LEAD = (
    r"(?:\*\*(?:[Ff]inal )?[Aa]nswer:\*\* |(?:(?:The |the )?(?:[Cc]orrect |[Ff]inal )?[Aa]nswer(?::| is) ))?"
)


def shape(value: str, flags: int = 0) -> re.Pattern[str]:
    """What matches an answer that holds nothing but a value (a pattern), marked or not, as ``value``."""
    return re.compile(
        rf"\s*{_LEAD}(?:(?P<bold>\*\*)|(?P<box>(?P<math>\$)?\\boxed\{{))?(?P<value>{value})"
        r"(?(bold)\*\*)(?(box)\})(?(math)\$)\.?\s*",
        flags,
    )


def match(answer: Answer, bare: re.Pattern[str], asked: tuple[str, ...]) -> re.Match[str] | None:
    """The match of a shape if it is all that the answer holds, and no label is a part of it."""
    found = bare.fullmatch(answer.text) if answer.cut else None
    if found is None or ((asked or answer.others) and _labelled(answer, asked)):
        return None
    return found


def sole(answer: Answer, value: re.Pattern[str], asked: tuple[str, ...]) -> re.Match[str] | None:
    """The match of a value if it is the one member of a JSON object, and no label is a part of that."""
    span = sole_member(answer.text) if answer.cut else None
    found = value.fullmatch(answer.text, *span) if span else None
    return None if found is None or ((asked or answer.others) and _labelled(answer, asked)) else found


def _labelled(answer: Answer, asked: tuple[str, ...]) -> bool:
    return any(label.search(answer.text) for label in _patterns(asked, answer.others))


@lru_cache(maxsize=1024)
def _patterns(asked: tuple[str, ...], others: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    plain = (spelled(label) for label in (*asked, *others))
    return tuple(pattern(label) for label in plain if label)


def evidence(found: re.Match[str]) -> Evidence:
    """The value of a match as evidence."""
    return Evidence(found["value"], *found.span("value"))
