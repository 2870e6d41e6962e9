"""Who answers a run: a provider, within limits and money."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from grader.errors import UsageError
from grader.model.body import Images, most_tokens
from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.journal_file import FileJournal
from grader.model.limits import Sleep
from grader.model.line import Terms
from grader.model.reply import Asker, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.protocol.reader import Reader
from grader.protocol.solver import Solver


class Provider:
    """Asks a solver's and a reader's endpoints. Fulfils ``grader.protocol.run.OpenAsker``."""

    def __init__(
        self,
        solver: Solver,
        reader: Reader | None = None,
        *,
        max_cost: float | None = None,
        wait: Sleep = asyncio.sleep,
    ) -> None:
        """``max_cost``: US dollars for all calls of the run's journal, earlier ones included."""
        self._terms: dict[Endpoint, Terms] = {}
        if reader is not None:
            self._terms[reader.endpoint] = reader.terms
        self._terms[solver.endpoint] = solver.terms
        self._max_cost = max_cost
        self._wait = wait

    @asynccontextmanager
    async def __call__(self, journal: FileJournal, images: Images) -> AsyncIterator[Asker]:
        """The client, for the length of a run."""
        budget = None
        if self._max_cost is not None:
            budget = Budget(self._max_cost, journal.committed(self._most))
        async with Client(self._terms, journal, budget=budget, images=images, sleep=self._wait) as client:
            yield client

    def _most(self, request: ModelRequest, usage: Usage) -> float:
        """What a call of unknown cost can have cost."""
        terms = next(
            (of for one, of in self._terms.items() if one.identity == request.endpoint.identity), None
        )
        price = terms.prices.price(request.endpoint) if terms else None
        if terms is None or price is None:
            raise UsageError(
                f"calls to {request.endpoint.model} of unknown price were made for this run, "
                "so no limit on the cost can be kept",
                do="Give its price with --price, or leave out --max-cost.",
            )
        most = most_tokens(request, terms.image_tokens)
        return price.of(usage.prompt or most[0], usage.completion or most[1])
