"""Runs of one conversation with a model that may ask a reader about figures, over a real server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from grader.protocol.asking import Provider, Purse, terms_of
from grader.protocol.run import run
from grader.protocol.state import RunState
from grader.record import Response
from tests.model_server import ModelServer, model_server
from tests.protocol.providers import answers, faults, refused, saying
from tests.protocol.running import request_for, responses, small_set
from tests.scripted_judge import Body

Reply = Callable[[Body], Any]

PRICE = {"input": 1.0, "output": 4.0}


class Made:
    """A run of one problem of two subquestions, one conversation; ``more`` as a sweep's file says it."""

    def __init__(self, folder: Path, server: ModelServer, images: bool, **more: Any) -> None:
        base = server.base_url.removesuffix("/v1") if server.native else server.base_url
        solver = {"model": "openai/m", "api_base": base, "vision": False, "price": PRICE}
        reader = {"model": "openai/eye", "api_base": server.base_url, "price": PRICE}
        self.server = server
        self.out = folder / "run.jsonl"
        self._solver = solver | more.pop("solver", {})
        shown = {"protocols": ["sequential_carry"], "modes": ["text_reader"], "only": ["copper"]}
        self._shown = {**shown, "reader": reader | more.pop("reader", {}), **more}
        self._set = small_set(folder / "set", images=images)

    def go(self, max_cost: float | None = None) -> RunState:
        """Make it, or go on with it."""
        request = request_for(self._set, self.out, self._solver, **self._shown)
        purse = None if max_cost is None else Purse(max_cost, terms_of([request]))
        return run(request, Provider(request, purse, wait=_at_once))

    @property
    def responses(self) -> list[Response]:
        return responses(self.out)

    @property
    def asked(self) -> list[Body]:
        """The requests to the model, in order."""
        return [body for body in self.server.bodies.values() if body.get("model") != "eye"]

    @property
    def read(self) -> list[Body]:
        """The requests to its reader, in order."""
        return [body for body in self.server.bodies.values() if body.get("model") == "eye"]


class Making:
    """Makes such runs, each with a server of its own until the test ends."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack

    def __call__(
        self, reply: Reply, server: dict[str, Any] | None = None, *, images: bool = True, **more: Any
    ) -> Made:
        """``server`` as of ModelServer; ``images``: the problem has figures."""
        entered = self._stack.enter_context(model_server(reply, **(server or {})))
        return Made(self._folder, entered, images, **more)


async def _at_once(seconds: float) -> None:
    """Time passes as soon as somebody waits for it."""


def strict(model: Reply, reader: Reply = lambda body: "A blue line.") -> Reply:
    """A model and its reader behind a server that refuses what the strictest refuse."""

    def replied(body: Body) -> Any:
        if body["model"] == "eye":
            return reader(body)
        wrong = next(faults(body), None)
        said = refused(wrong) if wrong else model(body)
        return saying(said) if isinstance(said, str) else said

    return replied


def once(first: Any, then: Any = "An answer.", reader: Reply = lambda body: "A blue line.") -> Reply:
    """A model that uses its reader first in each turn."""
    return strict(lambda body: then if answers(body) else first, reader)


def roles(body: Body) -> list[str]:
    return [message["role"] for message in body["messages"]]
