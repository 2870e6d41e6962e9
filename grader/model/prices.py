"""What tokens cost: a price that was given, or the one in the client's price list, or unknown."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import provider
from grader.model.reply import Usage
from grader.model.request import Endpoint

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    source: str

    def of(self, prompt: float, completion: float) -> float:
        """US dollars for that many tokens."""
        return (prompt * self.input + completion * self.output) / MILLION


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of one endpoint."""

    given: tuple[float, float] | None = None
    """US dollars for a million tokens, in and out; None: the price list is asked."""
    batch: float = 0.5
    """What a batch costs of it."""

    def price(self, endpoint: Endpoint, batch: bool = False) -> Price | None:
        """The price at an endpoint; None where it isn't known."""
        share = self.batch if batch else 1.0
        if self.given is not None:
            return Price(self.given[0] * share, self.given[1] * share, "given")
        # the list speaks of the provider's own API, not of another one that serves a model of that name
        return None if endpoint.api_base is not None else _listed(endpoint.model, share)

    def cost(self, usage: Usage, endpoint: Endpoint, batch: bool = False) -> tuple[float | None, str | None]:
        """US dollars and where the price comes from; (None, None) where price or usage is unknown."""
        price = self.price(endpoint, batch)
        if price is None or usage.prompt is None or usage.completion is None:
            return None, None
        return price.of(usage.prompt, usage.completion), price.source


def _listed(model: str, share: float) -> Price | None:
    entry = provider.price_entry(model) or {}
    prices = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    # the list writes 0 for models whose price it doesn't know
    if not all(isinstance(one, int | float) and one > 0 for one in prices):
        return None
    each = [float(one) * MILLION * share for one in prices]  # type: ignore[arg-type]
    return Price(each[0], each[1], provider.version())
