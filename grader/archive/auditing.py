"""The part of the archive that audits write: what judges were asked about variants of answers, and money."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from grader.archive import audits, lock
from grader.archive.audit_entry import Anchor, AskedEntry, AuditReservation, DesignEntry, StoredAsked
from grader.archive.call_entry import Committed, StoredCall
from grader.archive.opened import Opened, now


class AuditArchive(Opened):
    """An open archive, as far as audits with calls of their own go. May be used by several threads."""

    def only_auditor(self, card: str) -> AbstractContextManager[None]:
        """Hold a card's audits for the length of a block; ArchiveBusy if somebody else has them."""
        return lock.only_auditor(self.database, card)

    def put_design(self, entry: DesignEntry) -> None:
        """Keep an audit as a suite lays it out; before anything that was asked for it."""
        with self._writing() as connection:
            audits.put_design(connection, entry, now())

    def put_asked(
        self, entries: Sequence[AskedEntry], tasks: Mapping[str, Mapping[str, Any]] | None = None
    ) -> int:
        """Keep variants and the tasks (by digest) they were about in one transaction; how many were new.

        Their requests are in the archive already. A variant that is there (same design, card, answer
        and name) stays as it is: its outcome follows from its calls, which don't change.
        """
        with self._writing() as connection:
            audits.put_tasks(connection, tasks or {})
            return audits.put_asked(connection, entries, now())

    def asked(self, design: str, *cards: str) -> list[StoredAsked]:
        """Every variant that these cards were asked about under a design, the first asked first."""
        with self._reading() as connection:
            return audits.asked(connection, design, cards)

    def audited_cards(self, design: str | None = None) -> list[str]:
        """The cards that audits asked, under one design or any; the first asked first."""
        with self._reading() as connection:
            return audits.cards(connection, design)

    def audit_designs(self, card: str) -> list[DesignEntry]:
        """The audits that a card was asked for, each as it was laid out; the one asked for last first."""
        with self._reading() as connection:
            return audits.designs(connection, card)

    def audit_task(self, digest: str) -> dict[str, Any]:
        """What a judge was asked about; KeyError if it isn't there."""
        with self._reading() as connection:
            return audits.task(connection, digest)

    def put_anchors(
        self, design: str, anchors: Sequence[Anchor], tasks: Mapping[str, Mapping[str, Any]]
    ) -> list[Anchor]:
        """Freeze anchors of a design, or leave those that are there; the ones that hold."""
        with self._writing() as connection:
            known = audits.anchors(connection, design)
            if not known:
                audits.put_tasks(connection, tasks)
                audits.put_anchors(connection, design, anchors)
            return known or audits.anchors(connection, design)

    def anchors(self, design: str) -> list[Anchor]:
        """The frozen anchors of a design, in their order; none before they are frozen."""
        with self._reading() as connection:
            return audits.anchors(connection, design)

    def put_audit_reservations(self, entries: Iterable[AuditReservation]) -> None:
        """Keep in one transaction what is set aside for tries before they are sent; once for each try."""
        with self._writing() as connection:
            audits.put_reservations(connection, entries)

    def audits_committed(self, card: str) -> Committed:
        """What counts against the limit of a card's audits; as ``committed`` says it of a run."""
        with self._reading() as connection:
            known, set_aside = audits.cost(connection, card), audits.reserved(connection, card)
        return Committed(known, set_aside, self._audits_unpriced(card))

    def _audits_unpriced(self, card: str) -> Iterator[StoredCall]:
        after = 0
        while True:
            with self._reading() as connection:
                portion = audits.unpriced(connection, card, after)
            if not portion:
                return
            yield from portion
            after = portion[-1].id
