"""Money: no limit is ever passed, no cost is made up, and the sums are the server's own."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.model.body import most_tokens
from grader.model.budget import Budget
from grader.model.prices import Prices
from grader.model.reply import NotAsked, Usage
from grader.model.request import Endpoint, ModelRequest
from tests.model.asking import PRICES, Memory, ask_all, asking, endpoint_of, run, terms
from tests.model_server import Answer, Faults, model_server

GPT = Endpoint("openai/gpt-4o")


def test_a_price_that_was_given_is_the_price():
    prices = Prices((2.0, 8.0), batch=0.25)
    usage = Usage(1000, 500, 200)
    costs = [prices.cost(usage, GPT, batch) for batch in (False, True)]
    assert [cost for cost, _ in costs] == pytest.approx([0.006, 0.0015])
    assert {source for _, source in costs} == {"given"}


def test_the_price_list_is_asked_where_no_price_was_given():
    cost, source = Prices().cost(Usage(1000, 1000), GPT)
    assert cost == pytest.approx(0.0125)
    assert source is not None
    assert source.startswith("litellm 1.")
    assert Prices().cost(Usage(1000, 1000), Endpoint("gpt-4o")) == (cost, source)


@pytest.mark.parametrize(
    "endpoint",
    [
        Endpoint("openai/gpt-4o", "http://localhost:8000/v1"),
        Endpoint("hosted_vllm/gpt-4o"),
        Endpoint("openai/my-own"),
        Endpoint("ollama_chat/llama3"),
    ],
)
def test_a_price_that_nobody_knows_is_unknown_and_never_nothing(endpoint):
    assert Prices().cost(Usage(1000, 1000), endpoint) == (None, None)


@pytest.mark.parametrize("usage", [Usage(), Usage(prompt=5), Usage(completion=5)])
def test_tokens_that_nobody_counted_cost_an_unknown_amount(usage):
    assert Prices((1.0, 1.0)).cost(usage, GPT) == (None, None)


def test_free_is_a_price_that_can_be_given():
    assert Prices((0.0, 0.0)).cost(Usage(5, 5), GPT) == (0.0, "given")


def test_a_limit_without_a_price_is_refused_before_anything_is_sent():
    with model_server(lambda body: "fine") as server:
        with pytest.raises(UsageError, match=r"price of openai/m isn't known.*--price"):
            ask_all([asking(endpoint_of(server))], terms(prices=None), budget=Budget(1.0))
        assert not server.counts.received


@pytest.mark.parametrize("limit", [-1.0, float("nan"), float("inf")])
def test_a_limit_that_is_no_amount_is_refused(limit):
    with pytest.raises(UsageError, match="no amount"):
        Budget(limit)


def most_cost(request: ModelRequest, prices: tuple[float, float] = PRICES) -> float:
    prompt, completion = most_tokens(request, 1000)
    return (prompt * prices[0] + completion * prices[1]) / 1e6


@given(st.text(max_size=200), st.integers(0, 3), st.integers(1, 500))
def test_no_request_is_larger_than_what_is_set_aside_for_it(text, images, most):
    parts = [{"type": "image_url", "image_url": {"url": "image:d"}}] * images
    content = [{"type": "text", "text": text}, *parts]
    output = {"response_format": {"type": "json_schema", "json_schema": {"name": text or "v"}}}
    request = ModelRequest(GPT, ({"role": "user", "content": content},), {"max_tokens": most}, output)
    prompt, completion = most_tokens(request, 700)
    assert completion == most
    twice = 2 if text else 1
    assert prompt >= twice * len(text.encode("utf-8", "surrogatepass")) + 700 * images + 1000


@pytest.mark.parametrize(
    "extra",
    [
        {"max_completion_tokens": 100_000},
        {"max_tokens": 100_000},
        {"n": 5},
        {"best_of": 5},
        {"model": "dearer"},
        {"models": ["dearer"]},
        {"messages": []},
        {"stream": True},
        {"generationConfig": {"maxOutputTokens": 100_000}},
        {"options": [{"num_predict": 100_000}]},
    ],
)
def test_a_request_that_could_cost_more_than_is_set_aside_is_refused(extra):
    with model_server(lambda body: "fine") as server:
        request = asking(endpoint_of(server), parameters={"extra_body": {"top_k": 1, **extra}})
        with pytest.raises(UsageError, match="extra_body says"):
            ask_all([request], budget=Budget(1.0))
        assert not server.counts.received


def test_other_fields_of_ones_own_cost_no_more():
    extra = {"top_k": 1, "guided_json": {"properties": {"n": {"maxLength": 5}}}, "provider": {"order": ["a"]}}
    request = asking(GPT, parameters={"extra_body": extra})
    assert most_tokens(request, 1000)[1] == 100


def test_what_doesnt_fit_is_not_asked_and_what_was_spent_before_counts():
    with model_server(lambda body: "fine") as server:
        request = asking(endpoint_of(server))
        need = most_cost(request)
        tight = ask_all([request], budget=Budget(need * 1.5, spent=need * 0.6))
        assert not server.counts.received
        enough = ask_all([request], budget=Budget(need * 1.7, spent=need * 0.6))
    [missed] = tight.ended
    assert isinstance(missed, NotAsked)
    assert missed.why == "budget"
    assert enough.texts == ["fine"]


def test_a_request_waits_for_others_to_cost_less_than_was_set_aside():
    with model_server(lambda body: "fine", latency=0.02) as server:
        requests = [asking(endpoint_of(server), str(n), parameters={"max_tokens": 1000}) for n in range(6)]
        budget = Budget(most_cost(requests[0]) * 1.5)
        asked = ask_all(requests, budget=budget)
        assert server.counts.max_in_flight == 1
    assert asked.texts == ["fine"] * 6
    assert budget.spent == pytest.approx(server.counts.cost) == pytest.approx(asked.journal.cost)


def test_a_reply_from_the_archive_costs_nothing():
    with model_server(lambda body: "fine") as server:
        request = asking(endpoint_of(server))
        first = ask_all([request])
        again = ask_all([request], budget=Budget(0.0), journal=first.journal)
    assert again.texts == ["fine"]


@pytest.mark.parametrize("kind", ["hang", "broken", "truncated", "html"])
def test_an_attempt_whose_end_is_unknown_counts_as_the_most_it_can_have_cost(kind):
    with model_server(lambda body: "fine", Faults(always=1, kinds=(kind,))) as server:
        request = asking(endpoint_of(server))
        need = most_cost(request)
        budget = Budget(need * 2.5)
        asked = ask_all([request], terms(attempts=9, timeout=0.2 if kind == "hang" else 30), budget=budget)
        assert server.counts.received.total() == 2
    [end] = asked.ended
    assert isinstance(end, NotAsked)
    assert budget.spent == pytest.approx(2 * need)


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_an_attempt_that_was_refused_costs_nothing(status):
    with model_server(lambda body: Answer(status, {"error": {"message": "no"}})) as server:
        request = asking(endpoint_of(server))
        budget = Budget(most_cost(request))
        ask_all([request], terms(attempts=3), budget=budget)
    assert budget.spent == 0


def test_a_reply_that_doesnt_say_its_tokens_counts_as_the_most_it_can_have_cost():
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}
    with model_server(lambda body: {"choices": [choice]}) as server:
        request = asking(endpoint_of(server))
        budget = Budget(1.0)
        [reply] = ask_all([request], budget=budget).replies
    assert reply.attempt.cost is None
    assert budget.spent == pytest.approx(most_cost(request))


def test_a_caller_that_fails_leaves_nobody_waiting_for_its_money():
    request = asking(GPT)

    async def work() -> float:
        budget = Budget(1.0)

        async def fail() -> None:
            async with budget.hold(request, 0.7):
                await asyncio.sleep(0)
                raise OSError("the disk is full")

        async def wait() -> None:
            async with budget.hold(request, 0.7):
                raise AssertionError("it was paid for")

        ended = await asyncio.gather(fail(), wait(), return_exceptions=True)
        assert [type(end) for end in ended] == [OSError, NotAsked]
        return budget.spent

    assert run(work) == 0.7


def test_no_server_ever_bills_more_than_the_limit_and_every_cost_is_in_the_journal():
    settings = [settled(random.Random(seed), seed) for seed in range(50)]
    replies, refused = (sum(counts) for counts in zip(*settings, strict=True))
    assert replies > 80
    assert refused > 20


def settled(draw: random.Random, seed: int) -> tuple[int, int]:
    """Ask within a limit, under faults; how many requests had replies, and how many no money."""
    kinds = ("429", "500", "broken", "truncated", "html", "empty", "refusal", "reasoning", "prose")
    faults = Faults(share=draw.uniform(0, 0.6), most=3, kinds=kinds, always=draw.uniform(0, 0.2), seed=seed)
    prices = draw.uniform(0.1, 5), draw.uniform(0.1, 40)
    more: dict[str, Any] = {"prices": prices, "latency": draw.choice([0, 0.005])}
    with model_server(lambda body: "x" * draw.randrange(2000), faults, **more) as server:
        requests = [request_of(endpoint_of(server), draw, n) for n in range(draw.randrange(3, 10))]
        limits = {"attempts": draw.randrange(1, 5), "concurrency": draw.randrange(1, 9)}
        budget = Budget(most_cost(requests[0], prices) * draw.uniform(0.5, 8))
        of = terms(prices, image_tokens=1000, **limits)
        asked = ask_all(requests, of, Memory(), budget, images=lambda digest: ("image/png", b"1"))
        counts = server.counts
    assert counts.cost <= budget.spent + 1e-12
    assert budget.spent <= budget.limit
    assert asked.journal.cost == pytest.approx(counts.cost, abs=1e-12)
    assert len(asked.replies) == counts.completed.total()
    return len(asked.replies), sum(isinstance(end, NotAsked) for end in asked.ended)


def request_of(endpoint: Endpoint, draw: random.Random, number: int) -> ModelRequest:
    image = {"type": "image_url", "image_url": {"url": f"image:{number}"}}
    content = [{"type": "text", "text": f"{number} " * draw.randrange(1, 300)}, *[image] * draw.randrange(3)]
    message = {"role": "user", "content": content}
    return ModelRequest(endpoint, (message,), {"max_tokens": draw.randrange(1, 400)})
