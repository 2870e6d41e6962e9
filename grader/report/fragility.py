"""How few doubtful verdicts would overturn a ranking or a gap, and which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.cells import lines
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import rounded
from grader.report.full.files import answer_anchor, file_name
from grader.report.parts import cell_row
from grader.report.words import NONE, Conditions, marks, points
from grader.stats.fragility import Doubts, Fragility, Reversal
from grader.stats.gaps import KINDS
from grader.stats.grid import Condition

MOST = 40
"""Differences that are looked at, the smallest: larger ones hang on more."""
ROWS, NEAREST = 30, 5
"""Differences that the table shows: those that hang on the fewest verdicts; where none can be overturned, the
nearest to it."""
FIRST = 3
"""Verdicts of a difference that pages name: the least sure."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A difference and what it is called."""

    what: str
    under: str
    found: Fragility


def fragility_section(levels: Levels, options: Options) -> Section | None:
    """Neighbours in each ranking and every gap; None where nothing is compared."""
    asked = sorted(_asked(levels, options), key=lambda one: abs(one.difference))
    doubts = Doubts(levels.answers, levels.points, levels.rubrics)
    compared = [(one, doubts.fragility(one.first, one.second)) for one in asked[:MOST]]
    found = [_Named(one.what, one.under, what) for one, what in compared if what is not None]
    if not found:
        return None
    found.sort(key=lambda one: (one.found.fewest is None, one.found.fewest or 0, abs(one.found.left)))
    tables = [_table(found, len(asked) - len(compared))]
    if not options.public and any(one.found.least_sure for one in found):
        tables.append(_verdicts(found, options))
    return Section(
        "fragility",
        "What differences hang on",
        tuple(tables),
        says=tuple(_says(found)),
        data={"differences": [_row(one) for one in found]},
        more=lambda: {} if options.public else {"reversals": list(_reversals(found))},
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Two cells to compare."""

    what: str
    under: str
    first: Condition
    second: Condition
    difference: float
    """Of their scores."""


def _asked(levels: Levels, options: Options) -> Iterator[_Asked]:
    """Neighbours in each ranking, then every gap."""
    conditions = Conditions.of(levels.cells)
    shares = {
        (one.model, one.protocol, one.mode): one.earned / one.full_mark
        for one in lines(levels.cells)
        if one.full_mark
    }
    for pair in conditions.pairs:
        own = sorted((cell for cell in shares if cell[1:] == pair), key=lambda cell: -shares[cell])
        for first, second in pairwise(own):
            what = f"{first[0]} ahead of {second[0]}"
            yield _Asked(what, conditions.label(*pair), first, second, shares[first] - shares[second])
    for kind in KINDS:
        for first in shares:
            model, protocol, mode = first
            by_protocol = kind.axis == "protocol"
            second = (model, kind.second, mode) if by_protocol else (model, protocol, kind.second)
            if kind.first == (protocol if by_protocol else mode) and second in shares:
                what, held = (
                    f"{kind.called(options.paper_names)} of {model}",
                    mode if by_protocol else protocol,
                )
                yield _Asked(what, held, first, second, shares[first] - shares[second])


def _table(found: Sequence[_Named], left_out: int) -> DataTable:
    differing = [one for one in found if one.found.difference]
    shown = [one for one in differing if one.found.fewest is not None][:ROWS] or differing[:NEAREST]
    columns = [Column("difference"), Column("under"), Column("points", numeric=True)]
    columns += [Column(name, numeric=True) for name in ("doubtful", "fewest", "least sure", "all turned")]
    rows = [
        (
            Cell(one.what),
            Cell(one.under),
            Cell(points(one.found.difference)),
            Cell(str(one.found.doubts)),
            Cell(NONE if one.found.fewest is None else str(one.found.fewest)),
            Cell(str(len(one.found.least_sure)) if one.found.least_sure else NONE),
            Cell(points(one.found.left)),
        )
        for one in shown
    ]
    notes = [
        "doubtful: judges' verdicts and undetermined points that could be turned against the difference; "
        "fewest: how many of them overturn it, the largest effects first; least sure: the same, the least "
        "confident first",
        "all turned: what is left of the difference if every doubtful verdict is wrong; a dash: even that "
        "doesn't overturn it",
        "which verdicts these are: --section fragility --format json",
    ]
    if len(found) > len(shown):
        notes.append(f"{counted(len(found) - len(shown), 'further difference')}: there, too")
    if left_out:
        notes.append(f"{counted(left_out, 'larger difference')}: not looked at")
    title = "How few verdicts overturn a difference"
    return DataTable("fragility", title, tuple(columns), tuple(rows), tuple(notes))


def _verdicts(found: Sequence[_Named], options: Options) -> DataTable:
    """The first verdicts to look at, each with a way to its answer where there are pages."""
    columns = [Column("difference"), Column("model"), Column("answer"), Column("point"), Column("by")]
    columns += [Column(name, numeric=True) for name in ("confidence", "award", "turned to")]
    rows = [
        (
            Cell(f"{named.what}, {named.under}"),
            Cell(one.model),
            Cell(one.sub_id, href=_page(one) if options.pages else None),
            Cell(one.point_id),
            Cell(one.by or "nobody"),
            Cell(NONE if one.confidence is None else f"{one.confidence:.2f}"),
            Cell(NONE if one.award is None else marks(one.award)),
            Cell(marks(one.to)),
        )
        for named in found[:ROWS]
        for one in named.found.least_sure[:FIRST]
    ]
    note = f"the {FIRST} least sure of those that overturn each difference; award: the share of its marks"
    return DataTable("reversals", "Verdicts to look at first", tuple(columns), tuple(rows), (note,))


def _page(one: Reversal) -> str:
    return f"problems/{file_name(one.problem_id)}#{answer_anchor(one.sub_id, one.response)}"


def _row(one: _Named) -> Row:
    return {
        "name": one.what,
        "first": cell_row(one.found.first),
        "second": cell_row(one.found.second),
        "value": rounded(one.found.difference),
        "doubts": one.found.doubts,
        "fewest": one.found.fewest,
        "least_sure": len(one.found.least_sure) or None,
        "left": rounded(one.found.left),
    }


def _reversals(found: Sequence[_Named]) -> Iterator[Row]:
    for one in found:
        for turned in one.found.least_sure:
            yield {"name": one.what, **turned.as_json()}


def _says(found: Sequence[_Named]) -> Iterator[str]:
    hanging = [one for one in found if one.found.fewest is not None]
    if not hanging:
        yield f"No doubtful verdict could overturn any of {counted(len(found), 'difference')}."
        return
    first = hanging[0]
    many = counted(len(found), "difference")
    yield (
        f"{len(hanging)} of {many} would be overturned if doubtful verdicts were wrong; "
        f"{first.what} under {first.under} hangs on {counted(first.found.fewest or 0, 'verdict')}."
    )
