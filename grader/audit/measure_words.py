"""Measures of audits as a table, the same wherever one is printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.audit.result import AUDITS, Audit, Measure
from grader.audit.words import ends, percent, signed
from grader.render.tables import Cell, Column, DataTable

NONE = "–"
FOUND = "yes"


def measures_table(
    audits: Sequence[Audit], *, key: str = "measures", title: str | None = None, notes: Sequence[str] = ()
) -> DataTable:
    """A row a measure of the audits, which share one level; shares in per cent, points in percentage points.

    A column that would be empty throughout, or name one judge or one audit throughout, is left out.
    """
    rows = [(audit, one) for audit in audits for one in audit.measures]
    level = audits[0].level if audits else 0.95
    columns = [
        (Column("judge"), [_named(audit.judge) for audit, _ in rows], 1),
        (Column("audit"), [AUDITS[audit.id] for audit, _ in rows], 1),
        (Column("measure"), [one.name for _, one in rows], 0),
        (Column("of"), [one.of for _, one in rows], 0),
        (Column("value", numeric=True), [measure_value(one) for _, one in rows], 0),
        (Column(f"{100 * level:g} % interval", numeric=True), [measure_span(one) for _, one in rows], 0),
        (Column("n", numeric=True), [f"{one.n:,}" if one.n else NONE for _, one in rows], 0),
        (Column("problems", numeric=True), [_count(one.problems) for _, one in rows], 0),
        (Column("p", numeric=True), [measure_p(one) for _, one in rows], 0),
        (Column("detectable", numeric=True), [measure_detectable(one) for _, one in rows], 0),
        (Column("evidence"), [FOUND if one.flagged else "" for _, one in rows], 0),
    ]
    shown = [(column, texts) for column, texts, most in columns if _says(texts, most)]
    cells = zip(*(map(Cell, texts) for _, texts in shown), strict=True)
    said = [*_explained(rows), *notes]
    return DataTable(
        key=key,
        title=title or ", ".join(dict.fromkeys(AUDITS[audit.id] for audit in audits)),
        columns=tuple(column for column, _ in shown),
        rows=tuple(cells),
        notes=tuple(dict.fromkeys(said)),
    )


def measure_value(one: Measure) -> str:
    """The value in its unit: ``96.3 %`` for a share, ``+6.9 pp`` for points; a standard error has no sign."""
    if one.value is None:
        return NONE
    text = _number(one, one.value)
    return text.lstrip("+") if one.name.startswith("standard error") else text


def measure_span(one: Measure) -> str:
    """Both ends of the interval, their unit once, or the one that there is."""
    low, high = (None if end is None else _number(one, end) for end in (one.low, one.high))
    if low is None and high is None:
        return NONE
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else ends(low, high)


def _number(one: Measure, value: float) -> str:
    match one.unit:
        case "share":
            return percent(value)
        case "points":
            return f"{signed(value)} pp"
        case "count":
            return f"{value:,.0f}"
        case "seconds":
            return f"{value:.3g} s"
        case "correlation" | "number":
            return f"{value:.3f}".replace("-", "−")


def _named(judge: str) -> str:
    """A judge with its hash cut short."""
    name, at, digest = judge.rpartition("@")
    return f"{name}@{digest[:8]}" if at else judge


def _count(count: int | None) -> str:
    return NONE if count is None else f"{count:,}"


def measure_p(one: Measure) -> str:
    """p, adjusted where it was; never 0."""
    p = one.p if one.p_adjusted is None else one.p_adjusted
    if p is None:
        return NONE
    return "< 0.001" if p < 0.0005 else f"{p:.3f}"


def measure_detectable(one: Measure) -> str:
    """The smallest detectable effect: a size, without a sign."""
    return NONE if one.detectable is None else _number(one, one.detectable).lstrip("+")


def _says(texts: Sequence[str], most: int) -> bool:
    """Whether a column has anything to say; ``most``: how many values it may have and still say nothing."""
    values = set(texts)
    return len(values) > most and not values <= {"", NONE}


def _explained(rows: Sequence[tuple[Audit, Measure]]) -> Iterator[str]:
    measures = [one for _, one in rows]
    if any(one.unit == "points" for one in measures):
        yield "pp: percentage points"
    if any(one.p_adjusted is not None for one in measures):
        yield "p adjusted after Holm within each audit"
    if any(one.detectable is not None for one in measures):
        yield "detectable: the smallest true effect that would be found with a power of 0.8"
    if any(one.flagged for one in measures):
        yield "evidence: of a fault, after adjustment"
