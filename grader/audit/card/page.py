"""A report card as a page: what it advises first, then what it rests on, then every audit."""

from __future__ import annotations

from collections.abc import Iterator

from grader.audit.card.advice import advice
from grader.audit.card.advice_rules import OF_CODE
from grader.audit.card.as_json import card_json
from grader.audit.card.card import ReportCard
from grader.audit.card.ground import Ground
from grader.audit.card.score_tables import score_part
from grader.audit.document import Document, Part
from grader.audit.measure_words import measures_table
from grader.audit.result import AUDITS, Audit
from grader.audit.words import INDICATIVE, percent
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted

NONE = "–"
FORMAL = "formal"
PROVISIONAL = (
    "PROVISIONAL: this judge is a demonstration. Its verdicts show that the machinery works "
    "and count nowhere."
)
HOLM = (
    "p values are adjusted after Holm within the family of comparisons of each audit, and not over audits: "
    "of twenty audits of a faultless judge one may speak by chance."
)
DETECTABLE = (
    "Detectable is the smallest true effect that as many points and problems would show four times in five: "
    "an audit without a finding says nothing of smaller ones."
)
NOT_DONE = "could not be done"
NO_CALLS = "it is of calls, which code doesn't make"
NEVER = (
    "it needs calls of its own, and none were made",
    "See what would be asked by argus audit plan SUITE --judge CARD, and ask by argus audit run.",
)
"""Why an audit was never attempted, and what to do."""


def card_page(card: ReportCard) -> Document:
    """The page, the same for every format."""
    parts = [_advice_part(card), _asked_part(card), _ground_part(card), score_part(card)]
    parts += [_audit_part(one) for one in card.done if one.id != "A3"]
    parts += [_missing_part(card), Part("reading", "How to read this", text=tuple(_reading(card)))]
    return Document(
        title=f"Report card: {_subject(card.judge)}",
        warnings=(PROVISIONAL,) if card.provisional else (),
        says=tuple(_summary(card)),
        parts=tuple(one for one in parts if one is not None),
        data=card_json(card),
    )


def _subject(judge: str) -> str:
    return "the formal track (code)" if judge == FORMAL else f"judge {judge}"


def _summary(card: ReportCard) -> Iterator[str]:
    found = card.ground
    yield (
        f"{counted(found.decided, 'point')} decided, {counted(found.labels, 'random mark')} on them from "
        f"{counted(found.label_problems, 'problem')}, {counted(found.disagreements, 'disagreement')}."
    )
    flagged = [one for one in card.done if any(measure.flagged for measure in one.measures)]
    names = ", ".join(f"{one.id} {AUDITS[one.id].lower()}" for one in flagged)
    wanted = OF_CODE if card.judge == FORMAL else frozenset(AUDITS)
    refused = sum(one.id in wanted for one in card.refused)
    never = sum(one in wanted for one in card.never)
    whole = f"{len(wanted)} audits{' of code' if card.judge == FORMAL else ''}"
    yield (
        f"{len(card.done)} of {whole} done, {refused} could not be done, {never} never attempted. "
        f"Evidence of a fault: {names or 'in none of those done'}."
    )
    yield from (f"{note.rstrip('.')}." for note in card.notes)


def _advice_part(card: ReportCard) -> Part:
    says = tuple(f"{one.says} (Rests on {one.rests_on}.)" for one in advice(card))
    text = (
        () if says else ("No rule speaks: no fault was found, and too little is marked to grant anything.",)
    )
    return Part("advice", "What it may be used for", says, text)


def _asked_part(card: ReportCard) -> Part | None:
    if not card.asked:
        return None
    columns = (
        *map(Column, ("card", "model", "as served")),
        Column("replies", numeric=True),
        *map(Column, ("from", "to", "prompt")),
        Column("temperature", numeric=True),
        Column("votes", numeric=True),
    )
    rows = tuple(
        tuple(
            map(
                Cell,
                (
                    *(one.card, one.model or NONE, ", ".join(one.served) or "not said"),
                    *(f"{one.replies:,}", one.first or NONE, one.last or NONE, one.prompt or "not at hand"),
                    "not set" if one.temperature is None else f"{one.temperature:g}",
                    NONE if one.votes is None else str(one.votes),
                ),
            )
        )
        for one in card.asked
    )
    notes = (
        "card: its name and the hash of all that can change a verdict; prompt: the beginning of the "
        "template's "
        "SHA-256; as served: what the provider called the model in its replies",
    )
    title = "Model, prompt and settings"
    return Part("asked", "How it was asked", tables=(DataTable("asked", title, columns, rows, notes),))


