"""A second run, in which the second turn of a conversation follows from the first, as grading leaves it."""

from __future__ import annotations

from dataclasses import replace

from grader.archive.entry import Engine, FindingEntry, FollowedEntry, Run, SetEntry, basis_of
from grader.archive.read import GradedPoint
from grader.archive.store import Archive
from grader.record import Followed, Status, digest
from tests.archive.sample import DOT, QUANTITY, finding, node, problem, reply

FOLLOW = Engine(QUANTITY.by, {**QUANTITY.versions, "follow": "1"})
STOCK = {"id": "stock", "points": 1, "text": "0.20 M", "check": {"kind": "quantity"}}
DILUTED = {
    "id": "diluted",
    "points": 2,
    "text": "0.020 M",
    "check": {"kind": "quantity"},
    "follow": {"from": {"c": "dil-1/stock"}, "expression": "c / 10"},
}
DILUTION = problem("dilution", [node("dil-1", STOCK), node("dil-2", DILUTED)])
SET = SetEntry("dilution", digest("seen"), digest("kept"), [DILUTION])
LATER, EARLIER = (reply(2, "dilution", "dil-2", "0.030 M"), reply(3, "dilution", "dil-1", "0.30 M"))
WRONG = replace(finding(QUANTITY, Status.NOT_MET, "0.30 M", 0), value="0.3")
CARRIED = replace(finding(QUANTITY, Status.NOT_MET, "0.030 M", 0), value="0.03")
FOLLOWS = Followed.of(
    replace(
        CARRIED,
        status=Status.MET,
        detail="from c = 0.3 follows 0.03: 0.03 M agrees with 0.03 mol/L",
        flags=("follow_through",),
    ),
    ("0.03",),
)


def follow(archive: Archive) -> Run:
    """Grade the run strictly, then find out what follows."""
    run = begin(archive)
    archive.put_followed([entry(archive, run)])
    return run


def begin(archive: Archive) -> Run:
    """Grade the run strictly."""
    archive.put_images([DOT])
    archive.put_set(SET)
    run = archive.put_run(digest("carried run"), "carried", {"schema_version": 1})
    archive.begin_grading(run, SET.digest, [QUANTITY, FOLLOW])
    archive.put_responses(run, [LATER, EARLIER])
    stock, diluted = (one.point_hash for one in DILUTION.nodes)
    archive.put_findings(
        [
            FindingEntry(stock, EARLIER.answers[0].answer_hash, QUANTITY.key, WRONG),
            FindingEntry(diluted, LATER.answers[0].answer_hash, QUANTITY.key, CARRIED),
        ]
    )
    return run


def diluted(archive: Archive, run: Run) -> GradedPoint:
    """The point that follows."""
    return next(one for one in archive.graded(run) if one.answer.sub_id == "dil-2").points[0]


def entry(archive: Archive, run: Run) -> FollowedEntry:
    """What follows today, on its way into the archive."""
    point = diluted(archive, run)
    (strict,) = point.findings
    sources = {one.name: one.value for one in point.sources}
    basis = basis_of(point.sources, strict)
    return FollowedEntry(strict.point_hash, strict.answer_hash, FOLLOW.key, basis, sources, FOLLOWS)
