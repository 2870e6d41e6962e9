"""Estimates as cells of a table and as JSON."""

from __future__ import annotations

from grader.report.document import Row
from grader.report.words import whole
from grader.stats.estimate import Difference, Estimate

DIGITS = 9


def rounded(value: float | None) -> float | None:
    """A number without the dust of sums."""
    return None if value is None else round(float(value), DIGITS) + 0.0


def ends(pair: tuple[float | None, float | None] | None) -> list[float | None] | None:
    """Two ends as a list; None where they aren't known."""
    if pair is None or pair[0] is None or pair[1] is None:
        return None
    return [rounded(pair[0]), rounded(pair[1])]


def interval_heading(level: float) -> str:
    """The heading of intervals: ``95 % interval``."""
    return f"{100 * level:g} % interval"


def open_interval(one: Estimate) -> tuple[float | None, float | None]:
    """The interval; while points are open the one that holds however they will be decided."""
    return (one.low, one.high) if whole(*one.bounds) else (one.widened or (None, None))


def estimate_row(one: Estimate | None) -> Row | None:
    """An estimate as JSON, documented in docs/output.md under ``argus report``."""
    if one is None:
        return None
    row: Row = {
        "value": rounded(one.value),
        "interval": ends((one.low, one.high)),
        "interval_if_open": ends(one.widened),
        "bounds": ends(one.bounds),
        "se": rounded(one.se),
        "df": one.df,
        "problems": one.problems,
        "subquestions": one.subquestions,
        "answers": one.answers,
    }
    if isinstance(one, Difference):
        row |= {
            "p": rounded(one.p),
            "detectable": rounded(one.detectable),
            "evidence": one.evidence,
            "evidence_if_open": one.evidence_if_open,
            "only_first": one.only_first,
            "only_second": one.only_second,
        }
    return row
