"""Corrected scores and gaps as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grader.audit.card.advice_rules import SAVES_NOTHING
from grader.audit.card.card import ReportCard
from grader.audit.card.scores import GapScore, Scores, changed, evidence, gap_words
from grader.audit.document import Part
from grader.audit.result import AUDITS, Audit
from grader.audit.words import INDICATIVE, signed
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.stats.correction.corrected import Corrected
from grader.stats.correction.intervals import Interval

NONE = "–"


def score_part(card: ReportCard) -> Part | None:
    """A3; None where it could not be done, which stands among what was not audited."""
    scores = card.scores
    if scores is None or scores.whole is None:
        return None
    few = isinstance(scores.audit, Audit) and scores.audit.indicative
    tables = [_cells(scores, card.level)]
    if scores.gaps:
        tables.append(_gaps(scores, card.level))
    if scores.together is not None:
        tables.append(_together(scores, card.level))
    if scores.refused:
        tables.append(_refused(scores))
    return Part(
        "a3",
        f"A3 {AUDITS['A3']}",
        says=tuple(_says(scores)),
        text=(*((INDICATIVE,) if few else ()), _worth(scores.whole)),
        tables=tuple(tables),
    )


def _worth(whole: Corrected) -> str:
    """What machine's marks are worth over all cells."""
    said = (
        "Scores as graded hold the errors of code and of the judge; both are corrected here. Their marks "
        f"count with weight {_weight(whole)} (1: fully, 0: people's marks alone)."
    )
    if whole.saved is None or whole.saved < SAVES_NOTHING:  # its notes say so
        return said
    return f"{said} For intervals this narrow people alone would need {whole.saved:.2g} times as many marks."


def _weight(one: Corrected) -> str:
    low, high = one.lambdas
    return f"{low:.2f}" if abs(high - low) < 0.005 else f"{low:.2f} to {high:.2f}"


def _says(scores: Scores) -> Iterator[str]:
    if isinstance(scores.audit, Audit):
        yield from (*scores.audit.says, *scores.audit.notes)


def _cells(scores: Scores, level: float) -> DataTable:
    columns = (
        *map(Column, ("model", "protocol", "mode")),
        *(Column(name, numeric=True) for name in ("as graded", "human-only", "corrected, this benchmark")),
        Column("corrected, problems like these", numeric=True),
        *(Column(name, numeric=True) for name in ("weight", "marks saved", "labels", "disagree")),
    )
    rows = tuple(
        (
            *map(Cell, one.cell),
            Cell(_share(one.problems.judge_only.value)),
            Cell(_ends(one.problems.human_only)),
            Cell(_ends(one.benchmark)),
            Cell(_ends(one.problems)),
            Cell(_weight(one.problems)),
            Cell(NONE if one.problems.saved is None else f"× {one.problems.saved:.2g}"),
            Cell(f"{one.problems.labels:,}"),
            Cell(f"{one.problems.disagreements:,}"),
        )
        for one in scores.cells
    )
    notes = (
        "as graded: by code and judge; human-only: what people's random marks alone say, for problems like "
        "these; "
        "corrected: as graded, less what those marks show to be wrong",
        "this benchmark: what this set would score if people had marked all of it; problems like these: what "
        "other problems of the kind would",
        "weight: how much the judge's marks count (lambda); marks saved: how many times as many marks people "
        "alone would need for the same width",
    )
    title = f"Scores, % of the marks, {100 * level:g} % intervals"
    return DataTable("scores", title, columns, rows, (*notes, *_cell_notes(scores)))


def _cell_notes(scores: Scores) -> Iterator[str]:
    """What is to be said of single scores, once, with how many it is said of."""
    said = [dict.fromkeys((*one.benchmark.notes, *one.problems.notes)) for one in scores.cells]
    total = len(said)
    for note, count in Counter(note for notes in said for note in notes).items():
        yield note if count == total else f"{count} of {counted(total, 'score')}: {note}"


def _gaps(scores: Scores, level: float) -> DataTable:
    columns = (
        Column("difference"),
        *(Column(name, numeric=True) for name in ("as graded", "corrected", "p", "detectable")),
        Column("evidence"),
    )
    rows = tuple(_gap_row(one, level) for one in scores.gaps)
    notes = (
        "percentage points, over the subquestions that both have, for problems like these; p: of no "
        "difference "
        "once corrected, adjusted after Holm within models and within each kind of gap",
        "detectable: the smallest true difference that as many problems and marks show four times in five",
    )
    title = f"Differences, {100 * level:g} % intervals"
    return DataTable("gaps", title, columns, rows, notes)


def _gap_row(gap: GapScore, level: float) -> tuple[Cell, ...]:
    one = gap.difference
    side = evidence(one, level)
    said = "no evidence" if side is None else f"{side} higher"
    if changed(gap):
        said += "; as graded it says otherwise"
    return (
        Cell(gap_words(gap)),
        Cell(_ends(one.judge_only, signs=True)),
        Cell(_ends(one, signs=True)),
        Cell(_p(one.p_adjusted)),
        Cell(NONE if one.detectable is None else f"{100 * one.detectable:.1f}"),
        Cell(said),
    )


def _together(scores: Scores, level: float) -> DataTable:
    found = scores.together
    assert found is not None
    columns = (
        *map(Column, ("model", "protocol", "mode")),
        *(Column(name, numeric=True) for name in ("as graded", "corrected", "errs apart by", "p", "labels")),
    )
    rows = tuple(
        (
            *map(Cell, name),
            Cell(_share(one.judge_only)),
            Cell(_ends(one)),
            Cell(NONE if one.apart is None else signed(one.apart)),
            Cell(_p(one.p_adjusted)),
            Cell(f"{one.labels:,}"),
        )
        for name, one in zip(scores.shared, found.cells, strict=True)
    )
    title = f"All cells corrected by one error, {100 * level:g} % intervals"
    notes = (
        *found.notes,
        "errs apart by: the cell's own mean error less that of the others, percentage points; p: of no such "
        "difference, adjusted after Holm; what is small here may still be too much",
    )
    return DataTable("together", title, columns, rows, notes)


def _refused(scores: Scores) -> DataTable:
    rows = tuple((*map(Cell, cell), Cell(why)) for cell, why in scores.refused)
    columns = tuple(map(Column, ("model", "protocol", "mode", "why")))
    return DataTable("uncorrected", "Cells without a corrected score", columns, rows)


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def _ends(one: Interval, *, signs: bool = False) -> str:
    shown = signed if signs else _share
    if one.low is None or one.high is None:
        return f"{shown(one.value)} (no interval)"
    return f"{shown(one.value)} ({shown(one.low)} to {shown(one.high)})"


def _p(p: float | None) -> str:
    if p is None:
        return NONE
    return "< 0.001" if p < 0.0005 else f"{p:.3f}"
