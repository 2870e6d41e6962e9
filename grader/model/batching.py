"""Requests as batch files for a provider, and their results as replies."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader.errors import DataError
from grader.model.batch import BatchItem, read_batch, write_batch
from grader.model.body import Images, image_digests, size
from grader.model.flights import Flights
from grader.model.keys import Redactor
from grader.model.line import Terms
from grader.model.reply import Asker, Journal, NotAsked, Reply
from grader.model.request import Endpoint, ModelRequest

MOST_REQUESTS = 50_000
MOST_BYTES = 180_000_000
"""What OpenAI takes in one batch (50,000 requests, 200 MB), with room for the frame around each body."""


@dataclass
class BatchReport:
    """What became of the batch files of one grading, or of one run."""

    taken: int = 0
    """Replies that were there for requests that are asked now."""
    failed: Counter[str] = field(default_factory=Counter)
    """Items without a reply, by what the provider says."""
    foreign: list[str] = field(default_factory=list)
    """Keys in the files that no request asked now has."""
    out: Path | None = None
    written: dict[Path, int] = field(default_factory=dict)
    """Requests in each new file; a batch asks one model."""
    left: int = 0
    """Requests that no longer fitted into them."""

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "taken": self.taken,
            "failed": dict(self.failed),
            "foreign": self.foreign,
            "written": {str(path): count for path, count in self.written.items()},
            "left": self.left,
        }

    def notes(self) -> Iterator[str]:
        """What a user should know, a line each."""
        if self.taken:
            yield f"{self.taken} replies taken from the batch"
        for said, count in self.failed.most_common(5):
            yield f"{count} requests of the batch have no reply: {said}"
        if self.foreign:
            shown = ", ".join(key[:12] for key in self.foreign[:3])
            yield (
                f"{len(self.foreign)} replies belong to no request that is asked now ({shown}): "
                "not the model or card, the problems or the run that the batch was written for?"
            )
        for path, count in self.written.items():
            yield f"{count} requests written to {path}; take the replies in by --batch-in"
        if self.left:
            yield f"{self.left} requests more do not fit into one batch: write them once these are in"
        if self.out is not None and not self.written:
            yield f"nothing is left to ask: {self.out} was not written"


class BatchAsker:
    """Answers from a journal and from result files; gathers what neither answers for the next batch."""

    def __init__(
        self,
        terms: Mapping[Endpoint, Terms],
        names: Mapping[Endpoint, str],
        images: Images,
        items: Mapping[str, BatchItem],
        out: Path | None,
        known: Callable[[Iterable[str]], Iterable[str]],
    ) -> None:
        """``names`` tell the files of several endpoints apart; ``known``: which requests have replies."""
        self._names = names
        self._known = known
        self.report = BatchReport(out=out)
        self.items = dict(items)
        """Results that are not taken in yet."""
        self.terms = terms
        self.redactor = Redactor(os.environ, [one.key_env for one in terms if one.key_env])
        self._images = images
        self._wanted: dict[str, ModelRequest] = {}
        self._sizes: Counter[Endpoint] = Counter()
        self._counts: Counter[Endpoint] = Counter()
        self._left: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the next batch, unless something went wrong."""
        if kind is not None:
            return
        self.report.left = len(self._left)
        # a file that is taken in once more holds what is known, not what is foreign
        self.report.foreign = sorted(set(self.items) - set(self._known(self.items)))
        for path, requests in self._files():
            self.report.written[path] = write_batch(path, requests, self._images)

    def _files(self) -> Iterator[tuple[Path, list[ModelRequest]]]:
        """The requests by file: of a panel one for each endpoint, named by what asks it."""
        out = self.report.out
        if out is None:
            return
        for endpoint, name in self._names.items():
            requests = [one for one in self._wanted.values() if one.endpoint == endpoint]
            if requests:
                yield (out if len(self._names) == 1 else out.with_stem(f"{out.stem}-{name}")), requests

    def asker(self, journal: Journal) -> Asker:
        """Who is asked; replies are kept in the journal."""
        return _Asker(self, journal)

    def want(self, request: ModelRequest) -> None:
        """Put a request into the next batch, as long as it has room."""
        if self.report.out is None or request.key in self._wanted or request.key in self._left:
            return
        pictures = sum(len(self._images(digest)[1]) * 4 // 3 for digest in image_digests(request))
        most = size(request) + pictures + self._sizes[request.endpoint]
        count = self._counts[request.endpoint]
        if count >= MOST_REQUESTS or (count and most > MOST_BYTES):
            self._left.add(request.key)
            return
        self._wanted[request.key] = request
        self._sizes[request.endpoint] = most
        self._counts[request.endpoint] += 1


@dataclass(frozen=True, slots=True)
class _Asker:
    batch: BatchAsker
    journal: Journal
    flights: Flights = field(default_factory=Flights)

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply in the journal, or the one in a result file; NotAsked where neither has one."""
        return await self.flights.ask(request, self._ask)

    async def _ask(self, request: ModelRequest) -> Reply:
        batch = self.batch
        item = batch.items.pop(request.key, None)
        if (known := await self.journal.known(request)) is not None:
            return known
        if item is not None:
            attempt = item.attempt(request, batch.terms[request.endpoint].prices, batch.redactor)
            await self.journal.keep(request, attempt)
            if attempt.failure is None:
                batch.report.taken += 1
                return Reply(request.key, attempt)
            batch.report.failed[str(attempt.error)] += 1
        batch.want(request)
        raise NotAsked(request, "batch")


def batch_items(results: Iterable[Path]) -> dict[str, BatchItem]:
    """What result files hold, by key.

    A reply in one goes before a failure in another (errors, an earlier batch).
    Raises DataError for a file that can't be read, or contradicts another.
    """
    found: dict[str, BatchItem] = {}
    for path in results:
        for item in read_batch(path):
            before = found.get(item.key)
            if before is None or before.error is not None:
                found[item.key] = item
            elif item.error is None and item.body != before.body:
                what = f"custom_id {item.key} has another reply in another file"
                raise DataError(what, file=str(path), line=item.line)
    return found
