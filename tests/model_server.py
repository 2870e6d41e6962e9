"""A server on loopback that speaks OpenAI's chat format, and fails on purpose.

What it does with a request depends on nothing but the request's body and how
often that body came before, so a test that failed fails again. In a thread of
the test: ``with model_server(reply) as server``. In a process of its own, for
tests that kill the client or measure it: ``with server_process(...) as there``
or ``python -m tests.model_server '{"reply": "module:function"}'``, which prints
one line of JSON when it is ready and ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import os
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.scripted_judge import Body, verdict


@dataclass(frozen=True)
class Answer:
    """An HTTP response as the test says, unbilled."""

    status: int
    body: Any = None
    headers: Mapping[str, str] | None = None


Reply = Callable[[Body], str | Mapping[str, Any] | Answer]
"""What a model says to a request: its text, or a message, or a whole body with ``choices``, or HTTP."""
Native = Callable[[Body], Answer]
"""What an API of another shape answers, at whatever path it is asked."""

PASSING = ("429", "500", "hang", "broken", "truncated", "html")
"""Faults that a client tries again after."""
SLOW = "drip"
"""A body that comes a byte at a time and never ends; only where it is asked for."""
SPOKEN = ("empty", "refusal", "wrong_ids", "prose", "reasoning")
"""Faults that are complete, paid replies and say nothing of use."""

REFUSAL = "I can't help with grading this answer."
PROSE = "Overall this is a solid answer that shows good understanding of the chemistry."


@dataclass(frozen=True)
class Faults:
    """Which attempts fail and how, as a function of the request's hash and the attempt's number."""

    share: float = 0.0
    """Of the hashes that fail at first: 1 to ``most`` attempts, then never again."""
    most: int = 2
    kinds: tuple[str, ...] = PASSING + SPOKEN
    always: float = 0.0
    """Of the hashes whose every attempt fails, with a passing fault."""
    repairs_too: bool = False
    """A request that already holds a reply of the assistant may get a spoken fault again."""
    seed: int = 0

    def draw(self, *what: object) -> float:
        """A number in [0, 1) that depends on the seed and ``what`` alone."""
        text = json.dumps([self.seed, *what])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48

    def for_ever(self, request: str) -> bool:
        """Whether every attempt at the request fails."""
        return self.draw(request, "always") < self.always

    def fault(self, request: str, attempt: int, repair: bool = False) -> str | None:
        """How the attempt (1, 2, ...) at the request with this hash fails."""
        kinds = self.kinds
        if self.for_ever(request):
            kinds = tuple(kind for kind in kinds if kind in PASSING) or PASSING
        elif self.draw(request, "fails") >= self.share or attempt > 1 + int(
            self.draw(request, "times") * self.most
        ):
            return None
        elif repair and not self.repairs_too:
            kinds = tuple(kind for kind in kinds if kind in PASSING)
        return kinds[int(self.draw(request, "kind", attempt) * len(kinds))] if kinds else None


@dataclass
class Counts:
    """What the server has been asked and what it has answered, by the hashes of the bodies."""

    received: Counter[str] = field(default_factory=Counter)
    completed: Counter[str] = field(default_factory=Counter)
    """Whole replies, spoken faults among them: what a provider bills for."""
    abandoned: Counter[str] = field(default_factory=Counter)
    """The client went away before the reply, by its own timeout or because it died."""
    faults: Counter[str] = field(default_factory=Counter)
    """By kind."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """US dollars, of the completed replies."""
    in_flight: int = 0
    max_in_flight: int = 0


def request_hash(body: Body) -> str:
    """SHA-256, in hex, of a request's body, however its JSON was written."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


