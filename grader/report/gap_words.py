"""What a difference is evidence of, in words and in cells of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.render.tables import Cell
from grader.report.estimates import open_interval
from grader.report.words import SHORT, p_value, percent, points, span, whole
from grader.stats.estimate import Difference
from grader.stats.gaps import Gap, Kind

NO_EVIDENCE, ALONE, OPEN, ONE_PROBLEM = "no evidence", "only by itself", "open points decide", "one problem"


def finding(gap: Gap, level: float) -> str:
    """What a gap is evidence of, in two or three words."""
    adjusted = gap.difference.p if len(gap.models) > 1 else gap.p_adjusted
    names = [SHORT.get(one, one) for one in (gap.kind.first, gap.kind.second)]
    return difference_finding(gap.difference, adjusted, level, names)


def difference_finding(
    difference: Difference, p_adjusted: float | None, level: float, names: Sequence[str]
) -> str:
    """The same for any difference of two named sides."""
    if difference.low is None:
        return ONE_PROBLEM
    if not difference.evidence:
        return NO_EVIDENCE
    if not difference.evidence_if_open:
        return OPEN
    if p_adjusted is not None and p_adjusted > 1 - level:
        return ALONE
    return f"{names[0] if difference.favours == 'first' else names[1]} higher"


def meaning(kind: Kind) -> str:
    """Which two conditions a gap lies between, and in what they differ."""
    first, second = (SHORT.get(one, one) for one in (kind.first, kind.second))
    return f"{first} minus {second}; {first} has {kind.differ}"


def difference_cells(one: Difference, p_adjusted: float | None) -> tuple[Cell, ...]:
    """Points, interval, p, smallest detectable difference; between bounds while points are open."""
    return (
        Cell(points(one.value) if whole(*one.bounds) else span(*one.bounds, signed=True)),
        Cell(span(*open_interval(one), signed=True)),
        Cell(p_value(p_adjusted)),
        Cell(percent(one.detectable)),
    )


def finding_notes(found: set[str], differences: Sequence[Difference]) -> Iterator[str]:
    """What the columns of a table of differences mean."""
    yield (
        "p: of no difference, adjusted for the comparisons of that kind in this report (Holm); detectable: "
        "the smallest true difference that as many problems like these show four times in five"
    )
    if NO_EVIDENCE in found:
        yield f"{NO_EVIDENCE}: the interval holds zero; other problems could show none, or the opposite"
    if ALONE in found:
        yield f"{ALONE}: the interval leaves zero out, but p, adjusted for the others, is too large"
    if ONE_PROBLEM in found:
        yield f"{ONE_PROBLEM}: no interval, so nothing is said of other problems"
    if not all(whole(*one.bounds) for one in differences):
        yield (
            "from ... to: between these the difference will lie once all is decided; the interval shown then "
            f"holds its interval; {OPEN}: as graded there is evidence, which open points could take away"
        )
