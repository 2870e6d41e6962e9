"""Disputes: what was contested of the verdicts on these answers, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.archive.errata import Erratum, Said
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.document import Levels, Options, Row, Section
from grader.report.words import NONE

_TRACKS = {"formal": "code", "judge": "a judge", "human": "a person"}
_PRIVATE = ("by", "reason", "why")
"""Keys that public reports leave out: names, and words that may tell of the rubric."""


def errata_section(levels: Levels, options: Options) -> Section | None:
    """A row a dispute; None where nothing was disputed."""
    found = levels.errata
    if not found:
        return None
    columns = [Column("subquestion"), Column("point"), Column("answers", numeric=True)]
    columns += [Column("disputed"), Column("outcome"), Column("settled as")]
    columns += [] if options.public else [Column("why it was disputed")]
    notes = (
        "a disputed verdict is marked again, blindly, by somebody who gave it neither; what they say stands "
        "for every answer that it was given to, and is in all scores here",
    )
    rows = tuple(_cells(one, options) for one in found)
    return Section(
        "errata",
        "Errata",
        (DataTable("errata", "Disputed verdicts", tuple(columns), rows, notes),),
        says=(_says(found),),
        data={"disputes": [erratum_row(one, public=options.public) for one in found]},
    )


def erratum_row(one: Erratum, *, public: bool) -> Row:
    """A dispute in JSON, as ``argus review errata`` has it."""
    row = {key: value for key, value in one.as_json().items() if key != "schema_version"}
    return _without_private(row) if public else row


def shown_award(one: Said | None, *, public: bool) -> str:
    """An award and who gave it."""
    if one is None:
        return NONE
    by = _TRACKS.get(one.by.partition(":")[0], one.by) if public else one.by
    return f"{one.status.replace('_', ' ')}, by {by}"


def _without_private(row: Row) -> Row:
    return {
        key: _without_private(value) if isinstance(value, dict) else value
        for key, value in row.items()
        if key not in _PRIVATE
    }


def _cells(one: Erratum, options: Options) -> tuple[Cell, ...]:
    entry = one.item.entry
    cells = [Cell(entry.sub_id), Cell(entry.point_id), Cell(str(len(entry.members)))]
    cells += [Cell(shown_award(one.before, public=options.public)), Cell(one.outcome)]
    cells += [Cell(shown_award(one.after, public=options.public))]
    return (*cells, *([] if options.public else [Cell(one.contest.reason)]))


def _says(found: Sequence[Erratum]) -> str:
    outcomes = Counter(one.outcome for one in found)
    named = ", ".join(f"{outcomes[one]} {one}" for one in ("overturned", "upheld", "open") if outcomes[one])
    return f"{counted(len(found), 'verdict')} {'was' if len(found) == 1 else 'were'} disputed: {named}."
