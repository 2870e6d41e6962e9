"""Scores as people would have given them, from the marked points of the spot check.

A report prints them beside those as graded, or says why it can't. The target is
named everywhere: *problems like these*, or *this benchmark*, had people marked
all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.errors import AuditError
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.cells import lines
from grader.report.document import Levels, Options, Row
from grader.report.estimates import ends, interval_heading, rounded
from grader.report.words import NONE, Conditions, percent, span, varying_cells
from grader.stats.checked import Checked
from grader.stats.checked.samples import sample_of, together
from grader.stats.correction.corrected import Corrected, Target, corrected
from grader.stats.correction.intervals import Interval
from grader.stats.correction.together import Cell as Shared
from grader.stats.correction.together import Together, corrected_together
from grader.stats.grid import Condition

TARGETS: Mapping[Target, str] = {"problems": "problems like these", "benchmark": "this benchmark"}
FEW_MARKS = 30
"""With fewer a score's own marks say little, and it is also corrected by those of all cells."""
NOT_GIVEN = "not given"
UNMARKED = "nobody has marked points that were drawn at random"
UNDRAWN = "no spot check was drawn"


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """One cell's score, for both targets; or why it can't be given."""

    own: Mapping[Target, Corrected] | None = None
    """By the marks on its own points."""
    pooled: Mapping[Target, Shared] | None = None
    """By one error over all cells, where its own marks are few or don't suffice."""
    together: Together | None = None
    """What ``pooled`` rests on."""
    why_not: str = ""
    """Why its own marks don't suffice; empty if they do."""
    open: float = 0.0
    """The share of full marks that is open still: it adds nothing."""

    @property
    def given(self) -> Mapping[Target, Corrected] | Mapping[Target, Shared] | None:
        """What is printed."""
        return self.own or self.pooled

    def as_json(self) -> Row:
        """The keys ``corrected``, ``corrected_pooled`` and ``not_corrected`` of docs/output.md."""
        return {
            "corrected": self.own and {**_own_row(self.own), "open": rounded(self.open)},
            "corrected_pooled": self.pooled
            and {**_pooled_row(self.pooled, self.together), "open": rounded(self.open)},
            "not_corrected": self.why_not or None,
        }


def why_none(levels: Levels) -> str:
    """Why no score of a report can be corrected, where ``levels.checked`` is None."""
    source = levels.source
    if source is None or not source.archive.marked_by_people():
        return UNMARKED
    drawn = sum(1 for one in source.runs for _ in source.archive.spot_checks(one.grading))
    return f"none of {counted(drawn, 'drawn point')} is marked yet" if drawn else UNDRAWN


def corrected_scores(levels: Levels, options: Options) -> dict[Condition, CorrectedScore]:
    """By cell, what its score is corrected."""
    names = [(one.model, one.protocol, one.mode) for one in lines(levels.cells)]
    checked = levels.checked
    if checked is None:
        why = why_none(levels)
        return {name: CorrectedScore(why_not=why) for name in names}
    found = {name: _score(checked, name, options) for name in names}
    if any(_is_poor(one) for one in found.values()):
        pooled = _pooled(checked, names, options)
        for place, name in enumerate(names if pooled else ()):
            if _is_poor(found[name]):
                shared = {target: one.cells[place] for target, one in pooled.items()}
                found[name] = replace(found[name], pooled=shared, together=pooled["problems"])
    return found


def _is_poor(one: CorrectedScore) -> bool:
    return one.own is None or one.own["problems"].labels < FEW_MARKS


def _score(checked: Checked, cell: Condition, options: Options) -> CorrectedScore:
    answers = checked.answers.take(checked.cells[cell][0])
    still = float(answers["still_open"].sum() / answers["full_mark"].sum())
    try:
        sample = sample_of(checked, *cell)
        how = {"level": options.level, "seed": options.seed}
        own = {target: corrected(sample, target=target, **how) for target in TARGETS}  # type: ignore[arg-type]
    except AuditError as error:
        return CorrectedScore(why_not=told(error), open=still)
    return CorrectedScore(own, open=still)


def _pooled(checked: Checked, cells: Sequence[Condition], options: Options) -> dict[Target, Together]:
    """By one error over all cells of one judge; empty where that can't be given either."""
    if len(cells) < 2 or checked.judge is None:
        return {}
    try:
        samples = together(checked, cells)
        return {target: corrected_together(samples, target=target, level=options.level) for target in TARGETS}
    except AuditError:
        return {}


def told(error: AuditError) -> str:
    """Why something can't be given, without what to do about it."""
    fault = error.faults[0]
    return f"{fault.what}; {fault.got}" if fault.got else fault.what


# Tables


def score_cell(one: CorrectedScore) -> str:
    """The corrected score for problems like these with its interval, in a table of three scores."""
    if one.given is None:
        return NOT_GIVEN
    found = one.given["problems"]
    sure = "" if found.low is None else f" ({span(found.low, found.high)})"
    return f"{percent(found.value)}{sure}"


