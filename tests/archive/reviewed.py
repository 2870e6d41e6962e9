"""A seeded item and its mark, to be found again in frozen archives; it changes nothing that stands."""

from __future__ import annotations

from grader.archive.entry import response_digest
from grader.archive.review_entry import ItemEntry, MarkEntry, Member
from grader.archive.store import Archive
from grader.record import Evidence, Status
from tests.archive.sample import KINETICS, REPLIES, answer_hash

_REPLY = next(one for one in REPLIES if one.line == 2)
ITEM = ItemEntry(
    *("seeded", "seeded", "gold", "kinetics", "kin-1", "reason", KINETICS.nodes[1].point_hash),
    members=(Member(response_digest(_REPLY.response), answer_hash(2, "kin-1")),),
    priority=2.5,
    gold=0.5,
    barred=("Bo",),
)
MARK = MarkEntry(
    *(1, "Ada", "a form", Status.PARTIAL, 0.5),
    evidence=(Evidence("first order", 18, 29),),
    reason="half of it",
    says="rubric_wrong",
    seconds=12.5,
)


def review(archive: Archive) -> None:
    """Invite Ada, queue the item and keep her mark."""
    archive.invite("Ada", "hash of a token", adjudicates=True)
    archive.put_items([ITEM])
    archive.mark(MARK)
