"""What asking a judge would take, before anything is sent or paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.archive.call_entry import Purpose
from grader.archive.read import GradedAnswer
from grader.model.archived import Archived
from grader.model.body import most_tokens, size
from grader.model.line import Terms
from grader.model.prices import Price
from grader.model.reply import Asker, Journal, NotAsked, Reply
from grader.model.request import Endpoint, ModelRequest

BYTES_A_TOKEN = 4
"""English text and JSON have about so many bytes a token."""


@dataclass(slots=True)
class EstimateRow:
    """What one endpoint would be asked about the answers of one condition."""

    calls: int = 0
    prompt_tokens: int = 0
    """About; a tokenizer would say more exactly."""
    completion_tokens: int = 0
    """At most: the token limits of the replies."""
    most_cost: float | None = 0.0
    """US dollars, never more; None while a price is unknown."""


@dataclass
class Estimate:
    """What a dry run found: by model asked, and by model, protocol and mode of the answers."""

    terms: Mapping[Endpoint, Terms]
    rows: dict[tuple[str, str, str, str], EstimateRow] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _prices: dict[Endpoint, Price | None] = field(default_factory=dict)

    def add(self, request: ModelRequest, answer: GradedAnswer) -> None:
        """Count a request that would be sent; the same request would be sent once."""
        if request.key in self._seen:
            return
        self._seen.add(request.key)
        head = answer.response
        key = (request.endpoint.model, head.model, head.protocol, head.mode)
        row = self.rows.setdefault(key, EstimateRow())
        prompt, completion = most_tokens(request, self.terms[request.endpoint].image_tokens)
        row.calls += 1
        row.prompt_tokens += size(request) // BYTES_A_TOKEN
        row.completion_tokens += completion
        price = self._price(request.endpoint)
        if price is None or row.most_cost is None:
            row.most_cost = None
        else:
            row.most_cost += price.of(prompt, completion)

    @property
    def calls(self) -> int:
        """Of all rows."""
        return sum(row.calls for row in self.rows.values())

    @property
    def most_cost(self) -> float | None:
        """Of all rows, in US dollars; None where a price is unknown."""
        costs = [row.most_cost for row in self.rows.values()]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        rows = [
            {
                "judge_model": judge,
                "model": model,
                "protocol": protocol,
                "mode": mode,
                "calls": row.calls,
                "prompt_tokens": row.prompt_tokens,
                "completion_tokens_at_most": row.completion_tokens,
                "cost_at_most": row.most_cost,
            }
            for (judge, model, protocol, mode), row in sorted(self.rows.items())
        ]
        return {"calls": self.calls, "cost_at_most": self.most_cost, "rows": rows}

    def _price(self, endpoint: Endpoint) -> Price | None:
        if endpoint not in self._prices:
            self._prices[endpoint] = self.terms[endpoint].prices.price(endpoint)
        return self._prices[endpoint]


@dataclass(frozen=True, slots=True)
class Estimating:
    """Makes askers that count what they are asked and send nothing."""

    journal: Journal
    estimate: Estimate

    def asker(self, answer: GradedAnswer, purpose: Purpose) -> Asker:
        """Who is asked about an answer."""
        return _Counting(Archived(self.journal, "dry_run"), self.estimate, answer)


@dataclass(frozen=True, slots=True)
class _Counting:
    archived: Archived
    estimate: Estimate
    answer: GradedAnswer

    async def ask(self, request: ModelRequest) -> Reply:
        """The archived reply; NotAsked, and counted, where there is none."""
        try:
            return await self.archived.ask(request)
        except NotAsked:
            self.estimate.add(request, self.answer)
            raise
