"""What code, judges and people said of an item's point, as plain values: told only to who has marked it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.archive.entry import StoredFinding, StoredVerdict
from grader.archive.lines import stored_evidence
from grader.archive.review_entry import StoredMark
from grader.archive.review_marks import standing as marks_that_hold
from grader.archive.standing import Standing, standing
from grader.problem.model import Deduction, Veto
from grader.record import Status
from grader.review.subject import Subject


@dataclass(frozen=True, slots=True)
class Told:
    """What code, a judge or a person said."""

    who: str
    status: str
    marks: str
    why: str
    quote: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What is shown once the person has marked the item."""

    mine: StoredMark | None
    """Their mark that holds."""
    mine_marks: str
    stood: Told
    """What stands without people's marks; of a dispute, without theirs."""
    said: tuple[Told, ...]
    """All that code found and judges gave for the point."""
    reasons: tuple[str, ...]
    """Why it was queued."""


def seen_by(subject: Subject, marks: Sequence[StoredMark], reviewer: str) -> Seen:
    """What a person is shown who has marked the item; ``marks`` are all on it."""
    mine = marks_that_hold(marks).get(reviewer)
    said = [_told(subject, one) for one in findings_of(subject)]
    said += [_told(subject, one) for one in subject.point.verdicts if not is_human(one)]
    return Seen(
        mine=mine,
        mine_marks="" if mine is None else marks_of(subject, mine.entry.award),
        stood=_stood(subject, reviewer),
        said=tuple(said),
        reasons=subject.item.entry.reasons,
    )


def _stood(subject: Subject, reviewer: str) -> Told:
    disputed = subject.item.entry.kind == "dispute"
    others = [
        one
        for one in subject.point.verdicts
        if not is_human(one) or (disputed and one.verdict.by != f"human:{reviewer}")
    ]
    grading = subject.view.grading
    stands = standing(
        subject.point.findings,
        others,
        point_hash=subject.item.entry.point_hash,
        answer_hash=subject.span.answer_hash,
        engines=grading.engines,
        card=grading.card,
        failed=subject.response.error is not None,
    )
    return _told_standing(subject, stands)


def _told_standing(subject: Subject, stands: Standing) -> Told:
    if stands.source is not None and stands.counts:
        return _told(subject, stands.source)
    why = "its judge is provisional" if stands.provisional else str(stands.reason or "")
    return Told("nobody", Status.UNDETERMINED.value, "", why.replace("_", " "), "")


def _told(subject: Subject, stored: StoredFinding | StoredVerdict) -> Told:
    evidence = stored_evidence(subject.graded, stored)
    quote = evidence.quote if evidence else ""
    if isinstance(stored, StoredFinding):
        finding = stored.finding
        left = tuple(f"left aside: {one.quote} ({one.why})" for one in finding.rejected)
        took = (f"taken: {finding.found}",) if finding.found else ()
        marks = marks_of(subject, finding.award)
        return Told(_who(finding.by), finding.status.value, marks, finding.detail, quote, took + left)
    verdict = stored.verdict
    sure = () if verdict.confidence is None else (f"confidence {verdict.confidence:.2f}",)
    flags = tuple(flag.replace("_", " ") for flag in verdict.flags)
    why = verdict.rationale or str(verdict.reason or "").replace("_", " ")
    marks = marks_of(subject, verdict.award)
    return Told(_who(verdict.by), verdict.status.value, marks, why, quote, sure + flags)


def _who(by: str) -> str:
    """Who said it; people aren't named."""
    track, _, name = by.partition(":")
    return {"formal": f"code ({name.partition('@')[0]})", "human": "a person"}.get(track, f"{track} {name}")


def marks_of(subject: Subject, award: float | None) -> str:
    """An award in marks."""
    if award is None or isinstance(subject.node, Veto):
        return ""
    low, high = subject.scale.limits
    most = low if isinstance(subject.node, Deduction) else high
    return f"{award * most:g} of {most:g} {'mark' if most == 1 else 'marks'}"


def is_human(stored: StoredVerdict) -> bool:
    """Whether a person gave it."""
    return stored.verdict.by.startswith("human:")


def told_mark(subject: Subject, name: str, mark: StoredMark) -> Told:
    """A person's mark under another name."""
    entry = mark.entry
    quote = entry.evidence[0].quote if entry.evidence else ""
    says = (entry.says.replace("_", " is "),) if entry.says else ()
    return Told(name, entry.status.value, marks_of(subject, entry.award), entry.reason, quote, says)


def findings_of(subject: Subject) -> list[StoredFinding]:
    """What code found for the point in the answer as it is cut today."""
    return [
        one
        for one in subject.point.findings
        if not one.engine.fact and one.answer_hash == subject.span.answer_hash
    ]
