"""The page of audits of imported marks: a row a judge, then everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.audit.card.as_json import audit_json
from grader.audit.document import Document, Part
from grader.audit.imported.audits import audits, chosen
from grader.audit.imported.groups import Result
from grader.audit.imported.measures import GAP, measure_named
from grader.audit.imported.reading import Imported
from grader.audit.measure_words import (
    NONE,
    measure_detectable,
    measure_p,
    measure_span,
    measure_value,
    measures_table,
)
from grader.audit.result import AUDITS, Audit, NotAudited
from grader.audit.words import ends
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted, listed

_BY_JUDGE = {
    "A1": (
        ("kappa", "kappa", True),
        ("AC1", "AC1", False),
        ("same verdict", "same verdict", False),
        ("kappa with single people", "with single people", False),
        ("kappa of people with each other", "people with each other", False),
        (GAP, "minus the ceiling", True),
    ),
    "A2": (
        ("leniency", "leniency", True),
        ("standard error by problem", "SE by problem", False),
        ("standard error, items as independent", "SE as if independent", False),
        ("problems with the opposite sign", "opposite sign", False),
    ),
    "A6": (
        ("same outcome in all repeats", "all equal", True),
        ("Fleiss' kappa of repeats", "Fleiss' kappa", False),
        ("SD of credit within an item", "SD", False),
        ("entropy of outcomes, bits", "entropy, bits", False),
        ("repeats that gave nothing", "nothing given", False),
    ),
}
"""Measures of the table with a row a judge: name, heading, whether with its interval."""
_MEANS = {
    "A1": (
        "kappa: Cohen's against people's verdict, which most people gave or somebody settled",
        "with single people: kappa with each single person on items that several marked, to be held "
        "against that of people with each other, the ceiling; kappa against a majority is higher by itself",
        "p of no distance to the ceiling, adjusted after Holm over the judges; detectable: the smallest true "
        "distance that would be found with a power of 0.8",
        "people's mean: {prevalence}",
    ),
    "A2": (
        "leniency: mean of judge minus people, pp: percentage points; of split people their mean counts",
        "p of no leniency, adjusted after Holm over the judges",
        "detectable: the smallest true leniency that would be found with a power of 0.8",
    ),
    "A6": ("nothing given is an outcome of its own; entropy 0: always the same outcome",),
}
_OF_TESTS = ("p of", "detectable:")
_INDICATIVE = "Indicative: fewer than this audit's least number of items or problems."


def imported_page(
    marks: Imported, wanted: Sequence[str] = (), *, level: float = 0.95, seed: int = 0
) -> Document:
    """The audits of a table's judges (``wanted``, or all); UsageError for a judge that it hasn't."""
    judges = chosen(marks.ratings, wanted)
    results = audits(marks.ratings, judges, level=level, seed=seed)
    done = [one for one in results if isinstance(one, Audit)]
    parts = [_part(key, [one for one in done if one.id == key]) for key in ("A1", "A2", "A6", "A14", "A17")]
    missing = [one for one in results if isinstance(one, NotAudited)]
    return Document(
        title=f"Audits of the marks in {marks.path.name}",
        warnings=(),
        says=tuple(_summary(marks, judges, done)),
        parts=(*(one for one in parts if one is not None), *_not_done(missing)),
        data=_data(marks, judges, results, level, seed),
    )


def _summary(marks: Imported, judges: Sequence[str], done: Sequence[Audit]) -> Iterator[str]:
    ratings = marks.ratings
    yield (
        f"{counted(len(ratings.items), 'item')} of {counted(len(ratings.problems), 'problem')}, "
        f"{counted(len(ratings.people), 'person', 'people')}, {counted(len(judges), 'judge')}."
    )
    if not done:
        yield "Nothing could be audited: what is missing stands below."
    yield from _below(done)
    yield from _leaning(done)
    gone = {judge: ratings.asked(judge)[1] for judge in judges}
    if any(gone.values()):
        named = listed(f"{judge} ({count})" for judge, count in gone.items() if count)
        yield f"Asked and nothing given, left out and not read as 0: {named}."
    yield from map(_sentence, marks.notes)


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:].rstrip('.')}."


def _below(done: Sequence[Audit]) -> Iterator[str]:
    """Which judges agree with people less than people do with each other."""
    found = [one for one in done if one.id == "A1"]
    gaps = [(one.judge, measure_named(one, GAP)) for one in found]
    compared = [judge for judge, gap in gaps if gap.p is not None]
    below = [judge for judge, gap in gaps if gap.flagged]
    if below:
        few = " (indicative)" if any(one.indicative for one in found) else ""
        yield (
            f"Of {counted(len(compared), 'judge')} {len(below)} agreed with people less than people did with "
            f"each other{few}: {listed(below)}."
        )
    elif compared:
        whose = _any_of(len(compared))
        yield f"No evidence that {whose} agrees with people less than people do with each other."


def _leaning(done: Sequence[Audit]) -> Iterator[str]:
    """Which judges are too lenient or too strict."""
    wholes = [(one.judge, one.measures[0]) for one in done if one.id == "A2"]
    tested = [one.measures[0] for one in done if one.id == "A2" and not one.indicative]
    if tested and not any(one.flagged for one in tested):
        yield f"No evidence that {_any_of(len(tested))} is too lenient or too strict."
    for way, sign in (("lenient", 1), ("strict", -1)):
        told = [
            f"{judge} ({measure_value(one)})"
            for judge, one in wholes
            if one.flagged and one.value is not None and one.value * sign > 0
        ]
        if told:
            yield f"Too {way}: {listed(told)}."


def _any_of(judges: int) -> str:
    return "the judge" if judges == 1 else f"any of {judges} judges"


def _part(key: str, found: Sequence[Audit]) -> Part | None:
    """An audit of all judges."""
    if not found:
        return None
    whole = measures_table(found, key=f"{key.lower()}-measures", title=f"{AUDITS[key]}: all measures")
    notes = tuple(_sentence(note) for note in dict.fromkeys(note for one in found for note in one.notes))
    if any(one.indicative for one in found):
        notes = (_INDICATIVE, *notes)
    says = found[0].says if len(found) == 1 else ()
    if key in _BY_JUDGE:
        return Part(key.lower(), AUDITS[key], says, notes, (_by_judge(key, found),), (whole,))
    return Part(key.lower(), AUDITS[key], says, notes, (whole,))


def _by_judge(key: str, found: Sequence[Audit]) -> DataTable:
    """A row a judge."""
    shown = _BY_JUDGE[key]
    few = not all(one.indicative for one in found)  # of all alike it is said above
    findings = [", ".join(_findings(audit, few)) or NONE for audit in found]
    if set(findings) == {NONE}:
        findings = []
    columns = [Column("judge"), *([Column("finding")] if findings else [])]
    columns += [Column("n", numeric=True), Column("problems", numeric=True)]
    for _, heading, spanned in shown:
        columns.append(Column(heading, numeric=True))
        if spanned:
            columns.append(Column(f"{100 * found[0].level:g} % interval", numeric=True))
    tested = any(one.p_adjusted is not None for audit in found for one in audit.measures)
    columns += [Column("p", numeric=True), Column("detectable", numeric=True)] * tested
    said_of = [[one] for one in findings] or [[] for _ in found]
    rows = [
        tuple(map(Cell, (audit.judge, *said, *_row(audit, shown, tested))))
        for audit, said in zip(found, said_of, strict=True)
    ]
    said = {"prevalence": _prevalence(found)} if key == "A1" else {}
    told = [note for note in _MEANS[key] if tested or not note.startswith(_OF_TESTS)]
    notes = tuple(note.format(**said) for note in told)
    title = f"{AUDITS[key]} by judge"
    return DataTable(f"{key.lower()}-judges", title, tuple(columns), tuple(rows), notes)


def _row(audit: Audit, shown: Sequence[tuple[str, str, bool]], tested: bool) -> Iterator[str]:
    first = audit.measures[0]
    yield f"{first.n:,}"
    yield NONE if first.problems is None else f"{first.problems:,}"
    for name, _, spanned in shown:
        one = measure_named(audit, name)
        yield measure_value(one)
        if spanned:
            yield measure_span(one)
    if tested:
        test = next((one for one in audit.measures if one.p_adjusted is not None), first)
        yield measure_p(test)
        yield measure_detectable(test)


def _findings(audit: Audit, few: bool) -> Iterator[str]:
    """The audit in a word; ``few``: whether to say that it is indicative."""
    first = audit.measures[0]
    if audit.id == "A1" and measure_named(audit, GAP).flagged:
        yield "below people"
    if audit.id == "A2" and first.flagged and first.value is not None:
        yield "lenient" if first.value > 0 else "strict"
    if few and audit.indicative:
        yield "indicative"


def _prevalence(found: Sequence[Audit]) -> str:
    """People's mean on the items of each judge: one value or from lowest to highest."""
    given = [measure_named(one, "people's mean") for one in found]
    values = dict.fromkeys(measure_value(one) for one in sorted(given, key=lambda one: one.value or 0.0))
    first, last = next(iter(values)), next(reversed(values))
    return first if len(values) == 1 else f"{ends(first, last)}, by judge"


def _not_done(missing: Sequence[NotAudited]) -> Iterator[Part]:
    if not missing:
        return
    columns = (Column("audit"), Column("judge"), Column("why"), Column("what to do"))
    rows = tuple(tuple(map(Cell, (AUDITS[one.id], one.judge, one.why, one.do))) for one in missing)
    yield Part(
        "missing", "What was not audited", tables=(DataTable("missing", "Not audited", columns, rows),)
    )


def _data(
    marks: Imported, judges: Sequence[str], results: Sequence[Result], level: float, seed: int
) -> dict[str, object]:
    ratings = marks.ratings
    return {
        "table": str(marks.path.name),
        "items": len(ratings.items),
        "problems": len(ratings.problems),
        "people": list(ratings.people),
        "judges": [
            {"judge": judge, "asked": ratings.asked(judge)[0], "missing": ratings.asked(judge)[1]}
            for judge in judges
        ],
        "level": level,
        "seed": seed,
        "notes": list(marks.notes),
        "audits": [audit_json(one) for one in results],
    }
