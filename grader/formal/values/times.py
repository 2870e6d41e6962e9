"""Times in several units at once: "1 h 15 min", "23 min 6 s"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.formal.values.arithmetic import Term
from grader.formal.values.units import Unit

_SECONDS = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}
_LINK = re.compile(r"[ ](?:and[ ])?")


def compound_times(plain: str, terms: Sequence[Term]) -> list[Term]:
    """The terms, with the parts of one time added up in the unit of its first."""
    joined: list[Term] = []
    for term in terms:
        total = _added(plain, joined[-1], term) if joined else None
        if total is None:
            joined.append(term)
        else:
            joined[-1] = total
    return joined


def _added(plain: str, first: Term, second: Term) -> Term | None:
    """A time and its smaller part as one; None if the second is no part of the first."""
    large, small = _seconds(first.unit), _seconds(second.unit)
    linked = large and small and _LINK.fullmatch(plain, first.end, second.start)
    if not linked or small >= large or not 0 <= second.value * small < large or not _counted(first, second):
        return None
    return replace(first, value=first.value + second.value * small / large, end=second.end, number=None)


def _counted(first: Term, second: Term) -> bool:
    """Whether the larger part is whole and both are plainly written, not calculated."""
    whole = first.value.is_integer() and not (first.sum or second.sum or first.mixed or second.mixed)
    return whole and second.number is not None


def _seconds(unit: Unit | None) -> int:
    """How many seconds a unit of time has; 0 for any other unit."""
    if unit is None or len(unit.factors) != 1 or unit.factors[0][1] != 1:
        return 0
    return _SECONDS.get(unit.factors[0][0], 0)
