"""Sweeps over a small set, whose solvers, reader and judge are behind one server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.grade.judged import write_card
from tests.model_server import ModelServer, request_hash
from tests.protocol.running import small_set
from tests.scripted_judge import Body, all_met

JUDGE = "judge"
PRICE = {"input": 1.0, "output": 4.0}
"""As the server's books have it."""
LIMITS = {"concurrency": 3, "timeout": 5}


def speak(body: Body) -> str | Mapping[str, Any]:
    """What all of them say: the judge finds all met, a solver asks its reader once."""
    if body["model"] == JUDGE:
        return all_met(body)
    if not body.get("tools") or body["messages"][-1]["role"] == "tool":
        return {"role": "assistant", "content": f"The answer to {request_hash(body)}."}
    figure = body["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"][-1]
    arguments = json.dumps({"figure": figure, "question": "What is it?"})
    call = {"id": "c1", "type": "function", "function": {"name": "read_image", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def solver(server: ModelServer, model: str = "m", **more: Any) -> dict[str, Any]:
    """A model of the server, as a sweep's file has it."""
    return {**reader(server, model), "vision": True, **more}


def reader(server: ModelServer, model: str = "eye") -> dict[str, Any]:
    """The same for a reader."""
    asked = {"model": f"openai/{model}", "api_base": server.base_url, "price": PRICE, "limits": LIMITS}
    return {**asked, "parameters": {"max_tokens": 100}, "image_tokens": 300}


def write_judge(folder: Path, server: ModelServer, **fields: Any) -> str:
    """A judge card for the server."""
    said = {"price": PRICE, "limits": LIMITS, "parameters": {"max_tokens": 400}, **fields}
    given = {name: toml(value) for name, value in said.items() if value is not None}
    write_card(folder, server.base_url, JUDGE, **given)
    return f"{JUDGE}.toml"


def sweep_file(folder: Path, models: list[dict[str, Any]], **fields: Any) -> Path:
    """A sweep's file beside its set, which is written too."""
    if not (folder / "set").exists():
        small_set(folder / "set", images=True)
    head = {"problems": "set", "protocols": ["sequential_carry"], "modes": ["text_only"], **fields}
    lines = [f"{name} = {toml(value)}" for name, value in head.items() if value is not None]
    for model in models:
        lines += ["", "[[models]]", *(f"{name} = {toml(value)}" for name, value in model.items())]
    path = folder / "sweep.toml"
    path.write_text("\n".join([*lines, ""]))
    return path


def toml(value: Any) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)
