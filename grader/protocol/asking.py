"""Who answers a run: a provider, within limits and money."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress

from grader.errors import UsageError
from grader.model.askable import check_askable
from grader.model.body import Images, most_tokens
from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.journal_file import FileJournal
from grader.model.limits import Sleep
from grader.model.line import Terms
from grader.model.reply import Asker, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.protocol.asker import OpenAsker
from grader.protocol.request import RunRequest
from grader.protocol.solver import behind_api


class Purse:
    """A limit in US dollars on all calls to models behind an API, and what is left of it.

    The calls are those that one journal keeps, earlier ones included, of all runs that share it. What
    programs spend by themselves is in no purse.
    """

    def __init__(self, limit: float, terms: Mapping[Endpoint, Terms], elsewhere: float = 0.0) -> None:
        """``terms`` of all endpoints paid from it; ``elsewhere``: what was paid from it for other things."""
        self._limit = limit
        self._terms = terms
        self._elsewhere = elsewhere
        self._budget: Budget | None = None

    @property
    def spent(self) -> float:
        """By the calls of the journal."""
        return self._budget.spent - self._elsewhere if self._budget else 0.0

    def budget(self, journal: FileJournal) -> Budget:
        """What is left of it; the same for all who ask."""
        if self._budget is None:
            self._budget = Budget(self._limit, journal.committed(self._most, behind_api) + self._elsewhere)
        return self._budget

    def _most(self, request: ModelRequest, usage: Usage) -> float:
        """What a call of unknown cost can have cost."""
        identity = request.endpoint.identity
        terms = next((of for one, of in self._terms.items() if one.identity == identity), None)
        price = terms.prices.price(request.endpoint) if terms else None
        if terms is None or price is None:
            raise UsageError(
                f"calls to {request.endpoint.model} of unknown price were made for this run, "
                "so no limit on the cost can be kept",
                do="Give its price with --price, or leave out --max-cost.",
            )
        most = most_tokens(request, terms.image_tokens)
        return price.of(usage.prompt or most[0], usage.completion or most[1])


class Provider(OpenAsker):
    """Asks the endpoints of solvers and readers that are behind an API.

    Runs that are made at once share its slots, rates and requests.
    """

    def __init__(
        self,
        request: RunRequest,
        purse: Purse | None = None,
        *,
        beside: Iterable[RunRequest] = (),
        wait: Sleep = asyncio.sleep,
    ) -> None:
        """``beside``: other runs that ask through it; ``wait``: how time passes between attempts.

        Raises UsageError as ``terms_of`` does.
        """
        self._terms = terms_of([request, *beside])
        self._purse = purse
        self._wait = wait
        self._client: Client | None = None
        self._images: list[Images] = []
        """Of the runs that ask now."""

    def check(self) -> None:
        """Raises UsageError or SetupError for an endpoint that can't be asked."""
        check_askable(self._terms, limited=self._purse is not None)

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Images) -> AsyncIterator[Asker]:
        """The client, for the length of a run."""
        client = self._client = self._client or self._opened(journal)
        self._images.append(images)
        try:
            yield client
        finally:
            self._images.remove(images)
            if not self._images:
                self._client = None
                await client.close()

    def _opened(self, journal: FileJournal) -> Client:
        budget = self._purse.budget(journal) if self._purse else None
        return Client(self._terms, journal, budget=budget, images=self._image, sleep=self._wait)

    def _image(self, digest: str) -> tuple[str, bytes]:
        for images in self._images:
            with suppress(KeyError):
                return images(digest)
        raise KeyError(digest)


def terms_of(requests: Iterable[RunRequest]) -> dict[Endpoint, Terms]:
    """On what terms each endpoint behind an API that some runs ask is asked.

    Raises UsageError for one that is asked on two: one client asks it, at one pace and one price.
    """
    terms: dict[Endpoint, Terms] = {}
    for request in requests:
        for asked in (request.solver, request.reader):
            if asked is not None and asked.kind == "model":
                check_agrees(asked.endpoint, asked.terms, terms)
                terms[asked.endpoint] = asked.terms
    return terms


def check_agrees(endpoint: Endpoint, own: Terms, earlier: Mapping[Endpoint, Terms]) -> None:
    """Raises UsageError where the same endpoint is asked on other terms already."""
    for other, terms in earlier.items():
        if other.identity == endpoint.identity and terms != own:
            mine, theirs = own.as_said(), terms.as_said()
            name = next(name for name in mine if mine[name] != theirs[name])
            raise UsageError(
                f"{endpoint.model} is asked on two terms at one endpoint",
                got=f"{name} = {mine[name]}",
                expected=f"{theirs[name]}, as elsewhere",
                do="Say the same of it wherever it is named, as a solver and as a reader.",
            )
