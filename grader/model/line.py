"""One endpoint: on what terms it is asked, and what the requests to it share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception
from tenacity.wait import wait_exponential_jitter

from grader.model.body import most_tokens, size
from grader.model.breaker import Breaker
from grader.model.failure import PASSING, Failure
from grader.model.limits import Clock, Limits, Pace, Sleep
from grader.model.prices import Prices
from grader.model.recess import PATIENCE, Recess
from grader.model.reply import Attempt
from grader.model.request import Endpoint, ModelRequest

_backoff = wait_exponential_jitter(initial=1, max=60, jitter=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms an endpoint is asked."""

    limits: Limits = field(default_factory=Limits)
    prices: Prices = field(default_factory=Prices)
    image_tokens: int = 50_000
    """No image costs more tokens than this."""

    def as_said(self) -> dict[str, object]:
        """Each of them by the name that it has in a file."""
        given = self.prices.given
        price = {"input": given[0], "output": given[1], "batch": self.prices.batch} if given else "not given"
        limits = {f"limits.{name}": value for name, value in asdict(self.limits).items()}
        return {**limits, "price": price, "image_tokens": self.image_tokens}


class AttemptFailed(Exception):
    """An attempt has no reply; the text of its failure is fit to be shown."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


class Line:
    """The slots, the pace, the breaker, the recesses and the way of retrying of one endpoint."""

    def __init__(self, endpoint: Endpoint, terms: Terms, sleep: Sleep, clock: Clock) -> None:
        self.endpoint = endpoint
        self.terms = terms
        self.ready = False
        self.key: str | None = None
        limits = terms.limits
        self.breaker = Breaker(_name(endpoint), limits.breaker, sleep)
        self.recess = Recess(sleep, clock)
        self._replied = False
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._requests = Pace(limits.requests_per_minute, sleep, clock)
        self._tokens = Pace(limits.tokens_per_minute, sleep, clock)
        self._sleep = sleep

    def retrying(self) -> AsyncRetrying:
        """How one request is tried again; not to be shared, as it remembers where it is."""
        return AsyncRetrying(
            retry=retry_if_exception(_passes),
            stop=_Tries(self.terms.limits.attempts),
            wait=_wait,
            sleep=self._sleep,
            reraise=True,
        )

    @asynccontextmanager
    async def turn(self, request: ModelRequest) -> AsyncIterator[None]:
        """Around one attempt: its slot, its turn at the rate, the breaker's passage, the end of a recess."""
        async with self._slots, self.breaker.passage():
            await self._requests.take(1)
            if self.terms.limits.tokens_per_minute:
                await self._tokens.take(_tokens(request))
            await self.recess.over()
            yield

    def tell(self, request: ModelRequest, attempt: Attempt, wrong: Failure | None) -> None:
        """Learn from how an attempt ended."""
        if wrong is None:
            self._replied = True
            self.recess.replied()
            self.breaker.succeeded()
        else:
            self._tell_failure(wrong)
        usage = attempt.usage
        if self.terms.limits.tokens_per_minute and usage.prompt is not None:
            self._tokens.give_back(_tokens(request) - usage.prompt - (usage.completion or 0))

    def _tell_failure(self, wrong: Failure) -> None:
        # a key that has brought replies isn't wrong: it is the request that is forbidden, as by moderation
        forbidden = wrong.status == 403 and self._replied
        if wrong.kind == "auth" and not forbidden:
            self.breaker.give_up(wrong.detail)
        elif wrong.announced and not self.recess.announce(wrong.retry_after or 0.0):
            self.breaker.give_up(f"no reply in {PATIENCE:g} s of waiting as it asked, last: {wrong.detail}")
        elif wrong.kind in PASSING and not wrong.announced:
            self.breaker.failed(wrong.detail)
        else:  # a request that is refused or put off shows that the endpoint works
            self.breaker.succeeded()

    def most_cost(self, request: ModelRequest) -> float:
        """US dollars that an attempt costs at most; the price must be known."""
        price = self.terms.prices.price(self.endpoint)
        assert price is not None
        return price.of(*most_tokens(request, self.terms.image_tokens))


def _name(endpoint: Endpoint) -> str:
    return endpoint.model if endpoint.api_base is None else f"{endpoint.model} at {endpoint.api_base}"


def _tokens(request: ModelRequest) -> int:
    """What a request will take, roughly: four bytes make a token, and the reply may be of full length."""
    return size(request) // 4 + int(request.parameters["max_tokens"])


def _passes(error: BaseException) -> bool:
    return isinstance(error, AttemptFailed) and error.failure.kind in PASSING


class _Tries:
    """Says when a request has been tried often enough; a try that the endpoint put off is none."""

    def __init__(self, most: int) -> None:
        self._left = most

    def __call__(self, state: RetryCallState) -> bool:
        self._left -= not _announced(state)
        return self._left <= 0


def _announced(state: RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome is not None else None
    return isinstance(error, AttemptFailed) and error.failure.announced


def _wait(state: RetryCallState) -> float:
    # the recess of the whole endpoint is waited for where its turn is
    return 0.0 if _announced(state) else _backoff(state)
