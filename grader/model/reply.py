"""What comes back from a model, or why nothing did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from grader.model.request import ModelRequest

FailureKind = Literal[
    "rate_limit",
    "server_error",
    "timeout",
    "connection",
    "unreadable_body",
    "auth",
    "bad_request",
    "breaker",
    "cancelled",
]
"""``rate_limit`` to ``unreadable_body`` pass and are tried again; the others don't. ``cancelled``: by us, by
Ctrl-C for one."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it didn't say."""

    prompt: int | None = None
    completion: int | None = None
    """Reasoning included."""
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a request, replied to or failed: what the archive keeps of it."""

    started: datetime
    latency: float
    """Seconds."""
    failure: FailureKind | None = None
    error: str | None = None
    """What went wrong, keys redacted."""
    status: int | None = None
    """The HTTP status, where there was one."""
    raw: Mapping[str, Any] | None = None
    """The reply's body in OpenAI's shape, as received."""
    served_model: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost: float | None = None
    """US dollars; None while the price is unknown."""
    cost_source: str | None = None
    """``given`` by the user or the card, or the name and version of the price list."""
    batch: bool = False
    """It came from a batch file."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The attempt that was replied to."""

    key: str
    """Of the request."""
    attempt: Attempt
    archived: bool = False
    """It was there already: nothing was paid for it now."""

    @property
    def raw(self) -> Mapping[str, Any]:
        """The body, as received."""
        assert self.attempt.raw is not None
        return self.attempt.raw


class CallFailed(Exception):
    """Nobody replied: every attempt failed, or one failed in a way that trying again can't mend."""

    def __init__(self, failure: FailureKind, detail: str) -> None:
        super().__init__(f"{failure}: {detail}")
        self.failure = failure
        self.detail = detail


class NotAsked(Exception):
    """The request was not sent, and nothing is wrong: no money left, a dry run, a batch to be written,
    a person who hasn't answered yet."""

    def __init__(self, request: ModelRequest, why: Literal["budget", "dry_run", "batch", "person"]) -> None:
        super().__init__(why)
        self.request = request
        self.why = why


class Asker(Protocol):
    """Whoever can answer a request: a provider, an archive, a batch file."""

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply; raises CallFailed or NotAsked."""
        ...


class Journal(Protocol):
    """Where attempts are kept, so that nothing paid for is lost or paid twice."""

    async def known(self, request: ModelRequest) -> Reply | None:
        """The reply to the same request, if there is one."""
        ...

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        """Set aside US dollars for the attempt that is about to start; durable when this returns.

        Asked of nobody but who keeps to a limit. The attempt will have the same ``started``.
        """
        ...

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        """Keep an attempt; it is durable when this returns."""
        ...
