"""The part of the archive that review writes: reviewers, items, marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from grader.archive import errata, outcomes, review_items, review_marks, reviewers, runs
from grader.archive.entry import AnswerSpan, StoredFinding, StoredVerdict, VerdictEntry
from grader.archive.errata import Erratum
from grader.archive.opened import Opened, now
from grader.archive.review_entry import (
    Item,
    ItemEntry,
    MarkEntry,
    Progress,
    Reviewer,
    State,
    StoredMark,
    Wanted,
)

LEASE = timedelta(minutes=30)
"""How long an item stays with a person who doesn't come back to it."""

PORTION = 500


class ReviewArchive(Opened):
    """An open archive, as far as review goes. Every change is one transaction."""

    def invite(self, name: str, token_hash: str, *, adjudicates: bool = False) -> None:
        """Let a person mark; invited again, they get another token and the old one ends."""
        with self._writing() as connection:
            reviewers.invite(connection, name, token_hash, adjudicates, now())

    def revoke(self, name: str) -> bool:
        """End a person's link and let go of what they hold; False if there is no such person."""
        with self._writing() as connection:
            return reviewers.revoke(connection, name, now())

    def reviewers(self) -> list[Reviewer]:
        """Everybody who was invited, by name."""
        with self._reading() as connection:
            return reviewers.everybody(connection)

    def reviewer(self, token_hash: str) -> Reviewer | None:
        """Who holds a token; None if nobody does any more."""
        with self._reading() as connection:
            return reviewers.of_token(connection, token_hash)

    def put_items(self, entries: Iterable[ItemEntry]) -> int:
        """Queue items; how many were new. See ``review_items.put_items``."""
        with self._writing() as connection:
            return review_items.put_items(connection, entries, now())

    def claim(
        self,
        reviewer: str,
        wanted: Wanted | None = None,
        *,
        lease: timedelta = LEASE,
        at: datetime | None = None,
    ) -> Item | None:
        """The item that the person holds, else the first they may take, held for a lease from now on."""
        with self._writing() as connection:
            return review_items.claim(connection, reviewer, wanted or Wanted(), lease, at or now())

    def renew(
        self, item_id: int, reviewer: str, *, lease: timedelta = LEASE, at: datetime | None = None
    ) -> Item | None:
        """Hold an open item (for longer); None if somebody else does, or it is open no more."""
        with self._writing() as connection:
            return review_items.renewed(connection, item_id, reviewer, lease, at or now())

    def release(self, item_id: int, reviewer: str) -> None:
        """Let go of an item."""
        with self._writing() as connection:
            review_items.release(connection, item_id, reviewer)

    def let_go(self, reviewer: str) -> None:
        """Let go of all that a person holds."""
        with self._writing() as connection:
            review_items.let_go(connection, reviewer)

    def skip(self, item_id: int, reviewer: str) -> None:
        """Let go of an item, and don't show it to the person until ``come_back``."""
        with self._writing() as connection:
            review_items.skip(connection, item_id, reviewer, now())

    def come_back(self, reviewer: str) -> int:
        """Show the person again what they skipped; how many items."""
        with self._writing() as connection:
            return review_items.come_back(connection, reviewer)

    def split(self, item_id: int) -> int:
        """Make an item of each answer that an open item stands for; how many."""
        with self._writing() as connection:
            return review_items.split(connection, item_id, now())

    def mark(
        self, entry: MarkEntry, verdicts: Sequence[VerdictEntry] = (), *, at: datetime | None = None
    ) -> StoredMark:
        """Keep a mark and its verdicts in one transaction; NotYours if the item is somebody else's."""
        with self._writing() as connection:
            return review_marks.mark(connection, entry, verdicts, at or now())

    def undo(
        self, entry: MarkEntry, verdicts: Sequence[VerdictEntry] = (), *, lease: timedelta = LEASE
    ) -> StoredMark:
        """Take a mark back, with what followed from it, in one transaction; NotYours if it isn't theirs."""
        with self._writing() as connection:
            return review_marks.undo(connection, entry, verdicts, lease, now())

    def item(self, item_id: int) -> Item:
        """An item; KeyError if it isn't there."""
        with self._reading() as connection:
            return review_items.item(connection, item_id)

    def items(self, *states: State) -> Iterator[Item]:
        """Items in these states (all by default), the oldest first; in flat memory."""
        after = 0
        while True:
            with self._reading() as connection:
                ids = review_items.ids_after(
                    connection, after, PORTION, states or ("open", "done", "withdrawn")
                )
                found = review_items.items(connection, ids)
            if not ids:
                return
            yield from found
            after = ids[-1]

    def family(self, item_id: int) -> list[int]:
        """The ids of an item and of those in which its answers are marked again."""
        with self._reading() as connection:
            return review_items.family(connection, item_id)

    def runs_of(self, response_digest: str) -> list[int]:
        """The ids of the runs that hold a response, the latest first."""
        with self._reading() as connection:
            return review_items.runs_of(connection, response_digest)

    def spans(self, item: Item) -> dict[str, AnswerSpan]:
        """Where the responses of an item have the answers it stands for."""
        members = {one.response_digest: one.answer_hash for one in item.entry.members}
        with self._reading() as connection:
            found = runs.answers(connection, list(members), item.entry.sub_id)
        return {
            digest: span
            for digest, by_sub in found.items()
            for span in by_sub.get(item.entry.sub_id, ())
            if span.answer_hash == members[digest]
        }

    def marks_of(self, item_ids: Sequence[int]) -> dict[int, list[StoredMark]]:
        """All marks on items, in the order they were given."""
        with self._reading() as connection:
            return review_marks.marks_of(connection, item_ids)

    def marks(self) -> Iterator[StoredMark]:
        """Every mark, the first given first; in flat memory."""
        after = 0
        while True:
            with self._reading() as connection:
                found = review_marks.marks_after(connection, after, PORTION)
            if not found:
                return
            yield from found
            after = found[-1].id

    def marked_by_people(self) -> bool:
        """Whether people gave any verdict, at the desk or in a file."""
        with self._reading() as connection:
            return outcomes.any_of_people(connection)

    def verdicts_of_people(self) -> Iterator[StoredVerdict]:
        """Every verdict that people gave, the first given first; in flat memory."""
        after = 0
        while True:
            with self._reading() as connection:
                found = outcomes.of_people(connection, after, PORTION)
            if not found:
                return
            yield from found
            after = found[-1].id

    def outcome(self, named: str) -> StoredFinding | StoredVerdict:
        """A finding (``finding-12``) or a verdict (``verdict-45``); KeyError if there is none."""
        with self._reading() as connection:
            return errata.outcome(connection, named)

    def responses_with(self, answer_hash: str) -> list[str]:
        """The digests of the responses that hold an answer."""
        with self._reading() as connection:
            return errata.responses_with(connection, answer_hash)

    def errata(self, response_digest: str | None = None) -> list[Erratum]:
        """What was disputed of a response, or of all, and what came of it; the oldest first."""
        with self._reading() as connection:
            return list(errata.errata(connection, response_digest))

    def progress(self) -> Progress:
        """How far the queue is, and who did what."""
        with self._reading() as connection:
            return Progress(review_items.counts(connection), review_marks.by_reviewer(connection))
