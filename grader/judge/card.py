"""The judge card: a TOML file that says which model judges, how it is asked and when it is doubted."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from grader.model.options import Closed, Limits, Parameters, Price, Share

Rate = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
"""A probability that is never zero."""

OutputMode = Literal["json_schema", "json_object", "tool", "prompt"]


class LocatorOptions(Closed):
    """Whether and when the judge is asked where an answer states the value of a formal point."""

    template: str = "locator.j2"
    reasons: tuple[Literal["no_candidate", "conflicting_candidates"], ...] = Field(
        default=("no_candidate",), strict=False
    )
    """Which undetermined findings it is asked about."""
    max_tokens: int = Field(default=1024, ge=1)


class Thresholds(Closed):
    """When a verdict is doubted. They decide what people look at, never an award."""

    confidence: Share = 0.7
    """Below it a verdict is low in confidence."""
    boundary: Share = 0.25
    """A partial award closer than this to none or all is at the boundary."""


class SpotCheck(Closed):
    """The share of verdicts that people check whatever anybody thinks of them."""

    confident: Rate = 0.05
    doubtful: Rate = 0.1
    formal: Rate = 0.02
    seed: int = Field(default=0, ge=0, lt=2**63)


class JudgeCard(Closed):
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
