"""The archive as the rest of Argus uses it: one object, every write a transaction of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy import Engine as Database

from grader.archive import content, lock, outcomes, runs
from grader.archive.append import portions
from grader.archive.auditing import AuditArchive
from grader.archive.connect import archive_url, connect
from grader.archive.entry import (
    Engine,
    FindingEntry,
    FollowedEntry,
    Grading,
    ImageEntry,
    ProblemEntry,
    Received,
    Run,
    SetEntry,
    VerdictEntry,
)
from grader.archive.judging import JudgingArchive
from grader.archive.lines import Line, doubted_line, drawn_line, lines_of
from grader.archive.opened import now
from grader.archive.outcomes import Pair
from grader.archive.read import Filters, GradedAnswer, View, portion, some
from grader.archive.reviewing import ReviewArchive
from grader.archive.runs import State
from grader.archive.schema import prepare
from grader.archive.sheet import Sheet
from grader.archive.tables import TABLES
from grader.errors import UsageError
from grader.record import Response


def open_archive(named: str | None = None, *, create: bool = True) -> Archive:
    """Open the archive that ``named``, else ARGUS_ARCHIVE, else ``argus.db`` names.

    An archive that doesn't exist is created (``create=False``: ArchiveError),
    an older one is migrated, one of a later Argus refused (ArchiveTooNew).
    """
    database = connect(archive_url(named))
    try:
        prepare(database, create=create)
    except BaseException:
        database.dispose()
        raise
    return Archive(database)


class Archive(JudgingArchive, ReviewArchive, AuditArchive):
    """An open archive. Every ``put_`` and ``begin_`` is one transaction and may be repeated without harm."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._sheets: dict[str, Sheet] = {}

    def only_grader(self, run_digest: str) -> AbstractContextManager[None]:
        """Hold a run for the length of a block; ArchiveBusy if another grader has it."""
        return lock.only_grader(self.database, run_digest)

    def put_images(self, images: Iterable[ImageEntry]) -> None:
        """Keep images; before the set whose problems show them."""
        with self._writing() as connection:
            content.put_images(connection, list(images))

    def put_set(self, entry: SetEntry) -> str:
        """Keep a problem set with its problems and points; its digest."""
        with self._writing() as connection:
            content.put_set(connection, entry, now())
        return entry.digest

    def problem(self, problem_hash: str) -> ProblemEntry:
        """A problem as it was graded; KeyError if it isn't there."""
        with self._reading() as connection:
            return content.problem(connection, problem_hash)

    def set_names(self) -> dict[str, str]:
        """What every set was called when it was first graded on, by its digest."""
        with self._reading() as connection:
            return content.set_names(connection)

    def set_problems(self, set_digest: str) -> list[ProblemEntry]:
        """The problems of a set as it was graded, by their ids."""
        with self._reading() as connection:
            hashes = content.problems_of(connection, set_digest)
            return [content.problem(connection, one) for one in hashes]

    def image(self, digest: str) -> ImageEntry:
        """An image; KeyError if it isn't there."""
        with self._reading() as connection:
            return content.image(connection, digest)

    def put_run(self, digest: str, name: str, header: Mapping[str, Any]) -> Run:
        """Keep a run file: ``digest`` is the SHA-256 of its bytes, ``name`` its stem."""
        with self._writing() as connection:
            return runs.put_run(connection, digest, name, header, now())

    def runs(self, named: str | None = None) -> list[Run]:
        """The runs in the order of their first grading.

        ``named``: those of that name or beginning of a digest; UsageError if there is none.
        """
        with self._reading() as connection:
            found = runs.runs(connection, named)
            if named is not None and not found:
                names = ", ".join(sorted({run.name for run in runs.runs(connection, None)})) or "none"
                raise UsageError("no such run in the archive", file=self.name, got=named, expected=names)
        return found

    def put_responses(self, run: Run, received: Sequence[Received]) -> list[str]:
        """Keep a batch of a run's responses with their answers; their digests, in order.

        A failed response has its answers too, empty ones: only answers have
        points. An answer that is cut differently than before is kept beside
        the earlier one and holds from now on.
        """
        with self._writing() as connection:
            return runs.put_responses(connection, run, received)

    def response(self, digest: str) -> Response:
        """A response; KeyError if it isn't there."""
        with self._reading() as connection:
            return runs.response(connection, digest)

    def responses(self, digests: Iterable[str]) -> dict[str, Response]:
        """Several responses at once, by their digests."""
        with self._reading() as connection:
            return runs.responses(connection, digests)

    def responses_of(self, run: Run, elsewhere: Sequence[int] = ()) -> Iterator[tuple[int, Response]]:
        """Every response of a run with its line, in order; but none that runs of ``elsewhere`` hold too.

        Memory is bounded by a portion of the run.
        """
        line = -1
        while True:
            with self._reading() as connection:
                found = runs.responses_after(connection, run.id, line, elsewhere)
            if not found:
                return
            yield from found
            line = found[-1][0]

    def shared_responses(self, run_ids: Sequence[int]) -> dict[int, set[int]]:
        """Of some runs, those that hold the same responses as others, and which."""
        with self._reading() as connection:
            return runs.shared(connection, run_ids)

    def models(self, run: Run) -> list[str]:
        """The models whose responses a run holds, by name."""
        with self._reading() as connection:
            return runs.models(connection, run.id)

    def begin_grading(
        self, run: Run, set_digest: str, engines: Iterable[Engine], card: str | None = None
    ) -> Grading:
        """State under what a run is graded from now on: rubrics, today's engines, selected judge card.

        Only findings by these engines count, and the card's verdicts. Nothing
        new is written if it is what the run was graded under last.
        """
        with self._writing() as connection:
            return runs.begin_grading(connection, run, set_digest, engines, card, now())

    def plan_grading(
        self, run: Run, set_digest: str, engines: Iterable[Engine], card: str | None = None
    ) -> Grading:
        """What ``begin_grading`` would state, not stated: to read a run ``under`` it, in a dry run."""
        with self._writing() as connection:
            return runs.plan_grading(connection, run, set_digest, engines, card)

    def grading(self, run: Run, card: str | None = None) -> Grading | None:
        """Under what a run was graded last; None if it never was.

        ``card``: by that judge card, as ``name`` or ``name@hash``.
        """
        with self._reading() as connection:
            return runs.last_grading(connection, run.id, card)

    def state(self) -> State:
        """What a finished score depends on besides its grading; take it before summing up."""
        with self._reading() as connection:
            return runs.state(connection)

    def put_summary(self, grading: Grading, state: State, summary: Mapping[str, Any]) -> None:
        """Keep what a finished grading came to; ``state`` is the archive's from before it was summed up."""
        with self._writing() as connection:
            runs.put_summary(connection, grading, state, summary, now())

    def summary(self, grading: Grading, *, earlier: bool = False) -> dict[str, Any] | None:
        """What the grading came to, if it was finished and nothing of the run has changed since; else None.

        A new verdict on one of the run's responses changes it, and any finding that came out differently.
        ``earlier``: what it came to when it was finished last, whatever the archive has got since.
        """
        with self._reading() as connection:
            return runs.summary(connection, grading, earlier=earlier)

    def known_findings(self, pairs: Iterable[Pair], engines: Iterable[str]) -> dict[Pair, set[str]]:
        """Of pairs (point_hash, answer_hash), those that one of ``engines`` (keys) has decided, and which."""
        with self._reading() as connection:
            return outcomes.known(connection, pairs, engines)

    def put_findings(self, entries: Iterable[FindingEntry], *, again: bool = False) -> int:
        """Keep findings in one transaction; how many were new.

        One that is there already (point, answer, engine) is left alone;
        ``again`` (forced regrading) appends it if it came out differently.
        """
        with self._writing() as connection:
            return outcomes.put_findings(connection, entries, now(), again=again)

    def put_followed(self, entries: Iterable[FollowedEntry], *, again: bool = False) -> int:
        """Keep in one transaction what was found to follow; how many were new. As with ``put_findings``."""
        with self._writing() as connection:
            return outcomes.put_followed(connection, entries, now(), again=again)

    def put_verdicts(self, entries: Iterable[VerdictEntry]) -> int:
        """Keep verdicts in one transaction; how many were new.

        A verdict that says what its marker last said of the same point and
        answer isn't new; one that differs is appended and holds from now on.
        Of several by one marker on one point in one call the last counts.
        """
        with self._writing() as connection:
            return outcomes.put_verdicts(connection, entries, now())

    def graded(
        self,
        run: Run,
        filters: Filters | None = None,
        *,
        history: bool = False,
        under: Grading | None = None,
        elsewhere: Sequence[int] = (),
        texts: bool = True,
    ) -> Iterator[GradedAnswer]:
        """Every answer of a run in order, with what was found, what was given and what stands.

        Under the run's last grading, or the one given; nothing if it never was graded.
        ``history`` adds what earlier rubrics, engines and cuts led to;
        ``elsewhere`` are runs whose responses are left to them. Without ``texts``,
        what findings and verdicts say in words is not read: faster, for whoever adds up.
        Memory is bounded by a portion of the run. Of the filters, ``run``,
        ``status`` and ``by`` are the caller's.
        """
        filters = filters or Filters()
        return self._graded(run, filters, history=history, elsewhere=elsewhere, under=under, texts=texts)

    def view(self, run: Run) -> View | None:
        """What ``graded_of`` needs of a run's last grading, to be read once; None if it never was graded."""
        return self._view(run, Filters())

    def graded_of(self, view: View, digests: Iterable[str]) -> Iterator[GradedAnswer]:
        """The answers of some responses of a run, as ``graded`` gives them."""
        for some_digests in portions(digests):
            # whole: who reads on in between would hold two connections, and a crowd of them all there are
            with self._reading() as connection:
                found = list(some(connection, view, some_digests))
            yield from found

    def search(self, filters: Filters | None = None) -> Iterator[GradedAnswer]:
        """Every answer the filters let through, with its history, run after run.

        A response that several of these runs hold comes once, under the run graded last.
        """
        filters = filters or Filters()
        for run in self.runs(filters.run):
            yield from self._graded(run, filters, history=True, elsewhere=() if filters.run else None)

    def lines(self, filters: Filters | None = None) -> Iterator[Line]:
        """Every finding and verdict the filters let through, as ``argus verdicts --jsonl`` prints them."""
        filters = filters or Filters()
        for graded in self.search(filters):
            yield from lines_of(graded, filters)

    def doubted_lines(self, named: str | None = None) -> Iterator[Line]:
        """What is in triage under the last grading of each run, or of one: the lines of ``argus triage``."""
        for run, grading in self._last_gradings(named):
            yield from (doubted_line(run, entry) for entry in self.triage(grading))

    def drawn_lines(self, named: str | None = None) -> Iterator[Line]:
        """What is in the spot check under the last grading of each run, or of one."""
        for run, grading in self._last_gradings(named):
            yield from (drawn_line(run, entry) for entry in self.spot_checks(grading))

    def _last_gradings(self, named: str | None) -> Iterator[tuple[Run, Grading]]:
        for run in self.runs(named):
            grading = self.grading(run)
            if grading is not None:
                yield run, grading

    def _graded(
        self,
        run: Run,
        filters: Filters,
        *,
        history: bool,
        elsewhere: Sequence[int] | None,
        under: Grading | None = None,
        texts: bool = True,
    ) -> Iterator[GradedAnswer]:
        """``elsewhere`` None: the responses that a run graded later holds too are left to that one."""
        view = self._view(run, filters, history=history, elsewhere=elsewhere, under=under, texts=texts)
        if view is None:
            return
        last: int | None = -1
        while last is not None:
            with self._reading() as connection:
                last, graded = portion(connection, view, last)
            yield from graded

    def _view(
        self,
        run: Run,
        filters: Filters,
        *,
        history: bool = False,
        elsewhere: Sequence[int] | None = (),
        under: Grading | None = None,
        texts: bool = True,
    ) -> View | None:
        with self._reading() as connection:
            grading = under or runs.last_grading(connection, run.id)
            if grading is None:
                return None
            sheet = self._sheet(connection, grading.set_digest, history=history)
            engines = runs.engines(connection)
            if elsewhere is None:
                elsewhere = runs.graded_later(connection, grading)
        return View(run, grading, filters, sheet, engines, history, elsewhere, texts)

    def _sheet(self, connection: Connection, set_digest: str, *, history: bool) -> Sheet:
        """The nodes of a set; kept: sets never change, and reports read them for each run and problem."""
        if history:
            return Sheet(connection, set_digest, history=True)
        if set_digest not in self._sheets:
            self._sheets[set_digest] = Sheet(connection, set_digest, history=False)
        return self._sheets[set_digest]

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        with self._reading() as connection:
            return {
                name: connection.scalar(select(func.count()).select_from(table)) or 0
                for name, table in TABLES.items()
            }
