"""One audit's traces, to be found again in frozen archives; they change nothing that stands."""

from __future__ import annotations

from grader.archive.audit_entry import Anchor, AnswerPlace, AskedEntry, AuditReservation, DesignEntry, Said
from grader.archive.call_entry import CallEntry
from grader.archive.entry import Run, response_digest
from grader.archive.store import Archive
from grader.record import Reason, Status, digest
from tests.archive.judged import CARD, NOON, asked, replied
from tests.archive.sample import REPLIES, answer_hash

CONTENT = {"audit": "A6", "answers": 1, "repeats": 2, "seed": 7}
DESIGN = DesignEntry(digest(CONTENT), "A6", CONTENT)
TASK = {"question": "What is k?", "answer": "k = 0.0462 s⁻¹, first order", "criteria": []}
REPEATED = asked(vote=1000)
"""The request of a repeat."""


def place(run: Run) -> AnswerPlace:
    """The answer that was varied."""
    reply = next(one for one in REPLIES if one.line == 2)
    return AnswerPlace(run.id, response_digest(reply.response), "kinetics", "kin-1", answer_hash(2, "kin-1"))


def variant(run: Run) -> AskedEntry:
    """What the judge was asked once more, and said."""
    outcome = {
        "reason": Said(Status.MET, 1.0, None, 0.75),
        "other": Said(Status.UNDETERMINED, None, Reason.REPLY_UNREADABLE),
    }
    about = {"length": 27}
    return AskedEntry(
        *(DESIGN.hash, CARD, place(run), "repeat 1", digest(TASK), outcome, (REPEATED.key,)),
        repeat=1,
        calls="point",
        about=about,
    )


def audit(archive: Archive, run: Run) -> None:
    """Keep a design, a variant with its call, an anchor, and money set aside for a try that was lost."""
    archive.put_design(DESIGN)
    archive.put_calls([CallEntry(REPEATED, replied(5), None, CARD, "audit")])
    archive.put_audit_reservations([AuditReservation(CARD, REPEATED.key, NOON, 0.25)])
    archive.put_asked([variant(run)], {digest(TASK): TASK})
    archive.put_anchors(DESIGN.hash, [Anchor(place(run), digest(TASK))], {digest(TASK): TASK})
