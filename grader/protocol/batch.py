"""A run by batch files: what can be asked is written, and the results are taken in as replies."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path

from grader.errors import UsageError
from grader.model.batch import BatchItem
from grader.model.batching import BatchAsker, batch_items
from grader.model.body import Images
from grader.model.journal_file import FileJournal
from grader.model.reply import Asker
from grader.protocol.asker import OpenAsker
from grader.protocol.request import RunRequest


class Batch(OpenAsker):
    """Nobody is asked but the journal and the files."""

    def __init__(self, request: RunRequest, out: Path | None, results: Sequence[Path]) -> None:
        """Raises UsageError for conditions in which a question can't be put before an answer is there."""
        plan = request.plan
        waits = [
            f"{protocol} in {mode}"
            for protocol, mode in plan.conditions
            if mode == "text_reader"
            or protocol == "sequential_carry"
            or (protocol == "oracle_scaffolded" and plan.oracle.session == "shared")
        ]
        if waits:
            raise UsageError(
                "a batch holds questions that wait for no answer",
                got=", ".join(waits),
                expected="full_problem or an isolated oracle_scaffolded, in text_only or multimodal",
                do="Run the others without a batch; they may go into the same run.",
            )
        self._request = request
        self._out = out
        self._results = results

    def check(self) -> None:
        """Raises DataError for results that can't be read, UsageError where no batch can be written."""
        self._items  # noqa: B018  # read before anything is written
        folder = self._out.parent if self._out else Path()
        if self._out is not None and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            what = "the batch can't be written: its folder isn't there, or may not be written to"
            raise UsageError(what, file=str(self._out))

    @cached_property
    def _items(self) -> Mapping[str, BatchItem]:
        """The results that came."""
        return batch_items(self._results)

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Images) -> AsyncIterator[Asker]:
        """Whoever answers; the next batch is written when the run ends."""
        solver = self._request.solver
        terms, names = {solver.endpoint: solver.terms}, {solver.endpoint: solver.name}
        with BatchAsker(terms, names, images, self._items, self._out, journal.replied) as batch:
            yield batch.asker(journal)
        self.report = batch.report

    def notes(self) -> Iterator[str]:
        """What a user should know, a line each, once the run has ended."""
        yield from self.report.notes() if self.report is not None else ()
