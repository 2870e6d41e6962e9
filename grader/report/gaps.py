"""What a score changes by when one thing about the condition changes, and what that is evidence of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from grader.render.tables import Cell, Column, DataTable
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import estimate_row, interval_heading, open_interval, rounded
from grader.report.words import SHORT, counted, in_order, p_value, percent, points, span, whole
from grader.stats.estimate import Difference
from grader.stats.gaps import KINDS, Axis, Gap, Kind, Ladder, ladders, mean_ladders

NO_EVIDENCE, ALONE, OPEN, ONE_PROBLEM = "no evidence", "only by itself", "open points decide", "one problem"
SENTENCES = 4
"""Gaps of one kind that the summary still tells one by one."""
_TITLES = {"protocol": "Gaps between protocols", "mode": "Images and readers"}
_KEYS = {"protocol": "gaps", "mode": "modes"}


def protocol_gaps(levels: Levels, options: Options) -> Section | None:
    """Integration, propagation and both."""
    return _section(levels, options, "protocol")


def mode_gaps(levels: Levels, options: Options) -> Section | None:
    """What images change, and what a reader changes."""
    return _section(levels, options, "mode")


def _section(levels: Levels, options: Options, axis: Axis) -> Section | None:
    own = _gaps(ladders(levels.subquestions, axis, level=options.level))
    if not own:
        return None
    # a mean over one model is that model's own gap
    means = [
        gap
        for gap in _gaps(mean_ladders(levels.subquestions, axis, level=options.level))
        if len(gap.models) > 1
    ]
    tables = [
        _table(axis, held, [gap for gap in (*own, *means) if gap.held == held], options)
        for held in in_order(gap.held for gap in own)
    ]
    data = {"gaps": [_row(gap, options) for gap in (*own, *means)]}
    return Section(
        _KEYS[axis], _TITLES[axis], tuple(tables), says=tuple(_says(own, means, options)), data=data
    )


def _gaps(found: Iterable[Ladder]) -> list[Gap]:
    return [gap for ladder in found for gap in ladder.gaps.values()]


def _table(axis: Axis, held: str, gaps: Sequence[Gap], options: Options) -> DataTable:
    columns = [Column("model"), Column("gap"), Column("points", numeric=True)]
    columns += [Column(interval_heading(options.level), numeric=True)]
    columns += [Column("p", numeric=True), Column("detectable", numeric=True), Column("finding")]
    return DataTable(
        f"{_KEYS[axis]}-{held}".replace("_", "-"),
        f"{_TITLES[axis]} under {held}, in percentage points",
        tuple(columns),
        tuple(_cells(gap, options) for gap in gaps),
        tuple(_notes(axis, gaps, options)),
    )


def _cells(gap: Gap, options: Options) -> tuple[Cell, ...]:
    mean = len(gap.models) > 1
    return (
        Cell(f"mean of {len(gap.models)}" if mean else gap.models[0]),
        Cell(gap.kind.called(options.paper_names), title=meaning(gap.kind)),
        *difference_cells(gap.difference, gap.difference.p if mean else gap.p_adjusted),
        Cell(finding(gap, options.level)),
    )


def difference_cells(one: Difference, p_adjusted: float | None) -> tuple[Cell, ...]:
    """Points, interval, p, smallest detectable difference; between bounds while points are open."""
    return (
        Cell(points(one.value) if whole(*one.bounds) else span(*one.bounds, signed=True)),
        Cell(span(*open_interval(one), signed=True)),
        Cell(p_value(p_adjusted)),
        Cell(percent(one.detectable)),
    )


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


def _notes(axis: Axis, gaps: Sequence[Gap], options: Options) -> Iterator[str]:
    shown = {gap.kind.name for gap in gaps}
    for kind in KINDS:
        if kind.name in shown:
            yield f"{kind.called(options.paper_names)}: {meaning(kind)}"
    if options.paper_names and shown & {"integration", "propagation"}:
        yield "named as in section 3.3 of the ChemArgus paper; elsewhere these two names change places"
    yield from finding_notes({finding(gap, options.level) for gap in gaps}, [gap.difference for gap in gaps])


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


def _row(gap: Gap, options: Options) -> Row:
    first, second = gap.conditions
    return {
        "gap": gap.kind.called(options.paper_names),
        "models": list(gap.models),
        "of": dict(zip(("protocol", "mode"), first, strict=True)),
        "minus": dict(zip(("protocol", "mode"), second, strict=True)),
        "differ": gap.kind.differ,
        "difference": estimate_row(gap.difference),
        "p_holm": rounded(gap.p_adjusted),
        "finding": finding(gap, options.level),
    }


def _says(own: Sequence[Gap], means: Sequence[Gap], options: Options) -> Iterator[str]:
    """What the gaps say, and what they can't say."""
    for kind in KINDS:
        mine = [gap for gap in own if gap.kind is kind]
        if mine:
            yield _said(kind, mine, [gap for gap in means if gap.kind is kind] or mine, options)


def _said(kind: Kind, own: Sequence[Gap], shown: Sequence[Gap], options: Options) -> str:
    first, second = (SHORT.get(name, name) for name in (kind.first, kind.second))
    name = kind.called(options.paper_names).capitalize()
    mean = len(shown[0].models) > 1
    whose = f", mean of {counted(len(shown[0].models), 'model')}" if mean else ""
    several = len(shown) > SENTENCES
    text = f"{name} ({first} minus {second}{whose}): "
    text += _counts(shown, options) if several else "; ".join(_of_one(gap, mean, options) for gap in shown)
    if mean:
        text += f". By itself: {_counts(own, options)}"
    seen = [gap.difference.detectable for gap in own if gap.difference.detectable is not None]
    if seen and any(finding(gap, options.level) == NO_EVIDENCE for gap in own):
        text += f". A true difference below about {100 * median(seen):.0f} points would mostly stay unseen"
    return text + "."


def _of_one(gap: Gap, mean: bool, options: Options) -> str:
    one = gap.difference
    sure = "" if one.low is None else f" ({span(*open_interval(one), signed=True)})"
    whose = "" if mean else f"for {gap.models[0]} "
    size = points(one.value) if whole(*one.bounds) else span(*one.bounds, signed=True)
    return f"{size} points {whose}under {gap.held}{sure}, {finding(gap, options.level)}"


def _counts(gaps: Sequence[Gap], options: Options) -> str:
    """How many gaps are evidence of what."""
    found = Counter(finding(gap, options.level) for gap in gaps)
    return ", ".join(f"{what} in {count} of {len(gaps)}" for what, count in found.most_common())
