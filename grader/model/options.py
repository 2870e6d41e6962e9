"""What a file says of an endpoint: what is sent with each request, how hard it is asked, what it costs."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Closed(BaseModel):
    """A frozen model that refuses fields it doesn't know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Parameters(Closed):
    """What is sent with each request. A parameter that is absent is not sent."""

    max_tokens: int = Field(default=4096, ge=1)
    """The most tokens a reply may take, reasoning included; the reply's price is reserved by it."""
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    """Of the first vote or sample; each further one takes the next number."""
    reasoning_effort: str | None = None
    extra_body: dict[str, Any] | None = None
    """Whatever else the provider's API takes."""


class Limits(Closed):
    """How hard the endpoint is asked; none of it can change a verdict."""

    timeout: float = Field(default=120, gt=0, allow_inf_nan=False)
    """Seconds an attempt may take."""
    attempts: int = Field(default=5, ge=1, le=20)
    """How often a request is tried when the endpoint fails."""
    concurrency: int = Field(default=8, ge=1, le=1000)
    """Requests in flight at once."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    breaker: int = Field(default=20, ge=1)
    """Attempts in a row that may fail before asking pauses."""


class Price(Closed):
    """US dollars for a million tokens, where the price list of the client doesn't know the model."""

    input: Money
    output: Money
    batch: Share = 0.5
    """What a batch costs of it."""