def _ground_part(card: ReportCard) -> Part:
    found = card.ground
    total = found.points or 1
    shares = (
        ("by code", found.by_code),
        ("by a judge", found.by_judge),
        ("by people", found.by_people),
        ("by nobody yet", found.undecided),
    )
    who = DataTable(
        "tracks",
        "Who decided the points",
        (Column("decided"), Column("points", numeric=True), Column("share", numeric=True)),
        tuple((Cell(name), Cell(f"{n:,}"), Cell(percent(n / total))) for name, n in shares),
        ("points of answers; one that people marked counts as theirs",),
    )
    strata = DataTable(
        "labels",
        "How labels were chosen",
        (
            Column("stratum"),
            *(Column(name, numeric=True) for name in ("probability", "decided", "drawn", "marked")),
        ),
        tuple(
            tuple(
                map(
                    Cell,
                    (
                        *(one.stratum, "not known" if one.rate is None else f"{one.rate:g}"),
                        *(f"{n:,}" for n in (one.decided, one.drawn, one.marked)),
                    ),
                )
            )
            for one in found.strata
        ),
        tuple(_strata_notes(found)),
    )
    return Part("ground", "What it rests on", text=tuple(_ground_words(card)), tables=(who, strata))


def _strata_notes(found: Ground) -> Iterator[str]:
    yield (
        "probability: of being drawn, stored when it was; marked: of what was drawn; only that speaks of the "
        "rest, so marks on doubted points that nobody drew are no labels"
    )
    if found.labels > sum(one.marked for one in found.strata):
        yield "where people marked all of a stratum, drawn or not, all its points are labels"


def _ground_words(card: ReportCard) -> Iterator[str]:
    found = card.ground
    yield (
        f"{counted(len(found.runs), 'run')} ({', '.join(found.runs)}), "
        f"{counted(len(found.models), 'graded model')}, {counted(found.problems, 'problem')}, "
        f"{counted(found.answers, 'answer')}, {counted(found.points, 'point')} of answers."
    )
    waiting = f" {counted(found.waiting, 'drawn point')} still to be marked." if found.waiting else ""
    if not found.marked:
        yield f"People marked none of the {counted(found.decided, 'point')} that it decided.{waiting}"
        return
    labels = "all" if found.labels == found.marked else f"{found.labels:,}"
    yield (
        f"Of the {counted(found.decided, 'point')} that it decided people marked {found.marked:,}, "
        f"{labels} of them so that they speak of the rest; on {found.disagreements:,} of these "
        f"they disagree with it.{waiting}"
    )


def _audit_part(one: Audit) -> Part:
    text = (INDICATIVE,) if one.indicative else ()
    title = f"{AUDITS[one.id]} in numbers"
    table = measures_table([one], key=f"audit-{one.id.lower()}", title=title, notes=one.notes)
    says = one.says or ("No fault was found.",)
    return Part(
        one.id.lower(),
        f"{one.id} {AUDITS[one.id]}",
        says,
        text,
        (table,),
        tuple(_cases(one)) if one.cases else (),
    )


def _cases(one: Audit) -> Iterator[DataTable]:
    rows = tuple(
        (Cell(case.where), Cell(case.what), Cell(" ".join(case.calls) or NONE)) for case in one.cases
    )
    columns = (Column("where"), Column("what"), Column("archived requests"))
    yield DataTable(f"cases-{one.id.lower()}", f"{AUDITS[one.id]}, one by one", columns, rows)


def _missing_part(card: ReportCard) -> Part | None:
    of_judges = frozenset(AUDITS) - OF_CODE if card.judge == FORMAL else frozenset()
    together: dict[tuple[str, str, str], list[str]] = {}
    for one in card.refused:
        state = ("not of code", one.why, NONE) if one.id in of_judges else (NOT_DONE, one.why, one.do)
        together.setdefault(state, []).append(one.id)
    for audit in card.never:
        state = ("not of code", NO_CALLS, NONE) if audit in of_judges else ("never attempted", *NEVER)
        together.setdefault(state, []).append(audit)
    if not together:
        return None
    columns = tuple(map(Column, ("audit", "state", "why", "what to do")))
    rows = tuple(
        tuple(map(Cell, (", ".join(f"{one} {AUDITS[one]}" for one in audits), *state)))
        for state, audits in together.items()
    )
    title = "Nothing is known of these"
    return Part("missing", "What was not audited", tables=(DataTable("missing", title, columns, rows),))


def _reading(card: ReportCard) -> Iterator[str]:
    yield f"Intervals are at {100 * card.level:g} %, with problems as clusters where their number stands."
    yield DETECTABLE
    yield HOLM
    yield (
        "No number here is a licence by itself: a judge that agrees with people on the whole can still be "
        "wrong "
        "about one model, one kind of point, or whenever an answer asks it to be."
    )
