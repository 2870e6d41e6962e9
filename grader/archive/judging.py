"""The part of the archive that judging writes: calls, money, doubts, spot checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from grader.archive import calls, money, routes
from grader.archive.call_entry import CallEntry, Committed, Reservation, Spending, StoredCall
from grader.archive.entry import Grading, RouteEntry, Run, SpotCheckEntry
from grader.archive.opened import Opened, now
from grader.archive.served import Served, served
from grader.model.reply import Attempt
from grader.model.request import ModelRequest


class JudgingArchive(Opened):
    """An open archive, as far as calls, doubts and spot checks go. May be used by several threads."""

    def put_calls(self, entries: Sequence[CallEntry]) -> None:
        """Keep tries at requests in one transaction, each with the next ordinal of its request.

        A try that is there (same request, same start, same latency) isn't kept
        again. Numbers of tokens that no reply can have are left out; the raw
        body keeps them.
        """
        with self._writing() as connection:
            calls.put_calls(connection, entries, now())

    def request(self, key: str) -> ModelRequest:
        """A request as it was asked, without the variable of its key; KeyError if it isn't there."""
        with self._reading() as connection:
            return calls.request(connection, key)

    def parameters(self, keys: Iterable[str]) -> dict[str, Mapping[str, Any]]:
        """By request key, what it set (temperature, seed, ...); keys that aren't there are left out."""
        with self._reading() as connection:
            return calls.parameters(connection, keys)

    def replies(self, keys: Iterable[str]) -> dict[str, Attempt]:
        """By request key, the last attempt that was replied to; requests without a reply are left out."""
        with self._reading() as connection:
            return calls.replies(connection, keys)

    def calls_at(self, keys: Iterable[str]) -> dict[str, list[StoredCall]]:
        """By request key, every try at it in its order: what a verdict's votes are traced to."""
        with self._reading() as connection:
            return calls.calls_at(connection, keys)

    def calls(self, run: Run | None = None) -> Iterator[StoredCall]:
        """Every try paid for a run, or (None) every try there is, the first first; in flat memory."""
        after = 0
        while True:
            with self._reading() as connection:
                portion = calls.portion(connection, run.id if run else None, after)
            if not portion:
                return
            yield from portion
            after = portion[-1].id

    def spent(self, run: Run) -> Spending:
        """What the calls of a run took, by card and purpose, added up over all gradings of the run."""
        with self._reading() as connection:
            return calls.spent(connection, run.id)

    def served(self, card: str) -> list[Served]:
        """The replies to the judging calls of a card ``<name>@<hash>``, by model and served model."""
        with self._reading() as connection:
            return served(connection, card)

    def put_reservations(self, entries: Sequence[Reservation]) -> None:
        """Keep in one transaction what is set aside for tries before they are sent; once for each try."""
        with self._writing() as connection:
            money.put_reservations(connection, entries)

    def committed(self, run: Run) -> Committed:
        """What counts against the limit of a run: known costs, and what is set aside for unknown ones.

        A reservation counts while its try is missing (killed, cancelled), its
        end unknown (``grader.model.failure.UNKNOWN``) or its reply without a
        cost. Tries of those kinds that were made without a limit have none:
        they come as ``unpriced``, in flat memory, for the caller to price.
        """
        with self._reading() as connection:
            known, set_aside = money.cost(connection, run.id), money.reserved(connection, run.id)
        return Committed(known, set_aside, self._unpriced(run))

    def _unpriced(self, run: Run) -> Iterator[StoredCall]:
        after = 0
        while True:
            with self._reading() as connection:
                portion = money.unpriced(connection, run.id, after)
            if not portion:
                return
            yield from portion
            after = portion[-1].id

    def put_routes(self, grading: Grading, entries: Iterable[RouteEntry]) -> int:
        """Keep in one transaction why points are doubtful; how many were new.

        Points may be handed over whatever is thought of them: one without
        reasons is only written where it was doubtful before. What is said last
        of a point holds.
        """
        with self._writing() as connection:
            return routes.put_routes(connection, grading, entries, now())

    def put_spot_checks(self, grading: Grading, entries: Iterable[SpotCheckEntry]) -> int:
        """Keep in one transaction which points were drawn; how many were new.

        One that wasn't drawn (no stratum) is only written where it was before.
        What is said last of a point holds.
        """
        with self._writing() as connection:
            return routes.put_spot_checks(connection, grading, entries, now())

    def triage(self, grading: Grading) -> Iterator[RouteEntry]:
        """Every point that is doubtful under a grading, in the order of the run; in flat memory."""
        last: int | None = -1
        while last is not None:
            with self._reading() as connection:
                last, entries = routes.routed(connection, grading, last)
            yield from entries

    def doubted(self, grading: Grading) -> set[tuple[str, str, str]]:
        """Response, subquestion and point of all that was ever in ``triage``, what people settled too."""
        with self._reading() as connection:
            return routes.ever_routed(connection, grading)

    def spot_checks(self, grading: Grading) -> Iterator[SpotCheckEntry]:
        """Every point drawn under a grading, in the order of the run; in flat memory."""
        last: int | None = -1
        while last is not None:
            with self._reading() as connection:
                last, entries = routes.drawn(connection, grading, last)
            yield from entries
