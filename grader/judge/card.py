"""The judge card: a TOML file that says which model judges, how it is asked and when it is doubted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Rate = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
"""A probability that is never zero."""
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]

OutputMode = Literal["json_schema", "json_object", "tool", "prompt"]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Parameters(_Closed):
    """What is sent with each request. A parameter that is absent is not sent."""

    max_tokens: int = Field(default=4096, ge=1)
    """The most tokens a reply may take, reasoning included; the reply's price is reserved by it."""
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    """Of the first vote; each further vote takes the next one."""
    reasoning_effort: str | None = None
    extra_body: dict[str, Any] | None = None
    """Whatever else the provider's API takes."""


class LocatorOptions(_Closed):
    """Whether and when the judge is asked where an answer states the value of a formal point."""

    template: str = "locator.j2"
    reasons: tuple[Literal["no_candidate", "conflicting_candidates"], ...] = Field(
        default=("no_candidate",), strict=False
    )
    """Which undetermined findings it is asked about."""
    max_tokens: int = Field(default=1024, ge=1)


class Thresholds(_Closed):
    """When a verdict is doubted. They decide what people look at, never an award."""

    confidence: Share = 0.7
    """Below it a verdict is low in confidence."""
    boundary: Share = 0.25
    """A partial award closer than this to none or all is at the boundary."""


class SpotCheck(_Closed):
    """The share of verdicts that people check whatever anybody thinks of them."""

    confident: Rate = 0.05
    doubtful: Rate = 0.1
    formal: Rate = 0.02
    seed: int = Field(default=0, ge=0, lt=2**63)


class Limits(_Closed):
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


class Price(_Closed):
    """US dollars for a million tokens, where the price list of the client doesn't know the model."""

    input: Money
    output: Money
    batch: Share = 0.5
    """What a batch costs of it."""


class JudgeCard(_Closed):
    """One judge, or a panel of several."""

    description: str = ""
    """For people: what the judge is for, what is known of it."""
    model: str | None = None
    """As litellm names it; a panel has none."""
    api_base: str | None = None
    """The URL of the API where it isn't the provider's own; no user, password or key in it."""
    key_env: str | None = None
    """The environment variable that holds the key, where it isn't the provider's usual one."""
    family: str | None = None
    """Whose model it is, where its name doesn't tell: kinship with the answering model is warned about."""
    output: OutputMode = "json_schema"
    """How the shape of the reply is asked for; ``argus judges probe`` says what the endpoint really does."""
    longest: int | None = Field(default=None, ge=20)
    """The most characters of a rationale or a quote, as part of the shape; small local models ramble without
    it, and some providers refuse a shape with it."""
    parameters: Parameters = Parameters()
    template: str = "judge.j2"
    """The prompt, beside the card."""
    locator: LocatorOptions | None = None
    images: Literal["images", "descriptions"] = "descriptions"
    """How figures are shown."""
    calls: Literal["subquestion", "point"] = "subquestion"
    """What one request asks about."""
    order: Literal["rubric", "seeded"] = "rubric"
    """The order of the points in a request: the rubric's, or shuffled for each request by ``order_seed``."""
    order_seed: int = 0
    votes: int = Field(default=1, ge=1, le=25)
    """How often the judge is asked for its opinion."""
    panel: tuple[str, ...] = Field(default=(), strict=False)
    """Cards that vote together; each votes as often as its own card says."""
    thresholds: Thresholds = Thresholds()
    spot_check: SpotCheck = SpotCheck()
    limits: Limits = Limits()
    price: Price | None = None
    image_tokens: int = Field(default=50_000, ge=1)
    """No image costs more tokens than this: what ``--max-cost`` reserves for one."""
    provisional: bool = False
    """Its verdicts show that the machinery works and count nowhere."""
