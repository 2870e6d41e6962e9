"""People's marks as the archive holds them: each one, and what they come to for a point of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean

from grader.archive.entry import StoredVerdict
from grader.archive.review_entry import FINAL, Item, StoredMark
from grader.archive.store import Archive
from grader.record import Reason

Place = tuple[str, str, str]
"""A response's digest, a sub_id and a point_id."""

_FROM_ITEM = re.compile(r"review item \d+")


@dataclass(frozen=True, slots=True)
class Rating:
    """One person's award for a point of an answer."""

    place: Place
    point_hash: str
    answer_hash: str
    person: str
    award: float | None
    kind: str
    blind: bool
    gold: float | None
    seconds: float
    """0 where nobody timed it."""
    final: bool
    """It settles what others said."""
    given: datetime


@dataclass(frozen=True, slots=True)
class People:
    """What people's marks on one point of one answer come to."""

    awards: tuple[float, ...]
    """That of who settled it, else of each who marked it blind; empty: nobody could say."""
    blind: int
    disagree: bool

    @property
    def award(self) -> float | None:
        """Their mean."""
        return fmean(self.awards) if self.awards else None


@dataclass(slots=True)
class Ratings:
    """All marks that hold, by place."""

    by_place: dict[Place, list[Rating]] = field(default_factory=dict)

    @classmethod
    def of(cls, archive: Archive) -> Ratings:
        """Read them; a mark on an item holds for all of its answers."""
        ratings = cls()
        if not archive.marked_by_people() and next(archive.marks(), None) is None:
            return ratings
        for one in _from_files(archive.verdicts_of_people()):
            ratings._add(one)
        marks: dict[int, list[StoredMark]] = {}
        for mark in archive.marks():
            marks.setdefault(mark.entry.item_id, []).append(mark)
        for item in archive.items():
            for rating in _from_desk(item, marks.get(item.id, ())):
                ratings._add(rating)
        return ratings

    def people(self, place: Place, point_hash: str, answer_hash: str) -> People | None:
        """What holds of today's point and answer: adjudicated, else the mean of blind marks."""
        current = [
            one
            for one in self.by_place.get(place, ())
            if (one.point_hash, one.answer_hash) == (point_hash, answer_hash) and one.gold is None
        ]
        if not current:
            return None
        final = [one for one in current if one.final and one.award is not None]
        # of a person who marked it at two places, what they said last
        blind = {one.person: one for one in sorted(current, key=lambda one: one.given) if one.blind}
        awards = tuple(one.award for one in blind.values() if one.award is not None)
        settled = max(final, key=lambda one: one.given).award if final else None
        counts = awards if settled is None else (settled,)
        return People(counts, len(awards), len(set(awards)) > 1)

    def _add(self, rating: Rating) -> None:
        self.by_place.setdefault(rating.place, []).append(rating)


def _places(item: Item) -> Iterator[Place]:
    for member in item.entry.members:
        yield (member.response_digest, item.entry.sub_id, item.entry.point_id)


def _from_files(verdicts: Iterable[StoredVerdict]) -> Iterator[Rating]:
    """The last of each person on a point of an answer, unless they took it back; those from a desk aside."""
    last: dict[tuple[object, ...], StoredVerdict] = {}
    for one in verdicts:
        place = (one.response_digest, one.sub_id, one.verdict.point_id)
        last[place, one.point_hash, one.answer_hash, one.verdict.by] = one
    for one in last.values():
        verdict = one.verdict
        if verdict.reason is Reason.UNJUDGED or _FROM_ITEM.fullmatch(one.source or ""):
            continue
        yield Rating(
            place=(one.response_digest, one.sub_id, verdict.point_id),
            point_hash=one.point_hash,
            answer_hash=one.answer_hash,
            person=verdict.by.removeprefix("human:"),
            award=verdict.award,
            kind="file",
            blind=not verdict.adjudicated,
            gold=None,
            seconds=0.0,
            final=verdict.adjudicated,
            given=one.created,
        )


def _from_desk(item: Item, marks: Sequence[StoredMark]) -> Iterator[Rating]:
    """What each person's marks on an item come to: the last before the verdict was shown, the last after."""
    for person, own in _held(marks).items():
        for seen in (False, True):
            given = [one for one in own if one.entry.after_seen is seen]
            if given:
                yield from _rated(item, person, given, blind=not seen and item.entry.kind not in FINAL)


def _held(marks: Iterable[StoredMark]) -> Mapping[str, list[StoredMark]]:
    """By person, the marks that they didn't take back."""
    held: dict[str, list[StoredMark]] = {}
    for one in marks:
        if one.entry.undoes is None:
            held.setdefault(one.entry.reviewer, []).append(one)
        else:
            held.pop(one.entry.reviewer, None)
    return held


def _rated(item: Item, person: str, given: Sequence[StoredMark], *, blind: bool) -> Iterator[Rating]:
    entry, last = item.entry, given[-1]
    for member, place in zip(entry.members, _places(item), strict=True):
        yield Rating(
            place=place,
            point_hash=entry.point_hash,
            answer_hash=member.answer_hash,
            person=person,
            award=last.entry.award,
            kind=entry.kind,
            blind=blind,
            gold=entry.gold,
            seconds=sum(one.entry.seconds for one in given),
            final=entry.kind in FINAL,
            given=last.created,
        )
