"""What went wrong with an attempt, read from the errors of the client and its HTTP libraries."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from grader.model.reply import FailureKind
from grader.model.told import kind_of_status, kind_told

PASSING: frozenset[FailureKind] = frozenset(
    {"rate_limit", "server_error", "timeout", "connection", "unreadable_body"}
)
"""Worth another attempt."""

UNKNOWN: frozenset[FailureKind] = frozenset({"timeout", "connection", "unreadable_body", "cancelled"})
"""The provider may have replied and may bill for it."""

_NO_CODE, _NO_TEXT = 422, "Error in response object"
"""What the client writes for an error within a body that is no object or has no code."""

LONGEST_ERROR = 1000
"""Characters of a message that are kept, on one line: a provider may put a whole page into it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt has no reply."""

    kind: FailureKind
    detail: str
    """As the client said it, on one line, keys hidden."""
    status: int | None = None
    retry_after: float | None = None
    """Seconds, as the provider asks."""

    @property
    def announced(self) -> bool:
        """The endpoint works, and says when to come back."""
        return bool(self.retry_after) and self.kind in PASSING


def failure(error: BaseException, hide: Callable[[str], str]) -> Failure:
    """The failure that an exception of the client stands for; ``hide`` takes keys out of a text.

    The client's own classes and statuses say too little: a broken connection
    and an unreadable body both come as its "500". So the errors it was raised
    from are read.
    """
    chain = list(_chain(error))
    response = next(filter(None, map(_response, chain)), None)
    if response is None:
        return _without_response(chain, hide)
    status = int(response.status_code)
    return Failure(kind_of_status(status), _detail(error, hide), status, _retry_after(response.headers))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _response(error: BaseException) -> Any | None:
    """The HTTP response behind an error; the client makes some up, but those have no headers."""
    response: Any = getattr(error, "response", None)
    return response if getattr(response, "headers", None) and response.status_code >= 400 else None


def _detail(error: BaseException, hide: Callable[[str], str]) -> str:
    # keys first: half a key, or one with its spaces gone, is no longer found
    return one_line(hide(str(error))) or type(error).__name__


def one_line(text: str) -> str:
    """A message as it is kept."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_ERROR else f"{text[:LONGEST_ERROR]}…"


def _without_response(chain: list[BaseException], hide: Callable[[str], str]) -> Failure:
    detail = _detail(chain[0], hide)
    within = next((one for one in chain if type(one) is Exception and hasattr(one, "status_code")), None)
    if within is not None:
        return Failure(_kind_within(within), detail, 200)
    return Failure(_kind_without_response(chain), detail)


def _kind_within(error: Any) -> FailureKind:
    """Of the bare exception that the client makes of an error within a body."""
    text = str(getattr(error, "message", ""))
    if error.status_code != _NO_CODE:
        return kind_told(error.status_code, text) or "bad_request"
    return "server_error" if text == _NO_TEXT else kind_told(None, text) or "bad_request"


def _kind_without_response(chain: list[BaseException]) -> FailureKind:
    import aiohttp
    import httpx
    import openai

    if any(isinstance(one, TimeoutError | httpx.TimeoutException | openai.APITimeoutError) for one in chain):
        return "timeout"
    if any(isinstance(one, json.JSONDecodeError) for one in chain):
        return "unreadable_body"
    broken = (httpx.TransportError, aiohttp.ClientError, OSError, openai.APIConnectionError)
    if any(isinstance(one, broken) for one in chain):
        return "connection"
    status = getattr(chain[0], "status_code", None)
    if isinstance(status, int) and 400 <= status < 500:
        return kind_of_status(status)
    return "unreadable_body"


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, which holds seconds or a date."""
    given = headers.get("retry-after")
    if given is None:
        return None
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
    except ValueError:
        return None
