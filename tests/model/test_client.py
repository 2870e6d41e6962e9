"""Asking over real HTTP: what is tried again, what isn't, and that every attempt is kept once."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from grader.model.archived import Archived
from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.reply import Attempt, CallFailed, NotAsked
from grader.model.request import Endpoint, ModelRequest
from tests.model.asking import Memory, ask_all, asking, endpoint_of, run, terms
from tests.model_server import PASSING, REFUSAL, Answer, Faults, model_server

KINDS = {
    "429": "rate_limit",
    "500": "server_error",
    "hang": "timeout",
    "broken": "connection",
    "truncated": "unreadable_body",
    "html": "unreadable_body",
}
TIMEOUT = 0.3
"""Seconds until a hung request is given up; only tests that hang wait for it."""


def time_for(kind):
    return TIMEOUT if kind in ("hang", "drip") else 30


@pytest.mark.parametrize("kind", PASSING)
@pytest.mark.parametrize("provider", ["openai", "hosted_vllm"])
def test_a_fault_that_passes_is_tried_again_and_every_attempt_is_kept(kind, provider):
    with model_server(lambda body: "fine", Faults(share=1, most=1, kinds=(kind,))) as server:
        request = asking(endpoint_of(server, f"{provider}/m"))
        asked = ask_all([request], terms(timeout=time_for(kind)))
        assert server.counts.received.total() == 2
    assert asked.texts == ["fine"]
    assert asked.journal.failures == [KINDS[kind], None]
    (_, failed), (_, fine) = asked.journal.attempts
    assert failed.error
    assert failed.raw is None
    assert failed.cost is None
    assert failed.status == {"429": 429, "500": 500}.get(kind)
    assert failed.started < fine.started


def test_a_body_that_comes_in_drops_doesnt_hold_a_request_for_ever(monkeypatch):
    monkeypatch.setattr("grader.model.client.GRACE", 0.1)
    with model_server(lambda body: "fine", Faults(share=1, most=1, kinds=("drip",))) as server:
        asked = ask_all([asking(endpoint_of(server))], terms(timeout=TIMEOUT))
    assert asked.texts == ["fine"]
    assert asked.journal.failures == ["timeout", None]


@pytest.mark.parametrize("kind", ["429", "500", "broken", "truncated", "html"])
def test_a_fault_that_stays_ends_after_the_last_attempt(kind):
    with model_server(lambda body: "never", Faults(always=1, kinds=(kind,))) as server:
        asked = ask_all([asking(endpoint_of(server))], terms(attempts=3))
        assert server.counts.received.total() == 3
    [failed] = asked.failures
    assert failed.failure == KINDS[kind]
    assert failed.detail
    assert asked.journal.failures == [KINDS[kind]] * 3


def test_nobody_listening_is_a_broken_connection():
    with model_server(lambda body: "gone") as server:
        request = asking(endpoint_of(server))
    asked = ask_all([request], terms(attempts=2))
    assert [failed.failure for failed in asked.failures] == ["connection"]
    assert len(asked.journal.attempts) == 2


@pytest.mark.parametrize("status", [400, 404, 413, 422])
def test_a_bad_request_is_not_sent_again(status):
    refused = Answer(status, {"error": {"message": "the schema is too deep", "type": "invalid"}})
    with model_server(lambda body: refused) as server:
        asked = ask_all([asking(endpoint_of(server))])
        assert server.counts.received.total() == 1
    [failed] = asked.failures
    assert failed.failure == "bad_request"
    assert "the schema is too deep" in failed.detail
    assert [attempt.status for _, attempt in asked.journal.attempts] == [status]


def test_a_parameter_the_model_doesnt_take_is_an_error_and_isnt_dropped():
    with model_server(lambda body: "fine") as server:
        asked = ask_all([asking(endpoint_of(server, "openai/gpt-5"), parameters={"temperature": 0.0})])
        assert not server.counts.received
    [failed] = asked.failures
    assert failed.failure == "bad_request"
    assert "temperature" in failed.detail


@pytest.mark.parametrize("status", [401, 403])
def test_a_bad_key_is_found_out_once_and_not_five_hundred_times(status):
    with model_server(lambda body: Answer(status, {"error": {"message": "bad key"}})) as server:
        requests = [asking(endpoint_of(server), str(n)) for n in range(50)]
        asked = ask_all(requests, terms(concurrency=1))
        assert server.counts.received.total() == 1
    assert sorted(failed.failure for failed in asked.failures) == ["auth"] + ["breaker"] * 49
    assert all("bad key" in failed.detail for failed in asked.failures)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("empty", {"content": ""}),
        ("refusal", {"content": None, "refusal": REFUSAL}),
        ("reasoning", {"content": "", "reasoning_content": "First the answer."}),
    ],
)
def test_a_reply_without_text_is_a_reply_and_keeps_what_it_holds(kind, raw):
    with model_server(lambda body: "fine", Faults(share=1, kinds=(kind,))) as server:
        asked = ask_all([asking(endpoint_of(server))])
        assert server.counts.received.total() == 1
    [reply] = asked.replies
    choice = reply.raw["choices"][0]
    assert {name: choice["message"].get(name) for name in raw} == raw
    assert (
        reply.attempt.finish_reason
        == choice["finish_reason"]
        == ("length" if kind == "reasoning" else "stop")
    )
    assert reply.attempt.usage.completion == reply.raw["usage"]["completion_tokens"]
    assert reply.attempt.usage.reasoning == (100 if kind == "reasoning" else 0)
    assert reply.attempt.served_model == "m-2026-01-01"
    assert json.loads(json.dumps(reply.raw)) == reply.raw


def test_a_forced_tool_call_is_kept_as_the_provider_wrote_it():
    tool = {"type": "function", "function": {"name": "report", "parameters": {"type": "object"}}}
    output = {"tools": [tool], "tool_choice": {"type": "function", "function": {"name": "report"}}}
    with model_server(lambda body: '{"verdicts": []}') as server:
        asked = ask_all([asking(endpoint_of(server), output=output)])
        [body] = server.bodies.values()
    assert (body["tools"], body["tool_choice"]) == (output["tools"], output["tool_choice"])
    [call] = asked.replies[0].raw["choices"][0]["message"]["tool_calls"]
    assert call["function"] == {"name": "report", "arguments": '{"verdicts": []}'}


def test_a_reply_that_is_known_is_not_asked_for_again():
    with model_server(lambda body: "fine") as server:
        requests = [asking(endpoint_of(server), "a"), asking(endpoint_of(server), "b")]
        first = ask_all(requests)
        again = ask_all(requests, journal=first.journal)
        assert server.counts.received.total() == 2
    assert again.texts == first.texts
    assert [reply.archived for reply in first.replies] == [False, False]
    assert [reply.archived for reply in again.replies] == [True, True]
    assert len(again.journal.attempts) == 2


def test_a_known_reply_needs_no_key_and_no_client():
    endpoint = Endpoint("openai/gpt-4o")
    request = asking(endpoint)
    with model_server(lambda body: "fine") as server:
        [(_, attempt)] = ask_all([asking(endpoint_of(server))]).journal.attempts
    asked = ask_all([request], terms(prices=None), Memory([(request, attempt)]))
    assert asked.texts == ["fine"]


def test_who_asks_the_same_at_once_shares_one_reply():
    with model_server(lambda body: "fine") as server:
        asked = ask_all([asking(endpoint_of(server))] * 10 + [asking(endpoint_of(server), vote=1)])
        assert server.counts.received.total() == 2
    assert asked.texts == ["fine"] * 11
    assert sorted(reply.archived for reply in asked.replies) == [False] * 2 + [True] * 9
    assert asked.journal.cost == pytest.approx(server.counts.cost)


def test_who_asks_the_same_at_once_shares_one_failure():
    with model_server(lambda body: Answer(400, {"error": {"message": "no"}})) as server:
        asked = ask_all([asking(endpoint_of(server))] * 3)
        assert server.counts.received.total() == 1
    assert [failed.failure for failed in asked.failures] == ["bad_request"] * 3


def test_an_attempt_is_kept_before_anybody_has_its_reply():
    class Full(Memory):
        async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
            raise OSError("the disk is full")

    with model_server(lambda body: "fine") as server, pytest.raises(OSError, match="disk is full"):
        ask_all([asking(endpoint_of(server))], journal=Full())


def test_sending_changes_nothing_in_the_request():
    schema = {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}, "strict": True}
    output = {"response_format": {"type": "json_schema", "json_schema": {"name": "v", "schema": schema}}}
    with model_server(lambda body: "{}") as server:
        request = asking(endpoint_of(server), output=output, parameters={"extra_body": {"top_k": 1}})
        before = json.dumps([*request.messages, request.parameters, request.output])
        ask_all([request])
        [body] = server.bodies.values()
    assert json.dumps([*request.messages, request.parameters, request.output]) == before
    assert body["response_format"] == output["response_format"]
    assert body["top_k"] == 1
    assert replace(request).key == request.key


def test_an_image_is_sent_as_data_and_kept_as_a_digest():
    part = {"type": "image_url", "image_url": {"url": "image:abc", "detail": "high"}}
    message = {"role": "user", "content": [{"type": "text", "text": "look"}, part]}
    with model_server(lambda body: "fine") as server:
        request = ModelRequest(endpoint_of(server), (message,), {"max_tokens": 10})
        asked = ask_all([request], images=lambda digest: ("image/png", digest.encode()))
        [body] = server.bodies.values()
    url = body["messages"][0]["content"][1]["image_url"]
    assert url == {"url": "data:image/png;base64,YWJj", "detail": "high"}
    [(kept, _)] = asked.journal.attempts
    assert kept.messages == (message,)


def test_a_reply_without_usage_has_no_cost_rather_than_none_to_pay():
    body = {
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}]
    }
    with model_server(lambda asked: body) as server:
        [reply] = ask_all([asking(endpoint_of(server))]).replies
    assert (reply.attempt.usage.prompt, reply.attempt.cost, reply.attempt.cost_source) == (None, None, None)


@pytest.mark.parametrize("body", [{"choices": None}, {"choices": [{"index": 0}]}])
def test_a_body_that_is_no_completion_is_tried_again(body):
    with model_server(lambda asked: body) as server:
        [failed] = ask_all([asking(endpoint_of(server))], terms(attempts=2)).failures
        assert server.counts.received.total() == 2
    assert failed.failure == "unreadable_body"


def test_a_second_event_loop_asks_as_well_and_nothing_is_left_open():
    with model_server(lambda body: body["messages"][0]["content"]) as server:
        for text in "abc":
            assert ask_all([asking(endpoint_of(server), text)]).texts == [text]
            gc.collect()


def test_a_client_with_another_journal_shares_slots_and_money():
    with model_server(lambda body: "fine", latency=0.02) as server:
        endpoint = endpoint_of(server)
        budget, journals = Budget(1.0), [Memory(), Memory()]

        async def work() -> None:
            one = {endpoint: terms(concurrency=1)}
            async with Client(one, journals[0], budget=budget, environ={}) as client:
                other = client.keeping(journals[1])
                await asyncio.gather(client.ask(asking(endpoint, "a")), other.ask(asking(endpoint, "b")))

        run(work)
        assert server.counts.max_in_flight == 1
    kept = [[request.messages[0]["content"] for request, _ in journal.attempts] for journal in journals]
    assert kept == [["a"], ["b"]]
    assert budget.spent == pytest.approx(server.counts.cost)


def test_loading_the_modules_loads_no_provider():
    modules = "archived, batch, client, keys, prices"
    script = f"import sys\nfrom grader.model import {modules}\nprint('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_client_that_isnt_installed_is_named_with_the_way_to_install_it():
    script = "import sys; sys.modules['litellm'] = None\nfrom grader.model import provider; provider.load()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (
        "SetupError: asking a model needs litellm. Install it: pip install 'argus-rubric[models]'"
        in done.stderr
    )


def test_the_archive_alone_answers_a_dry_run():
    request = asking(Endpoint("openai/m"))
    attempt = Attempt(started=Any, latency=0.0, raw={"choices": []})  # type: ignore[arg-type]
    reply = run(lambda: Archived(Memory([(request, attempt)])).ask(request))
    assert reply.attempt == attempt
    with pytest.raises(NotAsked) as missed:
        run(lambda: Archived(Memory(), "batch").ask(request))
    assert (missed.value.request, missed.value.why) == (request, "batch")


def test_with_thirty_percent_faults_every_request_is_answered_and_paid_once():
    faults = Faults(share=0.3, most=3, kinds=("429", "500", "broken", "truncated", "html", "empty"))
    with model_server(lambda body: body["messages"][0]["content"], faults) as server:
        texts = [f"question {n}" for n in range(120)]
        requests = [asking(endpoint_of(server), text) for text in texts]
        asked = ask_all(requests, terms(attempts=5, concurrency=50))
        counts = server.counts
    assert len(asked.replies) == 120
    assert set(counts.completed.values()) == {1}
    assert counts.faults.total() > 40
    assert len(asked.journal.attempts) == counts.received.total()
    assert asked.journal.cost == pytest.approx(counts.cost, abs=1e-12)
    wrong = [said for said, text in zip(asked.texts, texts, strict=True) if said != text]
    assert wrong == [""] * counts.faults["empty"]


def test_a_failure_says_why_and_shows_no_chain_of_errors():
    with model_server(lambda body: "never", Faults(always=1, kinds=("500",))) as server:
        [failed] = ask_all([asking(endpoint_of(server))], terms(attempts=1)).failures
    assert isinstance(failed, CallFailed)
    assert "the server failed" in failed.detail
    assert failed.__cause__ is failed.__context__ is None
