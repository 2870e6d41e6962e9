"""What a score changes by when one thing about the condition changes, and what that is evidence of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.corrected_gaps import (
    CorrectedGap,
    contradicted,
    corrected_gaps,
    gap_cells,
    gap_finding,
    gap_notes,
)
from grader.report.document import Levels, Options, Row, Section
from grader.report.drawings import contrasts
from grader.report.estimates import estimate_row, interval_heading, open_interval, rounded
from grader.report.gap_words import NO_EVIDENCE, difference_cells, finding, finding_notes, meaning
from grader.report.resampled import resampled_gaps
from grader.report.words import SHORT, in_order, points, span, whole
from grader.stats.gaps import KINDS, Axis, Gap, Kind, Ladder, ladders, mean_ladders

SENTENCES = 4
"""Gaps of one kind that the summary still tells one by one."""
_TITLES = {"protocol": "Gaps between protocols", "mode": "Images and readers"}
Name = tuple[str, str, tuple[str, ...]]
"""Kind, what is held fixed, models."""
_KEYS = {"protocol": "gaps", "mode": "modes"}


def protocol_gaps(levels: Levels, options: Options) -> Section | None:
    """Integration, propagation and both."""
    return _section(levels, options, "protocol")


def mode_gaps(levels: Levels, options: Options) -> Section | None:
    """What images change, and what a reader changes."""
    return _section(levels, options, "mode")


def _section(levels: Levels, options: Options, axis: Axis) -> Section | None:
    found = ladders(levels.subquestions, axis, level=options.level)
    own = _gaps(found)
    if not own:
        return None
    # a mean over one model is that model's own gap
    means = [
        gap
        for gap in _gaps(mean_ladders(levels.subquestions, axis, level=options.level))
        if len(gap.models) > 1
    ]
    fixed = dict(zip(map(_name, own), corrected_gaps(levels, own, options), strict=True))
    tables = [
        _table(axis, held, [gap for gap in (*own, *means) if gap.held == held], fixed, options)
        for held in in_order(gap.held for gap in own)
    ]
    data = {"gaps": [_row(gap, fixed.get(_name(gap)), options) for gap in (*own, *means)]}
    draw = partial(contrasts, found, options.level) if axis == "mode" else tuple
    says = (*_says(own, means, options), *_corrected_says(own, fixed, options))
    more = partial(resampled_gaps, levels, own, options)
    return Section(_KEYS[axis], _TITLES[axis], tuple(tables), says=says, draw=draw, data=data, more=more)


def _gaps(found: Iterable[Ladder]) -> list[Gap]:
    return [gap for ladder in found for gap in ladder.gaps.values()]


def _name(gap: Gap) -> Name:
    return gap.kind.name, gap.held, gap.models


def _table(
    axis: Axis, held: str, gaps: Sequence[Gap], fixed: Mapping[Name, CorrectedGap], options: Options
) -> DataTable:
    here = [fixed[_name(gap)] for gap in gaps if _name(gap) in fixed]
    shown = any(one.found for one in here)
    columns = [Column("model"), Column("gap"), Column("points", numeric=True)]
    columns += [Column(interval_heading(options.level), numeric=True)]
    columns += [Column("p", numeric=True), Column("detectable", numeric=True), Column("finding")]
    if shown:
        columns += [Column("corrected", numeric=True), Column(interval_heading(options.level), numeric=True)]
    return DataTable(
        f"{_KEYS[axis]}-{held}".replace("_", "-"),
        f"{_TITLES[axis]} under {held}, in percentage points",
        tuple(columns),
        tuple((*_cells(gap, options), *(gap_cells(fixed.get(_name(gap))) if shown else ())) for gap in gaps),
        (*_notes(axis, gaps, options), *(gap_notes(here) if shown else ())),
    )


def _cells(gap: Gap, options: Options) -> tuple[Cell, ...]:
    mean = len(gap.models) > 1
    return (
        Cell(f"mean of {len(gap.models)}" if mean else gap.models[0]),
        Cell(gap.kind.called(options.paper_names), title=meaning(gap.kind)),
        *difference_cells(gap.difference, gap.difference.p if mean else gap.p_adjusted),
        Cell(finding(gap, options.level)),
    )


def _notes(axis: Axis, gaps: Sequence[Gap], options: Options) -> Iterator[str]:
    shown = {gap.kind.name for gap in gaps}
    for kind in KINDS:
        if kind.name in shown:
            yield f"{kind.called(options.paper_names)}: {meaning(kind)}"
    if options.paper_names and shown & {"integration", "propagation"}:
        yield "named as in section 3.3 of the ChemArgus paper; elsewhere these two names change places"
    yield from finding_notes({finding(gap, options.level) for gap in gaps}, [gap.difference for gap in gaps])
    for count in dict.fromkeys(len(gap.models) for gap in gaps if len(gap.models) > 1):
        yield f"mean of {count}: of these models on problems like these; its p is not adjusted"


def _row(gap: Gap, fixed: CorrectedGap | None, options: Options) -> Row:
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
        **(fixed or CorrectedGap()).as_json(_corrected_finding(gap, fixed, options)),
    }


def _corrected_finding(gap: Gap, fixed: CorrectedGap | None, options: Options) -> str:
    return gap_finding(gap, fixed.main, options.level) if fixed and fixed.main else ""


def _corrected_says(
    own: Sequence[Gap], fixed: Mapping[Name, CorrectedGap], options: Options
) -> Iterator[str]:
    """Gaps that people's marks contradict."""
    told = [gap for gap in own if contradicted(fixed[_name(gap)].main)]
    for gap in told[:SENTENCES]:
        one = fixed[_name(gap)]
        assert one.main is not None
        yield (
            f"Corrected for the graders' errors, {gap.kind.called(options.paper_names)} of "
            f"{gap.models[0]} under {gap.held} is {points(one.main.value)} points "
            f"({span(one.main.low, one.main.high, signed=True)}), {_corrected_finding(gap, one, options)}; "
            f"as scored: {finding(gap, options.level)}."
        )
    if len(told) > SENTENCES:
        yield f"People's marks contradict {len(told) - SENTENCES} gaps more."


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
