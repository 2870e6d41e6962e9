"""What asking a judge would take, before anything is sent or paid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from grader.archive.call_entry import Purpose
from grader.archive.read import GradedAnswer
from grader.judge.cards import LoadedCard
from grader.judge.prompt import ERROR_SHOWN, REPLY_SHOWN
from grader.judge.votes import first_round
from grader.model.archived import Archived
from grader.model.body import most_tokens, size
from grader.model.line import Terms
from grader.model.prices import Price
from grader.model.reply import Asker, Journal, NotAsked, Reply
from grader.model.request import Endpoint, ModelRequest

BYTES_A_TOKEN = 4
"""English text and JSON have about so many bytes a token."""


REPAIR_BYTES = 4 * REPLY_SHOWN + 4 * ERROR_SHOWN + 4_000
"""What a repair adds to a request at most: the reply it is about, what was wrong, words of the template."""


class Condition(Protocol):
    """Whose answer it is, and how it was given: a response, or what the archive says of one."""

    @property
    def model(self) -> str: ...  # noqa: D102

    @property
    def protocol(self) -> str: ...  # noqa: D102

    @property
    def mode(self) -> str: ...  # noqa: D102


@dataclass(slots=True)
class EstimateRow:
    """The requests that one endpoint would be sent first about the answers of one condition."""

    calls: int = 0
    prompt_tokens: int = 0
    """About; a tokenizer would say more exactly."""
    completion_tokens: int = 0
    """At most: the token limits of the replies."""
    most_cost: float | None = 0.0
    """US dollars, never more; None while a price is unknown."""


@dataclass
class Estimate:
    """What a dry run found: by model asked, and by model, protocol and mode of the answers.

    Votes that split and replies that can't be read lead to further requests;
    ``worst_calls`` and ``worst_cost`` bound them all.
    """

    card: LoadedCard
    terms: Mapping[Endpoint, Terms]
    rows: dict[tuple[str, str, str, str], EstimateRow] = field(default_factory=dict)
    worst_calls: float = 0
    worst_cost: float | None = 0.0
    _seen: set[str] = field(default_factory=set)
    _prices: dict[Endpoint, Price | None] = field(default_factory=dict)

    def add(self, request: ModelRequest, answer: GradedAnswer, purpose: Purpose) -> None:
        """Count a request that would be sent about an answer; the same request would be sent once."""
        self.count(request, answer.response, purpose)

    def count(self, request: ModelRequest, head: Condition, purpose: Purpose) -> None:
        """Count a request about an answer that was given under a condition."""
        if request.key in self._seen:
            return
        self._seen.add(request.key)
        key = (request.endpoint.model, head.model, head.protocol, head.mode)
        row = self.rows.setdefault(key, EstimateRow())
        prompt, completion = most_tokens(request, self.terms[request.endpoint].image_tokens)
        row.calls += 1
        row.prompt_tokens += size(request) // BYTES_A_TOKEN
        row.completion_tokens += completion
        row.most_cost = _sum(row.most_cost, self._cost(request.endpoint, prompt, completion))
        self._add_worst(request.endpoint, prompt, completion, purpose)

    def _add_worst(self, endpoint: Endpoint, prompt: int, completion: int, purpose: Purpose) -> None:
        """The request, what its reply may lead to, and its share of the votes that may follow."""
        costs = {
            one: _sum(self._cost(one, prompt, completion), self._cost(one, prompt + REPAIR_BYTES, completion))
            for one in self.terms
        }
        planned = sum(voter.card.votes for voter in self.card.voters) if purpose == "judge" else 1
        later = planned / first_round(planned) - 1
        dearest = None if None in costs.values() else max(cost for cost in costs.values() if cost is not None)
        self.worst_calls += 2 * (1 + later)
        self.worst_cost = _sum(self.worst_cost, costs[endpoint], None if dearest is None else later * dearest)

    @property
    def calls(self) -> int:
        """Of all rows."""
        return sum(row.calls for row in self.rows.values())

    @property
    def most_cost(self) -> float | None:
        """Of all rows, in US dollars; None where a price is unknown."""
        return _sum(0.0, *(row.most_cost for row in self.rows.values()))

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
                "cost_at_most": _rounded(row.most_cost),
            }
            for (judge, model, protocol, mode), row in sorted(self.rows.items())
        ]
        return {
            "calls": self.calls,
            "cost_at_most": _rounded(self.most_cost),
            "worst_calls": math.ceil(round(self.worst_calls, 6)),
            "worst_cost": _rounded(self.worst_cost),
            "rows": rows,
        }

    def _cost(self, endpoint: Endpoint, prompt: int, completion: int) -> float | None:
        if endpoint not in self._prices:
            self._prices[endpoint] = self.terms[endpoint].prices.price(endpoint)
        price = self._prices[endpoint]
        return None if price is None else price.of(prompt, completion)


def _rounded(cost: float | None) -> float | None:
    return None if cost is None else round(cost, 9)


def _sum(*costs: float | None) -> float | None:
    """Unknown as soon as one is."""
    return None if None in costs else math.fsum(cost for cost in costs if cost is not None)


@dataclass(frozen=True, slots=True)
class Estimating:
    """Makes askers that count what they are asked and send nothing."""

    journal: Journal
    estimate: Estimate

    def asker(self, answer: GradedAnswer, purpose: Purpose) -> Asker:
        """Who is asked about an answer."""
        return _Counting(Archived(self.journal, "dry_run"), self.estimate, answer, purpose)


@dataclass(frozen=True, slots=True)
class _Counting:
    archived: Archived
    estimate: Estimate
    answer: GradedAnswer
    purpose: Purpose

    async def ask(self, request: ModelRequest) -> Reply:
        """The archived reply; NotAsked, and counted, where there is none."""
        try:
            return await self.archived.ask(request)
        except NotAsked:
            self.estimate.add(request, self.answer, self.purpose)
            raise
