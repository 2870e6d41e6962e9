"""What each model would gain without one of its faults, and which faults there is evidence of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted, listed
from grader.report.document import Levels, Options, Row, Section
from grader.report.estimates import estimate_row, interval_heading, open_interval, rounded
from grader.report.gap_words import ALONE, NO_EVIDENCE, ONE_PROBLEM, OPEN
from grader.report.words import p_value, points, span, whole
from grader.stats.causes import CAUSES, Cause, Diagnosis, Gain, counterfactuals, diagnose
from grader.stats.slips import slips

SENTENCES = 4
"""Models that the summary still tells one by one."""
EVIDENT = "evidence"
_IF: dict[str, str] = {
    "oracle - carry": "it were shown the right result of the subquestion before",
    "follow-through": "what follows rightly from its own earlier errors counted",
    "carry - full": "it were asked one subquestion after another",
    "text - images": "it read the images as their author describes them",
    "unread": "whatever code couldn't read of its answers were read",
}
_FAULTS: dict[Cause, str] = {
    "propagation": "carries errors on",
    "integration": "loses by handling the whole problem at once",
    "images": "loses by reading images",
    "extraction": "loses by how it writes its answers",
}


def causes_section(levels: Levels, options: Options) -> Section:
    """The gains of each model, and its diagnosis in words."""
    slipped = slips(levels.points, levels.rubrics)
    asked = (levels.subquestions, levels.items, slipped)
    found = diagnose(*asked, level=options.level)
    data = {
        "diagnoses": [
            {
                "model": one.model,
                "evident": list(one.evident),
                "without_evidence": list(one.without_evidence),
                "untested": list(one.untested),
                "in_words": diagnosis(one),
            }
            for one in found
        ],
        "gains": [_row(gain) for one in found for gain in one.gains],
    }
    table = _table(found, options)
    return Section(
        "causes",
        "Causes",
        (table,),
        text=tuple(map(diagnosis, found)) if len(found) > SENTENCES else (),
        says=tuple(_says(found)),
        data=data,
        more=lambda: {"by_condition": [_row(gain) for gain in counterfactuals(*asked, level=options.level)]},
    )


def _table(found: Sequence[Diagnosis], options: Options) -> DataTable:
    columns = [Column("model"), Column("cause"), Column("if"), Column("gain", numeric=True)]
    columns += [Column(interval_heading(options.level), numeric=True), Column("p", numeric=True)]
    columns += [Column("finding")]
    gains = [gain for one in found for gain in one.gains]
    rows = [
        (
            Cell(gain.model),
            Cell(gain.cause),
            Cell(gain.measure),
            Cell(_points(gain)),
            Cell(span(*open_interval(gain.difference), signed=True)),
            Cell(p_value(gain.p_adjusted)),
            Cell(finding(gain)),
        )
        for gain in gains
    ]
    measures = dict.fromkeys(gain.measure for gain in gains)
    notes = [f"{measure}: what the model would gain if {_IF[measure]}" for measure in measures]
    notes.append(
        "each gain is the mean over the conditions that show it, over the same subquestions; text - images "
        "over those that show an image; p is adjusted over the gains of the model (Holm)"
    )
    notes.append("the same condition by condition: --format json")
    title = "What each model would gain, in percentage points"
    return DataTable("causes", title, tuple(columns), tuple(rows), tuple(notes))


def _points(gain: Gain) -> str:
    one = gain.difference
    return points(one.value) if whole(*one.bounds) else span(*one.bounds, signed=True)


def finding(gain: Gain) -> str:
    """Whether a gain is evidence of its cause, in two or three words."""
    one = gain.difference
    if gain.evidence:
        return EVIDENT
    if one.low is None:
        return ONE_PROBLEM
    if one.low <= 0:
        return NO_EVIDENCE
    return ALONE if one.widened is not None and one.widened[0] > 0 else OPEN


def diagnosis(one: Diagnosis) -> str:
    """What is wrong with a model, as far as these runs show it."""
    faults = [f"{_FAULTS[cause]} ({_size(one, cause)})" for cause in one.evident]
    parts = [f"{one.model} {listed(faults)}"] if faults else []
    if one.without_evidence:
        lacking = f"no evidence of {listed(one.without_evidence)}"
        parts.append(lacking if faults else f"{one.model}: {lacking}")
    if one.untested:
        untested = f"these runs can't show {listed(one.untested)}"
        parts.append(untested if parts else f"{one.model}: {untested}")
    return f"{'; '.join(parts)}."


def _size(one: Diagnosis, cause: Cause) -> str:
    gains = [gain for gain in one.gains if gain.cause == cause and gain.evidence]
    return ", ".join(f"{_points(gain)} points, {gain.measure}" for gain in gains)


def _says(found: Sequence[Diagnosis]) -> Iterator[str]:
    if len(found) <= SENTENCES:
        yield from map(diagnosis, found)
        return
    counts = Counter(cause for one in found for cause in one.evident)
    shown = [f"{cause} in {counts[cause]}" for cause in CAUSES if counts[cause]]
    yield f"Evidence of a cause, of {counted(len(found), 'model')}: {', '.join(shown) or 'none'}."


def _row(gain: Gain) -> Row:
    return {
        "model": gain.model,
        "cause": gain.cause,
        "measure": gain.measure,
        "held": list(gain.held),
        "difference": estimate_row(gain.difference),
        "p_holm": rounded(gain.p_adjusted),
        "finding": finding(gain),
    }
