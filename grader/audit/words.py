"""Numbers in the sentences of audits."""

from __future__ import annotations

from grader.audit.result import Measure
from grader.render.words import counted

INDICATIVE = "Too few points or problems for this audit's least number: take it as an indication."


def percent(share: float) -> str:
    """``6.9 %``."""
    return f"{100 * share:.1f} %"


def signed(difference: float) -> str:
    """A difference of shares in percentage points, signed: ``+6.9``, ``−0.4``, and ``0.0``."""
    text = f"{100 * difference:+.1f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0" else text


def p_value(p: float) -> str:
    """Three decimals, and never 0."""
    return "p < 0.001" if p < 0.0005 else f"p {p:.3f}"


def number(value: float, measure: Measure) -> str:
    """A value in the unit of a measure."""
    if measure.unit == "points":
        return f"{signed(value)} points"
    if measure.unit == "share":
        return percent(value)
    if measure.unit == "count":
        return f"{value:,.0f}"
    return f"{value:.3g} s" if measure.unit == "seconds" else f"{value:.3f}".replace("-", "−")


def ends(low: str, high: str) -> str:
    """Both ends of an interval with their unit once: ``−5.9 to +8.7 pp``."""
    number, space, unit = low.partition(" ")
    return f"{number if space and high.endswith(f' {unit}') else low} to {high}"


def bracket(measure: Measure, level: float) -> str:
    """What stands behind a value: interval, n, problems, p and what could have been found.

    ``(95 % interval +3.1 to +10.7 points; 240 points of 48 problems; p 0.003; detectable: 5.2)``.
    """
    parts = []
    if measure.low is not None and measure.high is not None:
        span = ends(number(measure.low, measure), number(measure.high, measure))
        parts.append(f"{100 * level:g} % interval {span}")
    elif measure.high is not None:
        parts.append(f"at most {number(measure.high, measure)} with {100 * level:g} % confidence")
    of = f" of {counted(measure.problems, 'problem')}" if measure.problems is not None else ""
    parts.append(f"{counted(measure.n, 'marked point')}{of}")
    p = measure.p if measure.p_adjusted is None else measure.p_adjusted
    if p is not None:
        parts.append(p_value(p) + ("" if measure.p_adjusted is None else " adjusted"))
    if measure.detectable is not None:
        parts.append(f"detectable from {number(measure.detectable, measure).lstrip('+')}")
    return f"({'; '.join(parts)})"