class ModelServer:
    """The server's behaviour and its books."""

    def __init__(
        self,
        reply: Reply,
        faults: Faults | None = None,
        *,
        latency: float = 0.0,
        prices: tuple[float, float] = (1.0, 4.0),
        keep_bodies: bool = True,
        native: Native | None = None,
    ) -> None:
        """``latency`` in seconds; ``prices`` in US dollars for a million tokens, in and out."""
        self.reply = reply
        self.native = native
        self.faults = faults or Faults()
        self.latency = latency
        self.prices = prices
        self.counts = Counts()
        self.bodies: dict[str, Body] = {}
        """The requests by their hashes; empty when they aren't kept."""
        self.headers: list[Mapping[str, str]] = []
        self.requests: list[bytes] = []
        """The requests as they came, every byte; empty when bodies aren't kept."""
        self.base_url = ""
        self._keep = keep_bodies

    @property
    def failed_for_ever(self) -> list[Body]:
        """The requests asked so far whose every attempt fails."""
        return [body for name, body in self.bodies.items() if self.faults.for_ever(name)]

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer one chat completion."""
        body: Body = await request.json()
        name = request_hash(body)
        if self._keep:
            self.bodies[name] = body
            self.headers.append(dict(request.headers))
            self.requests.append(await _whole(request))
        counts = self.counts
        counts.received[name] += 1
        counts.in_flight += 1
        counts.max_in_flight = max(counts.max_in_flight, counts.in_flight)
        try:
            return await self._answer(request, body, name, counts.received[name])
        except (asyncio.CancelledError, ConnectionError):
            counts.abandoned[name] += 1
            raise
        finally:
            counts.in_flight -= 1

    async def _answer(self, request: web.Request, body: Body, name: str, attempt: int) -> web.StreamResponse:
        repair = any(message.get("role") == "assistant" for message in body["messages"])
        fault = self.faults.fault(name, attempt, repair)
        self.counts.faults.update([fault] if fault else [])
        if self.latency:
            await asyncio.sleep(self.latency)
        if fault == SLOW:
            return await _drip(request)
        said = _spoken(body, fault) if fault in SPOKEN else self.reply(body)
        if isinstance(said, Answer):
            return web.json_response(said.body, status=said.status, headers=said.headers)
        completion = self._completion(body, name, said, cut=fault == "reasoning")
        if fault is not None and fault not in SPOKEN:
            return await _fail(request, fault, json.dumps(completion))
        # before it is sent: a client that has its reply may look into the books at once
        self._book(name, completion.get("usage") or {})
        return web.json_response(completion)

    def _completion(self, body: Body, name: str, said: str | Mapping[str, Any], cut: bool) -> Body:
        if isinstance(said, Mapping) and "choices" in said:
            return dict(said)
        message = dict(said) if isinstance(said, Mapping) else _message(body, said)
        most = int(body.get("max_tokens") or body.get("max_completion_tokens") or 10**6)
        tokens = most if cut else min(most, 1 + len(json.dumps(message)) // 4)
        prompt = 1 + len(json.dumps(body)) // 4
        choice = {"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}
        return {
            "id": f"chatcmpl-{name[:24]}",
            "object": "chat.completion",
            "created": 1_800_000_000,
            "model": f"{body['model']}-2026-01-01",
            "choices": [choice],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": tokens,
                "total_tokens": prompt + tokens,
                "completion_tokens_details": {"reasoning_tokens": tokens if cut else 0},
            },
        }

    def _book(self, name: str, usage: Mapping[str, Any]) -> None:
        counts = self.counts
        counts.completed[name] += 1
        tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        counts.prompt_tokens += tokens[0]
        counts.completion_tokens += tokens[1]
        counts.cost += (tokens[0] * self.prices[0] + tokens[1] * self.prices[1]) / 1e6

    async def other(self, request: web.Request) -> web.Response:
        """Answer a request in another shape than OpenAI's."""
        body: Body = await request.json()
        self.bodies[request_hash(body)] = body
        assert self.native is not None
        said = self.native(body)
        return web.json_response(said.body, status=said.status)

    async def stats(self, request: web.Request) -> web.Response:
        """The counts, as JSON."""
        return web.json_response(vars(self.counts))

    async def start(self) -> web.AppRunner:
        """Listen on a free port; ``base_url`` says which."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self.chat)
        app.router.add_get("/stats", self.stats)
        if self.native is not None:
            app.router.add_post("/{path:.*}", self.other)
        # a request whose client has gone is cancelled, as a hung one would stay for ever
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
        self.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        return runner


async def _whole(request: web.Request) -> bytes:
    """A request as it stood on the wire."""
    line = f"{request.method} {request.raw_path} HTTP/1.1".encode()
    headers = (name + b": " + value for name, value in request.raw_headers)
    return b"\r\n".join([line, *headers, b"", await request.read()])


def _message(body: Body, text: str | None, **more: Any) -> Body:
    """An assistant's message: the text as content, or as arguments of the tool that was asked for."""
    if not body.get("tools") or text is None or more:
        return {"role": "assistant", "content": text, **more}
    function = {"name": body["tools"][0]["function"]["name"], "arguments": text}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _spoken(body: Body, fault: str) -> Body:
    match fault:
        case "empty":
            return {"role": "assistant", "content": ""}
        case "refusal":
            return {"role": "assistant", "content": None, "refusal": REFUSAL}
        case "prose":
            return {"role": "assistant", "content": PROSE}
        case "reasoning":
            return {
                "role": "assistant",
                "content": "",
                "reasoning_content": "First the answer.",
            }
        case _:
            wrong = [verdict(f"no-such-point-{place}", "met") for place in (1, 2)]
            return _message(body, json.dumps({"verdicts": wrong}))