def corrected_table(
    found: Mapping[Condition, CorrectedScore], conditions: Conditions, options: Options
) -> DataTable | None:
    """A row a cell and target; None where nothing is corrected."""
    rows = [row for cell, one in found.items() for row in _rows(cell, one, conditions)]
    if not rows:
        return None
    columns = [Column("model"), *map(Column, conditions.varying), Column("for"), Column("marks of")]
    columns += [Column("corrected", numeric=True), Column(interval_heading(options.level), numeric=True)]
    columns += [Column(name, numeric=True) for name in ("marks", "problems", "disagree")]
    title = conditions.titled("Corrected scores, %")
    return DataTable("corrected", title, tuple(columns), tuple(rows), tuple(_table_notes(found, conditions)))


def _rows(cell: Condition, one: CorrectedScore, conditions: Conditions) -> Iterator[tuple[Cell, ...]]:
    where = (cell[0], *varying_cells(conditions.varying, cell[1], cell[2]))
    for target, score in (one.own or {}).items():
        counts = (score.labels, score.problems_labelled, score.disagreements)
        yield _row((*where, TARGETS[target], "own"), score, map(str, counts))
    for target, shared in (one.pooled or {}).items():
        assert one.together is not None
        marks = (str(one.together.labels), NONE, str(one.together.disagreements))
        yield _row((*where, TARGETS[target], "all cells"), shared, marks)


def _row(names: Iterable[str], score: Interval, counts: Iterable[str]) -> tuple[Cell, ...]:
    return tuple(map(Cell, (*names, percent(score.value), span(score.low, score.high), *counts)))


def _table_notes(found: Mapping[Condition, CorrectedScore], conditions: Conditions) -> Iterator[str]:
    yield (
        "corrected: what people would have given, by their marks on points drawn at random from what code "
        "and judge decided; for problems like these, or for this benchmark had people marked all of it"
    )
    yield "marks: drawn points that people marked, on so many problems; disagree: those with another award"
    shared = [one.together for one in found.values() if one.together]
    if shared:
        yield f"marks of all cells: {' '.join(shared[0].notes).rstrip('.')}"
    if any(one.open > 0 for one in found.values() if one.given):
        most = max(one.open for one in found.values() if one.given)
        yield f"open points add nothing: up to {percent(most)} % of the marks of a score could still be added"
    notes: dict[str, list[str]] = {}
    for cell, one in found.items():
        for note in dict.fromkeys(note for score in (one.own or {}).values() for note in score.notes):
            notes.setdefault(note.rstrip("."), []).append(_named(cell, conditions))
    for note, cells in notes.items():
        yield note if len(cells) == len(found) else f"{', '.join(cells[:3])}{_more(cells)}: {note}"


def _named(cell: Condition, conditions: Conditions) -> str:
    return " ".join((cell[0], *varying_cells(conditions.varying, cell[1], cell[2])))


def _more(cells: Sequence[str]) -> str:
    return f" and {len(cells) - 3} more" if len(cells) > 3 else ""


def refusals(found: Mapping[Condition, CorrectedScore], conditions: Conditions) -> Iterator[str]:
    """Why scores aren't corrected, a sentence a reason."""
    reasons: dict[str, list[str]] = {}
    for cell, one in found.items():
        if one.given is None:
            reasons.setdefault(one.why_not, []).append(_named(cell, conditions))
    for why, cells in reasons.items():
        whose = "" if len(cells) == len(found) else f" for {', '.join(cells[:3])}{_more(cells)}"
        yield f"corrected scores are not given{whose}: {why}"


# JSON


def interval_row(one: Interval) -> Row:
    """A corrected value with its interval as JSON."""
    return {"value": rounded(one.value), "interval": ends((one.low, one.high)), "se": rounded(one.se)}


def _own_row(own: Mapping[Target, Corrected]) -> Row:
    one = own["problems"]
    return {
        **{target: interval_row(score) for target, score in own.items()},
        "people": interval_row(one.human_only),
        "points": one.points,
        "labels": one.labels,
        "disagreements": one.disagreements,
        "problems_labelled": one.problems_labelled,
        "lambda": [rounded(weight) for weight in one.lambdas],
        "saved": rounded(one.saved),
        "notes": list(dict.fromkeys(note for score in own.values() for note in score.notes)),
    }


def _pooled_row(pooled: Mapping[Target, Shared], found: Together | None) -> Row:
    one = pooled["problems"]
    return {
        **{target: interval_row(score) for target, score in pooled.items()},
        "labels": found and found.labels,
        "own_labels": one.labels,
        "disagreements": found and found.disagreements,
        "apart": rounded(one.apart),
        "p_holm": rounded(one.p_adjusted),
    }
