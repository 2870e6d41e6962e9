"""A report: the sections that were asked for, and what they say, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.record.flags import FLAGS
from grader.render.words import counted, listed
from grader.report.cells import TRACKS, decided_shares
from grader.report.document import Levels, Options, Report, Row, Section
from grader.report.sections import SectionKind
from grader.report.words import percent

_SAYS_ITSELF = frozenset({"scores", "census", "tracks"})
"""Tables that show coverage in a column."""


def build(
    levels: Levels,
    options: Options,
    kinds: Sequence[SectionKind],
    runs: Sequence[Row] = (),
    further: Sequence[Section] = (),
) -> Report:
    """The report of an archive's frames.

    ``runs``: what is to be said of each run (``grader.report.runs``);
    ``further``: sections that are made elsewhere, such as a comparison, put first.
    """
    made = [(kind, kind.build(levels, options)) for kind in kinds]
    sections = (*further, *(section for _, section in made if section is not None))
    empty = [kind for kind, section in made if section is None and kind.named]
    notes = tuple(_provisos(runs))
    under = (_coverage(levels), *notes)
    return Report(
        title=_title(runs),
        runs=tuple(runs),
        options=options,
        summary=tuple(_summary(levels, sections, empty)),
        sections=tuple(_noted(section, under, notes) for section in sections),
        notes=notes,
    )


def _title(runs: Sequence[Row]) -> str:
    names = list(dict.fromkeys(str(run["name"]) for run in runs))
    if not names:
        return "Report"
    return f"Report on {', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}"


def _noted(section: Section, under: Sequence[str], notes: Sequence[str]) -> Section:
    """The same with what holds for all of its tables below each."""
    tables = [
        replace(table, notes=(*table.notes, *(notes if table.key in _SAYS_ITSELF else under)))
        for table in section.tables
    ]
    return replace(section, tables=tuple(tables))


def _coverage(levels: Levels) -> str:
    """How much is decided, and how many responses are no plain answer: below every table."""
    cells = levels.cells
    shares = decided_shares(cells).values()
    low, high = percent(min(shares)), percent(max(shares))
    decided = f"{low} %" if low == high else f"{low} to {high} %"
    flags = {name: int(cells[name].sum()) for name in ("failed", *FLAGS)}
    flagged = ", ".join(f"{count} {name}" for name, count in flags.items() if count)
    missing = int(cells["missing"].sum())
    parts = [f"decided: {decided} of the marks", f"responses flagged: {flagged or 'none'}"]
    if missing:
        parts.append(f"{counted(missing, 'subquestion')} without an answer")
    return "; ".join(parts)


def _provisos(runs: Sequence[Row]) -> Iterator[str]:
    """What is to be known of the judges whose verdicts stand, and of runs that no model answered."""
    for card in dict.fromkeys(run["card"] for run in runs if run.get("provisional")):
        yield f"judge {card} is provisional: its verdicts count nowhere, and the points it judged are open"
    for said in dict.fromkeys(run["note"] for run in runs if run.get("note")):
        yield str(said)
    programs = [str(run["name"]) for run in runs if str(run.get("asked") or "").startswith("cmd:")]
    if programs:
        yield f"answered by a program, with or without a model: {listed(programs)}"


def _summary(levels: Levels, sections: Sequence[Section], empty: Sequence[SectionKind]) -> Iterator[str]:
    yield _size(levels)
    for section in sections:
        yield from section.says
    for kind in empty:
        yield f"Nothing is shown under {kind.key}: it needs {kind.needs}."
    yield from _limits(levels, sections)


def _size(levels: Levels) -> str:
    subquestions = levels.subquestions
    models = subquestions["model"].nunique()
    problems = subquestions["problem_id"].nunique()
    subs = subquestions[["problem_id", "sub_id"]].drop_duplicates().shape[0]
    conditions = subquestions[["protocol", "mode"]].drop_duplicates().shape[0]
    return (
        f"{counted(models, 'model')}, {counted(conditions, 'condition')}, {counted(problems, 'problem')} "
        f"with {counted(subs, 'subquestion')}. Intervals are for other problems like these."
    )


def _limits(levels: Levels, sections: Sequence[Section]) -> Iterator[str]:
    """What the numbers can't say."""
    cells = levels.cells
    open_share = 1 - float(cells[list(TRACKS)].to_numpy().sum()) / float(cells["full_mark"].sum())
    if open_share > 1e-9:
        yield f"{percent(open_share)} % of the marks are open: what rests on them is printed between bounds."
    yield _errors(levels, sections)


def _errors(levels: Levels, sections: Sequence[Section]) -> str:
    """What is known of the errors of code and judge."""
    rows = [row for section in sections for several in section.data.values() for row in several]
    if any(row.get("corrected") or row.get("corrected_pooled") for row in rows):
        return "Only what is called corrected is corrected for errors of graders; all else is as graded."
    if levels.spot_checked:
        return (
            "No score here is corrected for errors of graders; see --section reviewed and argus audit report."
        )
    return "No score is corrected for errors of graders: neither code nor judge has been audited."
