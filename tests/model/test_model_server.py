"""The server that plays a model: what it does depends on the request and the attempt alone."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from tests.model_server import PASSING, SPOKEN, Faults, model_server, request_hash, server_process
from tests.scripted_judge import all_met, asked_points, judge_reply

SCHEMA = {"properties": {"verdicts": {"items": {"properties": {"point_id": {"enum": ["a", "b"]}}}}}}


def asking(text="?", **more):
    return {"model": "m", "max_tokens": 50, "messages": [{"role": "user", "content": text}], **more}


def posted(base_url: str, *bodies: dict[str, Any], timeout: float = 10) -> list[Any]:
    """(status, text) of each answer, or the name of what went wrong; one after another."""

    async def post(session: aiohttp.ClientSession, body: dict[str, Any]) -> Any:
        try:
            async with session.post(f"{base_url}/chat/completions", json=body) as response:
                return response.status, await response.text()
        except (aiohttp.ClientError, TimeoutError) as error:
            return type(error).__name__

    async def all_of_them() -> list[Any]:
        limit = aiohttp.ClientTimeout(total=timeout)
        async with aiohttp.ClientSession(timeout=limit) as session:
            return [await post(session, body) for body in bodies]

    return asyncio.run(all_of_them())


def test_equal_faults_fail_equally():
    names = [request_hash(asking(str(n))) for n in range(500)]
    first, again = Faults(share=0.3, always=0.05), Faults(share=0.3, always=0.05)
    plan = [[first.fault(name, attempt) for attempt in range(1, 5)] for name in names]
    assert plan == [[again.fault(name, attempt) for attempt in range(1, 5)] for name in names]
    failing = [row for row in plan if row[0]]
    assert 120 <= len(failing) <= 220
    assert {kind for row in failing for kind in row} == {None, *PASSING, *SPOKEN}
    for row, name in zip(plan, names, strict=True):
        assert first.for_ever(name) == (row[2] is not None)


def test_another_seed_is_another_plan():
    names = [request_hash(asking(str(n))) for n in range(200)]
    plans = [[Faults(share=0.3, seed=seed).fault(name, 1) for name in names] for seed in (0, 1)]
    assert plans[0] != plans[1]


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("429", (429, "too many requests")),
        ("500", (500, "the server failed")),
        ("html", (200, "Bad gateway")),
        ("truncated", (200, '"choices"')),
        ("broken", "ClientPayloadError"),
        ("hang", "TimeoutError"),
        ("empty", (200, '"content": ""')),
        ("refusal", (200, '"refusal"')),
        ("wrong_ids", (200, "no-such-point-1")),
        ("prose", (200, "solid answer")),
        ("reasoning", (200, '"reasoning_content"')),
    ],
)
def test_each_fault_is_what_it_is_called_and_passes(kind, seen):
    faults = Faults(share=1, most=1, kinds=(kind,))
    with model_server(lambda body: "fine " * 20, faults) as server:
        failed, fine = posted(server.base_url, asking(), asking(), timeout=0.5 if kind == "hang" else 10)
        counts = server.counts
    if isinstance(seen, str):
        assert failed == seen
    else:
        assert failed[0] == seen[0]
        assert seen[1] in failed[1]
    assert fine[0] == 200
    assert counts.faults == {kind: 1}
    assert counts.completed.total() == 1 + (kind in SPOKEN)
    assert counts.abandoned.total() == (kind == "hang")


def test_its_books_count_what_it_billed():
    with model_server(lambda body: "12345678", prices=(2.0, 8.0)) as server:
        bodies = [json.loads(text) for _, text in posted(server.base_url, asking("a"), asking("b"))]
        counts = server.counts
    usage = [body["usage"] for body in bodies]
    assert counts.prompt_tokens == sum(one["prompt_tokens"] for one in usage)
    assert counts.completion_tokens == sum(one["completion_tokens"] for one in usage) > 0
    assert counts.cost == pytest.approx(counts.prompt_tokens * 2e-6 + counts.completion_tokens * 8e-6)
    assert counts.max_in_flight == 1


@pytest.mark.parametrize(
    "body",
    [
        asking(response_format={"type": "json_schema", "json_schema": {"schema": SCHEMA}}),
        asking(tools=[{"type": "function", "function": {"name": "report", "parameters": SCHEMA}}]),
        asking(f"The reply follows this schema:\n{json.dumps(SCHEMA)}\nOnly JSON."),
        asking('Answer: {"point_id": "forged"}\n{"verdicts": [{"point_id": "a"}, {"point_id": "b"}]}'),
    ],
)
def test_the_scripted_judge_answers_every_point_it_is_asked(body):
    assert asked_points(body) == ["a", "b"]
    verdicts: dict[str, Any] = {"a": "not_met", "b": {"verdict": "partial", "points": 0.5}}
    with model_server(lambda body: judge_reply(body, lambda point, body: verdicts[point])) as server:
        [(_, text)] = posted(server.base_url, body)
    message = json.loads(text)["choices"][0]["message"]
    said = message["content"] or message["tool_calls"][0]["function"]["arguments"]
    read = {verdict["point_id"]: verdict for verdict in json.loads(said)["verdicts"]}
    assert {point: verdict["verdict"] for point, verdict in read.items()} == {"a": "not_met", "b": "partial"}
    assert read["b"]["points"] == 0.5


def test_the_server_in_a_process_of_its_own_keeps_the_same_books():
    faults = Faults(share=1, most=1, kinds=("500",))
    body = asking(response_format=SCHEMA)
    with server_process(faults=faults, prices=[1.0, 1.0]) as there:
        failed, fine = posted(there.base_url, body, body)
        stats = there.stats()
    assert (failed[0], fine[0]) == (500, 200)
    assert json.loads(json.loads(fine[1])["choices"][0]["message"]["content"]) == json.loads(all_met(body))
    assert stats["received"] == {request_hash(body): 2}
    assert stats["completed"] == {request_hash(body): 1}
    assert stats["cost"] == pytest.approx((stats["prompt_tokens"] + stats["completion_tokens"]) / 1e6)
