"""Disputes: any finding or verdict can be contested, and is then marked again without being seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.archive.entry import StoredFinding, StoredVerdict
from grader.archive.errata import Contest, Erratum
from grader.archive.review_entry import ItemEntry, Member
from grader.archive.store import Archive
from grader.errors import UsageError, shown
from grader.problem.model import Note, Problem, walk
from grader.problem.nodes import nodes
from grader.record import digest
from grader.review.subject import Subjects

FIRST = 1_000_000.0
"""The priority of what is disputed: it comes before all else."""

_FROM_ITEM = re.compile(r"review item ([0-9]+)")

Place = tuple[str, str, str]
"""Problem, subquestion and point."""


@dataclass(frozen=True, slots=True)
class _Held:
    """The answers that something holds for, as one problem was graded."""

    problem_hash: str
    members: dict[Member, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Disputed:
    """What a dispute asks to be marked again."""

    answers: int
    new: int
    """Items that it made; none where it was disputed for the same reason before."""


def dispute(archive: Archive, named: str, reason: str, by: str | None = None) -> Disputed:
    """Ask for another, blind mark of every answer that a finding or verdict holds for.

    ``named`` is an id as ``argus verdicts`` prints it. Neither the person whose
    verdict it is nor who disputes it may mark it. Raises UsageError for an id
    that isn't there, one that no longer holds for anything, or an empty reason.
    """
    if not reason.strip():
        raise UsageError("a dispute needs a reason", do="Say by --reason what is wrong.")
    try:
        stored = archive.outcome(named)
    except KeyError:
        do = "Ids are printed by `argus verdicts`."
        expected = "finding-NUMBER or verdict-NUMBER"
        raise UsageError("no such finding or verdict", got=shown(named), expected=expected, do=do) from None
    if isinstance(stored, StoredFinding) and stored.engine.fact:
        raise UsageError("the finding only tells judges a fact and decides nothing", got=named)
    contest = Contest(named, " ".join(reason.split()), by)
    places = _places(archive, stored)
    if not places:
        raise UsageError(
            "it was given under an earlier rubric or answer, and counts no more",
            got=named,
            do="Dispute what stands: `argus verdicts` marks it.",
        )
    subjects = Subjects(archive)
    entries = []
    for place, held in places.items():
        _, problem = subjects.problem(held.problem_hash)
        kind = check_kind(problem, *place[1:])
        entries.append(_entry(stored, contest, place, tuple(held.members), kind))
    return Disputed(sum(len(held.members) for held in places.values()), archive.put_items(entries))


def errata(archive: Archive) -> Iterator[Erratum]:
    """Every dispute and what came of it, the oldest first."""
    yield from archive.errata()


def _places(archive: Archive, stored: StoredFinding | StoredVerdict) -> dict[Place, _Held]:
    """The answers that it holds for under the last grading of each run, by point."""
    found: dict[Place, _Held] = {}
    wanted = _wanted(archive, stored)
    for run in archive.runs():
        view = archive.view(run)
        for graded in archive.graded_of(view, wanted) if view else ():
            if graded.answer.answer_hash != wanted[graded.response.digest]:
                continue
            for point in graded.points:
                if point.point_hash == stored.point_hash and _may_be(
                    stored, graded.answer.sub_id, point.point_id
                ):
                    place = (graded.response.problem_id, graded.answer.sub_id, point.point_id)
                    held = found.setdefault(place, _Held(graded.problem_hash or ""))
                    held.members[Member(graded.response.digest, graded.answer.answer_hash)] = None
    return found


def _wanted(archive: Archive, stored: StoredFinding | StoredVerdict) -> dict[str, str]:
    """The hashes of the answers it was given to, by response; at the desk that is all answers of an item."""
    if isinstance(stored, StoredFinding):
        return dict.fromkeys(archive.responses_with(stored.answer_hash), stored.answer_hash)
    from_item = _FROM_ITEM.fullmatch(stored.source or "")
    if from_item is None:
        return {stored.response_digest: stored.answer_hash}
    return {one.response_digest: one.answer_hash for one in archive.item(int(from_item[1])).entry.members}


def _may_be(stored: StoredFinding | StoredVerdict, sub_id: str, point_id: str) -> bool:
    """Points may share a hash; a verdict names the one it is for."""
    if isinstance(stored, StoredFinding):
        return True
    return (stored.sub_id, stored.verdict.point_id) == (sub_id, point_id)


def _entry(
    stored: StoredFinding | StoredVerdict,
    contest: Contest,
    place: Place,
    members: tuple[Member, ...],
    kind: str | None,
) -> ItemEntry:
    key = digest(["dispute", contest.disputed, contest.reason, place])
    track, _, name = stored.verdict.by.partition(":") if isinstance(stored, StoredVerdict) else ("", "", "")
    barred = {name if track == "human" else None, contest.by} - {None}
    return ItemEntry(
        *(key, key, "dispute", *place, stored.point_hash),
        members=members,
        priority=FIRST,
        check_kind=kind,
        about=contest.as_text(),
        barred=tuple(sorted(name for name in barred if name)),
    )


def check_kind(problem: Problem, sub_id: str, point_id: str) -> str | None:
    """The kind of a point's check; None where it has none."""
    for node in walk(nodes(problem.subquestion(sub_id))):
        if not isinstance(node, Note) and node.id == point_id:
            check = getattr(node, "check", None)
            return check.kind if check else None
    return None