async def _fail(request: web.Request, fault: str, text: str) -> web.StreamResponse:
    match fault:
        case "429":
            error = {"error": {"message": "too many requests", "type": "rate_limit_exceeded"}}
            return web.json_response(error, status=429, headers={"Retry-After": "0"})
        case "500":
            return web.json_response({"error": {"message": "the server failed"}}, status=500)
        case "html":
            return web.Response(text="<html><body>Bad gateway</body></html>", content_type="text/html")
        case "truncated":
            return web.Response(text=text[: len(text) // 2], content_type="application/json")
        case "broken":
            return await _break(request, text.encode())
        case _:
            await asyncio.sleep(3600)
            raise AssertionError("a hung request outlived its client")


async def _break(request: web.Request, text: bytes) -> web.StreamResponse:
    """Promise a body, send half of it and drop the connection."""
    response = web.StreamResponse(
        headers={"Content-Type": "application/json", "Content-Length": str(len(text))}
    )
    await response.prepare(request)
    await response.write(text[: len(text) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


async def _drip(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.05)


# --- Where it runs -----------------------------------------------------------------------------------------


@contextmanager
def model_server(reply: Reply, faults: Faults | None = None, **more: Any) -> Iterator[ModelServer]:
    """The server in a thread of this process; ``more`` as of ModelServer."""
    server = ModelServer(reply, faults, **more)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="model-server", daemon=True)
    thread.start()
    runner = asyncio.run_coroutine_threadsafe(server.start(), loop).result()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@dataclass(frozen=True)
class ServerProcess:
    """A server in a process of its own."""

    base_url: str
    pid: int

    def stats(self) -> dict[str, Any]:
        """Its counts, as of ``Counts``."""
        url = self.base_url.removesuffix("/v1") + "/stats"
        with urllib.request.urlopen(url) as response:
            counts: dict[str, Any] = json.load(response)
        return counts


@contextmanager
def server_process(
    reply: str = "tests.scripted_judge:all_met", faults: Faults | None = None, **more: Any
) -> Iterator[ServerProcess]:
    """The server in another process; ``reply`` is ``module:function``, ``more`` as of ModelServer."""
    config = {"reply": reply, "faults": asdict(faults or Faults()), **more}
    command = [sys.executable, "-m", "tests.model_server", json.dumps(config)]
    root = Path(__file__).resolve().parents[1]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield ServerProcess(**json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()


async def _serve(server: ModelServer) -> None:
    runner = await server.start()
    sys.stdout.write(json.dumps({"base_url": server.base_url, "pid": os.getpid()}) + "\n")
    sys.stdout.flush()
    try:
        await asyncio.to_thread(sys.stdin.read)
    finally:
        await runner.cleanup()


def main() -> None:
    """Serve as the JSON in the first argument says, until standard input ends."""
    config = json.loads(sys.argv[1])
    module, _, function = config.pop("reply").partition(":")
    reply: Reply = getattr(importlib.import_module(module), function)
    fields = config.pop("faults", {})
    faults = Faults(**fields | ({"kinds": tuple(fields["kinds"])} if "kinds" in fields else {}))
    asyncio.run(_serve(ModelServer(reply, faults, keep_bodies=False, **config)))


if __name__ == "__main__":
    main()
