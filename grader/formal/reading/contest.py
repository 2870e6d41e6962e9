"""Several candidates that contradict each other: wrong if none of them is right and nothing is left "
"unread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from grader.answer.candidates import Candidate, Settled
from grader.formal.reading.masked_reading import MaskedReading
from grader.formal.reading.roles import names_result
from grader.record import Reason

V = TypeVar("V")


def none_right(
    settled: Settled[V],
    candidates: Sequence[Candidate[V]],
    reading: MaskedReading,
    *,
    cut: bool,
    differs: Callable[[V], bool],
) -> Candidate[V] | None:
    """The last rival, where the candidates contradict each other and every one found is certainly wrong.

    An answer that also says something in words, or covers other subquestions, is left open.
    """
    if settled.reason is not Reason.CONFLICTING_CANDIDATES or not cut or not settled.rivals:
        return None
    if names_result(reading.text.plain, 0, copula=True):
        return None
    last = settled.rivals[-1]
    if reading.says_in_words(last) or not all(differs(item.value) for item in candidates):
        return None
    return last
