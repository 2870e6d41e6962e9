"""From what a person entered to a mark, and to the verdicts that it gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.archive.entry import VerdictEntry
from grader.archive.review_entry import FINAL, Item, MarkEntry, Member, Says, StoredMark
from grader.archive.reviewing import LEASE
from grader.archive.store import Archive
from grader.errors import MarkError, shown
from grader.marks import Scale, status_of
from grader.record import Reason, Status, Verdict, digest
from grader.review.evidence import as_selected, evidence_elsewhere, evidence_in
from grader.review.subject import Subject

LONGEST = 4_000
"""Characters of a reason or a quote."""
IDLE = timedelta(minutes=2)
"""The most that is counted where the page had no script to tell activity from absence."""


@dataclass(frozen=True, slots=True)
class Given:
    """The fields of the form, as they were sent."""

    status: str = ""
    """``met``, ``not_met``, ``cannot_assess``, or ``partial`` with marks."""
    marks: str = ""
    marks_follow: str = ""
    quote: str = ""
    place: str = ""
    """Where the quote was selected, as ``evidence_in`` takes it."""
    reason: str = ""
    says: str = ""
    seconds: str = ""
    """Active ones, counted by the page's script; empty without it."""
    form: str = ""
    """The form's nonce."""


def mark_of(given: Given, subject: Subject, reviewer: str, *, seen: bool, now: datetime) -> MarkEntry:
    """The mark that a person means; MarkError where it can't be one, to be shown beside the form."""
    award, follow = _award(given, subject.scale)
    return MarkEntry(
        item_id=subject.item.id,
        reviewer=reviewer,
        form=form_of(given.form, subject.item.id, reviewer),
        status=status_of(award),
        award=award,
        award_follow=follow,
        evidence=evidence_in(_bounded(given.quote, "evidence"), given.place, subject),
        reason=_bounded(given.reason, "reason").strip(),
        says=_says(given.says),
        seconds=_seconds(given.seconds, subject.item, now),
        after_seen=seen,
    )


def given_of(mark: MarkEntry, subject: Subject) -> Given:
    """The form of who changes their mark, filled with what they said."""
    quote, place = as_selected(mark.evidence[0], subject) if mark.evidence else ("", "")
    partial = mark.award if mark.status is Status.PARTIAL else None
    return Given(
        marks=_written(partial, subject.scale),
        marks_follow=_written(mark.award_follow, subject.scale),
        quote=quote,
        place=place,
        reason=mark.reason,
        says=mark.says or "",
    )


def form_of(nonce: str, item_id: int, reviewer: str) -> str:
    """What a form is archived as: nobody can send the form of somebody else, or of another item."""
    if not 16 <= len(nonce) <= 64:
        raise MarkError("the form has no number of its own", do="Open the item again.")
    return digest([nonce, item_id, reviewer])


def verdicts_of(archive: Archive, item: Item, mark: MarkEntry) -> list[VerdictEntry]:
    """The verdicts that a mark gives, one for each answer; none for a seeded item."""
    if item.entry.kind == "gold":
        return []
    places = evidence_elsewhere(archive, item, mark.evidence[0].quote) if mark.evidence else {}
    if mark.evidence:
        places[item.entry.members[0].response_digest] = mark.evidence[0]
    reason = Reason.CANNOT_ASSESS if mark.award is None else None
    return [
        _entry(
            item,
            member,
            Verdict(
                point_id=item.entry.point_id,
                status=mark.status,
                by=f"human:{mark.reviewer}",
                award=mark.award,
                award_follow=mark.award_follow,
                reason=reason,
                rationale=mark.reason,
                evidence=places.get(member.response_digest),
                confidence=None if mark.award is None else 1.0,
                adjudicated=item.entry.kind in FINAL,
            ),
        )
        for member in item.entry.members
    ]


def undoing(item: Item, mark: StoredMark, nonce: str) -> tuple[MarkEntry, list[VerdictEntry]]:
    """What takes a mark back, and the verdicts that it gave."""
    reviewer = mark.entry.reviewer
    form = form_of(nonce, item.id, reviewer)
    entry = MarkEntry(item.id, reviewer, form, Status.UNDETERMINED, None, undoes=mark.id)
    if item.entry.kind == "gold":
        return entry, []
    verdict = Verdict(item.entry.point_id, Status.UNDETERMINED, f"human:{reviewer}", reason=Reason.UNJUDGED)
    return entry, [_entry(item, member, verdict) for member in item.entry.members]


def _entry(item: Item, member: Member, verdict: Verdict) -> VerdictEntry:
    entry = item.entry
    return VerdictEntry(
        response_digest=member.response_digest,
        problem_id=entry.problem_id,
        sub_id=entry.sub_id,
        point_hash=entry.point_hash,
        answer_hash=member.answer_hash,
        verdict=verdict,
        source=f"review item {item.id}",
    )


# The award


def _award(given: Given, scale: Scale) -> tuple[float | None, float | None]:
    follow = _points(given.marks_follow, "marks with follow-through")
    share = None if follow is None else scale.share(follow, "")
    match given.status:
        case "met":
            return 1.0, share
        case "not_met":
            return 0.0, share
        case "cannot_assess":
            return None, None
        case "partial" | "":
            points = _points(given.marks, "marks")
            if points is not None:
                return scale.share(points, ""), share
    raise MarkError("the form says no mark", do="Choose met or not met, or enter marks.")


def _written(share: float | None, scale: Scale) -> str:
    """An award as the marks that a person enters."""
    return "" if share is None else f"{share * sum(scale.limits):.6g}"


def _points(text: str, what: str) -> float | None:
    text = text.strip().replace("−", "-").replace(",", ".")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise MarkError(f"the {what} are no number", got=shown(text))
    return number


def _says(says: str) -> Says | None:
    match says:
        case "":
            return None
        case "rubric_wrong" | "question_wrong":
            return says
    raise MarkError("the form says something unknown", got=shown(says))


def _bounded(text: str, what: str) -> str:
    if len(text) > LONGEST:
        raise MarkError(f"the {what} is too long", got=f"{len(text)} characters", expected=f"{LONGEST}")
    return text


def _seconds(text: str, item: Item, now: datetime) -> float:
    """Active seconds, no more than the lease lasts; without a script, no more than a short absence."""
    held = LEASE if item.lease is None else max(timedelta(0), now - (item.lease - LEASE))
    try:
        told = float(text)
    except ValueError:
        return min(held, IDLE).total_seconds()
    return min(max(0.0, told), LEASE.total_seconds()) if math.isfinite(told) else 0.0
